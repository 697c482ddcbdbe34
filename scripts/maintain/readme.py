"""Refreshes the generated blocks of README.md and docs/, or lists those that are out of date.

    python -m scripts.maintain readme --write
    python -m scripts.maintain readme --check     exit code 1 if one is out of date

A block is between `<!-- name: begin -->` and `<!-- name: end -->`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from dedupe_core.recipe import NAMED, Recipe
from hook.cli import COMMANDS
from scripts.maintain.settings import settings_table
from scripts.subcommands import is_writing

ROOT: Final = Path(__file__).resolve().parents[2]
# The one line to change when a release is on the package index and in the image registry; then run this with --write.
PUBLISHED: Final = False
REPOSITORY: Final = "https://github.com/paperless-dedupe/paperless-dedupe"
IMAGE: Final = "paperlessdedupe/paperless-dedupe"


def commands_table() -> str:
    rows = [f"| `{name}` | {purpose} |" for name, purpose in COMMANDS.items()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows]) + "\n"


def probability_found(jaccard: float, recipe: Recipe) -> float:
    """The S-curve: how likely two texts with this Jaccard similarity share a band key, so that one finds the other.

    One byte of each value is kept, so two different values agree with p=1/256.
    """
    agreement = jaccard + (1 - jaccard) / 256
    return 1.0 - (1.0 - agreement**recipe.rows) ** recipe.bands


def s_curve_table() -> str:
    """A line per named recipe, rounded down."""
    tenths = [tenth / 10 for tenth in range(1, 10)]
    rows = [
        f"| `{name}` | {one.bands} x {one.rows} | "
        + " | ".join(f"{int(probability_found(tenth, one) * 100)}%" for tenth in tenths)
        + " |"
        for name, one in NAMED.items()
    ]
    head = f"| recipe | bands x rows | {' | '.join(map(str, tenths))} |"
    return "\n".join([head, "|---" * (2 + len(tenths)) + "|", *rows]) + "\n"


def printed(*module: str) -> str:
    """The output of a script, as a text block."""
    command = [sys.executable, "-m", *module]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return f"```text\n{done.stdout}```\n"


def compose_block() -> str:
    """Of docs/deploy/compose.yaml what is to be added to a compose file of Paperless: between the lines of dashes."""
    lines = (ROOT / "docs" / "deploy" / "compose.yaml").read_text(encoding="utf-8").splitlines()
    first, last = [number for number, line in enumerate(lines) if line.strip("# ") == 84 * "-"]
    return "\n".join(["```yaml", "services:", *lines[first + 1 : last], "```"]) + "\n"


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def image_block() -> str:
    """How to get the image, until Docker can pull it."""
    if PUBLISHED:
        return ""
    return (
        f"The image of {version()} is not published yet. Build it first:\n\n```sh\n"
        f"git clone {REPOSITORY}.git\ndocker build --tag {IMAGE}:{version()} paperless-dedupe\n```\n"
    )


def nas_block() -> str:
    """The same on a NAS, which seldom has git."""
    if PUBLISHED:
        return ""
    return (
        f"The image of {version()} is not published yet. Build it on the NAS, by SSH:\n\n```sh\n"
        f"curl -L {REPOSITORY}/archive/refs/heads/main.tar.gz | tar -xz\n"
        f"sudo docker build --tag {IMAGE}:{version()} paperless-dedupe-main\n```\n"
    )


def cluster_block() -> str:
    """A cluster pulls images, so one that is built goes to a registry first."""
    if PUBLISHED:
        return ""
    own = f"registry.example.org/paperless-dedupe:{version()}"
    return (
        f"The image of {version()} is not published yet. Build it, push it to a registry that your cluster pulls from, and name it in\n"
        f"`image:` of the manifest:\n\n```sh\n"
        f"git clone {REPOSITORY}.git\ndocker build --tag {own} paperless-dedupe\ndocker push {own}\n```\n"
    )


def package_block() -> str:
    """The command for pipx and for uv: from the package index, or from the repository, which has no tag yet."""
    source = "" if PUBLISHED else f" @ git+{REPOSITORY}.git"
    wanted = f"'paperless-dedupe[serve]{source}'"
    lines = [
        f"sudo -Hu paperless pipx install {wanted}",
        "# or",
        f"sudo -Hu paperless uv tool install --compile-bytecode {wanted}",
    ]
    return "\n".join(["```sh", *lines, "```"]) + "\n"


def figures_table() -> str:
    """The rows of docs/accuracy.md that tell a tool from another, with the present figures: the last of each three columns."""
    page = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    rows = ["| | real documents | household papers |", "|---|---|---|"]
    for name in ("duplicates found, all", "sibling false alarms", "precision"):
        _, _, _, real, _, _, household = re.findall(
            r"[^|]+", re.findall(rf"^\| {name} \|.+$", page, re.MULTILINE)[0]
        )
        rows.append(f"| {name} |{real}|{household}|")
    return "\n".join(rows) + "\n"


BLOCKS: Final[Mapping[tuple[str, str], Callable[[], str]]] = {
    ("README.md", "compose"): compose_block,
    ("README.md", "image"): image_block,
    ("docs/install.md", "image"): image_block,
    ("docs/install.md", "image-nas"): nas_block,
    ("docs/install.md", "image-cluster"): cluster_block,
    ("docs/install.md", "package"): package_block,
    ("docs/comparison.md", "figures"): figures_table,
    ("docs/demo.md", "demo"): partial(printed, "scripts.demo"),
    ("docs/reference.md", "commands"): commands_table,
    ("docs/settings.md", "settings"): settings_table,
    ("docs/how-it-decides.md", "examples"): partial(printed, "scripts.maintain", "examples"),
    ("docs/tuning.md", "s-curve"): s_curve_table,
}


def block(text: str, name: str) -> str:
    """The text between the markers of that name."""
    return _find(text, name)[2]


def replaced(text: str, name: str, body: str) -> str:
    found = _find(text, name)
    return text[: found.start(2)] + body + text[found.end(2) :]


def _find(text: str, name: str) -> re.Match[str]:
    pattern = rf"(<!-- {name}: begin -->\n)(.*?)(?=<!-- {name}: end -->\n)"
    found = re.search(pattern, text, flags=re.DOTALL)
    if found is None:
        raise SystemExit(f"there are no markers for {name!r}")
    return found


def main() -> int:
    write = is_writing(__doc__)
    stale = [place for place in BLOCKS if not refresh(*place, write=write)]
    for file, name in stale:
        print(f"{file}, {name}: {'refreshed' if write else 'out of date, see --write'}")
    return 1 if stale and not write else 0


def refresh(file: str, name: str, *, write: bool = False) -> bool:
    """True if the block is up to date."""
    path, body = ROOT / file, BLOCKS[file, name]()
    text = path.read_text(encoding="utf-8")
    if block(text, name) == body:
        return True
    if write:
        path.write_text(replaced(text, name, body), encoding="utf-8")
    return False
