"""A deadline counts down on its own clock; a process that hangs is ended exactly once."""

from __future__ import annotations

import math
import threading

from hook.deadline import Deadline, Watchdog


def test_a_deadline_counts_down_to_zero() -> None:
    """From its creation on, and never below zero."""
    now_s = [100.0]
    deadline = Deadline(lambda: now_s[0], 5.0)
    assert (deadline.remaining(), deadline.passed) == (5.0, False)
    now_s[0] = 104.0
    assert (deadline.remaining(), deadline.passed) == (1.0, False)
    now_s[0] = 200.0
    assert (deadline.remaining(), deadline.passed) == (0.0, True)


def test_a_command_may_take_as_long_as_it_needs() -> None:
    """A backfill has no deadline."""
    assert Deadline.never().remaining() == math.inf
    assert not Deadline.never().passed


def test_the_watchdog_ends_a_process_that_hangs() -> None:
    """With the exit code that `on_timeout` returns."""
    codes: list[int] = []
    ended = threading.Event()

    def end(code: int) -> None:
        codes.append(code)
        ended.set()

    Watchdog(0.01, lambda: 3, end=end)
    assert ended.wait(600)
    assert codes == [3]


def test_the_watchdog_ends_the_process_even_if_on_timeout_fails() -> None:
    """Whatever goes wrong then, the exit code is 0."""
    codes: list[int] = []
    ended = threading.Event()

    def end(code: int) -> None:
        codes.append(code)
        ended.set()

    threading.excepthook, hook = lambda args: None, threading.excepthook
    try:
        Watchdog(0.0, lambda: 1 // 0, end=end)
        assert ended.wait(600)
    finally:
        threading.excepthook = hook
    assert codes == [0]


def test_a_cancelled_watchdog_does_nothing() -> None:
    """Either it ends the process or the caller does."""
    ended = threading.Event()
    watchdog = Watchdog(
        1.0, lambda: 0, end=lambda code: ended.set()
    )  # cancelled in time on a busy machine, too
    watchdog.cancel()
    assert not ended.wait(1.2)
