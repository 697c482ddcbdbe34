"""Whether a process holds a deleted file of the index, and whether the database is intact.

SQLite deletes `-wal` and `-shm` when the last connection is closed. A process that still has them open then writes what
nobody else reads, and what is lost when it ends.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

DATABASE: Final = "cache.db"
DELETED: Final = " (deleted)"
LOOK_EVERY_S: Final = 0.25
# The process that closes the last connection deletes -shm a moment before it closes it. A process that was suspended
# in this moment, or that waits for a core, is no fault: the handle has to be seen often, in a process that is not stopped.
LOOKS: Final = 8


@dataclass(frozen=True, slots=True)
class Handle:
    pid: int
    descriptor: int
    path: str
    inode: int

    def __str__(self) -> str:
        return f"process {self.pid} has {self.path} open, which was deleted"


def deleted_handles(index_dir: Path) -> set[Handle]:
    """Of all processes that may be looked at."""
    found = set[Handle]()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):  # it has ended, or belongs to another user
                found |= _of_process(int(entry.name), str(index_dir / DATABASE))
    return found


def _of_process(pid: int, prefix: str) -> set[Handle]:
    found = set[Handle]()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            target = str(link.readlink())
            if target.startswith(prefix) and target.endswith(DELETED):
                inode = link.stat().st_ino
                found.add(Handle(pid, int(link.name), target.removesuffix(DELETED), inode))
    return found


def is_suspended(pid: int) -> bool:
    with suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        return state.rpartition(")")[2].split()[0] in "Tt"
    return True


@dataclass
class Watch:
    """Looks again and again, in a thread of its own; `faults` are the handles that stayed deleted and open."""

    index_dir: Path
    faults: set[Handle] = field(default_factory=set)
    _seen: dict[Handle, int] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Watch:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(LOOK_EVERY_S):
            self.look()

    def look(self) -> None:
        now = deleted_handles(self.index_dir)
        looks = {one: self._seen.get(one, 0) + (not is_suspended(one.pid)) for one in now}
        self._seen = looks
        self.faults |= {one for one, count in looks.items() if count >= LOOKS}

    def take(self) -> set[Handle]:
        """Those that were found since the last time."""
        found, self.faults = self.faults, set()
        return found

    def settle(self) -> None:
        """Long enough for a handle that is deleted now to become a fault."""
        time.sleep(LOOK_EVERY_S * (LOOKS + 2))


def integrity(index_dir: Path) -> str:
    """What SQLite says of a copy of the database, `ok` if all is well. No process may have it open."""
    with tempfile.TemporaryDirectory(prefix="drill-copy-") as place:
        for path in index_dir.glob(f"{DATABASE}*"):
            if path.name in (DATABASE, f"{DATABASE}-wal"):
                shutil.copy(path, place)
        try:
            with closing(sqlite3.connect(Path(place) / DATABASE)) as copy:
                return "; ".join(row[0] for row in copy.execute("PRAGMA integrity_check(5)"))
        except sqlite3.Error as error:
            return str(error)
