"""The progress of a long run: a bar with rate and remaining time on a terminal, a line every 30 s elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, TextIO

LINE_EVERY_S: Final = 30.0


class Progress(Protocol):
    def advance(self, documents: int = 1) -> None:
        """So many more documents are done."""


class Silent:
    """Under cron, and in tests."""

    def advance(self, documents: int = 1) -> None:
        pass


class Lines:
    """For a log, where a bar would leave thousands of lines."""

    def __init__(self, total: int, what: str, stream: TextIO, clock: Callable[[], float]) -> None:
        self._total, self._what, self._stream, self._clock = total, what, stream, clock
        self._done = 0
        self._started = self._said = clock()

    def advance(self, documents: int = 1) -> None:
        self._done += documents
        now = self._clock()
        if now - self._said >= LINE_EVERY_S:
            self._said = now
            print(self._line(now), file=self._stream, flush=True)

    def _line(self, now: float) -> str:
        rate = self._done / max(now - self._started, 0.001)
        left_s = round(max(self._total - self._done, 0) / rate) if rate else 0
        minutes, seconds = divmod(left_s, 60)
        return f"{self._what}: {self._done} of {self._total}, {rate:.0f}/s, {minutes}:{seconds:02} left"


class Bar:
    """tqdm is imported only if there is a terminal."""

    def __init__(self, total: int, what: str, stream: TextIO) -> None:
        from tqdm import tqdm

        self._bar = tqdm(total=total, desc=what, unit=" documents", file=stream, dynamic_ncols=True)

    def advance(self, documents: int = 1) -> None:
        self._bar.update(documents)

    def close(self) -> None:
        self._bar.close()


@contextmanager
def progress(
    total: int,
    what: str,
    *,
    quiet: bool = False,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Progress]:
    """A bar or lines, depending on the stream; stderr by default, since results are on stdout."""
    stream = sys.stderr if stream is None else stream
    if quiet:
        yield Silent()
    elif not stream.isatty():
        yield Lines(total, what, stream, clock)
    else:
        bar = Bar(total, what, stream)
        try:
            yield bar
        finally:
            bar.close()


@contextmanager
def hidden() -> Iterator[None]:
    """While a line is printed: the bar and the line would overwrite each other on a terminal."""
    if "tqdm" not in sys.modules:
        yield
        return
    from tqdm import tqdm

    with tqdm.external_write_mode(file=sys.stdout):
        yield
