"""Boosted trees as plain data, and their evaluation: measures in, probability out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# A leaf is a number; a branch is (measure, bound, up to the bound, above it).
Tree = Any


@dataclass(frozen=True, slots=True)
class Ensemble:
    """What `scripts/calibrate.py` fitted; `slope` and `shift` make its probability a calibrated one."""

    measures: Sequence[str]
    start: float
    trees: Sequence[Tree]
    slope: float = 1.0
    shift: float = 0.0

    def probability(self, measures: Mapping[str, float]) -> float:
        values = [measures[name] for name in self.measures]
        total = self.start
        for tree in self.trees:
            while type(tree) is tuple:
                tree = tree[2] if values[tree[0]] <= tree[1] else tree[3]
            total += tree
        return _logistic(self.slope * total + self.shift)


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
