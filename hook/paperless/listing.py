"""Walks through the archive: which documents there are, and a stream of them in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from hook.errors import PaperlessError, TooLargeError
from hook.paperless import decode as payloads
from hook.paperless.api import Api, QueryValue, read, read_results
from hook.paperless.values import RawDocument

Skipped = Callable[[int, PaperlessError], None]

MAX_PAGE_SIZE: Final = 500  # ids travel in the URL, and proxies accept about 8 kB of it

# Paperless ignores a filter it does not know and answers with everything (there is no id__gt): only these.
FILTERS: Final = {
    *("id", "id__in", "checksum__iexact", "ordering", "query", "is_tagged", "mime_type"),
    *(f"{name}__{test}" for name in ("modified", "added", "created") for test in ("gt", "gte", "lt", "lte")),
    *("tags__id__all", "tags__id__none", "tags__id__in", "tags__name__iexact"),
    *("custom_fields__id__all", "custom_field_query", "owner__id", "owner__id__none"),
}


def document_ids(api: Api, filters: Mapping[str, QueryValue]) -> list[int]:
    """The ids of all documents that match."""
    if unknown := filters.keys() - FILTERS:
        raise ValueError(f"Paperless would silently ignore {sorted(unknown)}")
    query: dict[str, Any] = {"ordering": "id", "fields": "id", **filters}
    answer = api.get("documents/", page_size=1, **query)
    if (ids := read(answer, payloads.all_ids)) is not None:
        return ids
    return list(api.items("documents/", payloads.id_of, page_size=10_000, **query))


def stream(
    api: Api, ids: Iterable[int], *, page_size: int, fields: tuple[str, ...], skipped: Skipped | None
) -> Iterator[RawDocument]:
    """These documents in this order, asked for by id and not by the number of a page.

    Numbers shift when a document is deleted meanwhile, so that another one is missed; and each numbered page
    repeats the ids of the whole archive.
    """
    rest = iter(ids)
    while page := list(islice(rest, min(page_size, MAX_PAGE_SIZE))):
        yield from _page(api, page, fields, skipped)


def _page(
    api: Api, ids: list[int], fields: tuple[str, ...], skipped: Skipped | None
) -> Iterator[RawDocument]:
    try:
        answer = api.get("documents/", id__in=ids, fields=fields, page_size=len(ids))
    except TooLargeError as error:
        yield from _smaller_pages(api, ids, fields, skipped, error)
    else:
        found = {document.id: document for document in read_results(answer, payloads.document)}
        yield from (found[wanted] for wanted in ids if wanted in found)


def _smaller_pages(
    api: Api, ids: list[int], fields: tuple[str, ...], skipped: Skipped | None, error: TooLargeError
) -> Iterator[RawDocument]:
    if len(ids) > 1:
        middle = len(ids) // 2
        yield from _page(api, ids[:middle], fields, skipped)
        yield from _page(api, ids[middle:], fields, skipped)
    elif skipped is None:
        raise error
    else:
        skipped(ids[0], error)
