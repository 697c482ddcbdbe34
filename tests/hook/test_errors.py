"""One error tree: its drawing is true, and errors of the system become errors that say what to do."""

from __future__ import annotations

import errno
import inspect
import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from hook import errors
from hook.errors import (
    DedupeError,
    IndexBusy,
    IndexDamaged,
    IndexFault,
    IndexFull,
    IndexUnwritable,
    index_fault,
)

DIRECTORY = Path("/index")


def test_the_drawing_shows_every_error_below_its_parent_with_its_exit_code() -> None:
    """Read from the docstring, line by line, by indentation."""
    drawn: dict[str, tuple[str | None, int]] = {}
    path: list[str] = []
    for line in re.findall(r"^ {4}.*\d.*$", inspect.getdoc(errors) or "", flags=re.MULTILINE):
        found = re.match(r"^ {4}([│├└─ ]*)(\w+) +(\d)", line)
        assert found is not None, line
        level = len(found[1]) // 4
        path[level:] = [found[2]]
        drawn[found[2]] = (path[level - 1] if level else None, int(found[3]))
    raised = [value for value in vars(errors).values() if inspect.isclass(value)]
    expected = {
        error.__name__: (error.__base__.__name__ if error is not DedupeError else None, error.exit_code)
        for error in raised
        if issubclass(error, DedupeError) and error.__base__ is not None
    }
    assert drawn == expected


@pytest.mark.parametrize(
    ("expected", "numbers", "codes"),
    [
        (IndexBusy, (), ("BUSY", "BUSY_SNAPSHOT", "LOCKED")),
        (IndexFull, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG), ("FULL", "IOERR_WRITE", "IOERR_FSYNC")),
        (IndexUnwritable, (errno.EACCES, errno.EROFS), ("READONLY", "CANTOPEN", "IOERR_LOCK")),
        (IndexDamaged, (), ("IOERR_SHORT_READ", "CORRUPT", "NOTADB")),
    ],
)
def test_errors_of_the_system(
    expected: type[IndexFault], numbers: Sequence[int], codes: Sequence[str]
) -> None:
    """By the number, never by the message: the advice differs."""
    causes: list[Exception] = [OSError(number, "reason") for number in numbers]
    for code in codes:
        causes.append(error := sqlite3.OperationalError("reason"))
        error.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{code}")
    assert {type(index_fault(cause, DIRECTORY, 0.3)) for cause in causes} == {expected}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Copy it into DEDUPE_TOKEN.", "Copy it into DEDUPE_TOKEN."),
        ('no "TOKEN" at http://x/TOKEN/ (Token TOKEN)', 'no "***" at http://x/***/ (Token ***)'),
    ],
)
def test_a_secret_that_is_a_word_is_not_hidden_in_longer_words(said: str, shown: str) -> None:
    error = errors.TokenError("", said)
    error.redact("TOKEN")
    assert str(error) == shown


@pytest.mark.parametrize("secret", ["0123456789abcdef0123456789abcdef01234567", "a.b+c", "x1"])
def test_any_other_secret_is_hidden_wherever_it_is(secret: str) -> None:
    """Whatever a server puts around it."""
    error = errors.RefusedError(
        "GET /api/", f"x{secret}_{secret}9 http://h/{secret}?t={secret} Token {secret}"
    )
    error.redact(secret)
    assert str(error) == "GET /api/: x***_***9 http://h/***?t=*** Token ***"
