"""README and docs say what the code does: tables, commands, exit codes, links."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import hook
from hook import cli
from hook.errors import DedupeError
from hook.settings.model import Settings
from scripts.maintain import readme
from scripts.maintain.settings import settings_table
from tests.programs import ROOT, python

README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
MAPS = [ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]


@pytest.mark.parametrize(("file", "name"), [place for place in readme.BLOCKS if place[1] != "demo"])
def test_what_the_code_makes_is_up_to_date(file: str, name: str) -> None:
    """If this fails: python -m scripts.maintain readme --write. The demo has its own test, e2e/test_demo.py."""
    page = (ROOT / file).read_text(encoding="utf-8")
    assert readme.block(page, name) == readme.BLOCKS[file, name]()


def test_every_setting_has_one_row_of_three_cells() -> None:
    """A description with a line break or a bar would end its table; a setting without a group would be missing."""
    rows = [line for line in settings_table().splitlines() if line.startswith("|")]
    assert {re.sub(r"`[^`]*`", "", row).count("|") for row in rows} == {4}
    named = re.findall(r"^\| `DEDUPE_(\w+)`", settings_table(), flags=re.MULTILINE)
    assert sorted(named) == sorted(["ENV_FILE", *(name.upper() for name in Settings.model_fields)])
    assert all((field.description or "").endswith(".") for field in Settings.model_fields.values())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_exists(page: Path) -> None:
    """Scripts, commands, settings, links with their anchors, pictures."""
    text = page.read_text(encoding="utf-8")
    scripts = re.findall(r"(?<!paperless/)\bscripts/[\w-]+\.(?:sh|py)\b", text)
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
    commands = re.findall(r"(?<!-C )paperless-dedupe ([a-z]+)\b", _code(text))
    assert set(commands) - {"help", *cli.COMMANDS} == set()
    known = set(re.findall(r"`(DEDUPE_\w+)`", settings_table()))
    settings = set(re.findall(r"\bDEDUPE_[A-Z_]+[A-Z]\b", text))
    assert {name for name in settings if not {name, name.removesuffix("_FILE")} & known} == set()
    targets = re.findall(r"\]\((?!https?:)([^)]+)\)", text) + re.findall(r'<img src="([^"]+)"', text)
    assert [target for target in targets if not _leads_somewhere(page, target)] == []


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.name)
def test_every_module_that_is_named_exists(page: Path) -> None:
    """A map with a street that is gone is worse than none."""
    named = _paths(page.read_text(encoding="utf-8"))
    assert len(named) > 3
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_picture_of_the_layers_has_every_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = page.partition("```text")[2].partition("```")[0]
    packages = [
        file.parent.name for top in ("hook", "dedupe_core") for file in (ROOT / top).glob("*/__init__.py")
    ]
    assert [name for name in packages if f" {name}/ " not in picture] == []


def test_the_picture_of_the_imports_is_up_to_date() -> None:
    """If this fails: python -m scripts.maintain imports --write. A cycle between packages cannot be drawn."""
    drawn = python("-m", "scripts.maintain", "imports")
    assert drawn.stdout == (ROOT / "docs" / "imports.svg").read_text(encoding="utf-8")


def test_the_exit_codes_are_those_of_the_code() -> None:
    _, _, section = REFERENCE.partition("## Exit codes")
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", section, flags=re.MULTILINE)]
    for module in pkgutil.iter_modules(hook.__path__, "hook."):
        importlib.import_module(module.name)  # each may add a branch
    raised = {error.exit_code for error in _tree(DedupeError)}
    assert listed == sorted({0, *raised, cli.USAGE, cli.INTERRUPTED, cli.PIPE_CLOSED})


def _tree(error: type[Any]) -> set[type[Any]]:
    return {error}.union(*(_tree(branch) for branch in error.__subclasses__()))


def _paths(page: str) -> list[str]:
    """Files and folders of this repository that are set as code."""
    roots = "dedupe_core|hook|scripts|tests|docs"
    return re.findall(rf"`((?:{roots})/[\w./-]+|[\w.-]+\.(?:md|lock|toml))`", page)


def _code(page: str) -> str:
    """What is set as code: in prose the program's name may be followed by any word."""
    return "\n".join(re.findall(r"^ *```.*?^ *```|`[^`\n]+`", page, flags=re.MULTILINE | re.DOTALL))


def _leads_somewhere(page: Path, target: str) -> bool:
    file, _, anchor = target.partition("#")
    goal = (page.parent / file).resolve() if file else page
    if not goal.is_file() or not anchor:
        return goal.is_file()  # a picture has no headings
    headings = re.findall(r"^#+ (.+)$", goal.read_text(encoding="utf-8"), flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return anchor in anchors
