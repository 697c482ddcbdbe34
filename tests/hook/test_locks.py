"""Locks exclude other processes, wait no longer than allowed, and do not lock out the owner of the directory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from hook.deadline import Deadline
from hook.errors import AlreadyRunningError, DedupeError, IndexBusy, IndexUnwritable
from hook.locks import NEXT_FILE, RUN_FILE, WRITING_FILE, RecordLocks, creation_lock, run_lock, writing_lock
from tests.not_root import OTHER

Lock = Callable[[Path], AbstractContextManager[None]]
LOCKS: dict[str, Lock] = {
    "run": run_lock,
    "writing": lambda directory: writing_lock(directory, Deadline(lambda: 0.0, 0.1)),
    "creation": lambda directory: creation_lock(directory, 0.1),
}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_held_by_one_and_released_at_the_end(tmp_path: Path, name: str) -> None:
    """Also after an error in the block, which passes through unchanged."""
    lock = LOCKS[name]
    with pytest.raises(BlockingIOError), lock(tmp_path):
        with pytest.raises(DedupeError) as refused, lock(tmp_path):
            pass
        assert isinstance(refused.value, AlreadyRunningError if name == "run" else IndexBusy)
        raise BlockingIOError
    with lock(tmp_path):
        pass


def _hold_and_wait(name: str, directory: Path, held: multiprocessing.synchronize.Event) -> None:
    with LOCKS[name](directory):
        held.set()
        signal.pause()


@pytest.mark.parametrize("name", LOCKS)
def test_a_killed_process_releases_its_lock(tmp_path: Path, name: str) -> None:
    """No stale lock files that somebody has to remove."""
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=_hold_and_wait, args=(name, tmp_path, held))
    process.start()
    assert held.wait(600)
    with pytest.raises(DedupeError), LOCKS[name](tmp_path):
        pass
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with LOCKS[name](tmp_path):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_leaves_every_lock_file_to_the_owner_of_the_directory(tmp_path: Path) -> None:
    """After one backfill by `docker exec`, which is root, the Paperless user can still run a sync."""
    os.chown(tmp_path, OTHER, OTHER)
    records = RecordLocks(tmp_path / "records")
    with run_lock(tmp_path), writing_lock(tmp_path, Deadline.never()), records.short(1):
        owners = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in tmp_path.iterdir()}
    records.close()
    assert owners == dict.fromkeys((RUN_FILE, WRITING_FILE, NEXT_FILE, "records"), (OTHER, OTHER))


def test_a_short_lock_also_excludes_threads_of_the_same_process(tmp_path: Path) -> None:
    """POSIX record locks alone would not: they belong to the process."""
    locks, entered = RecordLocks(tmp_path / "records"), threading.Event()

    def enter() -> None:
        with locks.short(1):
            entered.set()

    thread = threading.Thread(target=enter)
    with locks.short(1):
        thread.start()
        assert not entered.wait(0.05)
    assert entered.wait(600)
    thread.join()
    locks.close()


def test_a_lock_file_is_private(tmp_path: Path) -> None:
    """Mode 0600, and a symbolic link in its place is refused."""
    with run_lock(tmp_path):
        assert (tmp_path / RUN_FILE).stat().st_mode & 0o777 == 0o600
    (tmp_path / WRITING_FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(IndexUnwritable), writing_lock(tmp_path, Deadline.never()):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("name", LOCKS)
def test_a_directory_that_is_missing_is_an_error_of_the_index(tmp_path: Path, name: str) -> None:
    """With its exit code and advice, not a traceback."""
    with pytest.raises(IndexUnwritable, match="DEDUPE_INDEX_DIR"), LOCKS[name](tmp_path / "missing"):
        pass


def test_the_writing_lock_is_waited_for_no_longer_than_the_deadline(tmp_path: Path) -> None:
    """Then the caller keeps the event."""
    slept: list[float] = []
    deadline = Deadline(lambda: 0.0, 1.0)
    with (
        writing_lock(tmp_path, deadline),
        pytest.raises(IndexBusy, match="another process"),
        writing_lock(tmp_path, deadline, sleep=slept.append),
    ):
        pass
    assert sum(slept) == pytest.approx(1.0, abs=0.1)


def test_whoever_waits_is_next(tmp_path: Path) -> None:
    """A backfill that takes the lock again at once does not starve a waiting hook."""
    deadline = Deadline(lambda: 0.0, 1.0)
    order: list[str] = []

    def while_waiting(seconds: float) -> None:
        if not order:
            order.append("released")
            backfill.__exit__(None, None, None)
            with pytest.raises(IndexBusy), writing_lock(tmp_path, Deadline(lambda: 0.0, 0.0)):
                pass

    backfill = writing_lock(tmp_path, deadline)
    backfill.__enter__()
    with writing_lock(tmp_path, deadline, sleep=while_waiting):
        order.append("hook")
    assert order == ["released", "hook"]
