"""A pair of documents in, named measures out: how alike the texts are, and which facts agree or contradict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dedupe_core.compare.agreement import (
    Agreement,
    agreement,
    with_months,
    with_slips,
)
from dedupe_core.compare.differences import differences
from dedupe_core.compare.ledger import Ledger
from dedupe_core.compare.ledger_measures import ledger_measures
from dedupe_core.compare.likelihood import likelihood_measures
from dedupe_core.compare.view import RUN_BITS, Neighbourhood, View
from dedupe_core.facts.facts import near_reference
from dedupe_core.fingerprint.shingles import Hashes
from dedupe_core.recipe import PART_LIMIT
from dedupe_core.text.tokens import is_date_slip, is_slip

_NO_BOUND = 1 << 32
_MOST_WORDS = 40.0  # more say no more
_MOST_RUNS = 1000.0
_CLEAN = 0.01  # errors a letter: two digits of one date are not misread by the way
# Where one side (or both) has no such fact it neither agrees nor contradicts: between 0 and 1, and lower when
# only one side lost it.
_LOST, _NONE = 0.4, 0.6
_MISREAD, _MOST_MISREAD = 0.5, 30  # of each side's facts: bounds the cost of a glance


@dataclass(frozen=True, slots=True)
class Glance:
    """What two documents have in common as sets: cheap, and enough to tell most pairs of a form apart."""

    a: View
    b: View
    measures: dict[str, float]
    numbers: Agreement[str]
    dates: Agreement[str]
    amounts: Agreement[int]
    references: Agreement[str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The measures by name, and the agreements they come from, for the explanation. Symmetric in the pair."""

    measures: dict[str, float]
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
        numbers=agreement("numbers", a.numbers, b.numbers),
        dates=with_months(agreement("dates", a.dates, b.dates)),
        amounts=agreement("amounts", a.amounts, b.amounts),
        references=agreement("references", a.references, b.references),
    )
    measures = seen.measures
    measures["resemblance"] = around.resemblance(one, other)
    measures["length_ratio"] = a.length / max(1, b.length)
    measures["length"] = min(a.length, 1000)
    measures["coverage_exact"] = len(a.words & b.words) / max(1, min(len(a.words), len(b.words)))
    _add_shared_numbers(measures, seen.numbers, around, (a, b))
    for facts, slip in ((seen.dates, is_date_slip), (seen.amounts, is_slip), (seen.references, is_slip)):
        _add_facts(measures, with_slips(facts, slip, _MOST_MISREAD), around, (a, b))
    measures["first_date"] = _first_date(a, b)
    measures["identity_own"] = _identity_own(seen, around)
    _add_parts(measures, a, b, around)
    measures["neighbours"] = min(around.size_beside(a, b), 40)
    return seen


def compare(one: View, other: View, around: Neighbourhood) -> Evidence:
    """All that can be said of a pair."""
    return compare_fully(glance(one, other, around), around)


def compare_fully(seen: Glance, around: Neighbourhood) -> Evidence:
    """What a glance does not show: which words and numbers nearly agree, and what the differences are made of."""
    a, b = seen.a, seen.b
    references = with_slips(seen.references, near_reference)
    ledger = differences(a.printed, b.printed)
    dates = with_slips(seen.dates, partial(is_date_slip, at_most=1 if ledger.error_rate < _CLEAN else 2))
    measures = dict(seen.measures)
    _add_digits(measures, around, (a, b))
    _add_runs(measures, around, (a, b))
    measures["words_own"] = _words_own(around, a, b)
    measures["above_best"] = max(
        _above_best(measures["resemblance"], side, around, (a, b)) for side in (a, b)
    )
    measures["dates_contradict"] = min(len(dates.absent_a), len(dates.absent_b))
    measures.update(ledger_measures(ledger))
    measures.update(likelihood_measures(ledger))
    return Evidence(measures, seen.numbers, dates, seen.amounts, references, ledger, a.id)


def _add_digits(measures: dict[str, float], around: Neighbourhood, pair: tuple[View, View]) -> None:
    """All digits in a row, whatever separates them: where much is misread, hardly a number is equal, but most digits are."""
    a, b = pair
    shared, *alone = _parted(a.digit_runs, b.digit_runs, 10_000)
    rare = around.rarity_of_digit_runs(shared, a, b)
    low, high = sorted(
        around.rarity_of_digit_runs(runs, side) for runs, side in zip(alone, pair, strict=True)
    )
    measures["digit_runs_share"] = _share(rare, low, 0.5)
    measures["digit_runs_share_low"] = _share(rare, high, 0.5)


def _add_runs(measures: dict[str, float], around: Neighbourhood, pair: tuple[View, View]) -> None:
    """What two bad readings of one paper have in common although hardly a word of its own is equal."""
    a, b = pair
    shared, *alone = _parted(a.runs, b.runs, 1 << RUN_BITS)
    own = around.weight_of_runs(shared, a, b)
    low, high = sorted(around.weight_of_runs(runs, side) for runs, side in zip(alone, pair, strict=True))
    measures["runs_own"] = min(own, _MOST_RUNS)
    measures["runs_own_share"] = (own + 1) / (own + low + 2)
    measures["runs_own_share_low"] = (own + 1) / (own + high + 2)


def _parted(left: Hashes, right: Hashes, most: int) -> tuple[Hashes, Hashes, Hashes]:
    """What both have, and what each has alone; there are so many runs that a table is quicker than sorting."""
    in_left, in_right = np.zeros((2, most), np.bool_)
    in_left[left] = in_right[right] = True
    return right[in_left[right]], left[~in_right[left]], right[~in_left[right]]


def _words_own(around: Neighbourhood, a: View, b: View) -> float:
    held = around.document_frequency("words", a.words & b.words, a, b)
    return min(
        math.fsum([(1 + max(0, document_frequency)) ** -2 for document_frequency in held]), _MOST_WORDS
    )


def _above_best(alike: float, side: View, around: Neighbourhood, pair: tuple[View, View]) -> float:
    return alike - max(around.resemblances(side, *pair), default=0.0)


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


def _add_shared_numbers(
    measures: dict[str, float], numbers: Agreement[str], around: Neighbourhood, pair: tuple[View, View]
) -> None:
    count = min(len(side.numbers) for side in pair)
    measures["numbers_rare"] = around.rarity("numbers", numbers.shared, *pair)
    measures["numbers_beside_words"] = (len(numbers.shared) + 0.5) / (count + 1) - measures["coverage_exact"]


def _share(part: float, rest: float, otherwise: float) -> float:
    return part / (part + rest) if part + rest else otherwise


def _add_facts(
    measures: dict[str, float], facts: Agreement[Any], around: Neighbourhood, pair: tuple[View, View]
) -> None:
    """A misread fact half agrees, and half contradicts."""
    kind = facts.kind
    near = _MISREAD * around.rarity(kind, facts.near_a.keys(), pair[0])
    rare = around.rarity(kind, facts.shared, *pair) + near
    low = near + min(
        around.rarity(kind, facts.absent_a, pair[0]), around.rarity(kind, facts.absent_b, pair[1])
    )
    present = bool(facts.shared or facts.only_a) + bool(facts.shared or facts.only_b)
    otherwise = _LOST if present == 1 else _NONE
    measures[f"{kind}_conflict"] = low
    measures[f"{kind}_share"] = _share(rare, low, otherwise) if present == 2 else otherwise


def _first_date(a: View, b: View) -> float:
    """What a person looks at first."""
    x, y = a.fingerprint.facts.dates, b.fingerprint.facts.dates
    return _same_day(x[0], y[0]) if x and y else 0.5


def _same_day(one: str, other: str) -> float:
    """1 or 0; 0.5 for a month and a day of it, which may be the same; less if a digit is misread."""
    if one == other:
        return 1.0
    if is_date_slip(one, other):
        return 0.3
    month, day = sorted((one, other), key=len)
    return 0.5 if len(month) < len(day) and day.startswith(month) else 0.0


def _identity_own(seen: Glance, around: Neighbourhood) -> float:
    """What only this pair has; hardly anything that a third document has, too."""
    return math.fsum(
        [
            (1 + held) ** -2
            for facts in (seen.numbers, seen.dates, seen.references)
            if facts.shared
            for held in around.document_frequency(facts.kind, facts.shared, seen.a, seen.b)
        ]
    )


def _add_parts(measures: dict[str, float], a: View, b: View, around: Neighbourhood) -> None:
    """How much of each text is in the other, from the sampled passages; `own`: and in no neighbour."""
    shared = a.parts & b.parts
    held = around.document_frequency("parts", shared, a, b)
    measures["contained_high"] = max(containment(a, b))
    measures["passages_shared"] = min(len(shared), 50)
    measures["passages_own"] = held.count(0) / max(1, len(shared))
    rare = math.fsum([1 / (1 + document_frequency) for document_frequency in held])
    missing_a, missing_b = (around.rarity("parts", side.parts - shared, side) for side in (a, b))
    measures["passages_share"] = _share(rare, min(missing_a, missing_b), 0.5)


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
