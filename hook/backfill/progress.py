"""The progress of a long run: a bar with rate and remaining time on a terminal, a line every 30 s elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

LINE_EVERY_S: Final = 30.0


def _lines(total: int, what: str, stream: TextIO, clock: Callable[[], float]) -> Callable[[int], object]:
    """For a log, where a bar would leave thousands of lines."""
    done, started = 0, clock()
    said = started

    def advance(documents: int) -> None:
        nonlocal done, said
        done, now = done + documents, clock()
        if now - said >= LINE_EVERY_S:
            said = now
            rate = done / max(now - started, 0.001)
            left_s = round(max(total - done, 0) / rate) if rate else 0
            line = f"{what}: {done} of {total}, {rate:.0f}/s, {left_s // 60}:{left_s % 60:02} left"
            print(line, file=stream, flush=True)

    return advance


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
        yield _lines(total, what, stream, clock)
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
