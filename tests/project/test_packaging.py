"""The project's own files agree with each other: version, lock files, entry points, changelog."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from itertools import chain, pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
LOCKS = [
    "requirements-runtime.lock",
    "requirements-semantic.lock",
    "requirements.lock",
    "requirements-calibrate.lock",
]  # each holds the one before


def test_the_changelog_begins_with_what_is_unreleased_and_has_nothing_newer_than_the_version() -> None:
    assert re.findall(r"^## \[(.+?)\]", CHANGELOG, flags=re.MULTILINE)[0] == "Unreleased"
    released = re.findall(r"^## \[(\d+)\.(\d+)\.(\d+)\]", CHANGELOG, flags=re.MULTILINE)
    ours = tuple(map(int, PROJECT["project"]["version"].split(".")))
    assert all(tuple(map(int, numbers)) <= ours for numbers in released)


@pytest.mark.parametrize("lock", [*LOCKS, "requirements-ink.lock"])
def test_everything_in_a_lock_is_pinned_with_hashes(lock: str) -> None:
    """It says what is installed, not from where: mirrors and machines differ."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|^--|^-[a-z]|@ ", text, flags=re.MULTILINE)
    pinned = [entry for entry in re.split(r"\n(?=\S)", text) if not entry.startswith("#")]
    assert pinned
    assert all(re.match(r"[\w.-]+==\S+(?: ; \S.*)? \\\n +--hash=sha256:", entry) for entry in pinned)


def test_the_locks_hold_what_the_project_asks_for() -> None:
    groups, project = PROJECT["dependency-groups"], PROJECT["project"]
    extras = project["optional-dependencies"]
    runtime = [*project["dependencies"], *extras["serve"], *extras["redis"], *groups["build"]]
    assert _unmet(runtime, "requirements-runtime.lock") == []
    semantic = extras["semantic"]
    assert _unmet([*runtime, *semantic], "requirements-semantic.lock") == []
    assert _unmet([*runtime, *extras["ink"]], "requirements-ink.lock") == []
    assert _unmet([*runtime, *extras["ink"], *semantic, *groups["dev"]], "requirements.lock") == []
    assert _unmet([*runtime, *groups["dev"], *groups["calibrate"]], "requirements-calibrate.lock") == []


@pytest.mark.parametrize("lock", [*LOCKS, "requirements-ink.lock"])
def test_a_lock_is_complete_on_the_oldest_python(lock: str) -> None:
    """It is installed without dependencies: what a package needs only there is missed by every newer Python."""
    oldest = {"python_version": "3.11", "python_full_version": "3.11.0"}
    text = (ROOT / lock).read_text(encoding="utf-8")
    pins = [Requirement(line) for line in re.findall(r"^([\w.-]+==.+?) \\$", text, flags=re.MULTILINE)]
    there = {canonicalize_name(pin.name) for pin in pins if pin.marker is None or pin.marker.evaluate(oldest)}
    needed = {
        (canonicalize_name(one.name), pin.name)
        for pin in pins
        for one in map(Requirement, _required(pin.name))
        if one.marker is None or one.marker.evaluate({**oldest, "extra": ""})
    }
    assert len(needed) > 20
    assert [(name, by) for name, by in sorted(needed) if name not in there] == []


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [*pairwise(LOCKS), (LOCKS[0], "requirements-ink.lock"), ("requirements-ink.lock", "requirements.lock")],
)
def test_the_larger_lock_holds_the_smaller(smaller: str, larger: str) -> None:
    assert _pins(smaller).items() < _pins(larger).items()


def test_everything_that_is_imported_is_declared() -> None:
    """What another package happens to bring along is gone when that package no longer needs it."""
    project = PROJECT["project"]
    lines = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    declared = {str(canonicalize_name(Requirement(line).name)) for line in lines} - {
        "hiredis"
    }  # redis loads it
    distributions = packages_distributions()
    imported = _imported("dedupe_core", "hook") - sys.stdlib_module_names - {"dedupe_core", "hook"}
    needed = {str(canonicalize_name(distributions[name][0])) for name in imported}
    assert needed == declared


def test_ci_tests_every_version_that_is_promised() -> None:
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    promised = re.findall(r"Python :: (3\.\d+)$", classifiers, flags=re.MULTILINE)
    matrix = re.search(r"python: \[(.+)\]", WORKFLOW)
    assert matrix is not None
    assert re.findall(r'"(.+?)"', matrix[1]) == promised


@pytest.mark.parametrize("workflow", ["ci.yml", "docs.yml", "live.yml", "release.yml"])
def test_ci_uses_no_action_that_can_change(workflow: str) -> None:
    """A tag can be moved to other code; the digest of a commit cannot."""
    used = re.findall(r"uses: (\S+)", (ROOT / ".github" / "workflows" / workflow).read_text(encoding="utf-8"))
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []


def _imported(*packages: str) -> set[str]:
    """The top-level names of everything that is imported, also inside of functions."""
    files = [file for package in packages for file in (ROOT / package).rglob("*.py")]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in plain | parts}


def _required(package: str) -> list[str]:
    try:
        return requires(package) or []
    except PackageNotFoundError:  # of a lock that is not installed here
        return []


def _pins(lock: str) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {str(canonicalize_name(name)): number for name, number in found}


def _unmet(wanted: list[str], lock: str) -> list[str]:
    pins = _pins(lock)
    parsed = [Requirement(line) for line in wanted]
    return [str(one) for one in parsed if pins.get(canonicalize_name(one.name), "0") not in one.specifier]


STUB = """#!/bin/sh
echo "$*" >>"$STUB_LOG"
case "$*" in
*"print(sys.version"*) cat "$STUB_VERSION" ;;
*"import numpy"*) [ ! -e "$STUB_BROKEN" ] ;;
*"-m venv"*) rm -rf .venv; mkdir -p .venv/bin; cp "$0" .venv/bin/python; rm -f "$STUB_BROKEN" ;;
esac
"""


def test_venv_is_made_again_for_another_python(tmp_path: Path) -> None:
    """After an upgrade of the image: .venv/bin/python may run, and find none of the packages."""
    for name in ("pyproject.toml", "requirements-runtime.lock", "requirements.lock", "scripts/venv.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    python, version, broken = tmp_path / "python", tmp_path / "version", tmp_path / "broken"
    python.write_text(STUB)
    python.chmod(0o755)
    version.write_text("3.11")
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHON": str(python),
        "STUB_LOG": str(tmp_path / "log"),
        "STUB_VERSION": str(version),
        "STUB_BROKEN": str(broken),
    }

    def run() -> str:
        command = ["sh", str(tmp_path / "scripts" / "venv.sh")]
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stderr

    assert "Installing" in run()
    assert run() == ""
    version.write_text("3.12")
    assert "Installing" in run()
    assert run() == ""
    broken.touch()  # the same version, without the packages
    assert "Installing" in run()
    assert (tmp_path / "log").read_text().count("-m venv --clear .venv") == 3


@pytest.mark.parametrize(
    "file", ["scripts/venv.sh", "scripts/docs.sh", "Dockerfile", ".github/workflows/ci.yml"]
)
def test_what_a_lock_names_is_installed_and_nothing_else_is_asked_for(file: str) -> None:
    """pip takes the newest release for a dependency with an extra (`coverage[toml]`), and that one has no hash in a lock."""
    lines = [
        line for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if "--require-hashes" in line
    ]
    assert lines
    assert all("--no-deps" in line for line in lines)
