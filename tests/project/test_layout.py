"""The layout holds as the project grows: small folders, short modules and functions, empty package files."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for top in ("hook", "dedupe_core") for path in (ROOT / top).rglob("*.py"))
MAX_MODULES = 13  # of a folder, its empty __init__.py not counted
MAX_LINES = 350
MAX_FUNCTION_LINES = 40


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_folder_has_more_than_13_modules_but_the_commands() -> None:
    counts = Counter(_name(path.parent) for path in MODULES if path.name != "__init__.py")
    assert {folder for folder, count in counts.items() if count > MAX_MODULES} <= {"hook/commands"}


def test_package_files_of_the_product_are_empty() -> None:
    """Importing a module must not pay for its neighbours: the hook starts anew for each document."""
    for path in MODULES:
        if path.name == "__init__.py":
            assert not _statements(path), _name(path)


def _statements(path: Path) -> list[ast.stmt]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [
        each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]


def test_modules_and_functions_are_short_and_say_what_they_hold() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        assert len(text.splitlines()) <= MAX_LINES, path
        assert path.name == "__init__.py" or ast.get_docstring(tree), path
        long = [
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
        ]
        assert not long, path
