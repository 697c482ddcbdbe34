"""Two papers and the places where their texts differ in, the verdict of the ink on each place out: same, different or open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from dedupe_core.compare.spans import Span
from dedupe_core.text.words import word_key
from hook.ink.likeness import Blur, Likeness, ink_across, is_stained, likeness
from hook.ink.located import Spot
from hook.ink.pages.page import Box
from hook.ink.pages.paper import CannotLook, Paper, Reason
from hook.ink.places import Affine, EqualWord, Places, are_one, lines_of
from hook.ink.raster import BLUR, Sheet, sheet_of
from hook.ink.registration import Registration, register

# Measured by `python -m scripts.evaluation ink` (docs/ink.md). Of the yardstick: what equal words of these two pages reach.
SAME: Final = 0.9
DIFFERENT: Final = 0.7
_UNSURE: Final = (SAME + DIFFERENT) / 2
# A score, and the surplus that is allowed with it, in times that of equal words: more means that something was added to the
# same print, or is missing. Of 101 one-character changes the nearest was "Marchal" for "Marchat": 0.87 with 2.5 times.
_ALLOWED: Final = ((0.95, 4.0), (SAME, 3.0))
_WEAK: Final = 0.65  # a yardstick below it: equal words are hardly alike either
_EQUAL_WORDS: Final = 32  # that make the yardstick of two pages
_LEAST_WORDS: Final = 6
_NEAR_BY_INK: Final = 1.0  # points: what the ink of an equal word may be off on paper that is not flat
_WORST_EQUAL: Final = 0.1  # the share of equal words that a different place must be below
_SURE_WORDS: Final = 4  # of a side: only a short place is called different
_MOST_DISPLACED: Final = 200  # words of a place, with those that are read where these are printed
_REREAD_WORDS: Final = 4  # of a place that are read again: each takes two runs of tesseract
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
    is_likely: bool = False  # open, and the same print if it is read alike a second time


class Yardstick(NamedTuple):
    """Of two pages: how alike equal words are, at the blur that makes them most alike."""

    median: Likeness
    lowest: float  # of the median: what all but a tenth of the equal words reach
    blur: Blur
    registration: Registration

    @property
    def strength(self) -> float:
        return min(self.median.windows, self.median.blots)


class Match(NamedTuple):
    """A word of a place, and where it is on the other page."""

    span: Span
    flip: bool  # it is a word of the right page
    here: Spot
    there: Spot
    score: float
    stick: Yardstick


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
    places = Places(left_words, right_words, left.pages, right.pages, spans)
    if min(places.left.share, places.right.share) < _LOCATED:
        raise CannotLook(Reason.NO_TEXT)
    looking = Looking(places, left, right)
    return [looking.second_look(place, reread) for place in looking.all(spans)]


class Looking:
    """Sheets and yardsticks of two papers, each made once."""

    def __init__(self, places: Places, left: Paper, right: Paper) -> None:
        self.places, self._papers = places, (left, right)
        self._matches: list[Match] = []
        self._sheets: dict[tuple[bool, int], Sheet] = {}
        self._yardsticks: dict[tuple[int, int], Yardstick | None] = {}

    def _sheet(self, page: int, *, is_right: bool) -> Sheet:
        key = is_right, page
        if key not in self._sheets:
            self._sheets[key] = sheet_of(self._papers[is_right].pixels(page))
        return self._sheets[key]

    def all(self, spans: Sequence[Span]) -> list[Look]:
        """Open are places that were found where another one was found, too: a line printed twice, and once on the other page."""
        places = [self._at(span) for span in spans]
        shared = {
            match.span
            for one, other in combinations(self._matches, 2)
            if one.flip == other.flip and one.here != other.here and one.there.page == other.there.page
            if are_one(one.there.box, other.there.box)
            for match in (one, other)
        }
        return [
            replace(place, ink=Ink.OPEN, is_likely=False) if place.span in shared else place
            for place in places
        ]

    def _at(self, span: Span) -> Look:
        left, right = self.places.left.between(span.a, span.b), self.places.right.between(span.c, span.d)
        place = Look(span, Ink.OPEN, tuple(lines_of(left or ())), tuple(lines_of(right or ())))
        if left is None or right is None:
            return place
        try:
            return self._judged(place, left, right)
        except CannotLook:  # a page beyond those that are rendered, or one that is broken
            return place

    def _judged(self, place: Look, left: Sequence[Spot], right: Sequence[Spot]) -> Look:
        """Word by word, as the yardstick is; the worst one counts. It is the same print only if the words that it displaces
        are found elsewhere."""
        own: list[Match] = []
        is_settled = True
        for flip, spots in ((False, left), (True, right)):
            waiting = list(spots)
            for number, spot in enumerate(waiting):
                match = self._best(place.span, spot, flip)
                if match is None or self._is_outside(match):
                    return place
                self._matches.append(match)
                if number < len(spots):
                    own.append(match)
                elif match.score < SAME:
                    is_settled = False
                displaced = self.places.displaced(match.there, flip=flip)
                is_settled &= None not in displaced and len(waiting) <= _MOST_DISPLACED
                waiting += [spot for spot in displaced if spot and spot not in waiting and is_settled]
        if not own:
            return place
        score, stick = (
            min(match.score for match in own),
            min((match.stick for match in own), key=attrgetter("strength")),
        )
        across = [[match.there for match in own if match.flip is flip] for flip in (False, True)]
        is_one = not (left and right) or any(there.touches(spot) for there in across[0] for spot in right)
        is_sure = is_one and is_settled
        return replace(
            place,
            ink=self._ink(place.span, score, stick, is_sure),
            left=place.left or tuple(lines_of(across[1])),
            right=place.right or tuple(lines_of(across[0])),
            score=score,
            yardstick=stick.strength,
            is_likely=is_sure and DIFFERENT <= score < SAME and self._can_be_same(place.span, stick),
        )

    def _can_be_same(self, span: Span, stick: Yardstick) -> bool:
        return stick.strength >= _WEAK and not self.places.has_turned_letter(span)

    def _ink(self, span: Span, score: float, stick: Yardstick, is_sure: bool) -> Ink:
        """`is_sure`: the words of the two texts are at one place, and what is read there otherwise is printed elsewhere."""
        if stick.strength < _WEAK:
            return Ink.OPEN
        if score >= SAME:
            return Ink.SAME if is_sure and self._can_be_same(span, stick) else Ink.OPEN
        if score >= DIFFERENT or score >= stick.lowest:
            return Ink.OPEN
        if span.is_one_sided:  # OCR may have lost a line of a text that is broken elsewhere
            return Ink.DIFFERENT if self.places.has_no_room(span) else Ink.OPEN
        # long places of a badly read page are cut wrongly
        return Ink.DIFFERENT if is_sure and span.is_short(_SURE_WORDS) else Ink.OPEN

    def _is_outside(self, match: Match) -> bool:
        """Beyond the edge of the other page: a photo may have cut it off."""
        page = self._papers[not match.flip].pages[match.there.page]
        x, y = match.there.box.centre
        return not (0 <= x <= page.width and 0 <= y <= page.height)

    def _best(self, span: Span, spot: Spot, flip: bool) -> Match | None:
        """The likeliest of the ways in which the other page may lie here."""
        pages = self.places.pages(span, spot, flip=flip)
        stick = self._yardstick(pages) if pages else None
        if pages is None or stick is None:
            return None
        page = pages[0] if flip else pages[1]
        here, there = self._sheet(spot.page, is_right=flip), self._sheet(page, is_right=not flip)
        blur = stick.blur.flipped if flip else stick.blur
        ways = []
        for affine in self.places.affines(span, spot, stick.registration, page, flip=flip):
            alike = likeness(here, there, affine, spot.box, blur)
            score = _checked(alike.of(stick.median), alike.surplus_of(stick.median))
            ways.append(Match(span, flip, spot, Spot(page, _mapped(spot.box, affine)), score, stick))
        return max(ways, key=lambda match: match.score)

    def second_look(self, place: Look, reread: Reread | None) -> Look:
        """Different only if each side, read again by itself, still says something else. The same if the ink is nearly alike, and
        each word that is not alike enough is read alike on both pages, whatever the two texts have there."""
        if place.is_likely and reread:
            words = [match for match in self._matches if match.span == place.span and match.score < SAME]
            is_same = len(words) <= _REREAD_WORDS and all(self._is_read_alike(word, reread) for word in words)
            return replace(place, ink=Ink.SAME) if is_same else place
        if place.ink is not Ink.DIFFERENT:
            return place
        left, right = (
            self._read_again(reread, spots, is_right=is_right)
            for is_right, spots in ((False, place.left), (True, place.right))
        )
        is_other = left is not None and right is not None and _joined_keys(left) != _joined_keys(right)
        return place if is_other else replace(place, ink=Ink.OPEN)

    def _is_read_alike(self, word: Match, reread: Reread) -> bool:
        """To the last sign, if there is a digit or no letter."""
        here = self._read_again(reread, [word.here], is_right=word.flip)
        there = self._read_again(reread, [word.there], is_right=not word.flip)
        if not here or not there:
            return False
        letters = ["".join(filter(str.isalnum, text.casefold())) for text in (here, there)]
        is_word = bool(letters[0]) and not any(map(str.isdigit, here + there))
        return letters[0] == letters[1] if is_word else here.split() == there.split()

    def _read_again(self, reread: Reread | None, spots: Sequence[Spot], *, is_right: bool) -> str | None:
        """None if there is nobody to read it, or a stain: then something else is read each time."""
        if reread is None or any(
            is_stained(self._sheet(spot.page, is_right=is_right), spot.box) for spot in spots
        ):
            return None
        texts = [reread(self._papers[is_right], spot) for spot in spots]
        return " ".join(filter(None, texts)) if texts and None not in texts else None

    def _yardstick(self, pages: tuple[int, int]) -> Yardstick | None:
        if pages not in self._yardsticks:
            self._yardsticks[pages] = self._measured(pages)
        return self._yardsticks[pages]

    def _measured(self, pages: tuple[int, int]) -> Yardstick | None:
        registration = self.places.registrations.get(pages)
        if registration is None:
            return None
        words = [word for word in self.places.equal if (word.here.page, word.there.page) == pages]
        words = words[:: max(1, len(words) // _EQUAL_WORDS)][:_EQUAL_WORDS]
        left, right = self._sheet(pages[0], is_right=False), self._sheet(pages[1], is_right=True)
        registration = _by_ink(registration, left, right, words)
        placed = [
            (word.here.box, affine)
            for word in words
            if _is_registered(word, affine := registration.local(*word.here.box.centre))
        ]
        if len(placed) < _LEAST_WORDS:
            return None
        blur = _best_blur(left, right, placed[:: max(1, len(placed) // _BLURRED_WORDS)])
        reached = [likeness(left, right, affine, box, blur) for box, affine in placed]
        median = Likeness(*np.median(reached, axis=0).tolist())
        lowest = float(np.quantile([alike.of(median) for alike in reached], _WORST_EQUAL))
        return Yardstick(median, lowest, blur, registration)


def _by_ink(
    registration: Registration, left: Sheet, right: Sheet, words: Sequence[EqualWord]
) -> Registration:
    """Registered again by where the ink of equal words is: boxes of OCR are off by up to half a letter."""
    ends = [
        both
        for word in words
        for both in ink_across(left, right, registration.local(*word.here.box.centre), word.here.box)
    ]
    source, target = (np.array([both[side] for both in ends]) for side in (0, 1))
    return register(source, target, _NEAR_BY_INK) or registration


def _best_blur(left: Sheet, right: Sheet, placed: Sequence[tuple[Box, Affine]]) -> Blur:
    def fit(blur: Blur) -> float:
        """The weaker one of two that are as good."""
        wholes = [likeness(left, right, affine, box, blur).whole for box, affine in placed]
        return float(np.median(wholes)) - 0.001 * sum(blur)

    return max(_BLURS, key=fit)


def _is_registered(word: EqualWord, affine: Affine) -> bool:
    """Text that has moved on the page is no yardstick."""
    off = affine @ np.array([*word.here.box.centre, 1.0]) - np.array(word.there.box.centre)
    return bool(np.hypot(*off) < 0.5 * word.here.box.height)


def _checked(score: float, surplus: float) -> float:
    """Ink that only one side has counts against a good score."""
    is_allowed = any(score >= least and surplus <= most for least, most in _ALLOWED)
    return score if is_allowed else min(score, _UNSURE)


def _mapped(box: Box, affine: Affine) -> Box:
    corners = np.array([(x, y, 1.0) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]) @ affine.T
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return Box(float(x0), float(y0), float(x1), float(y1))


def _joined_keys(text: str) -> str:
    return "".join(map(word_key, text.split()))
