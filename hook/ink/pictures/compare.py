"""Pages without text (photos, drawings, handwriting): a perceptual hash as a candidate, the two pictures laid over each other
as the proof. Useless on pages of text, whose hashes are all alike."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from hook.ink.pages.page import Pixels
from hook.ink.raster import grey_of

Picture = npt.NDArray[np.float32]

CANDIDATE_BITS: Final = 10  # of 64 that may differ
LOOKS_THE_SAME: Final = (
    0.62  # of `alike`: measured by `python -m scripts.evaluation pictures` (docs/ink-measured.md)
)
_SIDE: Final = 192  # pixels that a picture is reduced to: details of a millimetre stay
_HASHED: Final = 32
_TURNS: Final = (-2.0, -1.0, 0.0, 1.0, 2.0)  # degrees
_SIZES: Final = (0.97, 1.0, 1.03)
_TILES: Final = 6  # a side; the picture is compared tile by tile
_EMPTY: Final = 4.0  # standard deviation, of 255: a tile without anything in it


def perceptual_hash(pixels: Pixels) -> int:
    """64 bits: the signs of the lowest frequencies of the page, against their median."""
    small = reduced(pixels, _HASHED)
    basis = _cosines(_HASHED)[:8]
    low = (basis @ small @ basis.T).ravel()
    bits = low > np.median(low[1:])
    return int(np.packbits(bits).view(">u8")[0])


@cache
def _cosines(size: int) -> npt.NDArray[np.float64]:
    k, n = np.arange(size)[:, None], np.arange(size)[None, :]
    return np.asarray(np.cos(np.pi * k * (2 * n + 1) / (2 * size)))


def reduced(pixels: Pixels, side: int = _SIDE) -> Picture:
    """Squeezed into a square by means of areas, whatever the format of the page."""
    grey = grey_of(pixels).astype(np.float32)
    rows = np.linspace(0, grey.shape[0], side + 1).astype(int)
    columns = np.linspace(0, grey.shape[1], side + 1).astype(int)
    sums = np.add.reduceat(np.add.reduceat(grey, rows[:-1], axis=0), columns[:-1], axis=1)
    sizes = np.maximum(np.diff(rows), 1)[:, None] * np.maximum(np.diff(columns), 1)[None, :]
    return np.asarray(sums / sizes, dtype=np.float32)


def alike(left: Picture, right: Picture) -> float:
    """0..1: the median likeness of the tiles in which there is something, at the best turn, size and shift."""
    flat_left, flat_right = _flattened(left), _flattened(right)
    wanted = np.fft.rfft2(flat_left)
    best, best_peak = flat_right, -1.0
    for turn in _TURNS:
        for size in _SIZES:
            turned = _turned(flat_right, turn, size)
            surface = np.fft.irfft2(wanted * np.conj(np.fft.rfft2(turned)), s=flat_left.shape)
            peak = float(surface.max()) / (float(np.linalg.norm(turned)) or 1.0)
            if peak > best_peak:
                y, x = np.unravel_index(int(surface.argmax()), surface.shape)
                best, best_peak = np.roll(turned, (int(y), int(x)), axis=(0, 1)), peak
    return _tiles_alike(flat_left, best)


def _flattened(picture: Picture) -> Picture:
    """Without the light of the room: each point against what is around it."""
    reach = len(picture) // 8
    padded = np.pad(picture, reach, mode="edge").astype(np.float64).cumsum(0).cumsum(1)
    padded = np.pad(padded, ((1, 0), (1, 0)))
    width = 2 * reach
    around = (
        padded[width:, width:] - padded[:-width, width:] - padded[width:, :-width] + padded[:-width, :-width]
    )
    return np.asarray(picture - around[: len(picture), : len(picture)] / width**2, dtype=np.float32)


def _turned(picture: Picture, degrees: float, size: float) -> Picture:
    side = len(picture)
    angle, middle = np.deg2rad(degrees), (side - 1) / 2
    y, x = np.mgrid[:side, :side] - middle
    u = np.clip((np.cos(angle) * x - np.sin(angle) * y) / size + middle, 0, side - 1)
    v = np.clip((np.sin(angle) * x + np.cos(angle) * y) / size + middle, 0, side - 1)
    return np.asarray(picture[np.rint(v).astype(int), np.rint(u).astype(int)])


def _tiles_alike(a: Picture, b: Picture) -> float:
    step = len(a) // _TILES
    scores = []
    for y in range(0, step * _TILES, step):
        for x in range(0, step * _TILES, step):
            one, other = a[y : y + step, x : x + step], b[y : y + step, x : x + step]
            spread = float(one.std()), float(other.std())
            if max(spread) < _EMPTY:
                continue
            common = float(((one - one.mean()) * (other - other.mean())).mean())
            scores.append(common / max(spread[0] * spread[1], max(spread) * _EMPTY))
    return max(0.0, float(np.median(scores))) if scores else 0.0
