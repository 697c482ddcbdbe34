"""The policy file: sections, ranges, clear errors."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from dedupe_core import policy as policies
from dedupe_core import recipe as recipes
from dedupe_core.model import Document
from dedupe_core.recipe import Shingle
from hook.errors import SettingsError
from hook.session import open_archive, parameters_of
from hook.settings.model import Settings
from hook.settings.policy_file import SECTIONS, Parameters, load_parameters

LETTER = " ".join(f"word{n}" for n in range(60))
EDITED = LETTER.replace("word30", "changed").replace("word50", "another")
EVERYTHING = """
[recipe]
shingle = "words"
size = 4
permutations = 128
bands = 16
rows = 8
minimum_words = 10
sample = 2048

[policy]
flag_threshold = 0.7
candidates = 64

[classical]
threshold = 0.9
jaccard_weight = 1
fuzzy_weight = 0.5
fuzzy_sample_chars = 2000
"""


def written(directory: Path, text: str) -> Path:
    path = directory / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_section_is_read(tmp_path: Path) -> None:
    parameters = load_parameters(written(tmp_path, EVERYTHING))
    assert parameters.recipe == replace(
        recipes.DEFAULT,
        shingle=Shingle.WORDS, size=4, permutations=128, bands=16, rows=8, minimum_words=10, sample=2048,
    )  # fmt: skip
    assert parameters.policy == replace(policies.DEFAULT, flag_threshold=0.7, candidates=64)
    assert parameters.classical == policies.ClassicalPolicy(0.9, 1, 0.5, 2000)


def test_an_empty_file_or_none_changes_nothing(tmp_path: Path) -> None:
    assert load_parameters(written(tmp_path, "")) == load_parameters(None) == Parameters()
    with pytest.raises(SettingsError, match="cannot be read"):
        load_parameters(tmp_path / "gone.toml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[colours]\nred = 3", r"colours is not a section: .* \[recipe\], \[policy\], \[classical\]"),
        ("policy = 3", "policy is not a section"),
        ("flag_threshold = 0.8", "flag_threshold is not a section"),
        ("[recipe]\nzzz = 3", r"zzz is not a value of this section; there are shingle, size"),
        ("[recipe]\npart_limit = 3", r"\[recipe\] part_limit is not a value"),
        ("[policy]\nbands = 3", r"\[policy\] bands is not a value of this section"),
        ('[recipe]\nshingle = "letters"', r'\[recipe\] shingle must be "characters" or "words"'),
        ("[recipe]\nshingle = ['words']", "shingle must be"),
        ("[recipe]\nsize = 6.0", r"\[recipe\] size must be a whole number from 1 to 32"),
        ("[recipe]\nsize = true", "size must be a whole number"),
        ("[recipe]\nsize = [1]", "size must be a whole number"),
        ('[classical]\nthreshold = "high"', r"\[classical\] threshold must be a number from 0 to 1"),
        ("[recipe]\nsize = 33", r"\[recipe\] size must be from 1 to 32, it is 33"),
        ("[policy]\nflag_threshold = 1.5", r"\[policy\] flag_threshold must be from 0 to 1, it is 1.5"),
        ("[policy]\nflag_threshold = nan", "must be from 0 to 1, it is nan"),
        ("[classical]\njaccard_weight = -0.1", "must be from 0 to 1, it is -0.1"),
        ("[classical]\njaccard_weight = 0\nfuzzy_weight = 0", "must not both be 0"),
        ("[recipe]\nrows = 4", r"\[recipe\] 64 bands x 4 rows need 256 permutations, there are 192"),
        ("[policy.more]\nbands = 3", "more is not a value of this section"),
        ("[flag", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    """With the file, the section and what would be right."""
    path = written(tmp_path, text)
    with pytest.raises(SettingsError, match=words) as error:
        load_parameters(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("section", SECTIONS)
def test_both_ends_of_every_range_are_allowed_and_nothing_beyond(tmp_path: Path, section: str) -> None:
    others = {"permutations": 4096, "bands": 1, "rows": 1} if section == "recipe" else {}
    for key, bounds in SECTIONS[section].ranges.items():
        for value in bounds:
            values = {**others, key: value}
            lines = "\n".join(f"{name} = {number}" for name, number in values.items())
            load_parameters(written(tmp_path, f"[{section}]\n{lines}"))
        for value in (bounds[0] - 1, bounds[1] + 1):
            with pytest.raises(SettingsError, match=f"{key} must be from"):
                load_parameters(written(tmp_path, f"[{section}]\n{key} = {value}\n"))


def test_every_field_of_a_policy_can_be_set() -> None:
    assert set(SECTIONS["policy"].names) == {field.name for field in fields(policies.Policy)}
    assert set(SECTIONS["classical"].names) == {field.name for field in fields(policies.ClassicalPolicy)}


def test_the_file_changes_the_named_recipe(tmp_path: Path) -> None:
    """What it does not set is as in the recipe that DEDUPE_RECIPE names."""
    settings = Settings(
        index_dir=tmp_path, recipe="classical", policy_file=written(tmp_path, "[recipe]\nsize = 4")
    )
    assert parameters_of(settings).recipe == replace(recipes.CLASSICAL, size=4)


@pytest.mark.parametrize(
    ("values", "flagged"),
    [
        ("", True),
        ("threshold = 0.95", False),
        ("threshold = 0.95\njaccard_weight = 0", True),
        ("threshold = 0.95\njaccard_weight = 0\nfuzzy_sample_chars = 100\n", True),
        ("threshold = 0.5\nfuzzy_weight = 0", True),
        ("threshold = 0.9\nfuzzy_weight = 0", False),
    ],
)
def test_the_classical_values_judge_word_shingles(tmp_path: Path, values: str, flagged: bool) -> None:
    """Two of 60 words replaced: 82% of the word shingles of both are equal, and 96% of the characters."""
    path = written(tmp_path, f"[classical]\n{values}\n")
    settings = Settings(index_dir=tmp_path / "index", recipe="classical", policy_file=path)
    with open_archive(settings) as archive:
        archive.remember(archive.fingerprint(Document(1, LETTER)))
        (verdict,) = archive.examine(Document(2, EDITED)).verdicts
        archive.remember(archive.fingerprint(Document(2, EDITED)))
        assert archive.explain(1, 2).flagged is flagged
    assert verdict.flagged is flagged
