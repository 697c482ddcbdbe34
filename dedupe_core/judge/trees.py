"""Boosted trees as plain data, and their evaluation: measures in, probability out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import zip_longest
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

# A leaf is a number; a branch is [measure, bound, up to the bound, above it].
Tree = Any
_BRANCH: Final = (list, tuple)
_MOST_LEAVES: Final = 16  # of a tree, a bit each: as many as the fitted ones have
_ALL: Final = np.uint16((1 << _MOST_LEAVES) - 1)

_NO_BRANCH: Final = (0, math.inf, int(_ALL))  # where another tree has more: no leaf is ruled out


@dataclass(frozen=True)
class Ensemble:
    """What `scripts/calibrate.py` fitted; `slope`, `shift` and `bends` make its probability a calibrated one: above the
    log odds of a bend, these rise by so much more."""

    measures: Sequence[str]
    start: float
    trees: Sequence[Tree]
    slope: float = 1.0
    shift: float = 0.0
    bends: Sequence[Sequence[float]] = ()

    def probability(self, measures: Mapping[str, float]) -> float:
        values = self._values(measures)
        total = self._at_once(values) if self._branches else self._one_by_one(values)
        odds = self.slope * total + self.shift
        return _logistic(odds + sum(more * max(0.0, odds - at) for at, more in self.bends))

    def _one_by_one(self, values: Sequence[float]) -> float:
        total = self.start
        for tree in self.trees:
            while isinstance(tree, _BRANCH):
                tree = tree[2] if values[tree[0]] <= tree[1] else tree[3]
            total += tree
        return total

    def _at_once(self, values: Sequence[float]) -> float:
        """All branches of all trees in a few steps of numpy, a third of the time of walking down each tree.

        A value above its bound rules out the leaves below it; of those that are left in a tree, the first one is reached.
        """
        found = self._branches
        assert found is not None
        is_below = np.array(values, np.float64).take(found.measure) <= found.bound
        left = np.bitwise_and.reduce(np.where(is_below, _ALL, found.leaves_above), axis=0)
        steps = found.leaves.take(found.first_leaf + _lowest_bits().take(left))
        steps[0] += self.start
        return float(np.add.accumulate(steps)[-1])  # in this order, as a loop adds them

    def _values(self, measures: Mapping[str, float]) -> Sequence[float]:
        if len(self.measures) < 2:
            return [measures[name] for name in self.measures]
        values: tuple[float, ...] = self._asked(measures)
        return values

    @cached_property
    def _asked(self) -> Callable[[Mapping[str, float]], tuple[float, ...]]:
        return itemgetter(*self.measures)

    @cached_property
    def _branches(self) -> _Branches | None:
        return _branches_of(self.trees)


@dataclass(frozen=True, slots=True)
class _Branches:
    """A column for each tree, a row for its first branch, and so on: each with the leaves that are left above its bound."""

    measure: NDArray[np.intp]
    bound: NDArray[np.float64]
    leaves_above: NDArray[np.uint16]
    leaves: NDArray[np.float64]
    first_leaf: NDArray[np.intp]  # of each tree


def _branches_of(trees: Sequence[Tree]) -> _Branches | None:
    """None if there are no trees, or one has too many leaves."""
    columns: list[list[tuple[int, float, int]]] = []
    first_leaf: list[int] = []
    leaves: list[float] = []
    for tree in trees:
        found: list[float] = []
        columns.append(_read(tree, found))
        first_leaf.append(len(leaves))
        leaves += found
        if len(found) > _MOST_LEAVES:
            return None
    if not columns:
        return None
    rows = list(zip_longest(*columns, fillvalue=_NO_BRANCH)) or [(_NO_BRANCH,) * len(columns)]
    measure, bound, above = ([[one[part] for one in row] for row in rows] for part in range(3))
    return _Branches(
        np.array(measure, np.intp), np.array(bound), np.array(above, np.uint16),
        np.array(leaves), np.array(first_leaf, np.intp),
    )  # fmt: skip


def _read(tree: Tree, leaves: list[float]) -> list[tuple[int, float, int]]:
    """The branches of a tree; its leaves, from left to right, are added to the list."""
    if not isinstance(tree, _BRANCH):
        leaves.append(tree)
        return []
    measure, bound, below, above = tree
    first = len(leaves)
    rows = _read(below, leaves)
    without = (1 << len(leaves)) - (1 << first)
    return [(measure, bound, int(_ALL) & ~without), *rows, *_read(above, leaves)]


@lru_cache(maxsize=1)
def _lowest_bits() -> NDArray[np.intp]:
    """The number of the lowest bit of each 16-bit number."""
    numbers = np.arange(1, 1 << _MOST_LEAVES)
    lowest = np.log2(numbers & -numbers).astype(np.intp)  # exact for powers of two
    return np.concatenate([[0], lowest])


@dataclass(frozen=True, slots=True)
class Ensembles:
    """One for each question that `judge/verdict.py` asks. Each but `worth` is asked of a full comparison."""

    worth: Ensemble  # is it anything but another document of the template? From a glance.
    same: Ensemble  # the same paper, or another document
    revision: Ensemble  # an edited document, or another one
    contained: Ensemble  # a part, or another document
    edited: Ensemble  # edited, or the same paper read twice
    part: Ensemble  # a part, or the same paper or an edited one


def _logistic(value: float) -> float:
    if value < -40:
        return 0.0
    return 1 / (1 + math.exp(-value))
