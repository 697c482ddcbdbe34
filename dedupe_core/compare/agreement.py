"""Which tokens of one kind two documents share, nearly share, or each have alone, and what that is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.text.tokens import is_slip

Token = TypeVar("Token", str, int)

_LONGEST_LIST = 150  # tokens of a side compared one by one: bounds the cost of a pair
_JOINED = 5  # characters: shorter ones are somewhere in any text
_MONTH = 7  # characters of `2024-01`
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


def with_months(found: Agreement[str]) -> Agreement[str]:
    """A month that only one side has agrees with a day of it that only the other one has: a scanner lost the day.

    Not if both have more dates alone: the bill of February and that of January, which is due in February.
    """
    if not found.only_a or not found.only_b:
        return found
    near_a: dict[str, str] = {}
    near_b: dict[str, str] = {}
    for one, other, near, back in (
        (found.only_a, found.only_b, near_a, near_b),
        (found.only_b, found.only_a, near_b, near_a),
    ):
        for month in sorted(date for date in one if len(date) == _MONTH):
            days = [day for day in other if day.startswith(month) and len(day) > _MONTH and day not in back]
            if days:
                near[month] = min(days)
                back[min(days)] = month
    is_more = len(found.only_a) > len(near_a) and len(found.only_b) > len(near_b)
    return found if is_more else replace(found, near_a=near_a, near_b=near_b)


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
    left, right = _bounded(found.absent_a), _bounded(found.absent_b)
    near_a, near_b = dict(found.near_a), dict(found.near_b)
    for i, j in _close_pairs(left, right):
        if slip(left[i], right[j]):
            near_a.setdefault(left[i], right[j])
            near_b.setdefault(right[j], left[i])
    return Agreement(found.kind, found.shared, found.only_a, found.only_b, near_a, near_b)


def with_joined(found: Agreement[str], text_a: str, text_b: str) -> Agreement[str]:
    """What is in the other text without its spaces is near, too: scanners split and join words.

    The texts hold letters and digits only.
    """
    near_a = {token: token for token in found.absent_a if len(token) >= _JOINED and token in text_b}
    near_b = {token: token for token in found.absent_b if len(token) >= _JOINED and token in text_a}
    return replace(found, near_a={**found.near_a, **near_a}, near_b={**found.near_b, **near_b})


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
    near: float
    absent: float


@dataclass(frozen=True, slots=True)
class Reading:
    """How well a side was read: the share of its words found again, and the errors per character."""

    coverage: float
    error_rate: float


_LONGEST_TOKEN = 40
_LENGTHS = _LONGEST_TOKEN + 1
# Among siblings a token that is not the same is seldom nearly the same: sequence numbers make it 12%.
_NEAR_AMONG_SIBLINGS = {"words": 0.05, "numbers": 0.12}
_STRONGEST = {"words": 4.0, "numbers": 3.0}  # one token alone decides nothing
_TEMPLATE_SHARE = 0.2  # agreement on what all neighbours have says little, and never against


def weigh(
    found: Agreement[str], around: Neighbourhood, pair: tuple[View, View], readings: tuple[Reading, Reading]
) -> tuple[Weighed, Weighed]:
    """Fellegi-Sunter weights of each side's tokens: agree, nearly agree, or absent on the other side."""
    kind, neighbours = found.kind, around.size_beside(*pair)
    held = around.holders(kind, found.shared, *pair)
    shared = _counted(held, found.shared)
    weighed = []
    for only, near, owner, reading in (
        (found.only_a, found.near_a, pair[0], readings[0]),
        (found.only_b, found.near_b, pair[1], readings[1]),
    ):
        looked_at = _bounded(only)
        is_near = map(near.__contains__, looked_at)
        alone = _counted(around.holders(kind, looked_at, owner), looked_at, is_near)
        survival = _survival(reading.error_rate)
        agreeing = _agreeing(kind, shared, neighbours, reading.coverage, survival)
        support, nearly, absent = _alone(kind, alone, neighbours, reading.coverage, survival)
        scale = len(only) / max(1, len(looked_at))
        weighed.append(Weighed(agreeing + support * scale, nearly * scale, absent * scale))
    return weighed[0], weighed[1]


@lru_cache(maxsize=2)  # both sides of a pair, words and numbers
def _survival(error_rate: float) -> list[float]:
    """The chance that a token of each length is read without an error."""
    return [(1.0 - error_rate) ** length for length in range(_LENGTHS)]


def _counted(
    held: Sequence[int], tokens: Collection[str], flags: Iterable[bool] = ()
) -> list[tuple[int, int, bool, int]]:
    """Each combination of holders, length and flag, ascending, and how often it occurs; very long tokens are as long as
    each other."""
    if not tokens:
        return []
    codes = np.fromiter(map(len, tokens), np.intp, len(tokens))
    np.minimum(codes, _LONGEST_TOKEN, out=codes)
    codes += _LENGTHS * np.array(held, np.intp)
    codes *= 2
    if flags != ():
        codes += np.fromiter(flags, np.intp, len(tokens))
    counts = np.bincount(codes)
    found = counts.nonzero()[0]
    return [
        (code // (2 * _LENGTHS), code // 2 % _LENGTHS, bool(code % 2), count)
        for code, count in zip(found.tolist(), counts[found].tolist(), strict=True)
    ]


def _agreeing(
    kind: str,
    shared: Iterable[tuple[int, int, bool, int]],
    neighbours: int,
    coverage: float,
    survival: Sequence[float],
) -> float:
    """What the shared tokens say; the many that are alike are weighed together."""
    strongest, support = _STRONGEST[kind], 0.0
    for holders, length, _, count in shared:
        template = (holders + 0.5) / (neighbours + 1)
        weight = math.log(max(coverage * survival[length], 1e-3) / template)
        support += count * (min(weight, strongest) if weight > 0 else weight * _TEMPLATE_SHARE)
    return support


def _alone(
    kind: str,
    alone: Iterable[tuple[int, int, bool, int]],
    neighbours: int,
    coverage: float,
    survival: Sequence[float],
) -> tuple[float, float, float]:
    """What the tokens say that the other side has nearly or not at all, and how many of each are rare."""
    strongest, by_chance = _STRONGEST[kind], _NEAR_AMONG_SIBLINGS[kind]
    support = nearly = absent = 0.0
    for holders, length, is_near, count in alone:
        unlike = 1 - (holders + 0.5) / (neighbours + 1)
        damaged = coverage * (1 - survival[length])
        if is_near:
            same, other = damaged * 0.7 + 0.02, unlike * by_chance
            nearly += count / (1 + holders)
        else:
            same, other = 1.02 - coverage + damaged * 0.3, unlike * (1 - by_chance)
            absent += count / (1 + holders)
        support += count * max(-strongest, min(strongest, math.log(same / max(other, 0.02))))
    return support, nearly, absent
