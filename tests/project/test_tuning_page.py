"""docs/tuning.md names every knob with the default that it has."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from dedupe_core import policy, recipe
from hook.settings.environment import variable_of
from hook.settings.model import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text(encoding="utf-8")
SHAPING = ("flag_threshold", "policy_file", "recipe", "scope", "note_template", "tag_other")


@pytest.mark.parametrize(
    ("name", "default"),
    [
        *((field.name, getattr(policy.DEFAULT, field.name)) for field in fields(policy.Policy)),
        *((field.name, getattr(recipe.DEFAULT, field.name)) for field in fields(recipe.Recipe)),
    ],
)
def test_every_value_stands_there_with_its_default(name: str, default: object) -> None:
    """Also after the default was changed."""
    found = re.search(rf"^\| `{name}` \| `?([^|`]+)`? \|", PAGE, re.MULTILINE)
    assert found is not None
    assert found[1].strip() == str(getattr(default, "value", default))


@pytest.mark.parametrize(
    "name", [name for name in Settings.model_fields if name.startswith("on_") or name in SHAPING]
)
def test_every_setting_that_shapes_findings_says_whether_it_needs_a_backfill(name: str) -> None:
    assert f"`{variable_of(name)}`" in PAGE
