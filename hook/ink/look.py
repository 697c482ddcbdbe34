"""Two papers and the places where their texts differ in, the verdict of the ink on each place out: same, different or open."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import combinations, product
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from dedupe_core.compare.spans import Span
from hook.ink.likeness import PIECES, Blur, Likeness, ink_across, is_stained, likeness
from hook.ink.located import Spot
from hook.ink.pages.page import Box
from hook.ink.pages.paper import CannotLook, Paper, Reason
from hook.ink.places import Affine, EqualWord, Places, are_one, lines_of
from hook.ink.raster import BLUR, Sheet, sheet_of
from hook.ink.registration import Registration, register
from hook.ink.second_reading import Reread, is_read_alike, is_read_otherwise

# Measured by `python -m scripts.evaluation ink` (docs/ink-measured.md). Of the yardstick: what equal words of these two pages reach.
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
_REREAD_WORDS: Final = 24  # of a place that are read again; of more, one is read otherwise anyway
COMPARING_S: Final = (
    5.0  # of CPU, for all places of a pair; a word takes 0.02 s. Those that are left then stay open
)
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
    is_moved: bool  # not where the page as a whole has it


Side = tuple[bool, Spot]  # of the right page, or of the left one


def look(
    left_words: Sequence[str],
    right_words: Sequence[str],
    spans: Sequence[Span],
    left: Paper,
    right: Paper,
    reread: Reread | None = None,
    seconds: float = COMPARING_S,
) -> list[Look]:
    """In the order of `spans`. Raises CannotLook if nothing can be said of the pair as a whole."""
    until_s = time.thread_time() + seconds
    places = Places(left_words, right_words, left.pages, right.pages, spans)
    if min(places.left.share, places.right.share) < _LOCATED:
        raise CannotLook(Reason.NO_TEXT)
    looking = Looking(places, left, right, until_s)
    return looking.second_look(looking.all(spans), reread)


class Looking:
    """Sheets and yardsticks of two papers, each made once."""

    def __init__(self, places: Places, left: Paper, right: Paper, until_s: float = math.inf) -> None:
        self.places, self._papers, self._until_s = places, (left, right), until_s
        self._matches: list[Match] = []
        self._sheet = cache(self._sheet_of)
        self._yardstick = cache(self._measured)

    def _sheet_of(self, is_right: bool, page: int) -> Sheet:
        return sheet_of(self._papers[is_right].pixels(page))

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
                is_late = time.thread_time() > self._until_s
                match = None if is_late else self._best(place.span, spot, flip)
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
        # Two places are one if columns were read in another order: each is where the page as a whole has it.
        can_be_same = is_settled and (is_one or not any(match.is_moved for match in own))
        can_be_same &= stick.strength >= _WEAK and not self.places.has_turned_letter(place.span)
        return replace(
            place,
            ink=self._ink(place.span, score, stick, is_sure=is_one and is_settled, can_be_same=can_be_same),
            left=place.left or tuple(lines_of(across[1])),
            right=place.right or tuple(lines_of(across[0])),
            score=score,
            yardstick=stick.strength,
            is_likely=can_be_same and DIFFERENT <= score < SAME,
        )

    def _ink(self, span: Span, score: float, stick: Yardstick, *, is_sure: bool, can_be_same: bool) -> Ink:
        """`is_sure`: the words of the two texts are at one place, and what is read there otherwise is printed elsewhere."""
        if stick.strength < _WEAK:
            return Ink.OPEN
        if score >= SAME:
            return Ink.SAME if can_be_same else Ink.OPEN
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
        """The best of the ways in which the other page may lie here, or the first that is good enough."""
        pages = self.places.pages(span, spot, flip=flip)
        stick = self._yardstick(pages) if pages else None
        if pages is None or stick is None:
            return None
        page = pages[0] if flip else pages[1]
        here, there = self._sheet(flip, spot.page), self._sheet(not flip, page)
        blur = stick.blur.flipped if flip else stick.blur
        best: Match | None = None
        affines = self.places.affines(span, spot, stick.registration, page, flip=flip)
        for number, (affine, piece) in enumerate(product(affines, PIECES)):
            alike = likeness(here, there, affine, spot.box, blur, piece)
            score = _checked(alike.of(stick.median), alike.surplus_of(stick.median))
            if best is None or score > best.score:
                to, is_moved = Spot(page, _mapped(spot.box, affine)), number >= len(PIECES)
                best = Match(span, flip, spot, to, score, stick, is_moved)
            if best.score >= SAME:
                break
        return best

    def second_look(self, places: Sequence[Look], reread: Reread | None) -> list[Look]:
        """Different only if each side, read again by itself, still says something else. The same if the ink is nearly alike, and
        each word that is not alike enough is read alike on both pages, whatever the two texts have there."""
        asked = [self._read_twice(place) for place in places]
        wanted = list(
            dict.fromkeys(side for pairs in asked for pair in pairs for spots in pair for side in spots)
        )
        papers = [(self._papers[is_right], spot) for is_right, spot in wanted]
        read = dict(zip(wanted, reread(papers), strict=True)) if reread and papers else {}
        return [
            replace(place, ink=_read_again(place, [[_joined(read, side) for side in pair] for pair in pairs]))
            for place, pairs in zip(places, asked, strict=True)
        ]

    def _read_twice(self, place: Look) -> list[tuple[list[Side], list[Side]]]:
        """What is to be read the same on both pages, or otherwise; nothing where there is a stain: there something else is read
        each time."""
        if place.is_likely:
            words = [match for match in self._matches if match.span == place.span and match.score < SAME]
            pairs = [([(word.flip, word.here)], [(not word.flip, word.there)]) for word in words]
        elif place.ink is Ink.DIFFERENT:
            pairs = [([(False, spot) for spot in place.left], [(True, spot) for spot in place.right])]
        else:
            return []
        is_stained_there = any(
            is_stained(self._sheet(is_right, spot.page), spot.box)
            for pair in pairs
            for spots in pair
            for is_right, spot in spots
        )
        return [] if is_stained_there or len(pairs) > _REREAD_WORDS else pairs

    def _measured(self, pages: tuple[int, int]) -> Yardstick | None:
        registration = self.places.registrations.get(pages)
        if registration is None:
            return None
        words = [word for word in self.places.equal if (word.here.page, word.there.page) == pages]
        words = words[:: max(1, len(words) // _EQUAL_WORDS)][:_EQUAL_WORDS]
        left, right = self._sheet(False, pages[0]), self._sheet(True, pages[1])
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


def _joined(read: Mapping[Side, str | None], spots: Sequence[Side]) -> str | None:
    """None if one of them could not be read."""
    texts = [read.get(spot) for spot in spots]
    return " ".join(filter(None, texts)) if texts and None not in texts else None


def _read_again(place: Look, pairs: Sequence[Sequence[str | None]]) -> Ink:
    if place.is_likely:
        return Ink.SAME if pairs and all(is_read_alike(*pair) for pair in pairs) else Ink.OPEN
    if place.ink is not Ink.DIFFERENT:
        return place.ink
    return Ink.DIFFERENT if any(is_read_otherwise(*pair) for pair in pairs) else Ink.OPEN
