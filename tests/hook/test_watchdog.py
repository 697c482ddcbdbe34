"""A process that hangs is ended, once, by one of two."""

from __future__ import annotations

import threading

from hook.watchdog import Watchdog


def test_the_watchdog_ends_a_process_that_hangs() -> None:
    """With the code of its last words."""
    ended: list[int] = []
    bitten = threading.Event()

    def end(code: int) -> None:
        ended.append(code)
        bitten.set()

    Watchdog(0.01, lambda: 3, end=end)
    assert bitten.wait(5)
    assert ended == [3]


def test_the_watchdog_ends_it_even_without_last_words() -> None:
    """Whatever goes wrong then."""
    bitten = threading.Event()
    threading.excepthook, hook = lambda args: None, threading.excepthook
    try:
        Watchdog(0.0, lambda: 1 // 0, end=lambda code: bitten.set())
        assert bitten.wait(5)
    finally:
        threading.excepthook = hook


def test_a_watchdog_that_stood_down_does_not_bite() -> None:
    """Either it ends the process or the caller does."""
    bitten = threading.Event()
    watchdog = Watchdog(0.02, lambda: 0, end=lambda code: bitten.set())
    watchdog.stand_down()
    assert not bitten.wait(0.05)
