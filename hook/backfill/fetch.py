"""Fetches documents by id: page by page, past documents that Paperless cannot deliver, and ahead of their use."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from hook.batching import batched, in_halves
from hook.errors import AnswerError, CutAnswerError, PaperlessError, ServerError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument

PAGE: Final = 100  # documents whose texts are in memory at once
MAX_FAILED_IN_A_ROW: Final = 3  # single documents; more than that, and it is not the documents
# What one document can cause: a text too large, an unexpected value, a server that fails on it.
_OF_ONE_DOCUMENT: Final = (AnswerError, ServerError, CutAnswerError)

Skipped = Callable[[int, PaperlessError], None]


def fetch(client: Paperless, ids: Iterable[int], skipped: Skipped) -> Generator[RawDocument]:
    """Streams documents in the order of the ids; deleted ones are left out, those that Paperless cannot deliver are passed to
    `skipped`. The next page is fetched meanwhile, in a thread, which ends with its request. An error comes after the documents
    before it."""
    pages = _pages(client, ids, skipped)
    with ThreadPoolExecutor(1, "prefetch") as thread:
        page = thread.submit(next, pages, None)
        while (documents := page.result()) is not None:
            page = thread.submit(next, pages, None)
            yield from documents


def _pages(client: Paperless, ids: Iterable[int], skipped: Skipped) -> Iterator[list[RawDocument]]:
    failed_in_a_row = 0

    def attempt(some: Sequence[int]) -> list[RawDocument]:
        nonlocal failed_in_a_row
        documents = list(client.documents_by_id(some))
        failed_in_a_row = 0
        return documents

    def skip(document_id: int, error: PaperlessError) -> list[RawDocument]:
        nonlocal failed_in_a_row
        failed_in_a_row += 1
        if failed_in_a_row >= MAX_FAILED_IN_A_ROW:
            raise error
        skipped(document_id, error)
        return []

    for page in batched(ids, PAGE):
        yield from in_halves(page, attempt, skip, _OF_ONE_DOCUMENT)
