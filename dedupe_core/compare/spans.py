"""Two printed texts in, the places where they differ out: word against word, split or joined words, or one side only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.printed import Printed
from dedupe_core.text.tokens import is_slip

ELSEWHERE = 4  # characters that are in the other text by no chance, even if a scanner split or joined them
_BRIDGED_CHARS = 3  # of one equal word between two long differences: "the" and "de" agree by chance
_ALIKE = 0.5  # of the characters equal: one word read twice keeps half of its letters
_JOINED_ALIKE = 0.7  # of two words read as one
_JOINED_LENGTH, _SHORTEST_JOINED = (
    2,
    4,
)  # letters that two words and the one they are read as may differ by; of the one
_NEVER = 1 << 20  # letters: as long as no word
_LONGEST_MATCHED = 400  # pairs of words in a place that are matched one by one: 20 words against 20


class Span(NamedTuple):
    """Words a..b of the left text against words c..d of the right one; either may be empty."""

    a: int
    b: int
    c: int
    d: int

    @property
    def is_one_sided(self) -> bool:
        return self.a == self.b or self.c == self.d

    def is_short(self, most: int) -> bool:
        """At most so many words on either side."""
        return max(self.b - self.a, self.d - self.c) <= most


@dataclass(frozen=True, slots=True)
class LeftOver:
    """The words of a text that are not in their place: what has moved is among them, perhaps split or joined.

    `only` are those of its keys that are nowhere among the words that the other text has left over.
    """

    compact: str
    only: frozenset[str]

    @classmethod
    def both(cls, left: Sequence[str], right: Sequence[str]) -> tuple[LeftOver, LeftOver]:
        x, y = "".join(left), "".join(right)
        of_left, of_right = frozenset(left), frozenset(right)
        return cls(x, _lacking(of_left - of_right, y)), cls(y, _lacking(of_right - of_left, x))

    def places_only(self, keys: Sequence[str], first: int) -> tuple[int, ...]:
        """The places of the keys that only this text has; the first key has the place `first`."""
        return tuple(compress(range(first, first + len(keys)), map(self.only.__contains__, keys)))


def _lacking(keys: frozenset[str], compact: str) -> frozenset[str]:
    return frozenset([key for key in keys if len(key) < ELSEWHERE or key not in compact])


def differing(left: Printed, right: Printed) -> list[Span]:
    """Each place that differs, in order, cut as small as it can be."""
    pieces = (piece for place in _places(left, right) for piece in _pieces(left, right, place))
    return [piece for piece in pieces if _differs(left, right, piece)]


def _differs(left: Printed, right: Printed, span: Span) -> bool:
    return left.keys[span.a : span.b] != right.keys[span.c : span.d]


def _places(left: Printed, right: Printed) -> Iterator[Span]:
    """Neighbouring differences as one."""
    keys = left.keys
    place: Span | None = None
    blocks: list[tuple[str, int, int, int, int]] = Levenshtein.opcodes(keys, right.keys).as_list()  # type: ignore[assignment]  # it says int | str for each
    for tag, a, b, c, d in blocks:
        if tag != "equal":
            place = Span(place.a, b, place.c, d) if place else Span(a, b, c, d)
        elif place is not None and b - a == 1 and _is_bridge(keys[a], place):
            place = Span(place.a, b, place.c, d)
        elif place is not None:
            yield place
            place = None
    if place is not None:
        yield place


def _is_bridge(key: str, place: Span) -> bool:
    is_long = place.b - place.a >= 2 or place.d - place.c >= 2
    return is_long and len(key) <= _BRIDGED_CHARS


def _pieces(left: Printed, right: Printed, place: Span) -> Iterator[Span]:
    """A place cut where a word of the one side is a reading of a word of the other."""
    size = (place.b - place.a) * (place.d - place.c)
    if size <= 1 or size > _LONGEST_MATCHED or is_one_word(left, right, place):
        yield place
        return
    at_left, at_right = place.a, place.c
    for match in _matches(left.keys[place.a : place.b], right.keys[place.c : place.d]):
        matched = Span(place.a + match.a, place.a + match.b, place.c + match.c, place.c + match.d)
        if matched.a > at_left or matched.c > at_right:
            yield Span(at_left, matched.a, at_right, matched.c)
        yield matched
        at_left, at_right = matched.b, matched.d
    if at_left < place.b or at_right < place.d:
        yield Span(at_left, place.b, at_right, place.d)


def is_one_word(left: Printed, right: Printed, place: Span) -> bool:
    """True if only spaces differ: a web address that a scanner read in three pieces."""
    if place.is_one_sided or place.b - place.a == place.d - place.c == 1:
        return False
    x, y = "".join(left.words[place.a : place.b]), "".join(right.words[place.c : place.d])
    return len(x) == len(y) and x.casefold() == y.casefold()


def _matches(left: Sequence[str], right: Sequence[str]) -> list[Span]:
    """The best matching in order: word for word, two words read as one, or one read as two."""
    lengths = list(map(len, right))
    above, before = [0.0] * (len(right) + 1), [0.0] * (len(right) + 1)
    steps = [[(0, 0)] * (len(right) + 1)]
    for i, (x, alike) in enumerate(zip(left, _readings(left, right), strict=True)):
        here, steps_here = [0.0], [(0, 0)]
        two_left = len(left[i - 1]) + len(x) if i else _NEVER
        for j, y in enumerate(right):
            score, step = above[j + 1], (1, 0)
            if here[j] > score:
                score, step = here[j], (0, 1)
            if alike[j] and above[j] + alike[j] > score:
                score, step = above[j] + alike[j], (1, 1)
            if abs(two_left - lengths[j]) <= _JOINED_LENGTH:
                joined = _joined(left[i - 1] + x, y)
                score, step = (
                    (before[j] + joined, (2, 1)) if joined and before[j] + joined > score else (score, step)
                )
            if j and abs(lengths[j - 1] + lengths[j] - len(x)) <= _JOINED_LENGTH:
                joined = _joined(right[j - 1] + y, x)
                score, step = (
                    (above[j - 1] + joined, (1, 2))
                    if joined and above[j - 1] + joined > score
                    else (score, step)
                )
            here.append(score)
            steps_here.append(step)
        before, above = above, here
        steps.append(steps_here)
    return _walked(steps)


def _readings(left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
    """How alike each two words are, 0 if they are not two readings of one word."""
    alike: list[list[float]] = process.cdist(
        left, right, scorer=Levenshtein.normalized_similarity, score_cutoff=_ALIKE
    ).tolist()
    for i, x in enumerate(left):
        if _is_number(x):  # half of the digits equal is another number, not a reading of this one
            alike[i] = [
                like if like and is_slip(x, y) else 0.0 for like, y in zip(alike[i], right, strict=True)
            ]
    return alike


def _is_number(key: str) -> bool:
    return 2 * sum(map(str.isdigit, key)) >= len(key)


def _joined(joined: str, word: str) -> float:
    if len(word) < _SHORTEST_JOINED:
        return 0.0
    alike = Levenshtein.normalized_similarity(joined, word, score_cutoff=_JOINED_ALIKE)
    return alike + 0.5 if alike else 0.0  # two words are accounted for


def _walked(steps: Sequence[Sequence[tuple[int, int]]]) -> list[Span]:
    i, j, matched = len(steps) - 1, len(steps[0]) - 1, []
    while i > 0 and j > 0:
        left, right = steps[i][j]
        if left and right:
            matched.append(Span(i - left, i, j - right, j))
        i, j = i - left, j - right
    return matched[::-1]
