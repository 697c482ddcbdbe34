"""Two papers and the places where their texts differ in, the verdict of the ink on each place out: same, different or open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import Final

import numpy as np

from dedupe_core.compare.spans import Span
from hook.ink.likeness import Blur, Likeness, ink_across, is_stained, likeness
from hook.ink.located import Spot
from hook.ink.pages.page import Box
from hook.ink.pages.paper import CannotLook, Paper, Reason
from hook.ink.places import Affine, EqualWord, Places, are_one, lines_of
from hook.ink.raster import BLUR, Sheet, sheet_of
from hook.ink.registration import Registration, register

# Measured by `python -m scripts.evaluation ink` (docs/ink.md). Of the yardstick: what equal words of these two pages reach.
SAME: Final = 0.88
DIFFERENT: Final = 0.7
_UNSURE: Final = (SAME + DIFFERENT) / 2
# A score, and the surplus that is allowed with it, in times that of equal words: more means that something was added to the
# same print, or is missing. Of one-character changes with a score above 0.3 the least had 3.5 times, at a score of 0.78.
_ALLOWED: Final = ((0.95, 4.0), (SAME, 3.0), (0.75, 2.0))
_WEAK: Final = 0.65  # a yardstick below it: equal words are hardly alike either
_EQUAL_WORDS: Final = 32  # that make the yardstick of two pages
_LEAST_WORDS: Final = 6
_NEAR_BY_INK: Final = 1.0  # points: what the ink of an equal word may be off on paper that is not flat
_WORST_EQUAL: Final = 0.1  # the share of equal words that a different place must be below
_SURE_WORDS: Final = 4  # of a side: only a short place is called different
_LOCATED: Final = 0.3  # of the words of a text that must be found in the text layer
_BLURS: Final = tuple(
    Blur(math.hypot(BLUR, left), math.hypot(BLUR, right))
    for left, right in ((0, 0), (0.7, 0), (1.2, 0), (1.7, 0), (0, 0.7), (0, 1.2), (0, 1.7))
)
_BLURRED_WORDS: Final = 8  # that say which of these makes the two sides most alike


class Ink(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Look:
    """One place. The spots are where a person should look; either may be missing on a page that cannot be found."""

    span: Span  # words of the left text and of the right one
    ink: Ink
    left: tuple[Spot, ...] = ()
    right: tuple[Spot, ...] = ()
    score: float = 0.0  # of the yardstick
    yardstick: float = 0.0


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Of two pages: how alike equal words are, at the blur that makes them most alike."""

    median: Likeness
    lowest: float  # of the median: what all but a tenth of the equal words reach
    blur: Blur
    registration: Registration

    @property
    def strength(self) -> float:
        return min(self.median.windows, self.median.blots)


Reread = Callable[[Paper, Spot], str | None]


def look(
    left_words: Sequence[str],
    right_words: Sequence[str],
    spans: Sequence[Span],
    left: Paper,
    right: Paper,
    reread: Reread | None = None,
) -> list[Look]:
    """In the order of `spans`. Raises CannotLook if nothing can be said of the pair as a whole."""
    places = Places(left_words, right_words, left.pages, right.pages)
    if min(places.left.share, places.right.share) < _LOCATED:
        raise CannotLook(Reason.NO_TEXT)
    looking = Looking(places, left, right, spans)
    found = looking.all()
    return [_second_look(one, looking, reread) if one.ink is Ink.DIFFERENT else one for one in found]


class Looking:
    """Sheets and yardsticks of two papers, each made once."""

    def __init__(self, places: Places, left: Paper, right: Paper, spans: Sequence[Span]) -> None:
        self.places, self.left, self.right, self._spans = places, left, right, spans
        self._open_words = (
            {word for span in spans for word in range(span.a, span.b)},
            {word for span in spans for word in range(span.c, span.d)},
        )
        self._claims: list[tuple[bool, Spot, Spot, Span]] = []
        self._sheets: dict[tuple[bool, int], Sheet] = {}
        self._yardsticks: dict[tuple[int, int], Yardstick | None] = {}

    def sheet(self, page: int, *, is_right: bool) -> Sheet:
        key = is_right, page
        if key not in self._sheets:
            self._sheets[key] = sheet_of((self.right if is_right else self.left).pixels(page))
        return self._sheets[key]

    def all(self) -> list[Look]:
        """Open are places that were found where another one was found, too: a line printed twice, and once on the other page."""
        found = [self.at(span) for span in self._spans]
        shared = {
            claim[3]
            for one, other in combinations(self._claims, 2)
            if one[0] == other[0] and one[1] != other[1] and one[2].page == other[2].page
            if are_one(one[2].box, other[2].box)
            for claim in (one, other)
        }
        return [replace(one, ink=Ink.OPEN) if one.span in shared else one for one in found]

    def at(self, span: Span) -> Look:
        left, right = self.places.left.between(span.a, span.b), self.places.right.between(span.c, span.d)
        look = Look(span, Ink.OPEN, tuple(lines_of(left or ())), tuple(lines_of(right or ())))
        if left is None or right is None:
            return look
        try:
            return self._judged(look, left, right)
        except CannotLook:  # a page beyond those that are rendered, or one that is broken
            return look

    def _judged(self, look: Look, left: Sequence[Spot], right: Sequence[Spot]) -> Look:
        """Word by word, as the yardstick is; the worst one counts."""
        is_elsewhere = False
        scores: list[float] = []
        sticks: list[Yardstick] = []
        across: dict[bool, list[Spot]] = {False: [], True: []}
        for flip, spots in ((False, left), (True, right)):
            for spot in spots:
                found = self._best(look.span, spot, flip)
                if found is None or self._is_outside(found[2], flip):
                    return look
                is_elsewhere |= self.places.is_elsewhere(found[2], self._open_words[not flip], flip=flip)
                self._claims.append((flip, spot, found[2], look.span))
                scores.append(found[0])
                sticks.append(found[1])
                across[flip].append(found[2])
        if not scores:
            return look
        stick = min(sticks, key=lambda one: one.strength)
        ink = _verdict(min(scores), stick)
        if ink is Ink.DIFFERENT and look.span.is_one_sided:
            # OCR may have lost a line of a text that is broken elsewhere
            ink = Ink.DIFFERENT if self.places.has_no_room(look.span) else Ink.OPEN
        elif ink is Ink.DIFFERENT and not look.span.is_short(_SURE_WORDS):
            ink = Ink.OPEN  # long places of a badly read page are cut wrongly
        elif left and right and not any(one.touches(other) for one in across[False] for other in right):
            ink = Ink.OPEN  # the words of the two texts are not at one place
        elif is_elsewhere or (ink is Ink.SAME and self.places.has_turned_letter(look.span)):
            ink = Ink.OPEN
        return replace(
            look,
            ink=ink,
            left=look.left or tuple(lines_of(across[True])),
            right=look.right or tuple(lines_of(across[False])),
            score=min(scores),
            yardstick=stick.strength,
        )

    def _is_outside(self, there: Spot, flip: bool) -> bool:
        """Beyond the edge of the other page: a photo may have cut it off."""
        page = (self.left if flip else self.right).pages[there.page]
        x, y = there.box.centre
        return not (0 <= x <= page.width and 0 <= y <= page.height)

    def _best(self, span: Span, spot: Spot, flip: bool) -> tuple[float, Yardstick, Spot] | None:
        """The likeliest of the ways in which the other page may lie here."""
        best: tuple[float, Yardstick, Spot] | None = None
        pages = self.places.pages(span, spot, flip=flip)
        stick = self.yardstick(pages) if pages else None
        if pages is None or stick is None:
            return None
        page = pages[0] if flip else pages[1]
        here, there = self.sheet(spot.page, is_right=flip), self.sheet(page, is_right=not flip)
        blur = stick.blur.flipped if flip else stick.blur
        for affine in self.places.affines(span, spot, stick.registration, page, flip=flip):
            found = likeness(here, there, affine, spot.box, blur)
            score = _checked(found.of(stick.median), found.surplus_of(stick.median))
            if best is None or score > best[0]:
                best = score, stick, Spot(page, _mapped(spot.box, affine))
        return best

    def is_stained(self, one: Look) -> bool:
        sides = ((False, one.left), (True, one.right))
        return any(
            is_stained(self.sheet(spot.page, is_right=is_right), spot.box)
            for is_right, spots in sides
            for spot in spots
        )

    def yardstick(self, pages: tuple[int, int]) -> Yardstick | None:
        if pages not in self._yardsticks:
            self._yardsticks[pages] = self._measured(pages)
        return self._yardsticks[pages]

    def _measured(self, pages: tuple[int, int]) -> Yardstick | None:
        registration = self.places.registrations.get(pages)
        if registration is None:
            return None
        words = _some([one for one in self.places.equal if (one.here.page, one.there.page) == pages])
        left, right = self.sheet(pages[0], is_right=False), self.sheet(pages[1], is_right=True)
        registration = _by_ink(registration, left, right, words)
        placed = [
            (one.here.box, affine)
            for one in words
            if _is_registered(one, affine := registration.local(*one.here.box.centre))
        ]
        if len(placed) < _LEAST_WORDS:
            return None
        blur = _best_blur(left, right, placed[:: max(1, len(placed) // _BLURRED_WORDS)])
        found = [likeness(left, right, affine, box, blur) for box, affine in placed]
        windows, blots, surplus, whole = np.median(
            [(one.windows, one.blots, one.surplus, one.whole) for one in found], axis=0
        ).tolist()
        median = Likeness(windows, blots, surplus, whole)
        lowest = float(np.quantile([one.of(median) for one in found], _WORST_EQUAL))
        return Yardstick(median, lowest, blur, registration)


def _some(words: Sequence[EqualWord]) -> Sequence[EqualWord]:
    return words[:: max(1, len(words) // _EQUAL_WORDS)][:_EQUAL_WORDS]


def _by_ink(one: Registration, left: Sheet, right: Sheet, words: Sequence[EqualWord]) -> Registration:
    """Registered again by where the ink of equal words is: boxes of OCR are off by up to half a letter."""
    found = [
        ends
        for word in words
        for ends in ink_across(left, right, one.local(*word.here.box.centre), word.here.box)
    ]
    source, target = (np.array([ends[side] for ends in found]) for side in (0, 1))
    return register(source, target, _NEAR_BY_INK) or one


def _best_blur(left: Sheet, right: Sheet, placed: Sequence[tuple[Box, Affine]]) -> Blur:
    def fit(blur: Blur) -> float:
        """The weaker one of two that are as good."""
        found = [likeness(left, right, affine, box, blur).whole for box, affine in placed]
        return float(np.median(found)) - 0.001 * sum(blur)

    return max(_BLURS, key=fit)


def _is_registered(word: EqualWord, affine: Affine) -> bool:
    """Text that has moved on the page is no yardstick."""
    found = affine @ np.array([*word.here.box.centre, 1.0])
    return bool(np.hypot(*(found - np.array(word.there.box.centre))) < 0.5 * word.here.box.height)


def _verdict(score: float, stick: Yardstick) -> Ink:
    if stick.strength < _WEAK:
        return Ink.OPEN
    if score >= SAME:
        return Ink.SAME
    is_below = score < DIFFERENT and score < stick.lowest
    return Ink.DIFFERENT if is_below else Ink.OPEN


def _checked(score: float, surplus: float) -> float:
    """Ink that only one side has counts against a good score, and its absence for a fair one."""
    if any(score >= least and surplus <= most for least, most in _ALLOWED):
        return max(score, SAME)
    return min(score, _UNSURE)


def _mapped(box: Box, affine: Affine) -> Box:
    corners = np.array([(x, y, 1.0) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]) @ affine.T
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return Box(float(x0), float(y0), float(x1), float(y1))


def _second_look(one: Look, looking: Looking, reread: Reread | None) -> Look:
    """Different only if each place has no stain and, read again by itself, still says something else; else open."""
    if reread is None or looking.is_stained(one):
        return replace(one, ink=Ink.OPEN)
    read = partial(_read_again, reread)
    left, right = read(looking.left, one.left), read(looking.right, one.right)
    is_other = left is not None and right is not None and left != right
    return one if is_other else replace(one, ink=Ink.OPEN)


def _read_again(reread: Reread, paper: Paper, spots: Sequence[Spot]) -> str | None:
    texts = [reread(paper, spot) for spot in spots]
    return (
        "".join(text for text in texts if text) if texts and all(text is not None for text in texts) else None
    )
