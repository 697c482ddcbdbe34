"""What a pair's differences say beside its neighbours: contradictions of values that these two papers alone have.

Two papers of one template differ in their own values, each well formed; two readings of one paper differ in misread
words, most of which are the template's. So a difference contradicts "one paper" by how unlikely the noise of its region
made it (`Difference.nats`), and by how few neighbours have what is printed there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dedupe_core.compare.ledger import Ledger
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.text.tokens import number_in
from dedupe_core.text.words import NUMBERS, word_kind

_MOST_IN_ALL = 60.0  # nats
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
    replaced = [difference for difference in ledger.differences if difference.is_replaced]
    replaced = replaced[:_MOST_DIFFERENCES]
    left = _own(ledger.left, [difference.sides[0] for difference in replaced], around, pair[0])
    right = _own(ledger.right, [difference.sides[1] for difference in replaced], around, pair[1])
    return [
        own_left * own_right * difference.nats
        for difference, own_left, own_right in zip(replaced, left, right, strict=True)
    ]


def _own(side: Printed, places: Sequence[Sequence[int]], around: Neighbourhood, owner: View) -> list[float]:
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
