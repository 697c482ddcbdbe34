"""One error tree: its drawing is true, and errors of the system become errors that say what to do."""

from __future__ import annotations

import errno
import inspect
import re
import sqlite3
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


def test_one_class_catches_everything() -> None:
    """The command line catches DedupeError alone."""
    assert issubclass(IndexFault, DedupeError)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, IndexFull),
        (errno.EDQUOT, IndexFull),
        (errno.EFBIG, IndexFull),
        (errno.EACCES, IndexUnwritable),
        (errno.EROFS, IndexUnwritable),
    ],
)
def test_errors_of_the_file_system(number: int, expected: type[IndexFault]) -> None:
    """No space is told from no permission: the advice differs."""
    assert type(index_fault(OSError(number, "reason"), DIRECTORY)) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_BUSY, IndexBusy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, IndexBusy),
        (sqlite3.SQLITE_LOCKED, IndexBusy),
        (sqlite3.SQLITE_FULL, IndexFull),
        (sqlite3.SQLITE_IOERR_WRITE, IndexFull),
        (sqlite3.SQLITE_IOERR_FSYNC, IndexFull),
        (sqlite3.SQLITE_READONLY, IndexUnwritable),
        (sqlite3.SQLITE_CANTOPEN, IndexUnwritable),
        (sqlite3.SQLITE_IOERR_LOCK, IndexUnwritable),
        (sqlite3.SQLITE_IOERR_SHORT_READ, IndexDamaged),
        (sqlite3.SQLITE_CORRUPT, IndexDamaged),
        (sqlite3.SQLITE_NOTADB, IndexDamaged),
    ],
)
def test_errors_of_sqlite(code: int, expected: type[IndexFault]) -> None:
    """By SQLite's result code, never by its message."""
    error = sqlite3.OperationalError("reason")
    error.sqlite_errorcode = code
    assert type(index_fault(error, DIRECTORY, 0.3)) is expected
