"""Documents that still have to be examined: one small file each in the index directory.

Files, not rows of the index, because events must be kept when the index is locked, damaged or of another
recipe. The name is the document's id, so that repeated events become one. A hook leaves its file before it
begins and removes it when all is done, so that a kill loses nothing.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hook.locks import RecordLocks
from hook.plain_text import plain
from hook.private_files import give_to_owner, open_private

DIRECTORY: Final = "queue"
PATIENT_ATTEMPTS: Final = 3  # so often an event is tried in each run; then less and less often
FIRST_PAUSE_S: Final = 60.0
LONGEST_PAUSE_S: Final = 86_400.0
DEAD_ATTEMPTS: Final = 15  # some three days of failing: now a person has to look (`paperless-dedupe queue`)
REASON_CHARACTERS: Final = 300


@dataclass(frozen=True, slots=True)
class Event:
    """A document to examine, how often that was begun, and why it did not end well."""

    document_id: int
    attempts: int = 0
    reason: str = ""
    touched_ns: int = 0  # when its file was last written; another number is another event

    @property
    def is_dead(self) -> bool:
        """Given up. It stays so when told again: our own writes tell it, and that would be a loop."""
        return self.attempts >= DEAD_ATTEMPTS

    @property
    def is_interrupted(self) -> bool:
        """Begun, and neither ended nor failed: its process was killed."""
        return 0 < self.attempts < PATIENT_ATTEMPTS and not self.reason

    def is_due(self, now_s: float) -> bool:
        if self.is_dead:
            return False
        extra = self.attempts - PATIENT_ATTEMPTS
        pause_s = 0.0 if extra < 0 else min(FIRST_PAUSE_S * 2.0 ** min(extra, 20), LONGEST_PAUSE_S)
        return now_s >= self.touched_ns / 1e9 + pause_s


class Queue:
    """Any number of processes may use the same one. Raises OSError where nothing can be written."""

    def __init__(self, index_directory: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.directory = index_directory / DIRECTORY
        self._clock = clock
        self._locks = RecordLocks(self.directory / "lock")

    def close(self) -> None:
        self._locks.close()

    def add(self, document_id: int, reason: str = "") -> Event:
        """Kept until it is done, even if another process is just at it."""
        return self._change(document_id, 0, reason)

    def begin(self, document_id: int) -> Event | None:
        """Counts an attempt, so that a document that ends every run is not tried for ever.

        None if another process is at it. A kill gives it free.
        """
        self._prepare()
        return self._change(document_id, 1, "") if self._locks.claim(document_id) else None

    def resume(self, document_id: int) -> Event | None:
        """As `begin`, for an event that was seen in the queue: None, too, if it was done meanwhile."""
        if not self._path(document_id).exists() or not self._locks.claim(document_id):
            return None
        if self._path(document_id).exists():  # looked at again: now nobody else can be done with it
            return self._change(document_id, 1, "")
        self._locks.release(document_id)
        return None

    def revive(self, document_id: int) -> bool:
        """A person asks for another round of attempts; False if there is no such event."""
        with self._locks.short(document_id):
            known = self._read(document_id)
            if known is not None:
                stamp_ns = max(int(self._clock() * 1e9), known.touched_ns + 1)
                self._write(replace(known, attempts=0, touched_ns=stamp_ns))
        return known is not None

    def drop(self, document_id: int) -> bool:
        """A person gives it up; False if there is no such event."""
        with self._locks.short(document_id), suppress(FileNotFoundError):
            self._path(document_id).unlink()
            return True
        return False

    def put_off(self, event: Event, reason: str) -> None:
        """Not this document's fault: the attempt does not count."""
        self._change(event.document_id, -1, reason)
        self._locks.release(event.document_id)

    def failed(self, event: Event, reason: str) -> None:
        self._change(event.document_id, 0, reason)
        self._locks.release(event.document_id)

    def done(self, event: Event) -> None:
        """Forgotten, unless it was added again meanwhile."""
        path = self._path(event.document_id)
        with self._locks.short(event.document_id), suppress(FileNotFoundError):
            if path.stat().st_mtime_ns == event.touched_ns:
                path.unlink()
            elif (known := self._read(event.document_id)) is not None:
                self._write(replace(known, attempts=0, reason=""))
        self._locks.release(event.document_id)

    def events(self) -> list[Event]:
        """All that is kept: what a kill interrupted, which was its turn, then the longest untouched first."""
        return self.among(self.numbers())

    def among(self, numbers: Iterable[int]) -> list[Event]:
        """Those of these documents that are kept, in the order of `events`."""
        found = [event for number in numbers if (event := self._read(number)) is not None]
        return sorted(
            found, key=lambda event: (not event.is_interrupted, event.touched_ns, event.document_id)
        )

    def numbers(self) -> list[int]:
        """The documents that are kept, without reading how they stand."""
        try:
            return [int(path.name) for path in self.directory.iterdir() if path.name.isdecimal()]
        except FileNotFoundError:
            return []

    def due(self) -> list[Event]:
        now_s = self._clock()
        return [event for event in self.events() if event.is_due(now_s)]

    def _path(self, document_id: int) -> Path:
        return self.directory / str(document_id)

    def _read(self, document_id: int) -> Event | None:
        path = self._path(document_id)
        try:
            touched_ns, body = path.stat().st_mtime_ns, path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            data = json.loads(body)
            return Event(document_id, int(data["attempts"]), str(data["reason"]), touched_ns)
        except (ValueError, TypeError, KeyError):  # empty, because the disk was full
            return Event(document_id, touched_ns=touched_ns)

    def _change(self, document_id: int, attempts: int, reason: str) -> Event:
        self._prepare()
        with self._locks.short(document_id):
            found = self._read(document_id)
            known = found or Event(document_id)
            stamp_ns = max(int(self._clock() * 1e9), known.touched_ns + 1)
            event = Event(document_id, max(known.attempts + attempts, 0), reason or known.reason, stamp_ns)
            self._write(event)
            if found is None:
                _sync_directory(self.directory)
            # As the file system has it: some keep no nanoseconds.
            return replace(event, touched_ns=self._path(document_id).stat().st_mtime_ns)

    def _write(self, event: Event) -> None:
        path, aside = self._path(event.document_id), self.directory / f".{event.document_id}"
        reason = plain(event.reason, REASON_CHARACTERS)
        try:
            _write_durably(aside, json.dumps({"attempts": event.attempts, "reason": reason}).encode("ascii"))
            os.utime(aside, ns=(event.touched_ns, event.touched_ns))
            aside.replace(path)
        except OSError:
            os.close(open_private(path, os.O_WRONLY))  # the disk is full, but the name alone is the event
            os.utime(path, ns=(event.touched_ns, event.touched_ns))

    def _prepare(self) -> None:
        if not self.directory.is_dir():
            self.directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.directory.mkdir(mode=0o700, exist_ok=True)
            give_to_owner(self.directory, self.directory.parent)


def _write_durably(path: Path, body: bytes) -> None:
    descriptor = open_private(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(descriptor, body)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_directory(directory: Path) -> None:
    """The name is the event: it must not be lost in a power cut after we said that we have it."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
