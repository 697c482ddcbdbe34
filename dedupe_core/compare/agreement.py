"""Which tokens of one kind two documents share, nearly share, or each have alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dedupe_core.text.tokens import is_slip

Token = TypeVar("Token", str, int)

_LONGEST_LIST = 150  # tokens of a side compared one by one: bounds the cost of a pair
_MONTH = 7  # characters of `2024-01`


@dataclass(frozen=True, slots=True)
class Agreement(Generic[Token]):
    """`near` maps tokens of the one side that only a slip of the scanner parts from the other's."""

    kind: str
    shared: frozenset[Token]
    only_a: frozenset[Token]
    only_b: frozenset[Token]
    near_a: Mapping[Token, Token]
    near_b: Mapping[Token, Token]

    @property
    def absent_a(self) -> frozenset[Token]:
        return self.only_a - self.near_a.keys()

    @property
    def absent_b(self) -> frozenset[Token]:
        return self.only_b - self.near_b.keys()


def agreement(kind: str, a: Collection[Token], b: Collection[Token]) -> Agreement[Token]:
    """Exact agreement only; the near ones are added by the kind's own rule."""
    left, right = frozenset(a), frozenset(b)
    return Agreement(kind, left & right, left - right, right - left, {}, {})


def with_months(facts: Agreement[str]) -> Agreement[str]:
    """A month that only one side has agrees with a day of it that only the other one has: a scanner lost the day.

    Not if both have more dates alone: the bill of February and that of January, which is due in February.
    """
    if not facts.only_a or not facts.only_b:
        return facts
    near_a: dict[str, str] = {}
    near_b: dict[str, str] = {}
    for one, other, near, back in (
        (facts.only_a, facts.only_b, near_a, near_b),
        (facts.only_b, facts.only_a, near_b, near_a),
    ):
        for month in sorted(date for date in one if len(date) == _MONTH):
            days = [day for day in other if day.startswith(month) and len(day) > _MONTH and day not in back]
            if days:
                near[month] = min(days)
                back[min(days)] = month
    is_more = len(facts.only_a) > len(near_a) and len(facts.only_b) > len(near_b)
    return facts if is_more else replace(facts, near_a=near_a, near_b=near_b)


def with_slips(
    facts: Agreement[Token], slip: Callable[[str, str], bool] = is_slip, longest: int = _LONGEST_LIST
) -> Agreement[Token]:
    """Of so many on each side that the other side lacks."""
    left, right = sorted(facts.absent_a)[:longest], sorted(facts.absent_b)[:longest]
    near_a, near_b = dict(facts.near_a), dict(facts.near_b)
    written_left, written_right = [str(token) for token in left], [str(token) for token in right]
    for i, j in _close_pairs(written_left, written_right):
        if slip(written_left[i], written_right[j]):
            near_a.setdefault(left[i], right[j])
            near_b.setdefault(right[j], left[i])
    return Agreement(facts.kind, facts.shared, facts.only_a, facts.only_b, near_a, near_b)


def _close_pairs(left: Sequence[str], right: Sequence[str], at_most: int = 3) -> list[tuple[int, int]]:
    if not left or not right:
        return []
    distance = process.cdist(left, right, scorer=Levenshtein.distance, score_cutoff=at_most, dtype=np.int32)
    rows, columns = np.nonzero(distance <= at_most)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
