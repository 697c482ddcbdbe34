"""Calls and answers of Paperless's API in general: lists in constant memory, decoding into our values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from hook.batching import batched
from hook.errors import AnswerError, NotFoundError, RefusedError
from hook.paperless import decode as payloads
from hook.paperless import http_errors as translate
from hook.paperless.http import Answer, ApiTransport, QueryValue
from hook.paperless.values import DOCUMENT_FIELDS, RawDocument

T = TypeVar("T")

# Measured on 2.20 and 3.0: twice the throughput of 25 a page, and 1,000 gain nothing. Ids travel in the URL, of which proxies accept
# about 8 kB.
PAGE_SIZE: Final = 250
MAX_PAGES: Final = 2000  # 500,000 tags, or 20 million documents
# Paperless ignores a filter it does not know and answers with everything (there is no id__gt): only these.
FILTERS: Final = {
    *("id", "id__in", "checksum__iexact", "modified__gte", "added__gte", "ordering"),
    *("tags__id__in", "correspondent__id__in", "custom_fields__id__all"),
}


class Api:
    """The calls of a transport, with answers in our values; what `Paperless` is made of."""

    def __init__(self, transport: ApiTransport) -> None:
        self._transport = transport
        self._call = transport.call

    def _get(self, path: str, reader: Callable[[Any], T], **query: QueryValue) -> T:
        return read(self._call("GET", path, query=query), reader)

    def _items(
        self, path: str, reader: Callable[[Any], T], *, page_size: int = PAGE_SIZE, **query: QueryValue
    ) -> Iterator[T]:
        """Streams a paged list."""
        page, more = 1, True
        while more:
            try:
                answer = self._call("GET", path, query={"page": page, "page_size": page_size, **query})
            except NotFoundError:
                if page == 1:
                    raise
                return  # the list shrank while we read it
            entries = _read_results(answer, reader)
            yield from entries
            page, more = page + 1, bool(answer.data.get("next"))
            if more and (not entries or page > MAX_PAGES):
                raise AnswerError(answer.call, translate.ENDLESS)

    def _create(
        self, path: str, payload: Mapping[str, Any], reader: Callable[[Any], T], find: Callable[[], T | None]
    ) -> T:
        """Creates something with a unique name, or returns what another process has just created under it."""
        try:
            return read(self._call("POST", path, payload=payload), reader)
        except RefusedError:
            if (existing := find()) is None:
                raise
            return existing

    def document_ids(self, **filters: QueryValue) -> list[int]:
        """The ids of all documents that match, in order of id unless told otherwise."""
        if unknown := filters.keys() - FILTERS:
            raise ValueError(f"Paperless would silently ignore {sorted(unknown)}")
        query: dict[str, Any] = {"ordering": "id", "fields": "id", **filters}
        if (ids := self._get("documents/", payloads.all_ids, page_size=1, **query)) is not None:
            return ids
        return list(self._items("documents/", payloads.id_of, page_size=10_000, **query))

    def documents_by_id(
        self, ids: Iterable[int], *, fields: Sequence[str] = DOCUMENT_FIELDS
    ) -> Iterator[RawDocument]:
        """Streams these documents in this order, asked for by id and not by page number; deleted ones are left out.

        Page numbers shift when a document is deleted meanwhile, so that another one is missed; and each numbered page
        repeats the ids of the whole archive.
        """
        for page in batched(ids, PAGE_SIZE):
            query: dict[str, QueryValue] = {"id__in": page, "fields": fields, "page_size": len(page)}
            if "permissions" in fields:
                query["full_perms"] = True
            answer = self._call("GET", "documents/", query=query)
            documents = {document.id: document for document in _read_results(answer, payloads.document)}
            yield from (documents[wanted] for wanted in page if wanted in documents)


def read(answer: Answer, reader: Callable[[Any], T]) -> T:
    """The answer in our values; AnswerError if it is not what Paperless documents."""
    try:
        return reader(answer.data)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise AnswerError(answer.call, translate.UNEXPECTED) from error


def _read_results(answer: Answer, reader: Callable[[Any], T]) -> list[T]:
    """The entries of one page of a list."""
    return read(answer, lambda raw: [reader(entry) for entry in payloads.results(raw)])


def expect_ok(answer: Answer) -> None:
    if not isinstance(answer.data, dict) or answer.data.get("result") != "OK":
        raise AnswerError(answer.call, translate.UNEXPECTED)
