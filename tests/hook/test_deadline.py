"""A deadline counts down on its own clock; a process that hangs is ended exactly once."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from queue import SimpleQueue

import pytest

from hook.deadline import Deadline, Watchdog


def test_a_deadline_counts_down_to_zero() -> None:
    """From its creation on, and never below zero. A backfill has none."""
    moments = iter([100.0, 100.0, 104.0, 200.0, 200.0])
    deadline = Deadline(lambda: next(moments), 5.0)
    assert [deadline.remaining() for _ in range(3)] == [5.0, 1.0, 0.0]
    assert deadline.passed
    assert Deadline.never().remaining() == math.inf


@pytest.mark.parametrize(("on_timeout", "code"), [(lambda: 3, 3), (lambda: 1 // 0, 0)])
def test_the_watchdog_ends_a_process_that_hangs(
    on_timeout: Callable[[], int], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the exit code that `on_timeout` returns; whatever goes wrong in it, with 0."""
    codes: SimpleQueue[int] = SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", lambda args: None)
    Watchdog(0.01, on_timeout, end=codes.put)
    assert codes.get(timeout=600) == code


def test_a_cancelled_watchdog_does_nothing() -> None:
    """Either it ends the process or the caller does."""
    ended = threading.Event()
    watchdog = Watchdog(0.5, lambda: 0, end=lambda code: ended.set())  # in time on a busy machine, too
    watchdog.cancel()
    assert not ended.wait(0.6)
