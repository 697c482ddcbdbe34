"""Locks between processes, on files in the index directory. A process that is killed releases its locks."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hook.deadline import Deadline
from hook.errors import AlreadyRunningError, IndexBusy, index_fault
from hook.private_files import open_private

RUN_FILE: Final = "backfill.lock"
WRITING_FILE: Final = "writing.lock"
NEXT_FILE: Final = "writing.next"
POLL_S: Final = 0.02
WAIT_S: Final = 60.0  # for whoever writes into Paperless

Wait = Callable[[], None]  # between two attempts; raises when it is time to give up


@contextmanager
def run_lock(directory: Path) -> Iterator[None]:
    """One backfill or sync at a time: a cron job that overtakes itself ends at once."""

    def refuse() -> None:
        raise AlreadyRunningError("another backfill or sync is running: try again when it has ended")

    with _locked(_opened(directory / RUN_FILE), refuse):
        yield


@contextmanager
def writing_lock(
    directory: Path, deadline: Deadline, *, sleep: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """For writes into Paperless: two runs on one document would write its note twice, and of links that are
    made at the same time some get lost.

    Whoever waits holds a second lock, so a backfill that asks again at once has to let a waiting hook go first.
    """
    wait = polling(directory, min(WAIT_S, deadline.remaining()), sleep)
    with (
        _locked(_opened(directory / NEXT_FILE), wait) as next_in_line,
        _locked(_opened(directory / WRITING_FILE), wait),
    ):
        fcntl.flock(next_in_line, fcntl.LOCK_UN)
        yield


@contextmanager
def creation_lock(directory: Path, timeout_s: float) -> Iterator[None]:
    """For the process that creates or replaces the database. The directory itself is locked: a new index
    consists of the database alone."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise index_fault(error, directory) from error
    with _locked(descriptor, polling(directory, timeout_s)):
        yield


@contextmanager
def shared_lock(descriptor: int, directory: Path, timeout_s: float) -> Iterator[None]:
    """For a change of the database: any number at a time, but not while `creation_lock` is held. The descriptor of the
    directory stays open."""
    wait = polling(directory, timeout_s)
    while not _is_taken(descriptor, fcntl.LOCK_SH):
        wait()
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class RecordLocks:
    """Two locks per document id, on the bytes of one empty file: a claim, which may be held for long, and a
    short one for a change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mutex = threading.Lock()  # these locks do not exclude threads of the same process
        self._opening = threading.Lock()
        self._descriptor: int | None = None  # opened once: closing any descriptor of the file drops all locks

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
        with self._opening:
            if self._descriptor is None:
                self._descriptor = open_private(self._path, os.O_RDWR)
            return self._descriptor


def _opened(path: Path) -> int:
    try:
        return open_private(path, os.O_RDWR)
    except OSError as error:
        raise index_fault(error, path.parent) from error


@contextmanager
def _locked(descriptor: int, wait: Wait) -> Iterator[int]:
    """Takes the descriptor over and closes it, which releases the lock."""
    try:
        while not _is_taken(descriptor):
            wait()
        yield descriptor
    finally:
        os.close(descriptor)


def _is_taken(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def polling(place: object, limit_s: float, sleep: Callable[[float], None] = time.sleep) -> Wait:
    """Sleeps at each call; IndexBusy once the calls have taken `limit_s`."""
    attempts = iter(range(int(limit_s / POLL_S)))

    def wait() -> None:
        if next(attempts, None) is None:
            raise IndexBusy(place, limit_s)
        sleep(POLL_S)

    return wait
