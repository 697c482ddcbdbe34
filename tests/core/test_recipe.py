"""Recipes: what cannot work is refused with advice, and whatever shapes a signature is in the id."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from dedupe_core.recipe import CLASSICAL, CLASSICAL_5, DEFAULT, NAMED, Recipe, RecipeError, Shingle, by_name


def replaced(name: str, value: Any) -> Recipe:
    return replace(DEFAULT, **{name: value})


def test_more_bands_than_permutations_is_a_clear_error() -> None:
    """The message names the numbers and what to change."""
    with pytest.raises(
        RecipeError, match="64 bands x 4 rows need 256 permutations, there are 192: lower bands"
    ):
        Recipe(bands=64, rows=4, permutations=192)


@pytest.mark.parametrize("name", ["size", "permutations", "bands", "rows", "sample"])
@pytest.mark.parametrize("value", [0, -1])
def test_nothing_that_counts_may_be_less_than_one(name: str, value: int) -> None:
    """The message names the parameter."""
    with pytest.raises(RecipeError, match=f"{name} must be at least 1, it is {value}"):
        replaced(name, value)


@pytest.mark.parametrize("change", [{"permutations": 4097}, {"size": 33}])
def test_absurd_sizes_are_refused(change: dict[str, Any]) -> None:
    """A typing error must not cost gigabytes."""
    with pytest.raises(RecipeError, match="lower them"):
        replace(DEFAULT, **change)


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


def test_the_classical_recipes() -> None:
    """Word 3-grams, 256 permutations, 32 bands of 8, at least 20 words; and the 5-word, 512-hash one."""
    three = (CLASSICAL.shingle, CLASSICAL.size, CLASSICAL.permutations, CLASSICAL.bands, CLASSICAL.rows)
    assert three == (Shingle.WORDS, 3, 256, 32, 8)
    assert (CLASSICAL_5.shingle, CLASSICAL_5.size, CLASSICAL_5.permutations) == (Shingle.WORDS, 5, 512)
    assert CLASSICAL.minimum_words == CLASSICAL_5.minimum_words == 20


def test_recipes_by_name() -> None:
    """A name that is none lists those there are."""
    assert {name: by_name(name) for name in NAMED} == NAMED
    with pytest.raises(RecipeError, match="'clasical'; there are default, classical"):
        by_name("clasical")


def test_named_recipes_are_told_apart() -> None:
    """No two names give the same index."""
    assert len({recipe.id for recipe in NAMED.values()}) == len(NAMED)
