"""The progress of a long run: a bar with rate and remaining time on a terminal, a line every 30 s elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

LINE_EVERY_S: Final = 30.0


class Lines:
    """For a log, where a bar would leave thousands of lines."""

    def __init__(self, total: int, what: str, stream: TextIO, clock: Callable[[], float]) -> None:
        self._total, self._what, self._stream, self._clock = total, what, stream, clock
        self._done = 0
        self._started = self._said = clock()

    def advance(self, documents: int) -> None:
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


@contextmanager
def progress(
    total: int,
    what: str,
    *,
    quiet: bool = False,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Callable[[int], object]]:
    """What is to be called with the number of documents that were done since. A bar or lines, depending on the stream;
    stderr by default, since results are on stdout."""
    stream = sys.stderr if stream is None else stream
    if quiet:
        yield lambda documents: None
    elif not stream.isatty():
        yield Lines(total, what, stream, clock).advance
    else:
        from tqdm import tqdm

        with tqdm(total=total, desc=what, unit=" documents", file=stream, dynamic_ncols=True) as bar:
            yield bar.update


@contextmanager
def hidden() -> Iterator[None]:
    """While a line is printed: the bar and the line would overwrite each other on a terminal."""
    if "tqdm" not in sys.modules:
        yield
        return
    from tqdm import tqdm

    with tqdm.external_write_mode(file=sys.stdout):
        yield
