"""Where a difference of two texts is on both pages: boxes a line, and how the one page lies on the other there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dedupe_core.compare.spans import Span
from hook.ink.located import Spot, blocks, key_of, locate
from hook.ink.pages.page import Box, Page
from hook.ink.registration import Registration, inverse, register

Affine = npt.NDArray[np.float64]
PagePair = tuple[int, int]

_AROUND = 12  # equal words before and after a place, in the order of reading, that say how it lies
_SAME_SHIFT = 1.5  # points: two shifts that are one
_ROOM = 0.6  # of the width of some words: less is no room for them
_COMMON = 0.4  # of the larger of two boxes that are one
_LONGEST_LINE = 40.0  # heights of a line: a longer one is cut


@dataclass(frozen=True, slots=True)
class EqualWord:
    left: int  # its number in the left text
    right: int
    here: Spot
    there: Spot


class Places:
    """The words of both texts on their pages."""

    def __init__(
        self,
        left_words: Sequence[str],
        right_words: Sequence[str],
        left: Sequence[Page],
        right: Sequence[Page],
        spans: Sequence[Span] = (),
    ) -> None:
        self._left_keys, self._right_keys = (tuple(map(key_of, one)) for one in (left_words, right_words))
        self.left, self.right = locate(self._left_keys, left), locate(self._right_keys, right)
        self.equal = list(self._equal_words())
        self.registrations = dict(_registered(self.equal))
        self.equal += self._rescued()
        self._open_words = (
            {word for span in spans for word in range(span.a, span.b)},
            {word for span in spans for word in range(span.c, span.d)},
        )
        self._partners = (
            {one.right: one.here for one in self.equal if one.left not in self._open_words[0]},
            {one.left: one.there for one in self.equal if one.right not in self._open_words[1]},
        )

    def _equal_words(self) -> Iterator[EqualWord]:
        for tag, a, b, c, _ in blocks(self._left_keys, self._right_keys):
            for step in range(b - a if tag == "equal" else 0):
                here, there = self.left.only(a + step), self.right.only(c + step)
                if here and there:
                    yield EqualWord(a + step, c + step, here, there)

    def _rescued(self) -> list[EqualWord]:
        """Equal words that another reading order has put elsewhere: the same key where the other page should have it."""
        known_left = {one.left for one in self.equal}
        known_right = {one.right for one in self.equal}
        waiting: dict[tuple[int, str], list[tuple[int, Spot]]] = defaultdict(list)
        for place, key in enumerate(self._right_keys):
            spot = self.right.only(place)
            if place not in known_right and spot:
                waiting[spot.page, key].append((place, spot))
        return [
            EqualWord(place, word, spot, there)
            for place, key in enumerate(self._left_keys)
            if place not in known_left and (spot := self.left.only(place))
            for (page, other), registration in self.registrations.items()
            if page == spot.page
            for word, there in waiting.get((other, key), ())
            if _distance(registration.mapped(np.array([spot.box.centre]))[0], there) < 0.7 * spot.box.height
        ]

    def pages(self, span: Span, here: Spot, *, flip: bool = False) -> PagePair | None:
        """That of this spot and that which has the words around it; `flip` for a spot of the right page."""
        near = Counter((one.here if flip else one.there).page for one in self._near(span, here.page, flip))
        if not near:
            return None
        other = near.most_common(1)[0][0]
        return (other, here.page) if flip else (here.page, other)

    def affines(
        self, span: Span, here: Spot, registration: Registration, other: int, *, flip: bool = False
    ) -> Iterator[Affine]:
        """How this spot lies on the other page, the likeliest first."""
        registration = inverse(registration) if flip else registration
        affine = registration.local(*here.box.centre)
        yield affine
        yield from self._moved(self._near(span, here.page, flip), affine, other, flip)

    def displaced(self, there: Spot, *, flip: bool) -> list[Spot | None]:
        """The words that the texts have as partners of those that are read at this spot of the other page, unless these are
        open too; None for one whose partner is not known, or is open. Of a line that the one paper has twice and the other once,
        the second one is found in the first: then the first has to be found somewhere else."""
        located = self.left if flip else self.right
        return [
            self._partners[flip].get(place)
            for place, spots in enumerate(located.spots)
            if place not in self._open_words[not flip]
            if any(spot.page == there.page and are_one(there.box, spot.box) for spot in spots)
        ]

    def has_turned_letter(self, span: Span) -> bool:
        """True if the two readings differ by an n for a u: the same shape turned, which no window tells apart at 120 dpi."""
        here, there = "".join(self._left_keys[span.a : span.b]), "".join(self._right_keys[span.c : span.d])
        return here != there and here.replace("u", "n") == there.replace("u", "n")

    def has_no_room(self, span: Span) -> bool:
        """Of words that only one text has: true if its neighbours are so near to each other on the other page that these
        words cannot be between them."""
        is_left = span.a < span.b
        own = (self.left.between(span.a, span.b) if is_left else self.right.between(span.c, span.d)) or []
        located, at = (self.right, span.c) if is_left else (self.left, span.a)
        if len(lines_of(own)) != 1 or not 0 < at < len(located.spots):
            return False
        before, after = located.only(at - 1), located.only(at)
        if not before or not after or before.page != after.page or not before.box.is_beside(after.box):
            return False
        return after.box.x0 - before.box.x1 < _ROOM * lines_of(own)[0].box.width

    def _near(self, span: Span, page: int, flip: bool) -> list[EqualWord]:
        at = span.c if flip else span.a
        words = sorted(self.equal, key=lambda one: abs((one.right if flip else one.left) - at))
        return [one for one in words[: 4 * _AROUND] if (one.there if flip else one.here).page == page][
            :_AROUND
        ]

    def _moved(self, near: Sequence[EqualWord], affine: Affine, other: int, flip: bool) -> Iterator[Affine]:
        """Where the words around it are shifted against the rest of the page: text was inserted, lines are broken elsewhere."""
        shifts: list[npt.NDArray[np.float64]] = []
        for one in near[:6]:
            here, there = (one.there, one.here) if flip else (one.here, one.there)
            if there.page != other:
                continue
            off = np.array(there.box.centre) - affine @ np.array([*here.box.centre, 1.0])
            if np.hypot(*off) > _SAME_SHIFT and all(
                np.hypot(*(off - known)) > _SAME_SHIFT for known in shifts
            ):
                shifts.append(off)
        for shift in shifts[:2]:
            yield np.column_stack([affine[:, :2], affine[:, 2] + shift])


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


def _distance(point: npt.NDArray[np.float64], spot: Spot) -> float:
    return float(np.hypot(*(point - spot.box.centre)))


def are_one(one: Box, other: Box) -> bool:
    """True if most of both is common; boxes of neighbours overlap at their ends."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    larger = max(one.width * one.height, other.width * other.height)
    return width > 0 and height > 0 and width * height > _COMMON * larger


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
