"""The demo prints what docs/demo.md quotes, shows its page until it is interrupted, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

from scripts.demo import free_port as free_port_from
from tests.e2e.review_page.page_kit import Plain
from tests.e2e.serve_kit import free_port, until

ROOT = Path(__file__).parents[2]
LAST = "\nTo decide on them in a browser: sh scripts/demo.sh --serve\n"  # what it says instead if it ends by itself


def test_its_page_quotes_it_and_its_review_page_stays_up(tmp_path: Path) -> None:
    """Word for word: whoever runs the first command of the README sees what stands there."""
    port = free_port()
    environ = {"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "scripts.demo", "--serve", "--port", str(port)]
    demo = subprocess.Popen(command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True)
    assert demo.stdout is not None
    with demo.stdout:
        try:
            told = "".join(takewhile(lambda line: "/review/" not in line, demo.stdout))
            person = Plain(port)
            until(lambda: is_up(person))
            assert len(person.enter().cards) == 4
        finally:
            demo.send_signal(signal.SIGINT)
            assert demo.wait(120) == 0
    page = (ROOT / "docs" / "demo.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert told.rstrip("\n") + "\n" + LAST in blocks
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
