"""What the differences of a pair say together: how likely one of them is a value that another paper of the template has.

Two papers of one template have values of one form, each well formed: "12.03.2021" and "14.05.2021", "Tom" and "Lily". Two
readings of one paper differ in letters; where a line is garbled, a side of it has no words, or other ones in another
form. How much each of that counts is in `likelihood.json`, which scripts/corpus/fit/likelihood.py fitted.
"""

from __future__ import annotations

import json
import math
import pkgutil
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.written import formed
from dedupe_core.text.words import word_shape

FILE: Final = "likelihood.json"
NAMES: Final = ("nats", "form", "other_word", "field", "print_time")
_TIME_OF_DAY = re.compile(r"\d:\d\d")
_FEW = 3  # places: one alone is not the mean
_MOST = 20.0
_MOST_DIFFERENCES = 200


def likelihood_measures(ledger: Ledger) -> dict[str, float]:
    bias, *weights = _weights()
    odds = [
        bias + sum(map(float.__mul__, weights, described(ledger, difference)))
        for difference in replaced(ledger)
    ]
    total = math.fsum(1 / (1 + math.exp(-one)) for one in odds)
    return {
        "contradiction": max(odds, default=bias),
        "contradiction_mean": total / max(_FEW, len(odds)),
        "contradiction_sum": min(total, _MOST),
    }


def replaced(ledger: Ledger) -> list[Difference]:
    """With something on both sides."""
    return [difference for difference in ledger.differences if difference.is_replaced][:_MOST_DIFFERENCES]


def described(ledger: Ledger, difference: Difference) -> tuple[float, ...]:
    """In the order of `NAMES`: how unlikely noise of its region made it, how much both sides have one form, which share of
    the letters differs if both are well formed, whether it is a name, number or address, and whether it is when a browser
    printed each of them."""
    (left, right), (x, y) = (
        [[words[i] for i in places] for words, places in zip(texts, difference.sides, strict=True)]
        for texts in ((ledger.left.words, ledger.right.words), (ledger.left.keys, ledger.right.keys))
    )
    letters = max(sum(map(len, x)), sum(map(len, y)), 1)
    return (
        ledger.noise.nats(difference),
        Levenshtein.normalized_similarity(_form(left), _form(right)),
        min(formed(left), formed(right)) * difference.edits / letters,
        float(difference.kind is Kind.FIELD),
        float(
            _is_print_time(ledger.left, difference.sides[0])
            and _is_print_time(ledger.right, difference.sides[1])
        ),
    )


def _is_print_time(side: Printed, places: Sequence[int]) -> bool:
    """A time of day in the first or last line."""
    line = side.lines[places[0]]
    is_margin = line in (side.lines[0], side.lines[-1])
    return is_margin and any(_TIME_OF_DAY.search(side.words[i]) for i in places)


def _form(words: Sequence[str]) -> str:
    return " ".join(map(word_shape, words))


@lru_cache(maxsize=1)
def _weights() -> tuple[float, ...]:
    data = pkgutil.get_data(__package__, FILE)
    assert data is not None
    fitted = json.loads(data)
    return fitted["bias"], *(fitted["weights"][name] for name in NAMES)
