"""The user's own script runs as Paperless would have run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hook.next_script import NOT_EXECUTABLE, NOT_FOUND, run_next


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_the_next_script_gets_what_paperless_gave(tmp_path: Path) -> None:
    """Arguments (2.20 passes eight) and the whole environment, which is Paperless's own way."""
    path = script(tmp_path / "next.sh", f'echo "$1 $DOCUMENT_ID $SECRET" > {tmp_path}/seen; exit 7')
    code = run_next(path, ["12"], {"DOCUMENT_ID": "12", "SECRET": "s3cret"})
    assert code == 7
    assert (tmp_path / "seen").read_text() == "12 12 s3cret\n"


def test_a_next_script_that_cannot_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The reason is in the log; the code is that of a shell."""
    assert run_next(tmp_path / "missing", [], {}) == NOT_FOUND
    plain_file = tmp_path / "plain"
    plain_file.touch(mode=0o644)
    assert run_next(plain_file, [], {}) == NOT_EXECUTABLE
    assert run_next(script(tmp_path / "killed.sh", "kill -9 $$"), [], {}) == 128 + 9
    assert "missing" in caplog.text
