"""Documents that still have to be examined: one small file each in the index directory.

They are files and not rows of the index, because events must be kept when the index is locked, damaged, built with
another recipe, or on a server that is down. The file name is the document's id, so repeated events become one. A hook
creates the file before it begins and removes it when everything is done: a killed hook loses nothing.

    new          no attempts                     tried by the next run, in the order of arrival
    interrupted  1 or 2 attempts, no reason      tried first: its process was killed
    failed       1 to 14 attempts and a reason   tried twice more at once, then at growing intervals
    given up     15 attempts                     tried when a user asks for it (`paperless-dedupe queue --retry`)
"""

from __future__ import annotations

import json
import os
import re
import stat
import threading
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
MAX_ATTEMPTS: Final = 15  # after about three days of failures
MAX_WAITING: Final = 200_000  # more is an attack, not an archive
REASON_CHARACTERS: Final = 300
MAX_FILE_BYTES: Final = 4096  # ours have at most some 1,900
_NAME: Final = re.compile(r"[1-9][0-9]{0,9}")  # a document id


@dataclass(frozen=True, slots=True)
class Event:
    """A document to examine, the number of attempts so far, and why the last one failed."""

    document_id: int
    attempts: int = 0
    reason: str = ""
    touched_ns: int = 0  # when its file was last written; it changes with each new event

    @property
    def is_given_up(self) -> bool:
        """A new event does not change that: our own writes cause events, and it would be a loop."""
        return self.attempts >= MAX_ATTEMPTS

    @property
    def is_interrupted(self) -> bool:
        return 0 < self.attempts < EAGER_ATTEMPTS and not self.reason

    def is_due(self, now_s: float) -> bool:
        if self.is_given_up:
            return False
        extra = self.attempts - EAGER_ATTEMPTS
        pause_s = 0.0 if extra < 0 else min(FIRST_PAUSE_S * 2.0 ** min(extra, 20), LONGEST_PAUSE_S)
        touched_s = self.touched_ns / 1e9
        return now_s < touched_s or now_s >= touched_s + pause_s  # in the future: the clock was wrong once


class QueueFullError(Exception):
    """Nothing is accepted until some of it is done."""


class Queue:
    """Any number of processes may use the same directory. Raises OSError if it cannot be written.

    A long-lived process takes what is due with `next`, from memory: reading all files for each event would take long.
    """

    def __init__(
        self, index_directory: Path, *, limit: int = MAX_WAITING, clock: Callable[[], float] = time.time
    ) -> None:
        self.directory = index_directory / DIRECTORY
        self._limit, self._clock = limit, clock
        self._locks = RecordLocks(self.directory / "lock")
        self._changed = threading.Condition()
        self._waiting: dict[int, float] = {}  # due, in order of arrival; since when, on the monotonic clock
        self._is_stopped = False

    def close(self) -> None:
        self._locks.close()

    def accept(self, document_id: int) -> None:
        """As `add`, for events from outside: there is a limit to them."""
        if len(self._waiting) >= self._limit:
            raise QueueFullError
        self.add(document_id)

    def announce(self, document_id: int) -> None:
        """For a document that has just got a decision tag: if the queue is full or cannot be written, the periodic sync finds
        the tag, and whoever has decided is not told that it failed."""
        with suppress(QueueFullError, OSError):
            self.accept(document_id)

    def add(self, document_id: int, reason: str = "") -> Event:
        """On disk when it returns, and kept until it is done, even if another process is working on it. An event that
        failed before is not tried earlier because of this."""
        event = self._change(document_id, 0, reason)
        self._expect([event])
        return event

    def refresh(self) -> None:
        """Looks for what is not in memory: left by a kill or by a hook, or due for another attempt."""
        self._expect(self._among(number for number in self.numbers() if number not in self._waiting))

    def next(self, timeout_s: float) -> tuple[int, float] | None:
        """The event that has waited longest, and since when; it is the next one until it is done or has failed.
        None if none arrived in time, or after `stop`."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_stopped, timeout_s)
            return None if self._is_stopped else next(iter(self._waiting.items()), None)

    def stop(self) -> None:
        """Nobody waits in `next` any more."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()

    @property
    def is_empty(self) -> bool:
        """Nothing is due, as far as this process knows."""
        return not self._waiting

    def depth(self) -> tuple[int, int]:
        """How many documents wait and how many are given up; files that are known to wait are not read."""
        numbers = self.numbers()
        others = self._among(number for number in numbers if number not in self._waiting)
        given_up = sum(event.is_given_up for event in others)
        known = sum(number in self._waiting for number in numbers)
        return known + len(others) - given_up, given_up

    def begin(self, document_id: int) -> Event | None:
        """Counts an attempt before it is made, so that a document that crashes every run is not tried forever.

        None if another process is working on it. A killed process releases it.
        """
        self._prepare()
        return self._change(document_id, 1, "") if self._locks.claim(document_id) else None

    def resume(self, document_id: int) -> Event | None:
        """As `begin`, for an event that was seen in the queue: None also if it was done meanwhile."""
        if self._path(document_id).exists() and self._locks.claim(document_id):
            if self._path(document_id).exists():  # checked again: now nobody else can finish it
                return self._change(document_id, 1, "")
            self._locks.release(document_id)
        self._forget(document_id)
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

    def keep(self, event: Event, reason: str, *, is_fault: bool) -> None:
        """It could not be finished. The attempt counts if that is the fault of this document. If Paperless or the index
        as a whole failed, it does not, and the event stays the next one: after an outage no document may be given up."""
        if is_fault:
            self._forget(event.document_id)
        self._change(event.document_id, 0 if is_fault else -1, reason)
        self._locks.release(event.document_id)

    def done(self, event: Event) -> None:
        """Removed, unless it was added again meanwhile."""
        self._forget(event.document_id)
        path = self._path(event.document_id)
        with self._locks.short(event.document_id), suppress(FileNotFoundError):
            if path.stat().st_mtime_ns == event.touched_ns:
                path.unlink()
            elif (known := self._read(event.document_id)) is not None:
                self._write(again := replace(known, attempts=0, reason=""))
                self._expect([again])
        self._locks.release(event.document_id)

    def events(self) -> list[Event]:
        """All of them: first those that a kill interrupted, since it was their turn; then the oldest first."""
        return self._among(self.numbers())

    def _among(self, numbers: Iterable[int]) -> list[Event]:
        events = [event for number in numbers if (event := self._read(number)) is not None]
        return sorted(
            events, key=lambda event: (not event.is_interrupted, event.touched_ns, event.document_id)
        )

    def numbers(self) -> list[int]:
        """The documents that have an event, without reading the files."""
        try:
            names = [path.name for path in self.directory.iterdir()]
        except FileNotFoundError:
            return []
        return [int(name) for name in names if _NAME.fullmatch(name)]

    def due(self) -> list[Event]:
        now_s = self._clock()
        return [event for event in self.events() if event.is_due(now_s)]

    def _expect(self, events: Iterable[Event]) -> None:
        now_s = self._clock()
        with self._changed:
            for event in events:
                if event.is_due(now_s):
                    self._waiting.setdefault(event.document_id, time.monotonic())
            self._changed.notify()

    def _forget(self, document_id: int) -> None:
        with self._changed:
            self._waiting.pop(document_id, None)

    def _path(self, document_id: int) -> Path:
        return self.directory / str(document_id)

    def _read(self, document_id: int) -> Event | None:
        """None if there is no such file, or something that is not a file: a directory, a link, a pipe."""
        path = self._path(document_id)
        try:
            status = path.lstat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(status.st_mode):
            return None
        attempts, reason = _content(path)
        return Event(document_id, attempts, reason, status.st_mtime_ns)

    def _stamp_ns(self, known: Event) -> int:
        """Another one than before, even if the clock has not moved; a time in the future is corrected."""
        now_ns = int(self._clock() * 1e9)
        return now_ns if known.touched_ns > now_ns + 10**9 else max(now_ns, known.touched_ns + 1)

    def _change(self, document_id: int, attempts: int, reason: str) -> Event:
        self._prepare()
        with self._locks.short(document_id):
            stored = self._read(document_id)
            known = stored or Event(document_id)
            count = max(known.attempts + attempts, 0)
            event = Event(document_id, count, reason or known.reason, self._stamp_ns(known))
            self._write(event)
            if stored is None:  # the file name is the event: once accepted, it must survive a power failure
                with opened_directory(self.directory) as descriptor:
                    os.fsync(descriptor)
            # As the file system stores it: some have no nanoseconds.
            return replace(event, touched_ns=self._path(document_id).stat().st_mtime_ns)

    def _write(self, event: Event) -> None:
        path, aside = self._path(event.document_id), self.directory / f".{event.document_id}"
        reason = plain(event.reason, REASON_CHARACTERS)
        if path.is_dir() and not path.is_symlink():  # anything else can be replaced
            path.rename(path.with_name(f"{path.name}-{time.time_ns()}.odd"))
        try:
            _write_durably(aside, json.dumps({"attempts": event.attempts, "reason": reason}).encode("ascii"))
            os.utime(aside, ns=(event.touched_ns, event.touched_ns))
            aside.replace(path)
        except OSError:  # the disk is full; the name is the event
            os.close(open_private(path, os.O_WRONLY | os.O_NONBLOCK))
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


def _write_durably(path: Path, body: bytes) -> None:
    descriptor = open_private(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(descriptor, body)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
