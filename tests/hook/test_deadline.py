"""A deadline counts down on its own clock; a process that hangs is ended exactly once."""

from __future__ import annotations

import math
import threading
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


@pytest.mark.parametrize("problem", [None, OSError])
def test_the_watchdog_ends_a_process_that_hangs(
    problem: type[OSError] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 0, whatever goes wrong in `on_timeout`."""
    codes: SimpleQueue[int] = SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", lambda args: None)

    def on_timeout() -> None:
        if problem is not None:
            raise problem

    Watchdog(0.01, on_timeout, end=codes.put)
    assert codes.get(timeout=600) == 0


def test_a_cancelled_watchdog_does_nothing() -> None:
    """Either it ends the process or the caller does."""
    ended = threading.Event()
    watchdog = Watchdog(0.5, lambda: None, end=lambda code: ended.set())  # in time on a busy machine, too
    watchdog.cancel()
    assert not ended.wait(0.6)
