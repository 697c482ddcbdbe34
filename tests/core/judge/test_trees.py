"""Trees: plain data, evaluated as fitted; agreement can only raise, contradiction can only lower."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.judge import fitted
from dedupe_core.judge.trees import Ensemble, Tree

ENSEMBLES = {name: value for name, value in vars(fitted).items() if isinstance(value, Ensemble)}


def calibrated(name: str) -> Any:
    """A constant of the script that fitted the trees, which itself needs scikit-learn."""
    source = (Path(__file__).parents[3] / "scripts" / "calibrate.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == name
        ):
            return ast.literal_eval(node.value)
    raise AssertionError(f"{name} is not set in calibrate.py")


FREE, FALLS = calibrated("FREE"), calibrated("FALLS")


def test_a_leaf_up_to_the_bound_and_above() -> None:
    """A value at the bound goes left, as scikit-learn has it."""
    ensemble = Ensemble(("x", "y"), 0.0, ((0, 1.0, -1.0, (1, 5.0, 2.0, 3.0)), 0.5), slope=2.0, shift=1.0)
    assert ensemble.probability({"x": 1.0, "y": 0}) == pytest.approx(1 / (1 + 2.718281828459045**0.0))
    assert ensemble.probability({"x": 1.1, "y": 5.0}) > ensemble.probability({"x": 1.0, "y": 5.0})
    assert ensemble.probability({"x": 1.1, "y": 5.1}) > ensemble.probability({"x": 1.1, "y": 5.0})


@pytest.mark.parametrize("start", [-1e9, -700.0, -1.0, 0.0, 700.0, 1e9])
def test_any_sum_is_a_probability(start: float) -> None:
    """No sum is too large for the exponential."""
    assert 0 <= Ensemble((), start, ()).probability({}) <= 1


def nodes(tree: Tree) -> Iterator[tuple[int, float, Tree, Tree]]:
    if isinstance(tree, tuple):
        yield tree
        yield from nodes(tree[2])
        yield from nodes(tree[3])


@pytest.mark.parametrize("name", sorted(ENSEMBLES))
def test_the_fitted_data_is_well_formed(name: str) -> None:
    """Every branch asks for a measure there is, every leaf is a number, and few enough to read."""
    ensemble = ENSEMBLES[name]
    branches = [node for tree in ensemble.trees for node in nodes(tree)]
    assert branches
    assert all(0 <= measure < len(ensemble.measures) for measure, *_ in branches)
    leaves = [leaf for _, _, *sides in branches for leaf in sides if not isinstance(leaf, tuple)]
    assert all(isinstance(leaf, float | int) and abs(leaf) < 10 for leaf in leaves)
    assert ensemble.slope > 0
    assert len(branches) < 5000


BOUNDS = {
    index: sorted(
        {bound for tree in fitted.SAME.trees for measure, bound, *_ in nodes(tree) if measure == index}
    )
    for index in range(len(fitted.MEASURES))
}


DIRECTED = sorted(index for index, bounds in BOUNDS.items() if bounds and fitted.MEASURES[index] not in FREE)


@given(st.integers(0, 2**32), st.sampled_from(DIRECTED))
def test_agreement_raises_and_contradiction_lowers(seed: int, index: int) -> None:
    """Of every measure with a direction more can only raise, or only lower, that it is the same paper."""
    name, random = fitted.MEASURES[index], Random(seed)
    values = {
        measure: random.choice(BOUNDS[number] or [0.0]) for number, measure in enumerate(fitted.MEASURES)
    }
    steps = [BOUNDS[index][0] - 1, *BOUNDS[index], BOUNDS[index][-1] + 1]
    said = [fitted.SAME.probability({**values, name: value}) for value in steps]
    assert said == sorted(said, reverse=name in FALLS)


def test_the_names_of_the_calibration_are_measures() -> None:
    """A measure that was renamed must not lose its direction unnoticed."""
    unknown = (FREE | FALLS) - set(fitted.MEASURES)
    assert unknown == set()
