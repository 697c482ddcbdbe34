"""The database files that this process has open: SQLite alone may open and close them meanwhile.

POSIX locks belong to a process and a file: closing any descriptor of the file drops all of them, and another process would then
delete SQLite's log while it is in use. A forked child shares descriptors and SQLite's idea of its locks, but not the locks. So
whoever reads or replaces the file itself asks here first, and a child may not use what its parent has opened.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hook.errors import IndexFault, IndexReplaced

FileId = tuple[int, int]

_guard: Final = threading.RLock()
_open: Final = Counter[
    tuple[int, FileId]
]()  # connections by process and file; a child inherits those of its parent


class OpenFiles:
    """One connection: the database and its log, as they were when it was opened."""

    def __init__(self, database: Path, number: FileId) -> None:
        self._database, self._number, self._process = database, number, os.getpid()
        self._log: FileId | None = None
        self._is_open = True

    def opened(self) -> None:
        """The connection holds SQLite's lock now, so nobody deletes the log any more."""
        if _file_id(self._database) != self._number:
            raise IndexReplaced(self._database.parent)
        self._log = _file_id(_log_of(self._database))

    def closed(self) -> None:
        if self._is_open and self._process == os.getpid():
            with _guard:
                _open[self._process, self._number] -= 1
        self._is_open = False

    def were_replaced(self) -> bool:
        """True if another file, or none, is in the place of one of ours: nobody would read what we write."""
        return (_file_id(self._database), _file_id(_log_of(self._database))) != (self._number, self._log)

    def refuse_fork(self) -> None:
        if self._process != os.getpid():
            raise _inherited(self._database)


def opening(database: Path) -> OpenFiles:
    """Registers a connection that is opened next. Any number of threads may have one each: SQLite counts its locks."""
    with _guard:
        number = _file_id(database)
        if number is None:
            raise IndexReplaced(database.parent)
        if any(
            count for (process, file), count in _open.items() if file == number and process != os.getpid()
        ):
            raise _inherited(database)
        _open[os.getpid(), number] += 1
        return OpenFiles(database, number)


def is_open(database: Path) -> bool:
    """True if this process, or the one that it was forked from, has it open."""
    number = _file_id(database)
    return any(count for (_, file), count in _open.items() if file == number)


@contextmanager
def nowhere_open(database: Path) -> Iterator[None]:
    """For code that reads or replaces the file itself; meanwhile no thread of this process can open it."""
    with _guard:
        if is_open(database):
            raise IndexFault(
                f"the index in {database.parent} is open in this process, so it cannot be copied or replaced here: run "
                "the command in a process of its own"
            )
        yield


def _file_id(path: Path) -> FileId | None:
    """By name, without opening it."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _log_of(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def _inherited(database: Path) -> IndexFault:
    return IndexFault(
        f"the index in {database.parent} was opened before this process was forked: open it in a process that was started anew"
    )
