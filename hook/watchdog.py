"""Ends a process that takes too long, whatever it is waiting for."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable


class Watchdog:
    """After `seconds` calls `last_words` in a thread of its own, then ends the process with their answer.

    The client's own deadline ends almost every run before; this one also ends a wait for a lock or a name
    server. Either the watchdog ends the process, or the caller of `stand_down` does, never both.
    """

    def __init__(
        self, seconds: float, last_words: Callable[[], int], *, end: Callable[[int], object] = os._exit
    ) -> None:
        self._last_words, self._end = last_words, end
        self._first = threading.Lock()
        self._timer = threading.Timer(max(seconds, 0.0), self._bite)
        self._timer.daemon = True
        self._timer.start()

    def stand_down(self) -> None:
        """Returns if the caller may end the process; else the watchdog is about to."""
        self._first.acquire()
        self._timer.cancel()

    def _bite(self) -> None:
        if not self._first.acquire(blocking=False):
            return
        code = 0
        try:
            code = self._last_words()
        finally:
            self._end(code)
