"""What commands start with: settings that are understood, a recipe and a policy that exist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dedupe_core import recipe
from dedupe_core.model import Document
from hook.errors import SettingsError
from hook.session import open_archive, opened, parameters_of, settings_of
from hook.settings.model import Settings
from tests.core.core_kit import LETTER, NEXT_LETTER
from tests.corpus.noise import scanned


def settings(index_dir: Path, **options: Any) -> Settings:
    return Settings(index_dir=index_dir, **options)


def test_a_misspelt_variable_stops_a_command(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DEDUPE_SCOPE"):
        settings_of({"HOME": str(tmp_path), "DEDUPE_SCOPPE": "all"})


def test_the_recipe_by_its_name(tmp_path: Path) -> None:
    assert parameters_of(settings(tmp_path)).recipe == recipe.DEFAULT
    assert parameters_of(settings(tmp_path, recipe="classical")).recipe == recipe.CLASSICAL
    with pytest.raises(SettingsError, match=r"DEDUPE_RECIPE.*there are default"):
        parameters_of(settings(tmp_path, recipe="grandmother's"))


def test_without_a_token_no_index_is_made(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DEDUPE_TOKEN"), opened(settings(tmp_path / "index")):
        pass
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(("threshold", "told"), [(0.995, []), (None, [1]), (0.05, [1])])
def test_the_threshold_of_the_environment_outranks_the_policy(
    tmp_path: Path, threshold: float | None, told: list[int]
) -> None:
    """Up or down; but a sibling whose date and reference contradict is kept back at any threshold."""
    with open_archive(settings(tmp_path, flag_threshold=threshold)) as archive:
        for number, text in ((1, LETTER), (2, NEXT_LETTER)):
            archive.remember(archive.examine(Document(number, text)).fingerprint)
        verdicts = archive.examine(Document(3, scanned(LETTER, "medium", 4)), everything=True).verdicts
    assert {verdict.other for verdict in verdicts} == {1, 2}
    assert [verdict.other for verdict in verdicts if verdict.flagged] == told
