"""Reading ahead and showing progress: order, errors, and an end to both."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator

import pytest

from hook.backfill.prefetch import prefetched
from hook.backfill.progress import progress


def test_values_come_in_order() -> None:
    with prefetched(range(1000), 5) as values:
        assert list(values) == list(range(1000))


def test_what_the_source_raises_comes_after_what_it_gave() -> None:
    """A connection that is cut on page 3 does not lose pages 1 and 2."""

    def source() -> Iterator[int]:
        yield from (1, 2)
        raise OSError("cut")

    seen: list[int] = []
    with prefetched(source(), 5) as values, pytest.raises(OSError, match="cut"):
        seen.extend(values)
    assert seen == [1, 2]


def test_no_more_is_fetched_than_fits() -> None:
    """Constant memory: the source is asked for what the queue holds, and the one that waits to get in."""
    fetched: list[int] = []
    full = threading.Event()

    def source() -> Iterator[int]:
        for number in range(100):
            fetched.append(number)
            if len(fetched) == 4:
                full.set()
            yield number

    with prefetched(source(), 3) as values:
        assert full.wait(5)
        assert next(values) == 0
    assert len(fetched) <= 6


def test_whoever_stops_reading_ends_the_thread() -> None:
    """`--limit 10` does not leave a thread behind that fetches the rest of the archive."""
    with prefetched(iter(range(10**9)), 2) as values:
        assert next(values) == 0
    assert "prefetch" not in {thread.name for thread in threading.enumerate()}


def test_a_log_gets_a_line_now_and_then() -> None:
    """With rate and remaining time, on a clock that is passed in."""
    now = iter([0.0, 10.0, 31.0, 40.0, 62.0])
    out = io.StringIO()
    with progress(1000, "examining", stream=out, clock=lambda: next(now)) as shown:
        for _ in range(4):
            shown.advance(100)
    assert out.getvalue().splitlines() == [
        "examining: 200 of 1000, 6/s, 2:04 left",
        "examining: 400 of 1000, 6/s, 1:33 left",
    ]


def test_quiet_is_quiet() -> None:
    out = io.StringIO()
    with progress(10, "examining", quiet=True, stream=out) as shown:
        shown.advance(10)
    assert out.getvalue() == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar() -> None:
    out = Terminal()
    with progress(10, "examining", stream=out) as shown:
        shown.advance(10)
    assert "examining: 100%" in out.getvalue()
    assert "10/10" in out.getvalue()
