"""A ledger of differences in, numbers out: how much of each kind, in what surroundings, beside how much noise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.compare.printed import Printed
from dedupe_core.text.tokens import is_slip
from dedupe_core.text.words import NUMBERS, WordKind, well_formed, word_kind

_ALL_KINDS = tuple(WordKind)
_IDENTIFYING = (WordKind.LONG_NUMBER, WordKind.NAME, WordKind.CONTACT)
_NAMED = (WordKind.NAME, WordKind.CONTACT)
_MOST = 40.0  # of anything: more says no more
_MOST_NATS = 300.0
_LONGEST_LIST = 150  # words left over on a side that are matched: bounds the cost of a pair
_NEAR = 0.6  # of the characters equal: the same word elsewhere, misread


def ledger_measures(ledger: Ledger) -> dict[str, float]:
    """By name; compare/measures.py lists them."""
    noise = sum(difference.kind is Kind.NOISE for difference in ledger.differences)
    return {
        "ledger_error_rate": ledger.error_rate,
        "in_order": ledger.equal / max(1, len(ledger.left)),
        "in_order_high": ledger.equal / max(1, len(ledger.right)),
        "noise_share": noise / max(1, len(ledger.left)),
        **_replaced(ledger, noise),
        **_one_sided(ledger),
        **_left_over(ledger, noise),
    }


def _replaced(ledger: Ledger, noise: int) -> dict[str, float]:
    replaced = [
        difference for difference in ledger.differences if difference.is_content and difference.is_two_sided
    ]
    certain = [difference for difference in replaced if difference.certain]
    clean = [
        difference.nats for difference in ledger.differences if difference.clean and difference.is_content
    ]
    total = min(math.fsum(clean), _MOST_NATS)
    (names,) = ledger.left.count(ledger.changed, WordKind.NAME)
    named = sum(difference.word_kind in _NAMED for difference in certain)
    return {
        "certain_surprise": min(math.fsum(difference.nats for difference in certain), _MOST_NATS),
        "certain_names_share": named / (1 + names),
        "surprise_highest": max(clean, default=0.0),
        "surprise_beside_noise": total / (1 + noise),
        "number_words": _bounded(sum(difference.number_word for difference in ledger.differences)),
        "largest_replaced": max(
            (_size(ledger, difference) for difference in replaced if difference.clean), default=0.0
        ),
    }


def _size(ledger: Ledger, difference: Difference) -> float:
    return difference.weight * min(
        _letters(ledger.left, difference.left_only), _letters(ledger.right, difference.right_only)
    )


def _one_sided(ledger: Ledger) -> dict[str, float]:
    one_sided = [
        difference
        for difference in ledger.differences
        if bool(difference.left_only) != bool(difference.right_only)
    ]
    inside = sum(
        len(difference.left_only or difference.right_only)
        for difference in one_sided
        if difference.certain and difference.inline
    )
    edge = (
        len(difference.left_only or difference.right_only) * difference.weight
        for difference in one_sided
        if difference.kind is Kind.EDGE
    )
    return {
        "inserted_words": _bounded(inside),
        "edge_words": _bounded(math.fsum(edge)),
        "scattered": _scattered([len(difference.right_only) for difference in ledger.differences]),
    }


def _scattered(words: Sequence[int]) -> float:
    """A part lacks what is before and behind it; a bad reading lacks words everywhere."""
    return 1 - sum(sorted(words)[-2:]) / max(1, sum(words)) if sum(words) else 0.0


def _left_over(ledger: Ledger, noise: int) -> dict[str, float]:
    """What is nowhere in the other text, wherever it is; misread words that have moved are matched first."""
    left = [i for difference in ledger.differences for i in difference.left_only][:_LONGEST_LIST]
    right = [i for difference in ledger.differences for i in difference.right_only][:_LONGEST_LIST]
    near_left, near_right = _near(ledger, left, right)
    of_left, of_right = _by_kind(ledger.left, left, near_left), _by_kind(ledger.right, right, near_right)
    total = math.fsum(min(of_left[kind], of_right[kind]) for kind in _IDENTIFYING)
    return {
        "left_over": _bounded(total),
        "left_over_beside_noise": total / (total + noise + 1),
        "left_over_words_high": _bounded(max(of_left[WordKind.WORD], of_right[WordKind.WORD])),
        "left_over_names_high": _bounded(max(of_left[WordKind.NAME], of_right[WordKind.NAME])),
    }


def _near(ledger: Ledger, left: Sequence[int], right: Sequence[int]) -> tuple[set[int], set[int]]:
    if not left or not right:
        return set(), set()
    x, y = [ledger.left.keys[i] for i in left], [ledger.right.keys[i] for i in right]
    alike = process.cdist(x, y, scorer=Levenshtein.normalized_similarity, score_cutoff=_NEAR)
    near_left: set[int] = set()
    near_right: set[int] = set()
    rows, columns = alike.nonzero()
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if not (_is_number(ledger.left, left[i]) or _is_number(ledger.right, right[j])) or is_slip(
            x[i], y[j]
        ):
            near_left.add(left[i])
            near_right.add(right[j])
    return near_left, near_right


def _is_number(side: Printed, place: int) -> bool:
    return word_kind(side.words[place]) in NUMBERS


def _by_kind(side: Printed, places: Iterable[int], near: set[int]) -> dict[WordKind, float]:
    counts = dict.fromkeys(_ALL_KINDS, 0.0)
    words, keys = side.words, side.keys
    for place in places:
        if place not in near:
            word, length = words[place], len(keys[place])
            counts[word_kind(word)] += well_formed(word) * (length / 3 if length < 3 else 1.0)
    return counts


def _letters(side: Printed, places: Iterable[int]) -> int:
    return sum(len(side.keys[place]) for place in places)


def _bounded(value: float) -> float:
    return float(min(value, _MOST))
