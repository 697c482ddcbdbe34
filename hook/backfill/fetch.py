"""Fetches documents by id: page by page, past documents that Paperless cannot deliver, and ahead of their use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Queue
from threading import Event, Semaphore, Thread
from typing import Final, TypeVar

from hook.batching import batched, in_halves
from hook.errors import AnswerError, CutAnswerError, PaperlessError, ServerError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument

PAGE: Final = 100  # documents whose texts are in memory at once
MAX_FAILED_IN_A_ROW: Final = 3  # single documents; more than that, and it is not the documents
# What one document can cause: a text too large, an unexpected value, a server that fails on it.
_OF_ONE_DOCUMENT: Final = (AnswerError, ServerError, CutAnswerError)
_JOIN_TIMEOUT_S: Final = 5.0  # a request that takes longer ends with the process

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
            for documents in in_halves(page, self._fetch, self._skip, _OF_ONE_DOCUMENT):
                yield from documents

    def _fetch(self, ids: Sequence[int]) -> list[RawDocument]:
        documents = list(self._client.documents_by_id(ids, page_size=len(ids)))
        self._failed_in_a_row = 0
        return documents

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
    values = Queue[T | _End]()
    room, stopping = Semaphore(ahead), Event()

    def read() -> None:
        try:
            for value in source:
                values.put(value)
                room.acquire()
                if stopping.is_set():
                    return
            values.put(_End())
        except BaseException as error:  # raised again below, in the thread that needs the values
            values.put(_End(error))

    def taken() -> Iterator[T]:
        while not isinstance(value := values.get(), _End):
            room.release()
            yield value
        if value.error is not None:
            raise value.error

    thread = Thread(
        target=read, name="prefetch", daemon=True
    )  # the end of the process does not wait for Paperless
    thread.start()
    try:
        yield taken()
    finally:
        stopping.set()
        room.release()
        thread.join(_JOIN_TIMEOUT_S)


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None = None
