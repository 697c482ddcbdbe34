"""How much time a run has left, and the watchdog that ends a run which has used it up."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable


class Deadline:
    """`seconds` from its creation on; `clock` is monotonic (`time.monotonic` outside tests)."""

    __slots__ = ("_clock", "_ends_at")

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self._clock = clock
        self._ends_at = clock() + seconds

    @classmethod
    def never(cls) -> Deadline:
        """For commands that may take as long as they need, such as a backfill."""
        return cls(time.monotonic, math.inf)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._ends_at - self._clock())

    @property
    def passed(self) -> bool:
        return self.remaining() <= 0.0


class Watchdog:
    """After `seconds`, calls `on_timeout` in its own thread and ends the process with exit code 0.

    The client's deadline ends almost every run earlier. The watchdog also ends a wait for a lock or a name
    server. Either the watchdog ends the process or the caller of `cancel` does, never both.
    """

    def __init__(
        self, seconds: float, on_timeout: Callable[[], None], *, end: Callable[[int], object] = os._exit
    ) -> None:
        self._on_timeout, self._end = on_timeout, end
        self._decided = threading.Lock()
        self._timer = threading.Timer(max(seconds, 0.0), self._expire)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Returns if the caller may go on. Blocks if time is up: the watchdog is about to end the process."""
        self._decided.acquire()
        self._timer.cancel()

    def _expire(self) -> None:
        if not self._decided.acquire(blocking=False):
            return
        try:
            self._on_timeout()
        finally:
            self._end(0)
