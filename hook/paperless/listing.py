"""Walks through the archive: which documents there are, and a stream of them in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from hook.batching import batched, in_halves
from hook.errors import TooLargeError
from hook.paperless import decode as payloads
from hook.paperless.api import Api, QueryValue, read_results
from hook.paperless.values import RawDocument

MAX_PAGE_SIZE: Final = 500  # ids travel in the URL, and proxies accept about 8 kB of it

# Paperless ignores a filter it does not know and answers with everything (there is no id__gt): only these.
FILTERS: Final = {
    *("id", "id__in", "checksum__iexact", "modified__gte", "added__gte", "ordering"),
    *("tags__id__in", "correspondent__id__in", "custom_fields__id__all"),
}


def document_ids(api: Api, filters: Mapping[str, QueryValue]) -> list[int]:
    """The ids of all documents that match."""
    if unknown := filters.keys() - FILTERS:
        raise ValueError(f"Paperless would silently ignore {sorted(unknown)}")
    query: dict[str, Any] = {"ordering": "id", "fields": "id", **filters}
    if (ids := api.get("documents/", payloads.all_ids, page_size=1, **query)) is not None:
        return ids
    return list(api.items("documents/", payloads.id_of, page_size=10_000, **query))


def stream(api: Api, ids: Iterable[int], *, page_size: int, fields: tuple[str, ...]) -> Iterator[RawDocument]:
    """These documents in this order, asked for by id and not by page number.

    Page numbers shift when a document is deleted meanwhile, so that another one is missed; and each numbered page
    repeats the ids of the whole archive.
    """

    def fetch(some: Sequence[int]) -> list[RawDocument]:
        query: dict[str, QueryValue] = {"id__in": some, "fields": fields, "page_size": len(some)}
        if "permissions" in fields:
            query["full_perms"] = True
        answer = api.call("GET", "documents/", query=query)
        documents = {document.id: document for document in read_results(answer, payloads.document)}
        return [documents[wanted] for wanted in some if wanted in documents]

    for page in batched(ids, min(page_size, MAX_PAGE_SIZE)):
        for documents in in_halves(page, fetch, _too_large, TooLargeError):
            yield from documents


def _too_large(document_id: int, error: TooLargeError) -> NoReturn:
    raise error
