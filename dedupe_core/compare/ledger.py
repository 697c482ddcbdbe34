"""The ledger of differences: every place where two texts differ, what it is, and how unlikely a scanner made it.

Verdict, reason, note and review are made from it. A difference is *noise* if a scanner could have made it, *moved* if it
is elsewhere in the other text, *lost* or *edge* if one reading lacks a line or has a margin more, *field* if a name, number
or address was replaced, and *prose* if words were inserted, deleted or replaced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from dedupe_core.compare.places import Kind, poisson_tail
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import Span
from dedupe_core.compare.written import formed
from dedupe_core.text.words import NUMBERS, WordKind

_REGION = 25  # words on either side of a difference whose noise counts as its own
_PRIOR_LETTERS = 150  # letters of the whole pair that a region is mixed with
_BURST, _FEW_ERRORS = 5.0, 0.002  # misread letters come together; and some are misread even in a clean pair
_NOT_CONFUSED = 3.0  # nats: a digit for one that scanners do not take for it
_MOST_NATS = 14.0
# Nats from which something else is printed: one place in 660 of a scanner; and words around it that were read alike.
_CERTAIN, _HELD = 6.5, 3


class Difference(NamedTuple):
    """One place. `word_kind` is what both sides are made of, if they are of one kind.

    `context` counts equal or misread words around it (0..10), the shorter side of the two texts. `clean`: enough of them on
    both sides. `weight` 0..1 is how well formed both sides are: a stain has none. `nats`: how unlikely a scanner made it.
    `certain`: none did, or a word that only one text has is inside a line.
    """

    kind: Kind
    span: Span
    word_kind: WordKind = WordKind.MARK
    edits: int = 0  # characters that differ
    context: int = 0
    clean: bool = False
    inline: bool = False
    weight: float = 0.0
    nats: float = 0.0
    certain: bool = False
    slip: bool = False  # a digit for one that scanners take for it
    number_word: bool = False
    left_only: tuple[int, ...] = ()  # words that are nowhere in the other text
    right_only: tuple[int, ...] = ()

    @property
    def is_content(self) -> bool:
        return self.kind is Kind.FIELD or self.kind is Kind.PROSE

    @property
    def is_two_sided(self) -> bool:
        return bool(self.left_only and self.right_only)

    @property
    def is_replaced(self) -> bool:
        """Something on both sides."""
        if self.kind is not Kind.NOISE:
            return self.is_two_sided
        a, b, c, d = self.span
        return a < b and c < d

    @property
    def sides(self) -> tuple[Sequence[int], Sequence[int]]:
        """The words that differ; all words of a place that is noise."""
        if self.kind is not Kind.NOISE:
            return self.left_only, self.right_only
        return range(self.span.a, self.span.b), range(self.span.c, self.span.d)


@dataclass(frozen=True)
class Ledger:
    left: Printed
    right: Printed
    equal: int  # words that are equal and in order
    error_rate: float  # characters misread, of those that were read twice; from words alone
    differences: tuple[Difference, ...]
    changed: bytes  # for each word of the left text: 0 equal, 1 noise, 2 anything else

    def sides(self, difference: Difference) -> tuple[str, str]:
        span = difference.span
        return self.left.text(span.a, span.b), self.right.text(span.c, span.d)

    @cached_property
    def noise(self) -> Noise:
        return Noise(self.left, self.right, self.differences, self.error_rate)


class Noise:
    """How much is misread around each place of a pair, and how unlikely that made a difference."""

    def __init__(
        self, left: Printed, right: Printed, differences: Sequence[Difference], error_rate: float
    ) -> None:
        self._left, self._right, self._error_rate = left, right, error_rate
        misread = [0] * (len(left) + 1)
        for difference in differences:
            misread[min(difference.span.a, len(left))] += _misread(difference)
        self._misread = list(accumulate(misread, initial=0))
        self._letters = list(accumulate(map(len, (*left.keys, "")), initial=0))

    def rate(self, difference: Difference) -> float:
        """Misread letters, of those around the place and some of the whole pair; not counting its own."""
        start, end = (
            max(0, difference.span.a - _REGION),
            min(len(self._left) + 1, difference.span.b + _REGION),
        )
        misread = self._misread[end] - self._misread[start] - _misread(difference)
        letters = self._letters[end] - self._letters[start]
        return (max(0, misread) + _PRIOR_LETTERS * self._error_rate) / (letters + _PRIOR_LETTERS)

    def weighed(self, difference: Difference) -> Difference:
        """With its nats: they count in full if what is printed there is well formed."""
        if difference.is_content:
            weight = difference.weight
        elif difference.is_replaced:
            words = zip((self._left, self._right), difference.sides, strict=True)
            weight = min(formed([side.words[i] for i in places]) for side, places in words)
        else:
            return difference
        nats = weight * self.nats(difference)
        is_other = (
            difference.is_content and difference.is_two_sided and difference.word_kind is not WordKind.MARK
        )
        certain = difference.certain or (is_other and nats >= _CERTAIN and difference.context >= _HELD)
        return difference._replace(nats=nats, certain=certain)

    def nats(self, difference: Difference) -> float:
        """Whatever is printed there."""
        letters = max(
            _letters(self._left, difference.span.a, difference.span.b),
            _letters(self._right, difference.span.c, difference.span.d),
            1,
        )
        chance = poisson_tail(
            max(1, difference.edits), (_BURST * self.rate(difference) + _FEW_ERRORS) * letters
        )
        odd = _NOT_CONFUSED if difference.word_kind in NUMBERS and not difference.slip else 0.0
        return min(odd - math.log(chance), _MOST_NATS)


def _misread(difference: Difference) -> int:
    return difference.edits if difference.kind is Kind.NOISE and not difference.slip else 0


def _letters(side: Printed, start: int, end: int) -> int:
    return sum(map(len, side.keys[start:end]))
