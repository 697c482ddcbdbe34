"""The events that wait for the service: on disk first, then in memory in order of arrival.

The files of the queue are authoritative; the order in memory avoids reading them all for each event.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hook.queue import Queue

MAX_WAITING: Final = 200_000  # more is an attack, not an archive; a small file each


class BacklogFullError(Exception):
    """The queue is full: nothing is accepted until some of it is done."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document to examine, and since when we know that (monotonic)."""

    document_id: int
    since_s: float


class Backlog:
    """Filled by the receiver, emptied by the worker; each document is in it once."""

    def __init__(
        self,
        queue: Queue,
        *,
        limit: int = MAX_WAITING,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.queue, self._limit, self._clock, self._now = queue, limit, clock, now
        self._changed = threading.Condition()
        self._order: OrderedDict[int, float] = OrderedDict()
        self._closed = False

    def accept(self, document_id: int) -> None:
        """On disk when it returns. An event that failed before is not tried earlier because of this."""
        if len(self._order) >= self._limit:
            raise BacklogFullError
        event = self.queue.add(document_id)
        if event.is_due(self._now()):
            self.expect([document_id])

    def announce(self, document_id: int) -> None:
        """For a document that has just got a decision tag: if the queue is full or cannot be written, the periodic sync finds
        the tag, and whoever has decided is not told that it failed."""
        with suppress(BacklogFullError, OSError):
            self.accept(document_id)

    def expect(self, document_ids: Iterable[int]) -> None:
        """Documents that are in the queue already."""
        with self._changed:
            for number in document_ids:
                self._order.setdefault(number, self._clock())
            self._changed.notify()

    def recall(self) -> None:
        """What else is in the queue: left by a kill or by a hook, or due for another attempt."""
        now_s = self._now()
        unknown = [number for number in self.queue.numbers() if number not in self._order]
        self.expect(event.document_id for event in self.queue.among(unknown) if event.is_due(now_s))

    def next(self, timeout_s: float) -> Waiting | None:
        """The event that has waited longest; None if none arrived in time, or if it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._order or self._closed, timeout_s)
            if self._closed or not self._order:
                return None
            return Waiting(*self._order.popitem(last=False))

    def return_to(self, waiting: Waiting) -> None:
        """It could not be started: it becomes the next one again."""
        with self._changed:
            self._order[waiting.document_id] = waiting.since_s
            self._order.move_to_end(waiting.document_id, last=False)

    def close(self) -> None:
        """Nobody waits any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def __bool__(self) -> bool:
        return bool(self._order)

    def depth(self) -> tuple[int, int]:
        """How many documents wait and how many are given up; files that are known to wait are not read."""
        numbers = self.queue.numbers()
        others = self.queue.among(number for number in numbers if number not in self._order)
        dead = sum(event.is_given_up for event in others)
        known = sum(number in self._order for number in numbers)
        return known + len(others) - dead, dead
