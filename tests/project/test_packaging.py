"""The project's own files agree with each other: version, lock files, entry points, changelog."""

from __future__ import annotations

import importlib
import re
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
LOCKS = ["requirements.lock", "requirements-runtime.lock"]


def test_the_installed_version_is_that_of_the_project() -> None:
    try:
        installed = version("paperless-dedupe")
    except PackageNotFoundError:
        pytest.skip("run from a source tree that is not installed")
    assert installed == PROJECT["project"]["version"]


def test_the_changelog_begins_with_what_is_unreleased() -> None:
    assert re.findall(r"^## \[(.+?)\]", CHANGELOG, flags=re.MULTILINE)[0] == "Unreleased"


def test_the_newest_release_in_the_changelog_is_not_newer_than_the_version() -> None:
    released = re.findall(r"^## \[(\d+)\.(\d+)\.(\d+)\]", CHANGELOG, flags=re.MULTILINE)
    ours = tuple(map(int, PROJECT["project"]["version"].split(".")))
    assert all(tuple(map(int, numbers)) <= ours for numbers in released)


@pytest.mark.parametrize("target", PROJECT["project"]["scripts"].values())
def test_every_entry_point_can_be_called(target: str) -> None:
    module, _, name = target.partition(":")
    assert callable(getattr(importlib.import_module(module), name))


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_place(lock: str) -> None:
    """It says what is installed, not from where: mirrors and machines differ."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|^--|^-[a-z]|@ ", text, flags=re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_in_a_lock_is_pinned_with_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / lock).read_text(encoding="utf-8"))
    pinned = [entry for entry in entries if not entry.startswith("#")]
    assert pinned
    assert all(re.match(r"[\w.-]+==\S+ \\\n +--hash=sha256:", entry) for entry in pinned)


def test_the_locks_hold_what_the_project_asks_for() -> None:
    groups, project = PROJECT["dependency-groups"], PROJECT["project"]
    runtime = [*project["dependencies"], *project["optional-dependencies"]["serve"], *groups["build"]]
    assert _unmet(runtime, "requirements-runtime.lock") == []
    assert _unmet([*runtime, *groups["dev"]], "requirements.lock") == []


def test_the_larger_lock_holds_the_smaller() -> None:
    assert _pins("requirements-runtime.lock").items() <= _pins("requirements.lock").items()


def test_only_tests_need_datasketch() -> None:
    """It is the reference for signature.py; at run time it would cost scipy's import for each document."""
    assert "datasketch" in _pins("requirements.lock")
    assert {"datasketch", "scipy"}.isdisjoint(_pins("requirements-runtime.lock"))


def _pins(lock: str) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {str(canonicalize_name(name)): number for name, number in found}


def _unmet(wanted: list[str], lock: str) -> list[str]:
    pins = _pins(lock)
    parsed = [Requirement(line) for line in wanted]
    return [str(one) for one in parsed if pins.get(canonicalize_name(one.name), "0") not in one.specifier]
