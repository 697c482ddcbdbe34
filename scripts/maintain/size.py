"""How large the project is: lines by package, then what the judge is made of (compare/ and judge/).

python -m scripts.maintain size [DIRECTORY]
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scripts.subcommands import make_parser

PROJECT = Path(__file__).resolve().parents[2]
PARTS = {"product": ("dedupe_core", "hook"), "tests": ("tests",), "scripts": ("scripts",)}
DEPTH = {"tests": 3}  # tests/hook/index is a package of tests as hook/index is one of the product
COUNT = """
from dedupe_core.compare.measures import ALL
from dedupe_core.judge.fitted import FITTED
names = ("worth", "same", "revision", "contained", "edited", "part")
print(len(ALL), sum(len(getattr(FITTED, name).trees) for name in names))
"""


def packages(project: Path, folder: str) -> Counter[str]:
    """Lines of Python by package: data and catalogues are not counted."""
    lines: Counter[str] = Counter()
    for path in (project / folder).rglob("*.py"):
        package = path.relative_to(project).parent.parts[: DEPTH.get(folder, 2)]
        lines["/".join(package)] += len(path.read_text(encoding="utf-8").splitlines())
    return lines


def print_packages(project: Path) -> None:
    for part, folders in PARTS.items():
        lines = sum((packages(project, folder) for folder in folders), Counter[str]())
        print(f"{part:28} {lines.total():6}")
        for package, count in sorted(lines.items()):
            print(f"  {package:26} {count:6}")
    print()


def modules(project: Path) -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("compare", "judge"):
        for path in sorted((project / "dedupe_core" / folder).glob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def numbers(node: ast.AST) -> Iterator[float]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, int | float):
            yield one.value


def named(tree: ast.Module) -> int:
    """Numbers that module-level names stand for."""
    found = 0
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            is_plain = not any(isinstance(one, ast.Lambda | ast.Call) for one in ast.walk(node.value))
            found += len(list(numbers(node.value))) if is_plain else 0
    return found


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]


def is_rule(function: ast.FunctionDef) -> bool:
    return isinstance(function.returns, ast.Name) and function.returns.id == "bool"


def fitted(project: Path) -> tuple[int, int]:
    """Measures and trees."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT], cwd=project, stdout=subprocess.PIPE, text=True, check=True
    )
    measures, trees = map(int, done.stdout.split())
    return measures, trees


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=PROJECT, help="another checkout")
    project = parser.parse_args().directory
    print_packages(project)
    code = [(path, tree) for path, tree in modules(project) if path.stem != "fitted"]
    found = [function for _, tree in code for function in functions(tree)]
    print(f"lines            {sum(len(path.read_text(encoding='utf-8').splitlines()) for path, _ in code)}")
    print(f"named numbers    {sum(named(tree) for _, tree in code)}")
    print(f"rules            {sum(map(is_rule, found))}")
    measures, trees = fitted(project)
    print(f"measures         {measures}")
    print(f"trees            {trees}")
    return 0
