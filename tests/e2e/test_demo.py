"""The demo prints what the README quotes, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Path]]:
    """What it printed, and what is left in its temporary directory."""
    place = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "demo.py"],
        cwd=place,
        env={"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(place), "HOME": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, list(place.iterdir())


def test_the_readme_quotes_it(demo: tuple[str, list[Path]]) -> None:
    """Word for word: whoever runs the first command of the README sees what stands there."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", readme, flags=re.MULTILINE | re.DOTALL)
    first_line = demo[0].splitlines()[0]
    quoted = [block for block in blocks if block.startswith(first_line)]
    assert quoted == [demo[0]]


def test_it_shows_what_the_product_is_for(demo: tuple[str, list[Path]]) -> None:
    """The two scans and the exact copy are found; the bills of a series are not."""
    _, _, shown = demo[0].partition("What you see in Paperless")
    assert {"#2 Scan_0217", "#13 Scan_0402", "#15 insurance (from e-mail)"} <= set(shown.splitlines())
    assert "\n#14 " not in shown
    assert shown.count("dedupe:rescan") == 2
    assert shown.count("dedupe:identical") == 1


def test_nothing_is_left_behind(demo: tuple[str, list[Path]]) -> None:
    assert demo[1] == []
