"""Reads ahead in a thread, so that waiting for Paperless and hashing happen at the same time."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import Empty, Full, Queue
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_LOOK_UP_S: Final = 0.1  # how soon the thread notices that nobody reads on
_FAREWELL_S: Final = 5.0  # how long its end is waited for; a request that hangs longer ends with the process
_END: Final = object()


@contextmanager
def prefetched(source: Iterable[T], ahead: int) -> Iterator[Iterator[T]]:
    """The same values in the same order, up to `ahead` of them fetched before they are asked for.

    What the source raises is raised here, after the values that came before it. Leaving the block ends the
    thread, after the request it may just be in.
    """
    reader = _Reader(source, ahead)
    reader.start()
    try:
        yield reader.values()
    finally:
        reader.stop()


class _Reader(threading.Thread, Generic[T]):
    def __init__(self, source: Iterable[T], ahead: int) -> None:
        super().__init__(name="prefetch", daemon=True)  # a process that ends does not wait for Paperless
        self._source = source
        self._queue: Queue[T | object] = Queue(ahead)
        self._unwanted = threading.Event()
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            for value in self._source:
                if not self._hand_over(value):
                    return
        except BaseException as error:  # belongs to the reader, who gets it below
            self._error = error
        self._hand_over(_END)

    def values(self) -> Iterator[T]:
        while (value := self._queue.get()) is not _END:
            yield value  # type: ignore[misc]  # all but _END are of the source
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._unwanted.set()
        while True:  # make room, so that a thread that waits for it sees the sign at once
            try:
                self._queue.get_nowait()
            except Empty:
                break
        self.join(_FAREWELL_S)

    def _hand_over(self, value: T | object) -> bool:
        while not self._unwanted.is_set():
            try:
                self._queue.put(value, timeout=_LOOK_UP_S)
            except Full:
                continue
            return True
        return False
