"""Where a difference of the ledger is on both pages: boxes a line, and how the one page lies on the other there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dedupe_core.compare.differences import Difference, Ledger
from hook.ink.located import Located, Spot, locate
from hook.ink.page import Box, Page
from hook.ink.registration import Registration, inverse, projected, register

Affine = npt.NDArray[np.float64]
PagePair = tuple[int, int]

_AROUND = 12  # equal words before and after a place, in the order of reading, that say how it lies
_SAME_SHIFT = 1.5  # points: two shifts that are one
_LONGEST_LINE = 40.0  # heights of a line: a longer one is cut


@dataclass(frozen=True, slots=True)
class EqualWord:
    left: int  # its number in the left text
    right: int
    here: Spot
    there: Spot


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pair as the other one is laid over it."""

    located: Located
    registrations: dict[PagePair, Registration]


class Places:
    """Both texts on their pages."""

    def __init__(self, ledger: Ledger, left: Sequence[Page], right: Sequence[Page]) -> None:
        self.ledger = ledger
        self.left, self.right = locate(ledger.left, left), locate(ledger.right, right)
        self.equal = list(_equal_words(ledger, self.left, self.right))
        self.registrations = dict(_registered(self.equal))
        self.equal += self._rescued()

    def _rescued(self) -> list[EqualWord]:
        """Equal words that another reading order has put elsewhere: the same key where the other page should have it."""
        known_left = {one.left for one in self.equal}
        known_right = {one.right for one in self.equal}
        waiting: dict[tuple[int, str], list[tuple[int, Spot]]] = defaultdict(list)
        for place, key in enumerate(self.ledger.right.keys):
            spot = self.right.only(place)
            if place not in known_right and spot:
                waiting[spot.page, key].append((place, spot))
        found = []
        for place, key in enumerate(self.ledger.left.keys):
            spot = self.left.only(place)
            if place in known_left or not spot:
                continue
            for (page, other), registration in self.registrations.items():
                if page != spot.page:
                    continue
                expected = projected(registration.matrix, np.array([spot.box.centre]))[0]
                for word, there in waiting.get((other, key), ()):
                    if np.hypot(*(expected - there.box.centre)) < 0.7 * spot.box.height:
                        found.append(EqualWord(place, word, spot, there))
        return found

    def is_rescued(self, difference: Difference) -> bool:
        """True if each of its words is on the other page where it should be: read in another order."""
        left, right = {one.left for one in self.equal}, {one.right for one in self.equal}
        a, b, c, d = difference.span
        return all(n in left for n in range(a, b)) and all(n in right for n in range(c, d))

    def affines(self, difference: Difference, here: Spot, *, flip: bool = False) -> Iterator[tuple[int, Affine]]:
        """Pages of the other side and how this spot lies on them, the likeliest first; `flip` for a spot of the right page."""
        near = self._near(difference, here.page, flip)
        pages = Counter((one.here.page if flip else one.there.page) for one in near)
        if not pages:
            return
        other = pages.most_common(1)[0][0]
        registration = self.registrations.get((other, here.page) if flip else (here.page, other))
        if registration is None:
            return
        registration = inverse(registration) if flip else registration
        affine = registration.local(*here.box.centre)
        yield other, affine
        yield from ((other, moved) for moved in self._moved(near, affine, other, flip))

    def _near(self, difference: Difference, page: int, flip: bool) -> list[EqualWord]:
        at = difference.span.c if flip else difference.span.a
        words = sorted(self.equal, key=lambda one: abs((one.right if flip else one.left) - at))
        return [one for one in words[: 4 * _AROUND] if (one.there if flip else one.here).page == page][:_AROUND]

    def _moved(self, near: Sequence[EqualWord], affine: Affine, other: int, flip: bool) -> Iterator[Affine]:
        """Where the words around it are shifted against the rest of the page: text was inserted, lines are broken elsewhere."""
        shifts: list[npt.NDArray[np.float64]] = []
        for one in near[:6]:
            here, there = (one.there, one.here) if flip else (one.here, one.there)
            if there.page != other:
                continue
            off = np.array(there.box.centre) - affine @ np.array([*here.box.centre, 1.0])
            if np.hypot(*off) > _SAME_SHIFT and all(np.hypot(*(off - known)) > _SAME_SHIFT for known in shifts):
                shifts.append(off)
        for shift in shifts[:2]:
            yield np.column_stack([affine[:, :2], affine[:, 2] + shift])


def _equal_words(ledger: Ledger, left: Located, right: Located) -> Iterator[EqualWord]:
    at, other = 0, 0
    spans = [one.span for one in ledger.differences]
    for start, end, begin, stop in (*spans, (len(ledger.left), 0, len(ledger.right), 0)):
        for here, there in zip(range(at, start), range(other, begin), strict=False):
            spots = left.only(here), right.only(there)
            if spots[0] and spots[1]:
                yield EqualWord(here, there, spots[0], spots[1])
        at, other = end, stop


def _registered(equal: Sequence[EqualWord]) -> Iterator[tuple[PagePair, Registration]]:
    by_pages: dict[PagePair, list[EqualWord]] = defaultdict(list)
    for one in equal:
        by_pages[one.here.page, one.there.page].append(one)
    for pages, words in by_pages.items():
        ends = [(one.here.box, one.there.box) for one in words]
        source = np.array([corner for box, _ in ends for corner in _ends(box)])
        target = np.array([corner for _, box in ends for corner in _ends(box)])
        if len(words) >= 3 and (found := register(source, target)):
            yield pages, found


def _ends(box: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both ends of the line under a word: boxes of OCR are most exact there."""
    return (box.x0, box.y1), (box.x1, box.y1)


def lines_of(spots: Sequence[Spot]) -> list[Spot]:
    """The spots of one place, joined where they are beside each other on a line."""
    found: list[Spot] = []
    for spot in spots:
        last = found[-1] if found else None
        joined = last.box.joined(spot.box) if last and last.page == spot.page else None
        if last and joined and last.box.is_beside(spot.box) and joined.width < _LONGEST_LINE * joined.height:
            found[-1] = Spot(last.page, joined)
        else:
            found.append(spot)
    return found
