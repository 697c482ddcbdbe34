"""The database files that this process has open: SQLite alone may open and close them meanwhile.

POSIX locks belong to a process and a file: closing any descriptor of the file drops all of them, and another process would then
delete SQLite's log while it is in use. So whoever reads or replaces the file itself asks here first.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hook.errors import IndexFault, IndexReplaced

FileId = tuple[int, int]

_guard: Final = threading.RLock()
_open: Final = Counter[FileId]()  # connections by file


class OpenFiles:
    """One connection: the database and its log, as they were when it was opened. Any number of threads may have one each: SQLite
    counts its locks."""

    def __init__(self, database: Path) -> None:
        self._database, self._log = database, database.with_name(database.name + "-wal")
        with _guard:
            if (number := _file_id(database)) is None:
                raise IndexReplaced(database.parent)
            _open[number] += 1
        self._number: FileId = number
        self._log_number: FileId | None = None
        self._is_open = True

    def opened(self) -> None:
        """The connection holds SQLite's lock now, so nobody deletes the log any more."""
        if _file_id(self._database) != self._number:
            raise IndexReplaced(self._database.parent)
        self._log_number = _file_id(self._log)

    def closed(self) -> None:
        if self._is_open:
            with _guard:
                _open[self._number] -= 1
        self._is_open = False

    def were_replaced(self) -> bool:
        """True if another file, or none, is in the place of one of ours: nobody would read what we write."""
        return (_file_id(self._database), _file_id(self._log)) != (self._number, self._log_number)


def is_open(database: Path) -> bool:
    number = _file_id(database)
    return number is not None and _open[number] > 0


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
