"""The demo prints what docs/demo.md quotes, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.demo import free_port as free_port_from
from tests.e2e.review_page.page_kit import Plain
from tests.e2e.serve_kit import free_port, until

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Path]]:
    """What it printed, and what is left in its temporary directory."""
    place = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "scripts.demo"],
        cwd=place,
        env={"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(place), "HOME": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, list(place.iterdir())


def test_its_page_quotes_it(demo: tuple[str, list[Path]]) -> None:
    """Word for word: whoever runs the first command of the README sees what stands there."""
    page = (ROOT / "docs" / "demo.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    first_line = demo[0].splitlines()[0]
    quoted = [block for block in blocks if block.startswith(first_line)]
    assert quoted == [demo[0]]


def test_nothing_is_left_behind(demo: tuple[str, list[Path]]) -> None:
    assert demo[1] == []


def test_the_page_stays_up_until_it_is_interrupted(tmp_path: Path) -> None:
    """It ends with the address to open, and after Ctrl-C nothing is left."""
    port = free_port()
    environ = {"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "scripts.demo", "--serve", "--port", str(port)]
    demo = subprocess.Popen(command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert demo.stdout is not None
        line = next(line for line in demo.stdout if line.startswith("Open "))
        assert f"http://127.0.0.1:{port}/review/" in line
        person = Plain(port)
        until(lambda: is_up(person))
        assert len(person.enter().cards) == 4
    finally:
        demo.send_signal(signal.SIGINT)
        assert demo.wait(120) == 0
        if demo.stdout is not None:
            demo.stdout.close()
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_left_alone() -> None:
    """A service, another demo or a test may listen there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port_from(port) not in (port, 0)
    free = free_port()
    assert free_port_from(free) == free


def is_up(person: Plain) -> bool:
    try:
        return person.get().status == 200
    except OSError:
        return False
