"""One backfill or sync at a time: a cron job that overtakes itself ends at once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

from hook.errors import DedupeError
from hook.index.store import translated

_FILE: Final = "backfill.lock"


class AlreadyRunningError(DedupeError):
    exit_code: ClassVar[int] = 6


@contextmanager
def run_lock(directory: Path) -> Iterator[None]:
    """Held until the block ends; a kill releases it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        descriptor = os.open(directory / _FILE, flags, 0o600)
    except OSError as error:
        raise translated(error, directory, 0) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise AlreadyRunningError(
            "another backfill or sync is running: try again when it has ended"
        ) from None
    finally:
        os.close(descriptor)
