"""Pixels in, ink out: 0 paper, 1 black; crops, and crops warped into another page's frame. numpy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hook.ink.pages.page import Box, Pixels

Ink = npt.NDArray[np.float32]
Grey = npt.NDArray[np.uint8]

_TILE = 32  # pixels; the paper's brightness is taken from the brightest part of each
_PAPER = 0.85  # of the pixels of a tile are not brighter
_EVERY = 3  # of the pixels of a tile, a row and a column: enough to say how bright the paper is
_DARKEST_PAPER = 40.0
BLUR = 1.0  # pixels: grain goes, strokes stay


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page at `scale` pixels a point. Its ink is computed where it is asked for: a pair needs a few lines of a page."""

    grey: Grey
    paper: Ink  # brightness of the paper, a tile
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        return self.grey.shape[0], self.grey.shape[1]

    def ink(self, x0: int, y0: int, x1: int, y1: int, blur: float = BLUR) -> Ink:
        """Of a rectangle of pixels, which may reach beyond the page: there is paper."""
        margin = round(3 * blur)
        rows, columns = self.shape
        left, top = max(0, x0 - margin), max(0, y0 - margin)
        right, bottom = min(columns, x1 + margin), min(rows, y1 + margin)
        out = np.zeros((max(0, y1 - y0), max(0, x1 - x0)), np.float32)
        if right <= left or bottom <= top or not out.size:
            return out
        light = self.grey[top:bottom, left:right].astype(np.float32)
        ink = blurred(np.clip(1 - light / self._background(left, top, right, bottom), 0, 1), blur)
        inside = ink[max(0, y0 - top) : max(0, y1 - top), max(0, x0 - left) : max(0, x1 - left)]
        at_y, at_x = max(0, top - y0), max(0, left - x0)
        out[at_y : at_y + inside.shape[0], at_x : at_x + inside.shape[1]] = inside
        return out

    def crop(self, box: Box, blur: float = BLUR) -> Ink:
        x0, y0, x1, y1 = (round(side * self.scale) for side in box)
        return self.ink(x0, y0, x1, y1, blur)

    def _background(self, x0: int, y0: int, x1: int, y1: int) -> Ink:
        y = np.clip((np.arange(y0, y1) + 0.5) / _TILE - 0.5, 0, self.paper.shape[0] - 1)
        x = np.clip((np.arange(x0, x1) + 0.5) / _TILE - 0.5, 0, self.paper.shape[1] - 1)
        return _between(_between(self.paper, y, axis=0), x, axis=1)


def grey_of(pixels: Pixels) -> Grey:
    return np.frombuffer(pixels.data, np.uint8).reshape(pixels.height, pixels.stride)[:, : pixels.width]


def sheet_of(pixels: Pixels) -> Sheet:
    grey = grey_of(pixels)
    return Sheet(grey, _paper(grey), pixels.scale)


def _paper(grey: Grey) -> Ink:
    """The paper's brightness by tiles, smoothed: a tile within a black area takes that of the tiles around it."""
    rows, columns = grey.shape
    padded = np.pad(grey, ((0, -rows % _TILE), (0, -columns % _TILE)), mode="edge")
    tiles = padded.reshape(padded.shape[0] // _TILE, _TILE, padded.shape[1] // _TILE, _TILE)[
        :, ::_EVERY, :, ::_EVERY
    ]
    flat = tiles.transpose(0, 2, 1, 3).reshape(tiles.shape[0], tiles.shape[2], -1)
    place = int(_PAPER * flat.shape[-1])
    brightest = np.partition(flat, place, axis=-1)[..., place]
    edged = np.pad(brightest, 1, mode="edge")
    height, width = brightest.shape
    around = np.stack([edged[y : y + height, x : x + width] for y in range(3) for x in range(3)])
    return np.maximum(blurred(np.median(around, axis=0).astype(np.float32), 1.0), _DARKEST_PAPER)


def _between(values: Ink, at: npt.NDArray[np.float64], axis: int) -> Ink:
    low = at.astype(np.intp)
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
    """Along the rows; the weights are symmetric, so two neighbours share one."""
    reach, columns = len(weights) // 2, image.shape[1]
    padded = np.pad(image, ((0, 0), (reach, reach)), mode="edge")
    out = padded[:, reach : reach + columns] * weights[reach]
    for step in range(reach):
        mirrored = 2 * reach - step
        out += (padded[:, step : step + columns] + padded[:, mirrored : mirrored + columns]) * weights[step]
    return np.asarray(out, dtype=np.float32)


def warped(sheet: Sheet, affine: npt.NDArray[np.float64], box: Box, scale: float, blur: float = BLUR) -> Ink:
    """What `sheet` shows where the other page has `box`: `affine` (2 x 3) leads from the other's points to this one's.

    `scale` are the other's pixels a point, so the result can be laid over its crop.
    """
    columns, rows = max(1, round(box.width * scale)), max(1, round(box.height * scale))
    x = box.x0 + (np.arange(columns) + 0.5) / scale
    y = box.y0 + (np.arange(rows) + 0.5) / scale
    u = (affine[0, 0] * x[None, :] + affine[0, 1] * y[:, None] + affine[0, 2]) * sheet.scale - 0.5
    v = (affine[1, 0] * x[None, :] + affine[1, 1] * y[:, None] + affine[1, 2]) * sheet.scale - 0.5
    left, top = int(np.floor(u.min())), int(np.floor(v.min()))
    right, bottom = int(np.ceil(u.max())) + 2, int(np.ceil(v.max())) + 2
    if (right - left) * (bottom - top) > 64 * u.size:  # a fit that stretches a word over the page is none
        return np.zeros((rows, columns), np.float32)
    return _sampled(sheet.ink(left, top, right, bottom, blur), u - left, v - top)


def _sampled(ink: Ink, u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> Ink:
    x, y = u.astype(np.intp), v.astype(np.intp)
    dx, dy = (u - x).astype(np.float32), (v - y).astype(np.float32)
    above = ink[y, x] * (1 - dx) + ink[y, x + 1] * dx
    below = ink[y + 1, x] * (1 - dx) + ink[y + 1, x + 1] * dx
    return np.asarray(above * (1 - dy) + below * dy, dtype=np.float32)
