"""Locks by number between processes, on the bytes of one empty file; a kill releases them."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class RecordLocks:
    """Two locks for each number: a claim, which may be held for long, and a short one for a change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mutex = threading.Lock()  # the threads of one process do not shut each other out of such a file
        self._descriptor: int | None = None  # opened once: closing any descriptor of the file frees all locks

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def claim(self, number: int) -> bool:
        """False if another process has it."""
        try:
            fcntl.lockf(self._file(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2 * number)
        except (BlockingIOError, PermissionError):  # POSIX allows either
            return False
        return True

    def release(self, number: int) -> None:
        fcntl.lockf(self._file(), fcntl.LOCK_UN, 1, 2 * number)

    @contextmanager
    def short(self, number: int) -> Iterator[None]:
        with self._mutex:
            fcntl.lockf(self._file(), fcntl.LOCK_EX, 1, 2 * number + 1)
            try:
                yield
            finally:
                fcntl.lockf(self._file(), fcntl.LOCK_UN, 1, 2 * number + 1)

    def _file(self) -> int:
        if self._descriptor is None:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._descriptor = os.open(self._path, flags, 0o600)
            if os.geteuid() == 0:
                owner = self._path.parent.stat()
                os.fchown(self._descriptor, owner.st_uid, owner.st_gid)
        return self._descriptor
