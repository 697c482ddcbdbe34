"""Which tokens of one kind two documents share, nearly share, or each have alone, and what that is worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dedupe_core.tokens import is_slip
from dedupe_core.view import Neighbourhood, View

Token = TypeVar("Token", str, int)

_LONGEST_LIST = 150  # tokens of a side compared one by one: bounds the cost of a pair
_NEAR_WORD = 0.6  # of their letters equal: one word read twice; "rechnung" and "zahlung" have 0.5


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


def with_near_words(found: Agreement[str]) -> Agreement[str]:
    left, right = _bounded(found.only_a), _bounded(found.only_b)
    if not left or not right:
        return found
    likeness = process.cdist(left, right, scorer=Levenshtein.normalized_similarity, score_cutoff=_NEAR_WORD)
    best_a, best_b = likeness.argmax(axis=1), likeness.argmax(axis=0)
    near_a = {word: right[best_a[i]] for i, word in enumerate(left) if likeness[i, best_a[i]] > 0}
    near_b = {word: left[best_b[i]] for i, word in enumerate(right) if likeness[best_b[i], i] > 0}
    return Agreement(found.kind, found.shared, found.only_a, found.only_b, near_a, near_b)


def with_slips(found: Agreement[str], slip: Callable[[str, str], bool] = is_slip) -> Agreement[str]:
    left, right = _bounded(found.only_a), _bounded(found.only_b)
    near_a: dict[str, str] = {}
    near_b: dict[str, str] = {}
    for i, j in _close_pairs(left, right):
        if slip(left[i], right[j]):
            near_a.setdefault(left[i], right[j])
            near_b.setdefault(right[j], left[i])
    return Agreement(found.kind, found.shared, found.only_a, found.only_b, near_a, near_b)


def changed_numbers(found: Agreement[str]) -> int:
    """Numbers alone on either side whose counterpart has the same length and one or two other digits.

    The next invoice number, the next day: what a form changes from one instance to the next.
    """
    left, right = _bounded(found.absent_a), _bounded(found.absent_b)
    return len({i for i, j in _close_pairs(left, right, at_most=2) if len(left[i]) == len(right[j])})


def _close_pairs(left: Sequence[str], right: Sequence[str], at_most: int = 3) -> list[tuple[int, int]]:
    if not left or not right:
        return []
    distance = process.cdist(left, right, scorer=Levenshtein.distance, score_cutoff=at_most, dtype=np.int32)
    rows, columns = np.nonzero(distance <= at_most)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _bounded(tokens: Collection[str]) -> list[str]:
    """Sorted, so that the choice does not depend on the order of a set."""
    return sorted(tokens)[:_LONGEST_LIST]


@dataclass(frozen=True, slots=True)
class Weighed:
    """An agreement in numbers; a token that no neighbour has weighs 1, one that n have 1/(1+n)."""

    support: float  # log-likelihood of "one paper, read twice" against "two instances of a form"
    rare_shared: float
    near: float
    absent: float


@dataclass(frozen=True, slots=True)
class Reading:
    """How well a side was read: the share of its words found again, and the errors per character."""

    coverage: float
    error_rate: float

    def survival(self) -> list[float]:
        """The chance that a token of each length is read without an error."""
        return [(1 - self.error_rate) ** length for length in range(_LONGEST_TOKEN + 1)]


_LONGEST_TOKEN = 40
# Among siblings a token that is not the same is seldom nearly the same: sequence numbers make it 12%.
_NEAR_AMONG_SIBLINGS = {"words": 0.05, "numbers": 0.12}
_STRONGEST = {"words": 4.0, "numbers": 3.0}  # one token alone decides nothing
_TEMPLATE_SHARE = 0.2  # agreement on what all neighbours have says little, and never against


def weigh(
    found: Agreement[str], side: str, around: Neighbourhood, pair: tuple[View, View], reading: Reading
) -> Weighed:
    """Fellegi-Sunter weights of one side's tokens: agree, nearly agree, or absent on the other side."""
    only, near, owner = (
        (found.only_a, found.near_a, pair[0]) if side == "a" else (found.only_b, found.near_b, pair[1])
    )
    neighbours, survival = around.size_beside(*pair), reading.survival()
    agreeing, rare = _agreeing(
        found, around.beside(found.kind, *pair), neighbours, reading.coverage, survival
    )
    holders_of = around.beside(found.kind, owner)
    strongest, by_chance = _STRONGEST[found.kind], _NEAR_AMONG_SIBLINGS[found.kind]
    support = nearly = absent = 0.0
    looked_at = _bounded(only)
    for token in looked_at:
        holders = holders_of(token)
        unlike = 1 - (holders + 0.5) / (neighbours + 1)
        damaged = 1 - survival[min(len(token), _LONGEST_TOKEN)]
        if token in near:
            same, other = reading.coverage * damaged * 0.7 + 0.02, unlike * by_chance
            nearly += 1 / (1 + holders)
        else:
            same, other = 1.02 - reading.coverage + reading.coverage * damaged * 0.3, unlike * (1 - by_chance)
            absent += 1 / (1 + holders)
        support += max(-strongest, min(strongest, math.log(same / max(other, 0.02))))
    scale = len(only) / max(1, len(looked_at))
    return Weighed(agreeing + support * scale, rare, nearly * scale, absent * scale)


def _agreeing(
    found: Agreement[str],
    holders_of: Callable[[object], int],
    neighbours: int,
    coverage: float,
    survival: list[float],
) -> tuple[float, float]:
    """What the shared tokens say, and how many are rare; the many that are alike are weighed together."""
    strongest = _STRONGEST[found.kind]
    alike = Counter((holders_of(token), min(len(token), _LONGEST_TOKEN)) for token in found.shared)
    support = rare = 0.0
    for (holders, length), count in sorted(alike.items()):
        template = (holders + 0.5) / (neighbours + 1)
        weight = math.log(max(coverage * survival[length], 1e-3) / template)
        support += count * (min(weight, strongest) if weight > 0 else weight * _TEMPLATE_SHARE)
        rare += count / (1 + holders)
    return support, rare
