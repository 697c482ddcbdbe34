"""Recipes: what cannot work is refused with advice, and whatever shapes a signature is in the id."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from dedupe_core.fingerprint.fingerprint import band_keys
from dedupe_core.fingerprint.signature import packed, signature
from dedupe_core.recipe import (
    DEFAULT,
    NAMED,
    RANGES,
    Recipe,
    RecipeError,
    Shingle,
    by_name,
)
from scripts.maintain.readme import probability_found


def replaced(name: str, value: Any) -> Recipe:
    return replace(DEFAULT, **{name: value})


def test_more_bands_than_permutations_is_a_clear_error() -> None:
    with pytest.raises(
        RecipeError, match="64 bands x 4 rows need 256 permutations, there are 192: lower bands"
    ):
        Recipe(bands=64, rows=4, permutations=192)


@pytest.mark.parametrize("name", RANGES)
def test_a_value_out_of_its_range_is_refused(name: str) -> None:
    """The message names the parameter and its range: a typing error must not cost gigabytes."""
    low, high = RANGES[name]
    for value in (low - 1, high + 1):
        with pytest.raises(RecipeError, match=f"{name} must be from {low} to {high}, it is {value}"):
            replaced(name, value)


def test_every_number_but_the_one_that_is_fixed_has_a_range() -> None:
    numbers = {field.name for field in fields(Recipe)} - {"shingle", "part_limit"}
    assert set(RANGES) == numbers


@pytest.mark.parametrize("name", [field.name for field in fields(Recipe)])
def test_every_parameter_is_in_the_id(name: str) -> None:
    """Two recipes that differ in anything never share an index."""
    value = getattr(DEFAULT, name)
    changed = (
        Shingle.WORDS
        if isinstance(value, Shingle)
        else value + 1
        if name in ("permutations", "size")
        else value - 1
    )
    assert replaced(name, changed).id != DEFAULT.id


def test_recipes_by_name() -> None:
    assert {name: by_name(name) for name in NAMED} == NAMED
    with pytest.raises(RecipeError, match="'clasical'; there are default, classical"):
        by_name("clasical")


def test_the_s_curve_of_the_default() -> None:
    """The figures beside the numbers of the default recipe."""
    assert [round(probability_found(at, DEFAULT), 3) for at in (0.04, 0.2, 0.42)] == [0.005, 0.416, 0.993]
    assert probability_found(1.0, DEFAULT) == 1


@pytest.mark.parametrize("jaccard", [0.1, 0.2, 0.3])
def test_the_s_curve_is_what_signatures_do(jaccard: float) -> None:
    """Of 400 pairs of sets with this similarity, the share that has a band key in common."""
    random = np.random.default_rng(7)
    found = sum(_share_a_band(jaccard, random) for _ in range(400)) / 400
    assert found == pytest.approx(probability_found(jaccard, DEFAULT), abs=0.07)


def _share_a_band(jaccard: float, random: np.random.Generator) -> bool:
    everything = random.integers(0, 2**32, 400, dtype=np.uint32)
    common = int(jaccard * 400)
    left, right = everything[: (400 + common) // 2], everything[(400 - common) // 2 :]
    one, two = (band_keys(packed(signature(side, DEFAULT)), DEFAULT) for side in (left, right))
    return bool(np.any(one == two))
