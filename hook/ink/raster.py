"""Pixels in, ink out: 0 paper, 1 black; crops, and crops warped into another page's frame. numpy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hook.ink.page import Box, Pixels

Ink = npt.NDArray[np.float32]

_TILE = 32  # pixels; the paper's brightness is taken from the brightest part of each
_PAPER = 0.85  # of the pixels of a tile are not brighter
_DARKEST_PAPER = 40.0
_BLUR = 1.0  # pixels


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as ink, at `scale` pixels a point."""

    ink: Ink
    scale: float

    def crop(self, box: Box) -> Ink:
        x0, y0 = int(box.x0 * self.scale), int(box.y0 * self.scale)
        x1, y1 = int(np.ceil(box.x1 * self.scale)), int(np.ceil(box.y1 * self.scale))
        rows, columns = self.ink.shape
        return self.ink[max(0, y0) : min(rows, y1), max(0, x0) : min(columns, x1)]


def sheet_of(pixels: Pixels) -> Sheet:
    grey = np.frombuffer(pixels.data, np.uint8).reshape(pixels.height, pixels.stride)[:, : pixels.width]
    light = grey.astype(np.float32)
    ink = np.clip(1 - light / _background(light), 0, 1)
    return Sheet(blurred(ink, _BLUR), pixels.scale)


def _background(light: Ink) -> Ink:
    """The paper's brightness everywhere: by tiles, smoothed, and enlarged again."""
    rows, columns = light.shape
    padded = np.pad(light, ((0, -rows % _TILE), (0, -columns % _TILE)), mode="edge")
    tiles = padded.reshape(padded.shape[0] // _TILE, _TILE, padded.shape[1] // _TILE, _TILE)
    flat = tiles.transpose(0, 2, 1, 3).reshape(*tiles.shape[::2], -1)[..., ::7]  # every seventh pixel says enough
    place = int(_PAPER * flat.shape[-1])
    paper = np.partition(flat, place, axis=-1)[..., place]
    paper = np.maximum(blurred(_brightest_near(paper), 1.0), _DARKEST_PAPER)
    return _enlarged(paper, rows, columns)


def _brightest_near(paper: Ink) -> Ink:
    """A tile within a black area takes the paper beside it."""
    edged = np.pad(paper, 1, mode="edge")
    rows, columns = paper.shape
    moved = [edged[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    return np.asarray(np.median(np.stack(moved), axis=0), dtype=np.float32)


def _enlarged(tiles: Ink, rows: int, columns: int) -> Ink:
    y = np.clip((np.arange(rows) + 0.5) / _TILE - 0.5, 0, tiles.shape[0] - 1)
    x = np.clip((np.arange(columns) + 0.5) / _TILE - 0.5, 0, tiles.shape[1] - 1)
    across = _between(tiles, x, axis=1)
    return _between(across, y, axis=0)


def _between(values: Ink, at: npt.NDArray[np.float64], axis: int) -> Ink:
    low = at.astype(int)
    high = np.minimum(low + 1, values.shape[axis] - 1)
    share = (at - low).astype(np.float32)
    share = share[None, :] if axis else share[:, None]
    return np.asarray(np.take(values, low, axis) * (1 - share) + np.take(values, high, axis) * share)


def blurred(image: Ink, sigma: float) -> Ink:
    reach = max(1, round(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    return _convolved(_convolved(image, weights).T, weights).T


def _convolved(image: Ink, weights: npt.NDArray[np.float32]) -> Ink:
    """Along the rows."""
    reach, columns = len(weights) // 2, image.shape[1]
    padded = np.pad(image, ((0, 0), (reach, reach)), mode="edge")
    out = padded[:, reach : reach + columns] * weights[reach]
    for step in range(reach):  # symmetric: two neighbours share a weight
        out += (padded[:, step : step + columns] + padded[:, 2 * reach - step : 2 * reach - step + columns]) * weights[step]
    return np.asarray(out, dtype=np.float32)


def warped(sheet: Sheet, affine: npt.NDArray[np.float64], box: Box, scale: float) -> Ink:
    """What `sheet` shows where the other page has `box`: `affine` (2 x 3) leads from the other's points to this one's.

    `scale` are the other's pixels a point, so the result can be laid over its crop. Outside the page is paper.
    """
    columns, rows = max(1, round(box.width * scale)), max(1, round(box.height * scale))
    x = box.x0 + (np.arange(columns) + 0.5) / scale
    y = box.y0 + (np.arange(rows) + 0.5) / scale
    u = (affine[0, 0] * x[None, :] + affine[0, 1] * y[:, None] + affine[0, 2]) * sheet.scale - 0.5
    v = (affine[1, 0] * x[None, :] + affine[1, 1] * y[:, None] + affine[1, 2]) * sheet.scale - 0.5
    return _sampled(sheet.ink, u, v)


def _sampled(ink: Ink, u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> Ink:
    rows, columns = ink.shape
    inside = (u >= 0) & (v >= 0) & (u < columns - 1) & (v < rows - 1)
    u, v = np.clip(u, 0, columns - 1.001), np.clip(v, 0, rows - 1.001)
    x, y = u.astype(np.intp), v.astype(np.intp)
    dx, dy = (u - x).astype(np.float32), (v - y).astype(np.float32)
    above = ink[y, x] * (1 - dx) + ink[y, x + 1] * dx
    below = ink[y + 1, x] * (1 - dx) + ink[y + 1, x + 1] * dx
    return np.asarray(np.where(inside, above * (1 - dy) + below * dy, 0.0), dtype=np.float32)
