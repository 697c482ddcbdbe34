"""Each difference of a pair weighed: how unlikely a scanner made it, if both sides are values of these papers alone.

Two papers of one template differ in their own values, each well formed; two readings of one paper differ in misread
words, most of which are the template's. So a difference contradicts "one paper" by three things: how well formed both
sides are, how few neighbours have what is printed there, and how unlikely the noise of this region would have made it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.places import Kind, poisson_tail
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.compare.written import formed
from dedupe_core.text.tokens import number_in
from dedupe_core.text.words import NUMBERS, word_kind

_REGION = 25  # words on either side of a difference whose noise counts as its own
_PRIOR_LETTERS = 150  # letters of the whole pair that a region is mixed with
_BURST, _FEW_ERRORS = 5.0, 0.002  # misread letters come together; and some are misread even in a clean pair
_NOT_CONFUSED = 3.0  # nats: a digit for one that scanners do not take for it
_MOST_NATS, _MOST_IN_ALL = 14.0, 60.0
_FEW = 3  # places: one alone is not the mean
_MOST_DIFFERENCES = 200


def likelihood_measures(ledger: Ledger, around: Neighbourhood, pair: tuple[View, View]) -> dict[str, float]:
    nats = contradictions(ledger, around, pair)
    total = math.fsum(nats)
    return {
        "contradiction": max(nats, default=0.0),
        "contradiction_mean": total / max(_FEW, len(nats)),
        "contradiction_sum": min(total, _MOST_IN_ALL),
    }


def contradictions(ledger: Ledger, around: Neighbourhood, pair: tuple[View, View]) -> list[float]:
    """Of each difference with something on both sides, in nats."""
    replaced = [difference for difference in ledger.differences if is_replaced(difference)][
        :_MOST_DIFFERENCES
    ]
    if not replaced:
        return []
    noise = Noise(ledger)
    left = _own(ledger.left, [_side(difference, left=True) for difference in replaced], around, pair[0])
    right = _own(ledger.right, [_side(difference, left=False) for difference in replaced], around, pair[1])
    return [
        own_left * own_right * written(ledger, difference) * noise.nats(difference)
        for difference, own_left, own_right in zip(replaced, left, right, strict=True)
    ]


def is_replaced(difference: Difference) -> bool:
    if difference.kind is Kind.NOISE:
        return (
            not difference.misread
            and difference.span.a < difference.span.b
            and difference.span.c < difference.span.d
        )
    return difference.is_two_sided


def _side(difference: Difference, *, left: bool) -> tuple[int, ...]:
    if difference.kind is Kind.NOISE:
        return tuple(
            range(difference.span.a, difference.span.b)
            if left
            else range(difference.span.c, difference.span.d)
        )
    return difference.left_only if left else difference.right_only


def _own(side: Printed, places: Sequence[tuple[int, ...]], around: Neighbourhood, owner: View) -> list[float]:
    """Of each difference, the share of the neighbours that lack what is printed there: 1 for what only this paper has."""
    size = around.size_beside(owner) + 1
    flat = [side.words[i] for places_of in places for i in places_of]
    numbers = {word: number_in(word.lower()) for word in flat if word_kind(word) in NUMBERS}
    words = {word: _plain(word) for word in flat if word not in numbers}
    held: dict[str, float] = {}
    for kind, keys in (("numbers", numbers), ("words", words)):
        asked = [word for word, key in keys.items() if key]
        counts = around.document_frequency(kind, [keys[word] for word in asked])
        held.update(zip(asked, (min(1.0, count / size) for count in counts), strict=True))
    return [1 - min((held.get(side.words[i], 0.0) for i in places_of), default=0.0) for places_of in places]


def _plain(word: str) -> str:
    return "".join(filter(str.isalpha, word.lower()))


def written(ledger: Ledger, difference: Difference) -> float:
    left, right = (
        [side.words[i] for i in _side(difference, left=is_left)]
        for side, is_left in ((ledger.left, True), (ledger.right, False))
    )
    return min(formed(left), formed(right))


class Noise:
    """How much is misread around each place of a pair, and how unlikely that made a difference."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        misread = [0] * (len(ledger.left) + 1)
        for difference in ledger.differences:
            misread[min(difference.span.a, len(ledger.left))] += _misread(difference)
        self._misread = list(accumulate(misread, initial=0))
        self._letters = list(accumulate(map(len, (*ledger.left.keys, "")), initial=0))

    def rate(self, difference: Difference) -> float:
        """Misread letters, of those around the place and some of the whole pair; not counting its own."""
        start, end = (
            max(0, difference.span.a - _REGION),
            min(len(self._ledger.left) + 1, difference.span.b + _REGION),
        )
        misread = self._misread[end] - self._misread[start] - _misread(difference)
        letters = self._letters[end] - self._letters[start]
        return (max(0, misread) + _PRIOR_LETTERS * self._ledger.error_rate) / (letters + _PRIOR_LETTERS)

    def nats(self, difference: Difference) -> float:
        """Of a difference with something on both sides."""
        letters = max(
            _letters(self._ledger.left, difference.span.a, difference.span.b),
            _letters(self._ledger.right, difference.span.c, difference.span.d),
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
