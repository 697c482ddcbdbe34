"""The completions of the shells and the manual page: made from the parsers, up to date, and understood by the shells."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from scripts.maintain import shell

ROOT = Path(__file__).parents[2]


def test_they_are_up_to_date() -> None:
    """If this fails: python -m scripts.maintain shell --write."""
    assert shell.stale() == []


def test_the_wheel_has_each_of_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert {f"docs/deploy/shell/{name}" for name in shell.MADE} <= shipped.keys()


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["ret"], {"retract"}),
        (["help", "ret"], {"retract"}),
        (["check", "--re"], {"--repair"}),
        (["decisions", "ex"], {"export"}),
        (["find", "--contain"], {"--contained-in", "--contains"}),
    ],
)
def test_bash_completes_the_last_word(words: list[str], completed: set[str]) -> None:
    line = f"COMP_WORDS=(paperless-dedupe {' '.join(words)}); COMP_CWORD={len(words)}; _paperless_dedupe"
    script = f"source {shell.TARGET / 'paperless-dedupe.bash'}; {line}; echo ${{COMPREPLY[@]}}"
    shown = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert set(shown.stdout.split()) == completed


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (["zsh", "-n"], "_paperless-dedupe"),
        (["fish", "-n"], "paperless-dedupe.fish"),
        (["groff", "-ww", "-man", "-z"], "paperless-dedupe.1"),
    ],
)
def test_the_other_programs_read_theirs_without_a_complaint(command: list[str], file: str) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*command, shell.TARGET / file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
