"""How alike the ink of two places is: the worst window of one character counts, and the largest blot that only one has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hook.ink.pages.page import Box
from hook.ink.raster import BLUR, Ink, Sheet, blurred, warped

_REACH = 2.2  # points that a place is searched around where it should be
_WIDE_REACH = 5.0  # points that an equal word is searched around where the boxes of OCR have it
_FOUND = 0.6  # correlation of an equal word and the place where it is found
_CHARACTER = 0.62  # of the height of a line: the window that slides over a place
_STROKE = 0.3  # of the height: the window that looks for a blot, such as the stroke that makes a 6 of a 5
_EVENED = 0.08  # of the height: the difference of two sides is blurred by it
_LEAST_SURPLUS = 0.01  # two prints of one file have less
_STEPS = 4  # positions a window
_GRAIN = 0.003  # variance of the ink: a full stop has 0.008 in a window, grain of a bad scan 0.0004
_BLANK = 1e-5  # variance of paper without grain
_BLACK = 0.7  # mean ink of a window of one character: that of a bold letter is below 0.6
_LEAST_INK = 0.02  # mean square of the ink where there is writing
_CONTRAST = 2.5  # the one side may be so much paler than the other
_BESIDE, _ABOVE, _BELOW = (
    1.0,
    0.1,
    0.22,
)  # points, and of the height: boxes of OCR cut off ends and descenders
# Heights: a longer word is compared in pieces, each searched for by itself; over 8 a fit is off by a stroke. Shorter pieces find
# a fifth of the equal words that 4 does not, on paper that is not flat.
PIECES = (4.0, 2.5)

Affine = npt.NDArray[np.float64]
Point = tuple[float, float]


class Blur(NamedTuple):
    """Pixels by which each side is blurred: the sharper one more, so that two scanners give the same letters."""

    left: float = BLUR
    right: float = BLUR

    @property
    def flipped(self) -> Blur:
        return Blur(self.right, self.left)


class Likeness(NamedTuple):
    """1 is equal; below 0 if there is more ink that only one side has than ink."""

    windows: float  # the least likeness of a window
    blots: float  # 1 less the largest blot
    surplus: float  # ink that only one side has in one spot, where edges that are a little off cancel out; 0 is equal
    whole: float  # correlation of the place

    def of(self, yardstick: Likeness) -> float:
        """As a share of what equal words reach; the worse of the two."""
        return min(self.windows / max(yardstick.windows, 0.05), self.blots / max(yardstick.blots, 0.05))

    def surplus_of(self, yardstick: Likeness) -> float:
        """How many times what equal words have."""
        return self.surplus / max(yardstick.surplus, _LEAST_SURPLUS)


def likeness(
    left: Sheet,
    right: Sheet,
    affine: Affine,
    box: Box,
    blur: Blur = Blur(),  # noqa: B008 a NamedTuple
    longest: float = PIECES[0],
) -> Likeness:
    """Of `box` on the left page; `affine` leads from its points to those of the right page. The worst piece counts."""
    windows, blots, surplus, whole = zip(
        *(_piece(left, right, affine, piece, box.height, blur) for piece in _pieces(box, longest)),
        strict=True,
    )
    return Likeness(min(windows), min(blots), max(surplus), min(whole))


def _pieces(box: Box, longest: float = PIECES[0]) -> Iterator[Box]:
    count = max(1, math.ceil(box.width / (longest * max(box.height, 0.1))))
    width = box.width / count
    for number in range(count):
        yield Box(box.x0 + number * width, box.y0, box.x0 + (number + 1) * width, box.y1)


def is_stained(sheet: Sheet, box: Box) -> bool:
    """True if more of the place is black than a letter can be: a blot, whatever is printed below it."""
    sums, size = _windows(sheet.crop(box), round(_CHARACTER * box.height * sheet.scale))
    return float(sums.max()) > _BLACK * size


def ink_across(left: Sheet, right: Sheet, affine: Affine, box: Box) -> Iterator[tuple[Point, Point]]:
    """The middle of each piece of a word, and where the same ink is on the right page."""
    for piece in _pieces(box):
        grown = _grown(piece, box.height, left)
        here = left.crop(grown, BLUR)
        x, y, fit = _searched(here, right, affine, grown, left.scale, BLUR, _WIDE_REACH)
        if fit >= _FOUND:
            middle = piece.centre
            across = affine @ np.array([middle[0] + x, middle[1] + y, 1.0])
            yield middle, (float(across[0]), float(across[1]))


def _grown(box: Box, height: float, sheet: Sheet) -> Box:
    return _on_grid(
        Box(box.x0 - _BESIDE, box.y0 - _ABOVE * height, box.x1 + _BESIDE, box.y1 + _BELOW * height), sheet
    )


def _searched(
    here: Ink, right: Sheet, affine: Affine, box: Box, scale: float, blur: float, reach: float
) -> tuple[float, float, float]:
    """Points to the right and down at which the right page is most like `here`, and how much."""
    pad = round(reach * scale)
    around = warped(right, affine, box.grown(pad / scale, pad / scale), scale, blur)
    x, y, fit = _best_shift(here, around, pad)
    return x / scale, y / scale, fit


def _piece(left: Sheet, right: Sheet, affine: Affine, box: Box, height: float, blur: Blur) -> Likeness:
    scale = left.scale
    box = _grown(box, height, left)
    here = left.crop(box, blur.left)
    x, y, _ = _searched(here, right, affine, box, scale, blur.right, _REACH)
    moved = Box(box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y)
    there = warped(right, affine, moved, scale, blur.right)[: here.shape[0], : here.shape[1]]
    there = there * np.float32(
        np.clip(np.sqrt((here.var() + _GRAIN) / (there.var() + _GRAIN)), 1 / _CONTRAST, _CONTRAST)
    )
    pixels = height * scale
    stroke = round(_STROKE * pixels)
    evened = blurred(here - there, max(1.0, _EVENED * pixels))
    return Likeness(
        _worst_window(here, there, round(_CHARACTER * pixels)),
        1 - _largest_blot(here, here - there, stroke),
        _largest_blot(here, evened, stroke),
        correlating(here)(there),
    )


def _on_grid(box: Box, sheet: Sheet) -> Box:
    """Whole pixels inside the page: a crop and a warp of it have the same shape."""
    rows, columns = sheet.shape
    x0 = min(max(0, int(box.x0 * sheet.scale)), columns - 1)
    y0 = min(max(0, int(box.y0 * sheet.scale)), rows - 1)
    x1, y1 = min(columns, round(box.x1 * sheet.scale)), min(rows, round(box.y1 * sheet.scale))
    return Box(*(side / sheet.scale for side in (x0, y0, max(x1, x0 + 1), max(y1, y0 + 1))))


def _best_shift(here: Ink, around: Ink, pad: int) -> tuple[float, float, float]:
    """Pixels to the right and down at which `around` is most like `here`, and how much: every second shift first, then those beside the
    best, then between the pixels. Half a pixel is a sixth of a stroke."""
    rows, columns = here.shape
    lacking = max(0, rows + 2 * pad - around.shape[0]), max(0, columns + 2 * pad - around.shape[1])
    around = np.pad(around, ((0, lacking[0]), (0, lacking[1])))

    alike = correlating(here)

    @cache
    def fit(dy: int, dx: int) -> float:
        """Of two that are as good, the nearer one."""
        there = around[pad + dy : pad + dy + rows, pad + dx : pad + dx + columns]
        return alike(there) - 0.002 * (abs(dy) + abs(dx))

    coarse = range(-pad, pad + 1, 2)
    y, x = max(((dy, dx) for dy in coarse for dx in coarse), key=lambda one: fit(*one))
    fine_y, fine_x = (range(max(1 - pad, one - 1), min(pad - 1, one + 1) + 1) for one in (y, x))
    y, x = max(((dy, dx) for dy in fine_y for dx in fine_x), key=lambda one: fit(*one))
    best = fit(y, x)
    between = _peak(fit(y, x - 1), best, fit(y, x + 1)), _peak(fit(y - 1, x), best, fit(y + 1, x))
    return x + between[0], y + between[1], best


def _peak(before: float, here: float, after: float) -> float:
    """Where a parabola through three neighbours is highest, at most half a step away."""
    bend = before - 2 * here + after
    return float(np.clip((before - after) / (2 * bend), -0.5, 0.5)) if bend < -1e-9 else 0.0


def correlating(a: Ink) -> Callable[[Ink], float]:
    """The correlation of `a` with another: 1 also for two that are blank, and about 0 if only one is."""
    x, blank = a - a.mean(), _BLANK * a.size
    own = float(np.vdot(x, x)) + blank

    def correlation(b: Ink) -> float:
        y = b - b.mean()
        return (float(np.vdot(x, y)) + blank) / math.sqrt(own * (float(np.vdot(y, y)) + blank))

    return correlation


def _worst_window(a: Ink, b: Ink, side: int) -> float:
    """What two windows have in common, of what they have; contrast was evened out over the place, not in a window: there,
    ink that only one side has must count."""
    sum_a, size = _windows(a, side)
    sum_b, _ = _windows(b, side)
    spread_a = _windows(a * a, side)[0] - sum_a**2 / size
    spread_b = _windows(b * b, side)[0] - sum_b**2 / size
    common = _windows(a * b, side)[0] - sum_a * sum_b / size
    grain = _GRAIN * size
    return float(((common + grain) / ((spread_a + spread_b) / 2 + grain)).min())


def _largest_blot(ink: Ink, difference: Ink, side: int) -> float:
    """As a share of the ink of a dense part of the place."""
    blots, size = _windows(difference**2, side)
    dense = float(np.quantile(_windows(ink * ink, side)[0], 0.8))
    return float(blots.max()) / max(dense, _LEAST_INK * size)


def _windows(values: Ink, side: int) -> tuple[npt.NDArray[np.float64], int]:
    """Sums of square windows that slide in both directions, and the pixels of one."""
    rows, columns = values.shape
    high, wide = min(max(3, side), rows), min(max(3, side), columns)
    step = max(1, side // _STEPS)
    total = np.zeros((rows + 1, columns + 1))
    np.cumsum(np.cumsum(values, axis=0, dtype=np.float64), axis=1, out=total[1:, 1:])
    y = np.unique(np.append(np.arange(0, rows - high + 1, step), rows - high))[:, None]
    x = np.unique(np.append(np.arange(0, columns - wide + 1, step), columns - wide))[None, :]
    return total[y + high, x + wide] - total[y, x + wide] - total[y + high, x] + total[y, x], high * wide
