"""How much time a run has left, on a clock that is passed in."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Deadline:
    """Counts down from `seconds` as of its making; `clock` is monotonic (`time.monotonic` outside tests)."""

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
