"""Boosted trees as plain data, and their evaluation: measures in, probability out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

# A leaf is a number; a branch is [measure, bound, up to the bound, above it].
Tree = Any
_BRANCH: Final = (list, tuple)


@dataclass(frozen=True)
class Ensemble:
    """What `scripts/corpus/fit/trees.py` fitted; `slope` and `shift` make its probability a calibrated one."""

    measures: Sequence[str]
    start: float
    trees: Sequence[Tree]
    slope: float = 1.0
    shift: float = 0.0

    def probability(self, measures: Mapping[str, float]) -> float:
        values = np.array([measures[name] for name in self.measures], np.float64)
        total = self.start + (self._nodes.total(values) if self.trees else 0.0)
        return _logistic(self.slope * total + self.shift)

    @cached_property
    def _nodes(self) -> _Nodes:
        return _Nodes(self.trees)


class _Nodes:
    """The nodes of all trees as arrays: one step down in every tree at once. The children of a leaf are the leaf itself."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        nodes: list[tuple[int, float, int, int, float]] = []
        self._roots = np.array([_add(tree, nodes) for tree in trees])
        measures, bounds, below, above, leaves = zip(*nodes, strict=True)
        self._measure, self._bound, self._leaf = np.array(measures), np.array(bounds), np.array(leaves)
        self._child = np.array([above, below]).ravel(
            "F"
        )  # of node n: at 2n above its bound, at 2n + 1 up to it
        self._depth = max(map(_depth, trees))

    def total(self, values: NDArray[np.float64]) -> float:
        node = self._roots
        for _ in range(self._depth):  # `take` is a third quicker than brackets
            is_below = values.take(self._measure.take(node)) <= self._bound.take(node)
            node = self._child.take(2 * node + is_below)
        return float(self._leaf.take(node).sum())


def _add(tree: Tree, nodes: list[tuple[int, float, int, int, float]]) -> int:
    """The number of its root; a node has its measure and bound, its children below and above, and its value if it is a leaf."""
    number = len(nodes)
    is_branch = isinstance(tree, _BRANCH)
    nodes.append((0, math.inf, number, number, 0.0 if is_branch else tree))
    if is_branch:
        measure, bound, below, above = tree
        nodes[number] = measure, bound, _add(below, nodes), _add(above, nodes), 0.0
    return number


def _depth(tree: Tree) -> int:
    return 1 + max(_depth(tree[2]), _depth(tree[3])) if isinstance(tree, _BRANCH) else 0


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
