"""A pair of documents in, named measures out: how alike the texts are, and which facts agree or contradict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.agreement import (
    Agreement,
    Reading,
    agreement,
    changed_numbers,
    weigh,
    with_joined,
    with_months,
    with_near_words,
    with_slips,
)
from dedupe_core.compare.differences import Ledger, differences
from dedupe_core.compare.ledger_measures import ledger_measures
from dedupe_core.compare.likelihood import likelihood_measures
from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.facts.facts import near_reference
from dedupe_core.recipe import PART_LIMIT
from dedupe_core.text.tokens import is_date_slip

_LONG_NUMBER = 6
_NO_BOUND = 1 << 32
_CLEAN = 0.01  # errors a letter: two digits of one date are not misread by the way
_COMPARED_CHARS = 5000  # of each text, character by character: a fraction of a millisecond
# Where one side (or both) has no such fact it neither agrees nor contradicts: between 0 and 1, and lower when
# only one side lost it.
_LOST, _NONE = 0.4, 0.6


@dataclass(frozen=True, slots=True)
class Glance:
    """What two documents have in common as sets: cheap, and enough to tell most pairs of a form apart."""

    a: View
    b: View
    measures: dict[str, float]
    words: Agreement[str]
    numbers: Agreement[str]
    dates: Agreement[str]
    amounts: Agreement[int]
    references: Agreement[str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The measures by name, and the agreements they come from, for the explanation. Symmetric in the pair."""

    measures: dict[str, float]
    words: Agreement[str]
    numbers: Agreement[str]
    dates: Agreement[str]
    amounts: Agreement[int]
    references: Agreement[str]
    ledger: Ledger
    left: int  # the document that the left side of the ledger is


def glance(one: View, other: View, around: Neighbourhood) -> Glance:
    """Look at a pair among its neighbours. The order of the pair makes no difference."""
    a, b = sorted((one, other), key=_order)
    seen = Glance(
        a,
        b,
        {},
        words=agreement("words", a.words, b.words),
        numbers=agreement("numbers", a.numbers, b.numbers),
        dates=with_months(agreement("dates", a.dates, b.dates)),
        amounts=agreement("amounts", a.amounts, b.amounts),
        references=agreement("references", a.references, b.references),
    )
    measures = seen.measures
    measures["resemblance"] = around.resemblance(one, other)
    measures["length_ratio"] = a.length / max(1, b.length)
    measures["length"] = min(a.length, 1000)
    measures["coverage_exact"] = len(seen.words.shared) / max(1, min(len(a.words), len(b.words)))
    _add_shared_numbers(measures, seen.numbers, around, (a, b))
    for facts in (seen.dates, seen.amounts, seen.references):
        _add_facts(measures, facts, around, (a, b))
    _add_principal_facts(measures, a, b)
    _add_identity(measures, seen, around)
    _add_parts(measures, a, b, around)
    measures["neighbours"] = min(around.size_beside(a, b), 40)
    return seen


def compare(one: View, other: View, around: Neighbourhood) -> Evidence:
    """All that can be said of a pair."""
    return look_closely(glance(one, other, around), around)


def look_closely(seen: Glance, around: Neighbourhood) -> Evidence:
    """What a glance does not show: which words and numbers nearly agree, and what the differences are made of."""
    a, b = seen.a, seen.b
    words = with_joined(with_near_words(seen.words), a.compact, b.compact)
    numbers = with_joined(with_slips(seen.numbers), a.keyed, b.keyed)
    references = with_slips(seen.references, near_reference)
    measures = dict(seen.measures)
    likeness = fuzz.ratio(a.fingerprint.text[:_COMPARED_CHARS], b.fingerprint.text[:_COMPARED_CHARS]) / 100
    measures["likeness"] = likeness
    readings = _readings(a, b, words, measures)
    is_clean = measures["error_rate"] < _CLEAN
    dates = with_slips(seen.dates, partial(is_date_slip, at_most=1 if is_clean else 2))
    _add_words(measures, words, around, (a, b), readings)
    _add_numbers(measures, numbers, around, (a, b), readings)
    _add_digits(measures, around, (a, b))
    _add_standing(measures, around, (a, b))
    measures["dates_contradict"] = min(len(dates.absent_a), len(dates.absent_b))
    measures["dates_slipped"] = min(len(dates.near_a), len(dates.near_b)) - len(seen.dates.near_a)
    ledger = differences(a.printed, b.printed)
    measures.update(ledger_measures(ledger))
    measures.update(likelihood_measures(ledger, around, (a, b)))
    return Evidence(measures, words, numbers, dates, seen.amounts, references, ledger, a.id)


def _add_digits(measures: dict[str, float], around: Neighbourhood, pair: tuple[View, View]) -> None:
    """All digits in a row, whatever separates them: where much is misread, hardly a number is equal, but most digits are."""
    a, b = pair
    measures["digits_alike"] = fuzz.ratio(a.digits, b.digits) / 100 if a.digits and b.digits else 0.5
    measures["digits_beside_text"] = measures["digits_alike"] - measures["likeness"]
    in_a, in_b = np.zeros(
        (2, 10_000), np.bool_
    )  # there are so many runs: quicker than to sort those of two texts
    in_a[a.digit_runs] = in_b[b.digit_runs] = True
    shared = b.digit_runs[in_a[b.digit_runs]]
    rare = around.rarity_of_digit_runs(shared, a, b)
    alone = (a.digit_runs[~in_b[a.digit_runs]], b.digit_runs[~in_a[b.digit_runs]])
    low, high = sorted(
        around.rarity_of_digit_runs(runs, side) for runs, side in zip(alone, pair, strict=True)
    )
    measures["digit_runs_rare"] = rare
    measures["digit_runs_share"] = _share(rare, low, 0.5)
    measures["digit_runs_share_low"] = _share(rare, high, 0.5)


def _add_standing(measures: dict[str, float], around: Neighbourhood, pair: tuple[View, View]) -> None:
    """By how much the two resemble each other more than each of them its other neighbours: the usual one, and the best."""
    usual, best = [], []
    for side in pair:
        others = around.resemblances(side, *pair) or [0.0]
        usual.append(measures["resemblance"] - others[len(others) // 2])
        best.append(measures["resemblance"] - others[-1])
    measures["above_usual_low"], measures["above_usual"] = sorted(usual)
    measures["above_best_low"], measures["above_best"] = sorted(best)


def _order(side: View) -> tuple[object, ...]:
    """By what the documents say, so that nothing depends on which one was asked about."""
    facts = side.fingerprint.facts
    return (
        side.length,
        side.fingerprint.content_hash,
        facts.dates,
        facts.amounts,
        facts.references,
        side.id,
    )


def _readings(a: View, b: View, words: Agreement[str], measures: dict[str, float]) -> tuple[Reading, Reading]:
    """How well each side was read, from its words alone: numbers are judged by it afterwards."""
    edits = characters = 0
    for near in (words.near_a, words.near_b):
        edits += sum(1 if word == twin else Levenshtein.distance(word, twin) for word, twin in near.items())
        characters += sum(map(len, near))
    error_rate = (edits + 0.5) / (2 * sum(map(len, words.shared)) + characters + 20)
    shared = len(words.shared)
    cover_a = (shared + len(words.near_a) + 0.5) / (len(a.words) + 1)
    cover_b = (shared + len(words.near_b) + 0.5) / (len(b.words) + 1)
    measures["error_rate"] = error_rate
    measures["coverage_low"], measures["coverage_high"] = sorted((cover_a, cover_b))
    measures["misread_words"] = len(words.near_a) / (len(a.words) + 1)
    return Reading(cover_a, error_rate), Reading(cover_b, error_rate)


def _add_words(
    measures: dict[str, float],
    words: Agreement[str],
    around: Neighbourhood,
    pair: tuple[View, View],
    readings: tuple[Reading, Reading],
) -> None:
    sides = weigh(words, around, pair, readings)
    count = min(len(side.words) for side in pair) + 1
    absent = min(side.absent for side in sides)
    near = min(side.near for side in sides)
    measures["words_support"] = min(side.support for side in sides) / (1 + (count - 1) ** 0.5)
    measures["words_absent"] = absent
    measures["words_absent_high"] = max(side.absent for side in sides)
    measures["words_absent_share"] = absent / count
    measures["words_content"] = absent / (absent + near + 1)
    long_a = sum(len(word) >= 5 for word in words.absent_a)
    long_b = sum(len(word) >= 5 for word in words.absent_b)
    measures["long_words_absent"] = min(long_a, long_b) / count


def _add_numbers(
    measures: dict[str, float],
    numbers: Agreement[str],
    around: Neighbourhood,
    pair: tuple[View, View],
    readings: tuple[Reading, Reading],
) -> None:
    sides = weigh(numbers, around, pair, readings)
    rare, near = measures["numbers_rare"], min(side.near for side in sides)
    low, high = sorted(side.absent for side in sides)
    measures["numbers_support"], measures["numbers_support_high"] = sorted(side.support for side in sides)
    measures["numbers_slipped"] = near
    measures["numbers_absent"] = low
    measures["numbers_changed"] = changed_numbers(numbers)
    measures["numbers_share"] = _share(rare, near + low, 0.5)
    measures["numbers_share_low"] = _share(rare, near + high, 0.5)


def _add_shared_numbers(
    measures: dict[str, float], numbers: Agreement[str], around: Neighbourhood, pair: tuple[View, View]
) -> None:
    count = min(len(side.numbers) for side in pair)
    long_numbers = [number for number in numbers.shared if len(number) >= _LONG_NUMBER]
    measures["numbers"] = count
    measures["numbers_rare"] = around.rarity("numbers", numbers.shared, *pair)
    measures["long_numbers_rare"] = around.rarity("numbers", long_numbers, *pair)
    measures["numbers_beside_words"] = (len(numbers.shared) + 0.5) / (count + 1) - measures["coverage_exact"]


def _share(part: float, rest: float, otherwise: float) -> float:
    return part / (part + rest) if part + rest else otherwise


def _add_facts(
    measures: dict[str, float], found: Agreement[Any], around: Neighbourhood, pair: tuple[View, View]
) -> None:
    kind = found.kind
    rare = around.rarity(kind, found.shared, *pair)
    low, high = sorted(
        (around.rarity(kind, found.absent_a, pair[0]), around.rarity(kind, found.absent_b, pair[1]))
    )
    present = bool(found.shared or found.only_a) + bool(found.shared or found.only_b)
    otherwise = _LOST if present == 1 else _NONE
    measures[f"{kind}_rare"] = rare
    measures[f"{kind}_conflict"] = low
    measures[f"{kind}_share"] = _share(rare, low, otherwise) if present == 2 else otherwise
    measures[f"{kind}_share_low"] = _share(rare, high, otherwise) if present == 2 else otherwise


def _add_principal_facts(measures: dict[str, float], a: View, b: View) -> None:
    """The first date and the largest amount: what a person looks at first; and what only one side has."""
    x, y = a.fingerprint.facts, b.fingerprint.facts
    measures["first_date"] = _same_day(x.dates[0], y.dates[0]) if x.dates and y.dates else 0.5
    measures["top_amount"] = float(max(x.amounts) == max(y.amounts)) if x.amounts and y.amounts else 0.5
    measures["kinds_lost"] = (bool(a.dates) != bool(b.dates)) + (bool(a.references) != bool(b.references))


def _same_day(one: str, other: str) -> float:
    """1 or 0; 0.5 for a month and a day of it, which may be the same."""
    if one == other:
        return 1.0
    month, day = sorted((one, other), key=len)
    return 0.5 if len(month) < len(day) and day.startswith(month) else 0.0


def _add_identity(measures: dict[str, float], seen: Glance, around: Neighbourhood) -> None:
    """All that only this pair has; `own` counts hardly anything that a third document has, too."""
    measures["identity"] = (
        measures["numbers_rare"]
        + measures["dates_rare"]
        + measures["references_rare"]
        + 0.3 * measures["amounts_rare"]
    )
    measures["identity_own"] = math.fsum(
        [
            (1 + held) ** -2
            for found in (seen.numbers, seen.dates, seen.references)
            if found.shared
            for held in around.holders(found.kind, found.shared, seen.a, seen.b)
        ]
    )


def _add_parts(measures: dict[str, float], a: View, b: View, around: Neighbourhood) -> None:
    """How much of each text is in the other, from the sampled passages; `own`: and in no neighbour."""
    shared = a.parts & b.parts
    low, high = sorted(containment(a, b))
    held = around.holders("parts", shared, a, b)
    measures["contained_low"], measures["contained_high"] = low, high
    measures["passages_shared"] = min(len(shared), 50)
    measures["passages_own"] = held.count(0) / max(1, len(shared))
    rare = math.fsum([1 / (1 + holders) for holders in held])
    missing_a, missing_b = (around.rarity("parts", side.parts - shared, side) for side in (a, b))
    measures["passages_share"] = _share(rare, min(missing_a, missing_b), 0.5)
    measures["passages_share_low"] = _share(rare, max(missing_a, missing_b), 0.5)


def containment(a: View, b: View) -> tuple[float, float]:
    """C(A,B) and C(B,A): the share of each text's sampled passages that are in the other.

    A very long text keeps only its smallest hashes; what lies above the smaller bound of the two is left out.
    """
    if not a.parts or not b.parts:
        return 0.0, 0.0
    left, right = a.parts, b.parts
    if max(len(left), len(right)) >= PART_LIMIT:
        bound = min(max(parts) if len(parts) >= PART_LIMIT else _NO_BOUND for parts in (left, right))
        left, right = (frozenset(part for part in parts if part <= bound) for parts in (left, right))
    shared = len(left & right)
    return shared / max(1, len(left)), shared / max(1, len(right))
