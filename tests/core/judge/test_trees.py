"""Trees: plain data, evaluated as fitted; agreement can only raise, contradiction can only lower."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.measures import ALL, DIRECTIONS, GLANCE, Direction
from dedupe_core.judge import fitted
from dedupe_core.judge.trees import Ensemble, Ensembles, Tree
from scripts.corpus.fit import evidence

NAMES = tuple(one.name for one in fields(Ensembles))
ENSEMBLES: dict[str, Ensemble] = {name: getattr(fitted.FITTED, name) for name in NAMES}
SAME = fitted.FITTED.same


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


def nodes(tree: Tree) -> Iterator[Any]:
    if isinstance(tree, list | tuple):
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
    leaves = [leaf for _, _, *sides in branches for leaf in sides if not isinstance(leaf, list)]
    assert all(isinstance(leaf, float | int) and abs(leaf) < 10 for leaf in leaves)
    assert ensemble.slope > 0, "a higher sum of the trees would be less likely"
    assert len(branches) < 5000


BOUNDS = {
    index: sorted({bound for tree in SAME.trees for measure, bound, *_ in nodes(tree) if measure == index})
    for index in range(len(ALL))
}
DIRECTED = sorted(index for index, bounds in BOUNDS.items() if bounds and DIRECTIONS[ALL[index]])


@given(st.integers(0, 2**32), st.sampled_from(DIRECTED))
def test_agreement_raises_and_contradiction_lowers(seed: int, index: int) -> None:
    """Of every measure with a direction more can only raise, or only lower, that it is the same paper."""
    name, random = ALL[index], Random(seed)
    values = {measure: random.choice(BOUNDS[number] or [0.0]) for number, measure in enumerate(ALL)}
    steps = [BOUNDS[index][0] - 1, *BOUNDS[index], BOUNDS[index][-1] + 1]
    said = [SAME.probability({**values, name: value}) for value in steps]
    assert said == sorted(said, reverse=DIRECTIONS[name] is Direction.FALLS)


def test_the_first_look_asks_for_nothing_that_a_glance_does_not_see() -> None:
    assert tuple(fitted.FITTED.worth.measures) == GLANCE


def test_the_data_says_where_it_comes_from() -> None:
    """Corpora with their sizes, a digest of documents and labels, and the version of scikit-learn."""
    about = json.loads(fitted.stored())["about"]
    assert {"fitted on", "by", "SHA-256 of documents and labels", "scikit-learn"} <= about.keys()


def test_the_evidence_is_that_of_the_shipped_trees() -> None:
    """As many pairs as the trees were fitted on, with the measures of today; `scripts.corpus refit` fits them again."""
    about = json.loads(fitted.stored())["about"]
    table = evidence.stored()
    assert len(table.labels) == sum(int(pairs.split()[0]) for pairs in about["fitted on"].values())
    assert table.values.shape == (len(table.labels), len(ALL))
    same = fitted.FITTED.same
    columns = [ALL.index(name) for name in same.measures]
    rows = np.flatnonzero(table.tested)[::40]
    said = [
        same.probability(dict(zip(same.measures, table.values[row, columns], strict=True))) for row in rows
    ]
    is_duplicate = table.labels[rows] == "duplicate"
    assert np.mean(said, where=is_duplicate) > 0.8 > 0.2 > np.mean(said, where=~is_duplicate)


def test_evidence_with_other_measures_is_refused(tmp_path: Path) -> None:
    """Trees would be fitted on what the product no longer measures."""
    path = tmp_path / "evidence.npz.xz"
    with lzma.open(path, "wb") as file:
        np.savez(file, measures=np.array([*ALL[1:], "luck"]))
    with pytest.raises(SystemExit, match="luck"):
        evidence.stored(path)


def test_what_is_written_is_what_is_read() -> None:
    """Data, one tree a line; nothing of it is executed."""
    ensemble = Ensemble(("x", "y"), 0.25, [[0, 1.5, -1.0, [1, 5.0, 2.0, 3.0]], 0.5], 2.0, 1.0)
    text = fitted.dump(dict.fromkeys(NAMES, ensemble), {"by": "a test"})
    found = fitted.load(text)
    values = {"x": 2.0, "y": 5.5}
    assert all(getattr(found, name).probability(values) == ensemble.probability(values) for name in NAMES)
    assert json.loads(text)["about"] == {"by": "a test"}


def walked(ensemble: Ensemble, values: dict[str, float]) -> float:
    """The sum of the leaves, tree by tree from the root down."""
    total = ensemble.start
    for tree in ensemble.trees:
        while isinstance(tree, list | tuple):
            tree = tree[2] if values[ensemble.measures[tree[0]]] <= tree[1] else tree[3]
        total += tree
    return total


@given(st.sampled_from(sorted(ENSEMBLES)), st.integers(0, 2**32))
def test_all_trees_at_once_give_what_each_tree_gives(name: str, seed: int) -> None:
    """On the bounds of the branches and between them, and for a value that is not a number."""
    ensemble, random = ENSEMBLES[name], Random(seed)
    bounds = [0.0, float("nan"), *(bound for tree in ensemble.trees for _, bound, *_ in nodes(tree))]
    values = {
        measure: random.choice(bounds) + random.choice([0, 0, 1e-9, -1e-9]) for measure in ensemble.measures
    }
    plain = Ensemble((), walked(ensemble, values), (), ensemble.slope, ensemble.shift)
    assert ensemble.probability(values) == pytest.approx(plain.probability({}), rel=1e-9)
