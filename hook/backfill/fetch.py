"""Fetches documents by id: page by page, past documents that Paperless cannot deliver, and ahead of their use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, Full, Queue
from typing import Final, Generic, TypeVar

from hook.batching import batched, in_halves
from hook.errors import AnswerError, CutAnswerError, PaperlessError, ServerError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument

PAGE: Final = 100  # documents whose texts are in memory at once
MAX_FAILED_IN_A_ROW: Final = 3  # single documents; more than that, and it is not the documents
# What one document can cause: a text too large, an unexpected value, a server that fails on it.
_OF_ONE_DOCUMENT: Final = (AnswerError, ServerError, CutAnswerError)
_POLL_S: Final = 0.1  # how soon the reading thread notices that nobody needs the rest
_JOIN_TIMEOUT_S: Final = 5.0  # a request that takes longer ends with the process
_END: Final = object()

Skipped = Callable[[int, PaperlessError], None]
T = TypeVar("T")


class Fetcher:
    """Streams documents. Those that Paperless cannot deliver are passed to `skipped`."""

    def __init__(self, client: Paperless, skipped: Skipped, *, page: int = PAGE) -> None:
        self._client, self._skipped, self._page_size = client, skipped, page
        self._failed_in_a_row = 0

    def documents(self, ids: Iterable[int]) -> Iterator[RawDocument]:
        """In the order of the ids; deleted ones are left out."""
        for page in batched(ids, self._page_size):
            for found in in_halves(page, self._fetch, self._skip, _OF_ONE_DOCUMENT):
                yield from found

    def _fetch(self, ids: Sequence[int]) -> list[RawDocument]:
        found = list(self._client.documents_by_id(ids, page_size=len(ids)))
        self._failed_in_a_row = 0
        return found

    def _skip(self, document_id: int, error: PaperlessError) -> list[RawDocument]:
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= MAX_FAILED_IN_A_ROW:
            raise error
        self._skipped(document_id, error)
        return []


@contextmanager
def prefetched(source: Iterable[T], ahead: int) -> Iterator[Iterator[T]]:
    """The same values in the same order, up to `ahead` of them read in a thread before they are needed.

    So we wait for Paperless and compute at the same time. An error of the source is raised here, after the
    values before it. Leaving the block ends the thread once its current request has ended.
    """
    reader = _Reader(source, ahead)
    reader.start()
    try:
        yield reader.values()
    finally:
        reader.stop()


class _Reader(threading.Thread, Generic[T]):
    def __init__(self, source: Iterable[T], ahead: int) -> None:
        super().__init__(name="prefetch", daemon=True)  # the end of the process does not wait for Paperless
        self._source = source
        self._queue: Queue[T | object] = Queue(ahead)
        self._stopping = threading.Event()
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            for value in self._source:
                if not self._put(value):
                    return
        except BaseException as error:  # raised again by `values`, in the thread that needs it
            self._error = error
        self._put(_END)

    def values(self) -> Iterator[T]:
        while (value := self._queue.get()) is not _END:
            yield value  # type: ignore[misc]  # all but _END are of the source
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._stopping.set()
        while True:  # makes room, so that a thread which waits for it sees the event at once
            try:
                self._queue.get_nowait()
            except Empty:
                break
        self.join(_JOIN_TIMEOUT_S)

    def _put(self, value: T | object) -> bool:
        """False if nobody needs it any more."""
        while not self._stopping.is_set():
            try:
                self._queue.put(value, timeout=_POLL_S)
            except Full:
                continue
            return True
        return False
