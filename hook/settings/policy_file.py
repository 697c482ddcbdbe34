"""The policy file: TOML with [recipe], [policy] and [classical]; what is not in it keeps its built-in value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dedupe_core import policy as policies
from dedupe_core import recipe as recipes
from dedupe_core.policy import ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe, RecipeError, Shingle
from hook.errors import SettingsError

SHINGLES: Final = {kind.name.lower(): kind for kind in Shingle}
_CHOICE: Final = "shingle"  # the one value that is not a number

Values = dict[str, Any]
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Section:
    defaults: object
    ranges: Mapping[str, Range]
    choices: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.choices, *self.ranges)


SECTIONS: Final = {
    "recipe": _Section(recipes.DEFAULT, recipes.RANGES, (_CHOICE,)),
    "policy": _Section(policies.DEFAULT, policies.RANGES),
    "classical": _Section(policies.CLASSICAL_DEFAULT, policies.CLASSICAL_RANGES),
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """Everything that shapes a verdict."""

    recipe: Recipe = recipes.DEFAULT
    policy: Policy = policies.DEFAULT
    classical: ClassicalPolicy = policies.CLASSICAL_DEFAULT


def load_parameters(path: Path | None, recipe: Recipe = recipes.DEFAULT) -> Parameters:
    """Values of [recipe] replace those of the given recipe."""
    if path is None:
        return Parameters(recipe)
    try:
        return _parameters(path.read_bytes(), path, recipe)
    except OSError as error:
        raise SettingsError(
            f"The policy file {path} cannot be read ({error.strerror}). DEDUPE_POLICY_FILE names it."
        ) from error


def _parameters(text: bytes, path: Path, recipe: Recipe) -> Parameters:
    values = _sections(_values(text, path), path)
    for name, section in SECTIONS.items():
        _check(values[name], section, f"{path}: [{name}]")
    return Parameters(
        _recipe(values["recipe"], recipe, path),
        replace(policies.DEFAULT, **values["policy"]),
        _classical(values["classical"], path),
    )


def _values(text: bytes, path: Path) -> Values:
    import tomllib  # only where there is such a file

    try:
        return tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML ({error}).") from error


def _sections(values: Values, path: Path) -> dict[str, Values]:
    """The values by section; each has to be in one."""
    for name, value in values.items():
        if name not in SECTIONS or not isinstance(value, dict):
            sections = ", ".join(f"[{section}]" for section in SECTIONS)
            raise SettingsError(f"{path}: {name} is not a section: write a value below one of {sections}.")
    return {name: values.get(name, {}) for name in SECTIONS}


def _check(values: Values, section: _Section, where: str) -> None:
    for name, value in values.items():
        if name not in section.names:
            known = ", ".join(section.names)
            raise SettingsError(f"{where} {name} is not a value of this section; there are {known}.")
        if problem := _problem(name, value, section):
            raise SettingsError(f"{where} {name} must be {problem}.")


def _problem(name: str, value: object, section: _Section) -> str:
    """What it must be, if it is not."""
    if name in section.choices:
        is_known = isinstance(value, str) and value in SHINGLES
        return "" if is_known else " or ".join(f'"{choice}"' for choice in SHINGLES)
    low, high = section.ranges[name]
    whole = isinstance(getattr(section.defaults, name), int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return f"a {'whole ' if whole else ''}number from {low} to {high}"
    return "" if low <= value <= high else f"from {low} to {high}, it is {value}"


def _recipe(values: Values, base: Recipe, path: Path) -> Recipe:
    if _CHOICE in values:
        values = {**values, _CHOICE: SHINGLES[values[_CHOICE]]}
    try:
        return replace(base, **values)
    except RecipeError as error:
        raise SettingsError(f"{path}: [recipe] {error}.") from error


def _classical(values: Values, path: Path) -> ClassicalPolicy:
    policy = replace(policies.CLASSICAL_DEFAULT, **values)
    if not policy.jaccard_weight + policy.fuzzy_weight:
        raise SettingsError(f"{path}: [classical] jaccard_weight and fuzzy_weight must not both be 0.")
    return policy
