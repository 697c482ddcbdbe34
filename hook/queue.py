"""Documents that still have to be examined: one small file each in the index directory.

They are files and not rows of the index, because events must be kept when the index is locked, damaged or built
with another recipe. The file name is the document's id, so repeated events become one. A hook creates the file
before it begins and removes it when everything is done: a killed hook loses nothing.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hook.locks import RecordLocks
from hook.log import plain
from hook.private_files import give_to_owner, open_private, opened_directory

DIRECTORY: Final = "queue"
EAGER_ATTEMPTS: Final = 3  # an event is tried in each run; after that, at growing intervals
FIRST_PAUSE_S: Final = 60.0
LONGEST_PAUSE_S: Final = 86_400.0
MAX_ATTEMPTS: Final = 15  # after about three days of failures it is given up (`paperless-dedupe queue`)
REASON_CHARACTERS: Final = 300
MAX_FILE_BYTES: Final = 4096  # ours have at most some 1,900
_NAME: Final = re.compile(r"[1-9][0-9]{0,9}")  # a document id
_OURS: Final = re.compile(r"lock|\.?[1-9][0-9]{0,9}")  # and the lock, and files that are being written
_ODD: Final = ".odd"


@dataclass(frozen=True, slots=True)
class Event:
    """A document to examine, the number of attempts so far, and why the last one failed."""

    document_id: int
    attempts: int = 0
    reason: str = ""
    touched_ns: int = 0  # when its file was last written; it changes with each new event

    @property
    def is_given_up(self) -> bool:
        """Given up. A new event does not change that: our own writes cause events, and it would be a loop."""
        return self.attempts >= MAX_ATTEMPTS

    @property
    def is_interrupted(self) -> bool:
        """Begun, and neither finished nor failed: its process was killed."""
        return 0 < self.attempts < EAGER_ATTEMPTS and not self.reason

    def is_due(self, now_s: float) -> bool:
        if self.is_given_up:
            return False
        extra = self.attempts - EAGER_ATTEMPTS
        pause_s = 0.0 if extra < 0 else min(FIRST_PAUSE_S * 2.0 ** min(extra, 20), LONGEST_PAUSE_S)
        touched_s = self.touched_ns / 1e9
        return now_s < touched_s or now_s >= touched_s + pause_s  # in the future: the clock was wrong once


class Queue:
    """Any number of processes may use the same directory. Raises OSError if it cannot be written."""

    def __init__(self, index_directory: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.directory = index_directory / DIRECTORY
        self._clock = clock
        self._locks = RecordLocks(self.directory / "lock")

    def close(self) -> None:
        self._locks.close()

    def add(self, document_id: int, reason: str = "") -> Event:
        """Kept until it is done, even if another process is working on it."""
        return self._change(document_id, 0, reason)

    def begin(self, document_id: int) -> Event | None:
        """Counts an attempt before it is made, so that a document that crashes every run is not tried forever.

        None if another process is working on it. A killed process releases it.
        """
        self._prepare()
        return self._change(document_id, 1, "") if self._locks.claim(document_id) else None

    def resume(self, document_id: int) -> Event | None:
        """As `begin`, for an event that was seen in the queue: None also if it was done meanwhile."""
        if not self._path(document_id).exists() or not self._locks.claim(document_id):
            return None
        if self._path(document_id).exists():  # checked again: now nobody else can finish it
            return self._change(document_id, 1, "")
        self._locks.release(document_id)
        return None

    def revive(self, document_id: int) -> bool:
        """Allows a new round of attempts; False if there is no such event."""
        with self._locks.short(document_id):
            known = self._read(document_id)
            if known is not None:
                self._write(replace(known, attempts=0, touched_ns=self._stamp_ns(known)))
        return known is not None

    def drop(self, document_id: int) -> bool:
        """Removes an event for good; False if there is no such event."""
        with self._locks.short(document_id), suppress(FileNotFoundError):
            self._path(document_id).unlink()
            return True
        return False

    def put_off(self, event: Event, reason: str) -> None:
        """The attempt does not count: the reason is not this document."""
        self._change(event.document_id, -1, reason)
        self._locks.release(event.document_id)

    def failed(self, event: Event, reason: str) -> None:
        self._change(event.document_id, 0, reason)
        self._locks.release(event.document_id)

    def done(self, event: Event) -> None:
        """Removed, unless it was added again meanwhile."""
        path = self._path(event.document_id)
        with self._locks.short(event.document_id), suppress(FileNotFoundError):
            if path.stat().st_mtime_ns == event.touched_ns:
                path.unlink()
            elif (known := self._read(event.document_id)) is not None:
                self._write(replace(known, attempts=0, reason=""))
        self._locks.release(event.document_id)

    def events(self) -> list[Event]:
        """All of them: first those that a kill interrupted, since it was their turn; then the oldest first."""
        return self.among(self.numbers())

    def among(self, numbers: Iterable[int]) -> list[Event]:
        """The events of these documents, in the order of `events`."""
        found = [event for number in numbers if (event := self._read(number)) is not None]
        return sorted(
            found, key=lambda event: (not event.is_interrupted, event.touched_ns, event.document_id)
        )

    def numbers(self) -> list[int]:
        """The documents that have an event, without reading the files."""
        try:
            return [int(path.name) for path in self.directory.iterdir() if _NAME.fullmatch(path.name)]
        except FileNotFoundError:
            return []

    def odd_names(self) -> list[str]:
        """What is in the directory and is not an event: skipped by everybody, named by `check`."""
        try:
            names = sorted(path.name for path in self.directory.iterdir())
        except FileNotFoundError:
            return []
        return [
            name
            for name in names
            if not _OURS.fullmatch(name) or (_NAME.fullmatch(name) and self._read(int(name)) is None)
        ]

    def due(self) -> list[Event]:
        now_s = self._clock()
        return [event for event in self.events() if event.is_due(now_s)]

    def _path(self, document_id: int) -> Path:
        return self.directory / str(document_id)

    def _read(self, document_id: int) -> Event | None:
        """None if there is no such file, or something that is not a file: a directory, a link, a pipe."""
        path = self._path(document_id)
        try:
            found = path.lstat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        attempts, reason = _content(path)
        return Event(document_id, attempts, reason, found.st_mtime_ns)

    def _stamp_ns(self, known: Event) -> int:
        """Another one than before, even if the clock has not moved; a time in the future is corrected."""
        now_ns = int(self._clock() * 1e9)
        return now_ns if known.touched_ns > now_ns + 10**9 else max(now_ns, known.touched_ns + 1)

    def _change(self, document_id: int, attempts: int, reason: str) -> Event:
        self._prepare()
        with self._locks.short(document_id):
            found = self._read(document_id)
            known = found or Event(document_id)
            count = max(known.attempts + attempts, 0)
            event = Event(document_id, count, reason or known.reason, self._stamp_ns(known))
            self._write(event)
            if found is None:
                _sync_directory(self.directory)
            # As the file system stores it: some have no nanoseconds.
            return replace(event, touched_ns=self._path(document_id).stat().st_mtime_ns)

    def _write(self, event: Event) -> None:
        path, aside = self._path(event.document_id), self.directory / f".{event.document_id}"
        reason = plain(event.reason, REASON_CHARACTERS)
        _put_aside_if_odd(path)
        try:
            _write_durably(aside, json.dumps({"attempts": event.attempts, "reason": reason}).encode("ascii"))
            os.utime(aside, ns=(event.touched_ns, event.touched_ns))
            aside.replace(path)
        except OSError:
            os.close(
                open_private(path, os.O_WRONLY | os.O_NONBLOCK)
            )  # the disk is full; the name is the event
            os.utime(path, ns=(event.touched_ns, event.touched_ns))

    def _prepare(self) -> None:
        if not self.directory.is_dir():
            self.directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.directory.mkdir(mode=0o700, exist_ok=True)
            give_to_owner(self.directory, self.directory.parent)


def _content(path: Path) -> tuple[int, str]:
    """Attempts and reason. The name alone is the event, so a file that cannot be read is a new one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            data = json.loads(os.read(descriptor, MAX_FILE_BYTES))
        finally:
            os.close(descriptor)
        return max(int(data["attempts"]), 0), str(data["reason"])
    # Empty, because the disk was full; of another user; nested too deeply; a number that is none
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return 0, ""


def _put_aside_if_odd(path: Path) -> None:
    """A directory, a link or a pipe with the name of an event gets another name."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            path.rename(path.with_name(f"{path.name}-{time.time_ns()}{_ODD}"))
    except FileNotFoundError:
        pass


def _write_durably(path: Path, body: bytes) -> None:
    descriptor = open_private(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(descriptor, body)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_directory(directory: Path) -> None:
    """The file name is the event: once accepted, it must survive a power failure."""
    with opened_directory(directory) as descriptor:
        os.fsync(descriptor)
