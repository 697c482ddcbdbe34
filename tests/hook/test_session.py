"""What commands start with: settings that are understood, a recipe and a policy that exist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dedupe_core import policy, recipe
from dedupe_core.model import Document
from hook.errors import IndexMissing, RecipeMismatch, SettingsError
from hook.examination.archive import Archive
from hook.session import open_archive, opened, parameters_of, settings_of
from hook.settings.model import Settings
from hook.settings.policy_file import load_parameters
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


def test_another_recipe_is_refused_until_the_index_is_rebuilt(tmp_path: Path) -> None:
    ours, other = settings(tmp_path), settings(tmp_path, recipe="classical")
    open_archive(ours).index.close()
    with pytest.raises(RecipeMismatch, match="backfill --rebuild"):
        open_archive(other)
    Archive.rebuild(tmp_path, recipe.CLASSICAL, policy.DEFAULT).index.close()
    open_archive(other).index.close()


def test_no_index_is_made_for_whoever_only_looks(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing):
        open_archive(settings(tmp_path / "index"), create=False)
    assert not (tmp_path / "index").exists()


def test_without_a_token_no_index_is_made(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DEDUPE_TOKEN"), opened(settings(tmp_path / "index")):
        pass
    assert not (tmp_path / "index").exists()


def test_a_policy_file_sets_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text("flag_threshold = 0.75\ncandidates = 32\n")
    found = load_parameters(path).policy
    assert (found.flag_threshold, found.candidates) == (0.75, 32)
    assert found.compared == policy.DEFAULT.compared
    assert load_parameters(None).policy == policy.DEFAULT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("flag_treshold = 0.7", "flag_treshold is not a value of this section; did you mean flag_threshold"),
        ("flag_threshold = 'high'", "must be a (whole )?number from"),
        ("candidates = true", "must be a (whole )?number from"),
        ("candidates = 1.5", "must be a (whole )?number from"),
        ("[flag", "not valid TOML"),
    ],
)
def test_a_policy_file_that_is_not_understood(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=words):
        load_parameters(path)


def test_a_policy_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_parameters(tmp_path / "gone.toml")


@pytest.mark.parametrize(("threshold", "told"), [(0.995, []), (None, [1]), (0.05, [1])])
def test_the_threshold_of_the_environment_outranks_the_policy(
    tmp_path: Path, threshold: float | None, told: list[int]
) -> None:
    """Up or down; but a sibling whose date and reference contradict is kept back at any threshold."""
    with open_archive(settings(tmp_path, flag_threshold=threshold)) as archive:
        for number, text in ((1, LETTER), (2, NEXT_LETTER)):
            archive.remember(archive.examine(Document(number, text)).fingerprint)
        verdicts = archive.judge(
            archive.fingerprint(Document(3, scanned(LETTER, "medium", 4))), everything=True
        )
    assert {verdict.other for verdict in verdicts} == {1, 2}
    assert [verdict.other for verdict in verdicts if verdict.flagged] == told
