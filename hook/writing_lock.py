"""The one lock for writing into Paperless, held by one process at a time; a kill releases it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hook.deadline import Deadline
from hook.index.store import translated
from hook.index_errors import IndexBusy

_FILE: Final = "writing.lock"
_GATE: Final = (
    "writing.next"  # held by the one who is next: a backfill that comes again at once lets it go first
)
_LOOK_AGAIN_S: Final = 0.02


@contextmanager
def writing_lock(
    directory: Path, deadline: Deadline, *, wait_s: float = 60.0, sleep: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Two runs on one document would write its note twice, and links made at once get lost."""
    limit_s = min(wait_s, deadline.remaining())
    looks = iter(range(int(limit_s / _LOOK_AGAIN_S)))

    def wait() -> None:
        if next(looks, None) is None:
            raise IndexBusy(directory, limit_s)
        sleep(_LOOK_AGAIN_S)

    with _locked(directory / _GATE, wait) as gate, _locked(directory / _FILE, wait):
        fcntl.flock(gate, fcntl.LOCK_UN)
        yield


@contextmanager
def _locked(path: Path, wait: Callable[[], None]) -> Iterator[int]:
    descriptor = _opened(path)
    try:
        while not _taken(descriptor):
            wait()
        yield descriptor
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        if os.geteuid() == 0:  # `docker exec` runs backfill as root; the hook must still be able to open it
            owner = path.parent.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    except OSError as error:
        raise translated(error, path.parent, 0) from error
    return descriptor


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
