"""What may be logged: one bounded line per message, and no text of a document or of an exception."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook import log as hook_log
from hook.errors import described
from hook.log import plain


@given(st.text(), st.integers(2, 50))
def test_plain_text_is_one_bounded_line(text: str, limit: int) -> None:
    """And it is idempotent."""
    line = plain(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert line.isprintable() or not line.isascii()
    assert "\u202e" not in line
    assert plain(line, limit) == line


def test_results_to_stdout_and_trouble_to_stderr() -> None:
    """Paperless logs the one as INFO and the other as WARNING."""
    out, err = io.StringIO(), io.StringIO()
    logger = hook_log.set_up("INFO", out=out, err=err)
    logger.debug("too fine")
    logger.info("#1: nothing alike")
    logger.warning("kept\nfake line\x1b[31m")
    assert out.getvalue() == "#1: nothing alike\n"
    assert err.getvalue() == "kept fake line [31m\n"


def test_an_exception_shows_no_value() -> None:
    """Its message may contain the text of a document: type and place are logged."""
    err = io.StringIO()
    logger = hook_log.set_up(err=err)
    try:
        int("very private text")
    except ValueError as error:
        logger.warning("%s", described(error), exc_info=True)
    assert "private" not in err.getvalue()
    assert "unexpected ValueError in test_log.py, line" in err.getvalue()


def test_a_log_file(tmp_path: Path) -> None:
    """Gets everything, too, with time and process, because several hooks write into it. If it cannot be written, that is
    reported once, where Paperless shows it."""
    logger = hook_log.set_up("INFO", tmp_path / "log", out=io.StringIO(), err=io.StringIO())
    logger.info("one")
    logger.warning("two")
    lines = (tmp_path / "log").read_text().splitlines()
    assert [line.rpartition("] ")[2] for line in lines] == ["one", "two"]
    err = io.StringIO()
    hook_log.set_up("INFO", tmp_path / "no" / "log", err=err)
    assert "DEDUPE_LOG_FILE" in err.getvalue()


def test_a_closed_stream(capfd: pytest.CaptureFixture[str]) -> None:
    """It is not an error of the hook."""
    out = io.StringIO()
    logger = hook_log.set_up(out=out)
    out.close()
    logger.info("unread")
    assert capfd.readouterr().err == ""
