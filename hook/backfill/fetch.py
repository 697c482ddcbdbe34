"""Documents by id, page by page, past those that Paperless cannot give us: one bad document stops nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from hook.errors import AnswerError, CutAnswerError, PaperlessError, ServerError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument

PAGE: Final = 100  # documents whose texts are held at once
IN_A_ROW: Final = 3  # so many single documents that fail one after the other: it is not the documents
# What one document can cause: a text too large, a value nobody expected, a server that stumbles over it.
_OF_A_DOCUMENT: Final = (AnswerError, ServerError, CutAnswerError)

Skipped = Callable[[int, PaperlessError], None]


class Fetcher:
    """Streams documents; those that cannot be had are told to `skipped`."""

    def __init__(self, client: Paperless, skipped: Skipped, *, page: int = PAGE) -> None:
        self._client, self._skipped, self._page_size = client, skipped, page
        self._failed_in_a_row = 0

    def documents(self, ids: Iterable[int]) -> Iterator[RawDocument]:
        """In the order of the ids; those that are gone are left out."""
        rest = iter(ids)
        while page := list(islice(rest, self._page_size)):
            yield from self._page(page)

    def _page(self, ids: list[int]) -> Iterator[RawDocument]:
        try:
            found = list(self._client.documents_by_id(ids, page_size=len(ids)))
        except _OF_A_DOCUMENT as error:
            yield from self._halves(ids, error)
        else:
            self._failed_in_a_row = 0
            yield from found

    def _halves(self, ids: list[int], error: PaperlessError) -> Iterator[RawDocument]:
        if len(ids) > 1:
            middle = len(ids) // 2
            yield from self._page(ids[:middle])
            yield from self._page(ids[middle:])
            return
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= IN_A_ROW:
            raise error
        self._skipped(ids[0], error)
