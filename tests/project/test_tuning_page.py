"""docs/tuning.md names every knob with the default that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dedupe_core import recipe
from hook.settings.environment import variable_of
from hook.settings.model import Settings
from hook.settings.policy_file import SECTIONS, load_parameters

PAGE = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text(encoding="utf-8")
SHAPING = (
    "flag_threshold",
    "policy_file",
    "recipe",
    "scope",
    "tag_other",
)


def table(section: str) -> dict[str, list[str]]:
    """The cells of each row of the section's table, by the name of the parameter."""
    text = PAGE.partition(f"### `[{section}]`\n")[2].partition("\n| parameter |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \|(.+)\|$", text, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_parameter_is_listed_in_its_section(section: str) -> None:
    """And no other, with the default and range of the code, and whether it needs a backfill."""
    cells = table(section)
    assert set(cells) == set(SECTIONS[section].names)
    for name, (low, high) in SECTIONS[section].ranges.items():
        default, allowed, *needs = cells[name]
        assert default == str(getattr(SECTIONS[section].defaults, name)), name
        assert re.match(rf"{low}–{high}(?![\d.])", allowed), name
        assert section == "recipe" or needs[0] in {"no", "again", "rebuild"}, name


def test_the_kind_of_shingle_is_listed_with_its_names() -> None:
    default, allowed = table("recipe")["shingle"][:2]
    assert default == f"`{recipe.DEFAULT.shingle.name.lower()}`"
    assert allowed == ", ".join(f"`{kind.name.lower()}`" for kind in recipe.Shingle)


def test_the_example_is_a_valid_file(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.+?)```", PAGE, re.DOTALL)
    assert example is not None
    (tmp_path / "policy.toml").write_text(example[1], encoding="utf-8")
    assert load_parameters(tmp_path / "policy.toml").recipe.shingle is recipe.Shingle.WORDS


@pytest.mark.parametrize(
    "name", [name for name in Settings.model_fields if name.startswith("on_") or name in SHAPING]
)
def test_every_setting_that_shapes_findings_says_whether_it_needs_a_backfill(name: str) -> None:
    assert f"`{variable_of(name)}`" in PAGE
