"""Progress: a bar in a terminal, a line now and then in a log, nothing if quiet."""

from __future__ import annotations

import io

from hook.backfill.progress import progress


def test_a_log_gets_a_line_now_and_then() -> None:
    """With rate and remaining time, on a clock that is passed in."""
    now = iter([0.0, 10.0, 31.0, 40.0, 62.0])
    out = io.StringIO()
    with progress(1000, "examining", stream=out, clock=lambda: next(now)) as advance:
        for _ in range(4):
            advance(100)
    assert out.getvalue().splitlines() == [
        "examining: 200 of 1000, 6/s, 2:04 left",
        "examining: 400 of 1000, 6/s, 1:33 left",
    ]


def test_quiet_is_quiet() -> None:
    out = io.StringIO()
    with progress(10, "examining", quiet=True, stream=out) as advance:
        advance(10)
    assert out.getvalue() == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar() -> None:
    out = Terminal()
    with progress(10, "examining", stream=out) as advance:
        advance(10)
    assert "examining: 100%" in out.getvalue()
    assert "10/10" in out.getvalue()
