"""How alike the ink of two places is, 0..1: the worst window of one character counts, in both directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hook.ink.page import Box
from hook.ink.raster import Ink, Sheet, warped

_REACH = 2.2  # points that a place is searched around where it should be: a box of OCR is off by as much
_CHARACTER = 0.62  # of the height of a line: the window that slides
_STEPS = 5  # positions a window
_BLANK = 0.15  # ink below which there is only paper and its grain
_GRAIN = 0.003  # variance of the ink: a full stop has 0.008 in a window, grain of a bad scan 0.0004
_CONTRAST = 2.5  # the one side may be so much paler than the other
_MARGIN = 1.0  # points beside a place: the end of a letter may be outside its box

Affine = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Likeness:
    worst: float  # of the windows
    whole: float  # of the place
    shift: tuple[float, float]  # points, from where it was expected


def likeness(left: Sheet, right: Sheet, affine: Affine, box: Box, reach: float = _REACH) -> Likeness:
    """Of `box` on the left page; `affine` leads from its points to those of the right page."""
    scale = left.scale
    box = _on_grid(box.grown(_MARGIN, 0), left)
    here = left.crop(box)
    pad = round(reach * scale)
    around = warped(right, affine, box.grown(pad / scale, pad / scale), scale)
    there, shift = _best_shift(here, around, pad)
    window = max(4, round(_CHARACTER * box.height * scale))
    return Likeness(_worst(here, there, window), _correlation(here, there), (shift[0] / scale, shift[1] / scale))


def _on_grid(box: Box, sheet: Sheet) -> Box:
    """Whole pixels inside the page: a crop and a warp of it have the same shape."""
    rows, columns = sheet.shape
    x0, y0 = max(0, int(box.x0 * sheet.scale)), max(0, int(box.y0 * sheet.scale))
    x1, y1 = min(columns, round(box.x1 * sheet.scale)), min(rows, round(box.y1 * sheet.scale))
    return Box(*(side / sheet.scale for side in (x0, y0, max(x1, x0 + 1), max(y1, y0 + 1))))


def _best_shift(here: Ink, around: Ink, pad: int) -> tuple[Ink, tuple[int, int]]:
    """The part of `around` that is most like `here`: every second shift first, then those beside the best."""
    rows, columns = here.shape
    around = _at_least(around, rows + 2 * pad, columns + 2 * pad)

    def at(dy: int, dx: int) -> float:
        return _correlation(here, around[pad + dy : pad + dy + rows, pad + dx : pad + dx + columns])

    coarse = [(dy, dx) for dy in range(-pad, pad + 1, 2) for dx in range(-pad, pad + 1, 2)]
    y, x = max(coarse, key=lambda one: at(*one) - 0.002 * (abs(one[0]) + abs(one[1])))
    fine = [
        (dy, dx)
        for dy in range(max(-pad, y - 1), min(pad, y + 1) + 1)
        for dx in range(max(-pad, x - 1), min(pad, x + 1) + 1)
    ]
    y, x = max(fine, key=lambda one: at(*one))
    return around[pad + y : pad + y + rows, pad + x : pad + x + columns], (x, y)


def _at_least(image: Ink, rows: int, columns: int) -> Ink:
    lacking = max(0, rows - image.shape[0]), max(0, columns - image.shape[1])
    return np.pad(image, ((0, lacking[0]), (0, lacking[1]))) if any(lacking) else image


def _correlation(a: Ink, b: Ink) -> float:
    x, y = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / norm if norm > 1e-6 else float(max(a.max(), b.max()) < _BLANK)


def _worst(a: Ink, b: Ink, window: int) -> float:
    """The least likeness of a window. Contrast is evened out over the place, not in a window: there, ink that only one
    side has must count."""
    rows, columns = a.shape
    window = min(window, columns)
    step = max(1, window // _STEPS)
    starts = np.unique(np.append(np.arange(0, columns - window + 1, step), columns - window))
    size = rows * window
    b = b * np.float32(np.clip(np.sqrt((a.var() + _GRAIN) / (b.var() + _GRAIN)), 1 / _CONTRAST, _CONTRAST))

    def summed(values: Ink) -> npt.NDArray[np.float64]:
        total = np.concatenate([[0.0], np.cumsum(values.sum(axis=0, dtype=np.float64))])
        return np.asarray(total[starts + window] - total[starts])

    sum_a, sum_b = summed(a), summed(b)
    spread_a = summed(a * a) - sum_a**2 / size
    spread_b = summed(b * b) - sum_b**2 / size
    common = summed(a * b) - sum_a * sum_b / size
    grain = _GRAIN * size
    scores = (common + grain) / ((spread_a + spread_b) / 2 + grain)
    return float(max(0.0, scores.min()))
