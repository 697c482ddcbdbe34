"""Cuts a fifth off each named number of a package, one at a time, and counts how many the tests of that package notice.

python -m scripts.maintain mutate [PACKAGE ...]     of judge, compare, plan, merge_rules, index; all of them if none is named

A number is a module-level constant, or a field of the policy. The tests run in a copy of the project, so that nothing is
changed here; a run that fails has noticed. What only bounds the cost of a step is left out: it is in COST_ONLY, with what it
bounds.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.subcommands import make_parser

PROJECT = Path(__file__).resolve().parents[2]
COPIED = ("dedupe_core", "hook", "scripts", "tests", "docs", "pyproject.toml", "README.md")


@dataclass(frozen=True, slots=True)
class Package:
    modules: tuple[str, ...]  # files and folders
    tests: tuple[str, ...]


PACKAGES = {
    "judge": Package(("dedupe_core/judge", "dedupe_core/policy.py"), ("tests/core/judge", "tests/corpus")),
    "compare": Package(("dedupe_core/compare",), ("tests/core/compare", "tests/core/judge", "tests/corpus")),
    "plan": Package(
        ("hook/findings/plan.py", "hook/findings/keeper.py"),
        ("tests/hook/findings/test_plan.py", "tests/hook/findings/test_keeper.py"),
    ),
    "merge_rules": Package(
        ("hook/review/merge_rules.py", "hook/review/same_text"),
        (
            "tests/hook/review/test_same_text.py",
            "tests/hook/review/test_merge_rules.py",
        ),
    ),
    "index": Package(
        ("hook/index",),
        (
            "tests/hook/index/test_index.py",
            "tests/hook/index/shared/test_shared.py",
            "tests/hook/index",
        ),
    ),
}
# A fifth less of these changes how much is done at once, or how long it takes, and nothing that comes out.
COST_ONLY = {
    "_AT_ONCE": "rows of a statement or a round trip",
    "_DOCUMENTS_AT_ONCE": "documents of a round trip",
    "_PAGES_AT_ONCE": "pages of a round trip",
    "IDS_AT_ONCE": "bits of a key",
    "ROWS_AT_ONCE": "rows of a statement",
    "STREAMED_AT_ONCE": "rows of a statement",
    "_CACHED": "words of a cache",
    "PAGE_BYTES": "bytes of a page of the database",
    "FIRST_WAIT_S": "the pause before a second attempt",
}


_CALCULATION = (ast.Constant, ast.BinOp, ast.operator)


@dataclass(frozen=True, slots=True)
class Mutant:
    path: str
    name: str
    line: int
    columns: tuple[int, int]  # in bytes, as ast counts them
    value: float

    @property
    def less(self) -> float:
        if isinstance(self.value, float):
            return self.value * 0.8
        return min(int(self.value * 0.8), self.value - 1)

    def apply(self, text: str) -> str:
        lines = text.encode().splitlines(keepends=True)
        row, (start, end) = lines[self.line - 1], self.columns
        lines[self.line - 1] = row[:start] + repr(self.less).encode() + row[end:]
        return b"".join(lines).decode()


def number(node: ast.expr | None) -> float | None:
    """The value of a number, also if it is written as 16 * 2**20."""
    if node is None or not all(isinstance(one, _CALCULATION) for one in ast.walk(node)):
        return None
    value = eval(compile(ast.Expression(node), "", "eval"))
    return value if isinstance(value, int | float) else None


def assigned(node: ast.stmt) -> tuple[str, ast.expr | None]:
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return (target.id if isinstance(target, ast.Name) else ""), getattr(node, "value", None)


def named_numbers(place: Path, path: Path) -> Iterator[Mutant]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    fields = [one for node in tree.body if isinstance(node, ast.ClassDef) for one in node.body]
    for node in [*tree.body, *(fields if path.name == "policy.py" else [])]:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            name, given = assigned(node)
            value = number(given)
            if given is not None and value and name not in COST_ONLY and given.lineno == given.end_lineno:
                columns = (given.col_offset, given.end_col_offset or 0)
                yield Mutant(str(path.relative_to(place)), name, given.lineno, columns, value)


def mutants(place: Path, package: Package) -> list[Mutant]:
    files = {file for name in package.modules for file in (place / name, *(place / name).rglob("*.py"))}
    return [one for file in sorted(files) if file.is_file() for one in named_numbers(place, file)]


def is_green(place: Path, tests: Sequence[str]) -> bool:
    """The tests run in the order in which they are named, until one fails."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    own = {"PYTHONPATH": str(place), "HYPOTHESIS_STORAGE_DIRECTORY": str(place / ".hypothesis")}
    done = subprocess.run([*command, *tests], cwd=place, env=os.environ | own, capture_output=True, text=True)
    if done.returncode and "failed" not in done.stdout and "error" not in done.stdout:
        raise SystemExit(f"the tests did not run:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def is_noticed(place: Path, mutant: Mutant, tests: Sequence[str]) -> bool:
    """The copy is as before afterwards."""
    file = place / mutant.path
    text = file.read_text(encoding="utf-8")
    file.write_text(mutant.apply(text), encoding="utf-8")
    try:
        return not is_green(place, tests)
    finally:
        file.write_text(text, encoding="utf-8")


def copy_to(place: Path) -> None:
    for name in COPIED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("package", nargs="*", help=", ".join(PACKAGES))
    names = parser.parse_args().package or PACKAGES
    if unknown := [name for name in names if name not in PACKAGES]:
        parser.error(f"{unknown[0]!r} is not one of {', '.join(PACKAGES)}")
    counts: Counter[bool] = Counter()
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        copy_to(place)
        for name in names:
            package = PACKAGES[name]
            if not is_green(place, package.tests):
                raise SystemExit(f"{name}: its tests fail as they are")
            here: Counter[bool] = Counter()
            for one in mutants(place, package):
                noticed = is_noticed(place, one, package.tests)
                here[noticed] += 1
                told = "noticed" if noticed else "NOT NOTICED"
                print(f"{name:12} {one.path}:{one.line} {one.name} {one.value:g} -> {one.less:g}  {told}", flush=True)  # fmt: skip
            print(f"{name:12} {here[True]} of {here.total()} noticed", flush=True)
            counts += here
    print(f"{'all':12} {counts[True]} of {counts.total()} noticed")
    return 0
