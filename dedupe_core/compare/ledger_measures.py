"""A ledger of differences in, numbers out: how much of each kind, in what surroundings, beside how much noise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.places import Kind, poisson_tail
from dedupe_core.compare.printed import Printed
from dedupe_core.text.tokens import is_slip
from dedupe_core.text.words import NUMBERS, WordKind, well_formed, word_kind

KINDS = {
    WordKind.LONG_NUMBER: "long_numbers",
    WordKind.NUMBER: "numbers",
    WordKind.NAME: "names",
    WordKind.WORD: "words",
    WordKind.CONTACT: "contacts",
}
_ALL_KINDS = tuple(WordKind)
_IDENTIFYING = (WordKind.LONG_NUMBER, WordKind.NAME, WordKind.CONTACT)
_MOST = 40.0  # of anything: more says no more
_LONGEST_LIST = 150  # words left over on a side that are matched: bounds the cost of a pair
_FEW_AROUND = 3  # equal words around a number that make its place the same in both texts
_MISREAD_AS_WORD = 0.03  # of the misread words look like another word
_BY_CHANCE = 0.02  # differences that noise makes even in a clean pair
_NEAR = 0.6  # of the characters equal: the same word elsewhere, misread


def ledger_measures(ledger: Ledger) -> dict[str, float]:
    """By name; compare/measures.py lists them."""
    noise = sum(one.kind is Kind.NOISE for one in ledger.differences)
    measures = _in_order(ledger, noise)
    _add_slips(measures, ledger)
    _add_replaced(measures, ledger, noise)
    _add_inserted(measures, ledger)
    _add_left_over(measures, ledger, noise)
    _add_beyond_noise(measures, ledger, noise)
    return measures


def _in_order(ledger: Ledger, noise: int) -> dict[str, float]:
    words, longer = max(1, len(ledger.left)), max(1, len(ledger.right))
    moved = sum(
        one.span.b - one.span.a - len(one.left_only)
        for one in ledger.differences
        if one.kind is not Kind.NOISE
    )
    long_numbers, names = ledger.left.count(ledger.changed, WordKind.LONG_NUMBER, WordKind.NAME)
    return {
        "ledger_error_rate": ledger.error_rate,
        "in_order": ledger.equal / words,
        "in_order_high": ledger.equal / longer,
        "noise_share": noise / words,
        "moved_share": moved / words,
        "equal_long_numbers": _bounded(long_numbers),
        "equal_names": _bounded(names),
    }


def _add_slips(measures: dict[str, float], ledger: Ledger) -> None:
    slips = [one for one in ledger.differences if one.slip]
    clear = sum(one.certain for one in slips)
    measures["slips"] = _bounded(len(slips))
    measures["clear_slips"] = _bounded(clear)
    measures["clear_slips_surprise"] = clear * ledger.rarity_of_noise
    measures["slips_share"] = len(slips) / (len(slips) + measures["equal_long_numbers"] + 1)


def _add_replaced(measures: dict[str, float], ledger: Ledger, noise: int) -> None:
    replaced = [one for one in ledger.differences if one.is_content and one.is_two_sided]
    clean, unclear = [one for one in replaced if one.clean], [one for one in replaced if not one.clean]
    certain = [one for one in replaced if one.certain]
    for kind, name in KINDS.items():
        measures[f"replaced_{name}"] = _weight([one for one in clean if one.word_kind is kind])
        measures[f"certain_{name}"] = _bounded(sum([one.word_kind is kind for one in certain]))
    measures["replaced"] = _weight(clean)
    measures["replaced_unclear"] = _weight([one for one in unclear if one.context >= 3])
    measures["replaced_amid_noise"] = _weight([one for one in unclear if one.context < 3])
    measures["replaced_weakly"] = _bounded(
        sum(one.is_two_sided and not one.certain for one in ledger.differences)
    )
    measures["certain"] = _bounded(len(certain))
    measures["certain_passages"] = _bounded(sum(len(one.left_only) > 1 for one in certain))
    measures["negations"] = _bounded(sum(one.negation for one in ledger.differences))
    measures["number_words"] = _bounded(sum(one.number_word for one in ledger.differences))
    surprise = [ledger.surprise(one) for one in ledger.differences if one.clean and one.is_content]
    measures["surprise"] = min(math.fsum(surprise), 300.0)
    measures["surprise_highest"] = max(surprise, default=0.0)
    measures["surprise_beside_noise"] = measures["surprise"] / (1 + noise)
    measures["certain_surprise"] = min(math.fsum(map(ledger.surprise, certain)), 300.0)
    weak = measures["replaced_weakly"]
    measures["certain_beside_noise"] = len(certain) / (1 + noise + weak)
    named = measures["certain_names"] + measures["certain_contacts"]
    measures["certain_names_share"] = named / (1 + measures["equal_names"])
    measures["certain_numbers_share"] = measures["certain_long_numbers"] / (
        1 + measures["equal_long_numbers"]
    )
    measures["largest_replaced"] = max(
        (
            one.weight * min(_letters(ledger.left, one.left_only), _letters(ledger.right, one.right_only))
            for one in clean
        ),
        default=0.0,
    )


def _add_inserted(measures: dict[str, float], ledger: Ledger) -> None:
    one_sided = [one for one in ledger.differences if bool(one.left_only) != bool(one.right_only)]
    certain = [one for one in one_sided if one.certain]
    inside, lines = [one for one in certain if one.inline], [one for one in certain if not one.inline]
    for name, found in (("inserted", inside), ("inserted_lines", lines)):
        sizes = [len(one.left_only or one.right_only) for one in found]
        measures[name] = _bounded(len(sizes))
        measures[f"{name}_words"] = _bounded(sum(sizes))
        measures[f"{name}_longest"] = _bounded(max(sizes, default=0))
    told = [one for one in one_sided if one.word_kind is WordKind.CONTACT and one.clean]
    measures["inserted_contacts"] = _weight(told)
    measures["inserted_numbers"] = _bounded(sum(one.word_kind in NUMBERS for one in certain))
    on_left = sum(bool(one.left_only) for one in certain)
    low, high = sorted((on_left, len(certain) - on_left))
    measures["inserted_both"], measures["inserted_one"] = _bounded(low), _bounded(high)
    measures["inserted_weight"] = _weight(one for one in one_sided if one.clean and one.inline)
    for kind in (Kind.LOST, Kind.EDGE):
        lost = (len(one.left_only or one.right_only) * one.weight for one in one_sided if one.kind is kind)
        measures[f"{kind.value}_words"] = _bounded(math.fsum(lost))


def _add_left_over(measures: dict[str, float], ledger: Ledger, noise: int) -> None:
    """What is nowhere in the other text, wherever it is; misread words that have moved are matched first."""
    left = [i for one in ledger.differences for i in one.left_only][:_LONGEST_LIST]
    right = [i for one in ledger.differences for i in one.right_only][:_LONGEST_LIST]
    near_left, near_right = _near(ledger, left, right)
    weights = (
        _by_kind(ledger.left, left, near_left),
        _by_kind(ledger.right, right, near_right),
    )
    for kind, name in KINDS.items():
        low, high = sorted(side[kind] for side in weights)
        measures[f"left_over_{name}"], measures[f"left_over_{name}_high"] = _bounded(low), _bounded(high)
    total = math.fsum(min(side[kind] for side in weights) for kind in _IDENTIFYING)
    numbers, names = measures["left_over_long_numbers"], measures["left_over_names"]
    measures["left_over"] = _bounded(total)
    measures["left_over_beside_noise"] = total / (total + noise + 1)
    measures["left_over_numbers_share"] = numbers / (numbers + measures["equal_long_numbers"] + 1)
    measures["left_over_names_share"] = names / (names + measures["equal_names"] + 1)


def _add_beyond_noise(measures: dict[str, float], ledger: Ledger, noise: int) -> None:
    """How unlikely so many numbers, words and insertions are if the scanner alone made them, in powers of e."""
    differ, replaced, inserted = 0, 0, 0
    for one in ledger.differences:
        if one.slip or (one.is_content and one.is_two_sided and one.word_kind in NUMBERS):
            differ += one.context >= _FEW_AROUND
        elif one.is_content and one.is_two_sided:
            replaced += one.certain
        else:
            inserted += one.certain
    digits = ledger.left.digits if differ else 0
    for name, count, expected in (
        ("numbers", differ, ledger.error_rate * digits),
        ("words", replaced, _MISREAD_AS_WORD * noise),
        ("inserted", inserted, _MISREAD_AS_WORD * noise),
    ):
        measures[f"{name}_beyond_noise"] = (
            -math.log(poisson_tail(count, expected + _BY_CHANCE)) if count else 0.0
        )


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
    found = dict.fromkeys(_ALL_KINDS, 0.0)
    words, keys = side.words, side.keys
    for place in places:
        if place not in near:
            word, length = words[place], len(keys[place])
            found[word_kind(word)] += well_formed(word) * (length / 3 if length < 3 else 1.0)
    return found


def _letters(side: Printed, places: Iterable[int]) -> int:
    return sum(len(side.keys[place]) for place in places)


def _weight(found: Iterable[Difference]) -> float:
    return _bounded(math.fsum([one.weight for one in found]))


def _bounded(value: float) -> float:
    return float(min(value, _MOST))
