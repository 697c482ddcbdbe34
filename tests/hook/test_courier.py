"""The forwarder script: notifies the service quickly, or says that its sync does the work; always exits with 0."""

from __future__ import annotations

import ast
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hook import courier
from hook.settings.model import Settings

FILE = Path(courier.__file__)


@contextmanager
def answering(answer: bytes | None) -> Iterator[tuple[int, list[bytes]]]:
    """A service that gives this answer, or none; yields its port and the requests."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        asked = list[bytes]()
        over = threading.Event()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                asked.append(connection.recv(4096))
                connection.sendall(answer) if answer is not None else over.wait(60)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1], asked
        finally:
            over.set()
            thread.join(1)


def run(place: Path, document: str = "12", **more: str) -> subprocess.CompletedProcess[str]:
    """As Paperless runs it: without arguments, from another directory."""
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(place),
        "DOCUMENT_ID": document,
        "DEDUPE_SERVE_URL": "http://127.0.0.1:9",
        **more,
    }
    return subprocess.run(
        [sys.executable, FILE], env=environ, cwd="/", capture_output=True, text=True, check=False, timeout=120
    )


NOT_DELIVERED = "#12 is examined by the next sync of the service: "


@pytest.mark.parametrize("secret", [{"DEDUPE_SECRET": "abc"}, {"DEDUPE_SECRET_FILE": "secret"}])
def test_the_service_is_notified(tmp_path: Path, secret: dict[str, str]) -> None:
    """With the secret, which may be in a file."""
    (tmp_path / "secret").write_text("abc\n")
    given = {name: value.replace("secret", str(tmp_path / "secret")) for name, value in secret.items()}
    with answering(b"HTTP/1.1 202 Accepted\r\n\r\n") as (port, asked):
        ran = run(tmp_path, DEDUPE_SERVE_URL=f"http://127.0.0.1:{port}/sub/", **given)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert asked[0].startswith(b"POST /sub/events HTTP/1.1\r\n")
    assert b"X-Dedupe-Secret: abc\r\n" in asked[0]
    assert asked[0].endswith(b"\r\n\r\ndoc_id=12")


ANSWERS = [
    b"HTTP/1.1 401 Unauthorized\r\n\r\n",
    b"HTTP/1.1 503 No\r\n\r\n",
    b"SSH-2.0-OpenSSH\r\n",
    b"",
    None,
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_refusal_or_another_program(tmp_path: Path, answer: bytes | None) -> None:
    """Or none at all: that costs seconds, because Paperless consumes nothing else meanwhile."""
    began_s = time.monotonic()
    with answering(answer) as (port, _):
        ran = run(tmp_path, DEDUPE_SERVE_URL=f"http://127.0.0.1:{port}", DEDUPE_SECRET="abc")
        assert time.monotonic() - began_s < 30  # of the 60 for which it hangs; Python starts slowly at times
    assert (ran.returncode, "abc" in ran.stderr, NOT_DELIVERED in ran.stderr) == (0, False, True)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "dedupe:8642", "ftp://x", "http://", "http://x:port", "http://no.invalid"]
)
def test_an_address_that_leads_nowhere(tmp_path: Path, url: str) -> None:
    ran = run(tmp_path, DEDUPE_SERVE_URL=url)
    assert (ran.returncode, NOT_DELIVERED in ran.stderr) == (0, True)


@pytest.mark.parametrize("document", ["", "None", "-1", "0", "1/../2", "\u0667", "1" * 20])
def test_without_an_id_nothing_is_sent(tmp_path: Path, document: str) -> None:
    ran = run(tmp_path, document)
    assert (ran.returncode, "DOCUMENT_ID" in ran.stderr, list(tmp_path.iterdir())) == (0, True, [])


def test_the_next_script(tmp_path: Path) -> None:
    """It is run afterwards, as Paperless would run it."""
    script = tmp_path / "next.sh"
    script.write_text('#!/bin/sh\necho "next $DOCUMENT_ID"\nexit 3\n')
    script.chmod(0o755)
    ran = run(tmp_path, DEDUPE_NEXT_SCRIPT=str(script))
    assert (ran.returncode, ran.stdout) == (0, "next 12\n")
    ran = run(tmp_path, DEDUPE_NEXT_SCRIPT="/no/such/script")
    assert ran.returncode == 0
    assert "/no/such/script" in ran.stderr


def test_it_looks_for_the_service_where_the_service_listens() -> None:
    assert Settings.model_fields["serve_url"].default == courier.DEFAULT_URL


def test_it_needs_nothing_but_the_standard_library() -> None:
    """It runs in Paperless's container, where nothing of ours is installed."""
    tree = ast.parse(FILE.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
    assert os.access(FILE, os.X_OK)
    assert FILE.read_bytes().startswith(b"#!/usr/bin/env python3\n")


def test_files_in_the_same_directory_are_not_imported(tmp_path: Path) -> None:
    """A file called socket.py in the scripts directory of a user must not run."""
    (tmp_path / "courier.py").write_bytes(FILE.read_bytes())
    (tmp_path / "socket.py").write_text("open('imported', 'w')")
    environ = {
        "DOCUMENT_ID": "5",
        "DEDUPE_SERVE_URL": "http://127.0.0.1:9",
    }
    ran = subprocess.run(
        [sys.executable, tmp_path / "courier.py"], env=environ, cwd=tmp_path, capture_output=True, check=False
    )
    assert ran.returncode == 0
    assert not (tmp_path / "imported").exists()
