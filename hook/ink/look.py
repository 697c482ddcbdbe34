"""Two papers and their ledger in, the verdict of the ink on each place out: same, different or open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

import numpy as np

from dedupe_core.compare.differences import Difference, Ledger
from hook.ink.likeness import likeness
from hook.ink.located import Spot
from hook.ink.page import Box
from hook.ink.paper import CannotLook, Paper, Reason
from hook.ink.places import Affine, EqualWord, Places, lines_of
from hook.ink.raster import Sheet, sheet_of

# Measured by scripts/measure_ink.py (docs/ink.md). Of the yardstick: what equal words of these two pages reach.
SAME: Final = 0.92
DIFFERENT: Final = 0.74
_WEAK: Final = 0.6  # a yardstick below it: equal words are hardly alike either
_EQUAL_WORDS: Final = 32  # that make the yardstick of two pages
_LEAST_WORDS: Final = 6
_WORST_EQUAL: Final = 0.1  # the share of equal words that a different place must be below
_LOCATED: Final = 0.3  # of the words of a text that must be found in the text layer


class Ink(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Look:
    """One place. The spots are where a person should look; either may be missing on a page that cannot be found."""

    difference: Difference
    ink: Ink
    left: tuple[Spot, ...] = ()
    right: tuple[Spot, ...] = ()
    score: float = 0.0  # of the yardstick
    yardstick: float = 0.0


@dataclass(frozen=True, slots=True)
class Yardstick:
    median: float
    lowest: float  # what all but a tenth of the equal words reach

    @property
    def is_weak(self) -> bool:
        return self.median < _WEAK


Reread = Callable[[Paper, Spot], str | None]


def look(
    ledger: Ledger,
    differences: Sequence[Difference],
    left: Paper,
    right: Paper,
    reread: Reread | None = None,
) -> list[Look]:
    """In the order of `differences`. Raises CannotLook if nothing can be said of the pair as a whole."""
    places = Places(ledger, left.pages, right.pages)
    if min(places.left.share, places.right.share) < _LOCATED:
        raise CannotLook(Reason.NO_TEXT)
    looking = Looking(places, left, right)
    found = [looking.at(one) for one in differences]
    return [_second_look(one, looking, reread) if one.ink is Ink.DIFFERENT else one for one in found]


class Looking:
    """Sheets and yardsticks of two papers, each made once."""

    def __init__(self, places: Places, left: Paper, right: Paper) -> None:
        self.places, self.left, self.right = places, left, right
        self._sheets: dict[tuple[bool, int], Sheet] = {}
        self._yardsticks: dict[tuple[int, int], Yardstick | None] = {}

    def sheet(self, page: int, *, is_right: bool) -> Sheet:
        key = is_right, page
        if key not in self._sheets:
            self._sheets[key] = sheet_of((self.right if is_right else self.left).pixels(page))
        return self._sheets[key]

    def at(self, difference: Difference) -> Look:
        a, b, c, d = difference.span
        left, right = lines_of(self.places.left.between(a, b)), lines_of(self.places.right.between(c, d))
        look = Look(difference, Ink.OPEN, tuple(left), tuple(right))
        try:
            return self._judged(look)
        except CannotLook:  # a page beyond those that are rendered, or one that is broken
            return look

    def _judged(self, look: Look) -> Look:
        scores: list[float] = []
        sticks: list[Yardstick] = []
        opposite: list[list[Spot]] = [[], []]
        for flip, spots in ((False, look.left), (True, look.right)):
            for spot in spots:
                found = self._best(look.difference, spot, flip)
                if found is None:
                    return look
                score, stick, there = found
                scores.append(score / stick.median)
                sticks.append(stick)
                opposite[not flip].append(there)
        look = replace(look, left=look.left or tuple(opposite[0]), right=look.right or tuple(opposite[1]))
        if not scores:
            return look
        stick = min(sticks, key=lambda one: one.median)
        look = replace(look, score=min(scores), yardstick=stick.median)
        return replace(look, ink=_verdict(min(scores), stick))

    def _best(self, difference: Difference, spot: Spot, flip: bool) -> tuple[float, Yardstick, Spot] | None:
        """The likeliest of the ways in which the other page may lie here."""
        best: tuple[float, Yardstick, Spot] | None = None
        for page, affine in self.places.affines(difference, spot, flip=flip):
            pages = (page, spot.page) if flip else (spot.page, page)
            stick = self.yardstick(pages)
            if stick is None:
                continue
            here, there = self.sheet(spot.page, is_right=flip), self.sheet(page, is_right=not flip)
            score = likeness(here, there, affine, spot.box).worst
            if best is None or score > best[0]:
                best = score, stick, Spot(page, _mapped(spot.box, affine))
        return best

    def yardstick(self, pages: tuple[int, int]) -> Yardstick | None:
        if pages not in self._yardsticks:
            self._yardsticks[pages] = self._measured(pages)
        return self._yardsticks[pages]

    def _measured(self, pages: tuple[int, int]) -> Yardstick | None:
        registration = self.places.registrations.get(pages)
        if registration is None:
            return None
        words = [one for one in self.places.equal if (one.here.page, one.there.page) == pages]
        chosen = words[:: max(1, len(words) // _EQUAL_WORDS)][:_EQUAL_WORDS]
        left, right = self.sheet(pages[0], is_right=False), self.sheet(pages[1], is_right=True)
        scores = [
            likeness(left, right, registration.local(*one.here.box.centre), one.here.box).worst
            for one in chosen
            if _is_registered(one, registration.local(*one.here.box.centre))
        ]
        if len(scores) < _LEAST_WORDS:
            return None
        return Yardstick(float(np.median(scores)), float(np.quantile(scores, _WORST_EQUAL)))


def _is_registered(word: EqualWord, affine: Affine) -> bool:
    """Text that has moved on the page is no yardstick."""
    found = affine @ np.array([*word.here.box.centre, 1.0])
    return bool(np.hypot(*(found - np.array(word.there.box.centre))) < 0.5 * word.here.box.height)


def _verdict(score: float, stick: Yardstick) -> Ink:
    if stick.is_weak:
        return Ink.OPEN
    if score >= SAME:
        return Ink.SAME
    is_below = score < DIFFERENT and score < stick.lowest / stick.median
    return Ink.DIFFERENT if is_below else Ink.OPEN


def _mapped(box: Box, affine: Affine) -> Box:
    corners = np.array([(x, y, 1.0) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]) @ affine.T
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return Box(float(x0), float(y0), float(x1), float(y1))


def _second_look(one: Look, looking: Looking, reread: Reread | None) -> Look:
    """Different only if each place, read again by itself, still says something else; else open."""
    if reread is None:
        return replace(one, ink=Ink.OPEN)
    read = partial(_read_again, reread)
    left, right = read(looking.left, one.left), read(looking.right, one.right)
    is_other = left is not None and right is not None and left != right
    return one if is_other else replace(one, ink=Ink.OPEN)


def _read_again(reread: Reread, paper: Paper, spots: Sequence[Spot]) -> str | None:
    texts = [reread(paper, spot) for spot in spots]
    return "".join(text for text in texts if text) if texts and all(text is not None for text in texts) else None
