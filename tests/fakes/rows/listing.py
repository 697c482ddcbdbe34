"""Filtered, ordered, paged lists as Paperless sends them; the order of a query is computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from ..web import Answer, Request, encode, invalid, missing
from .filters import tests_for
from .models import Document
from .state import State

Row = TypeVar("Row")

PAGE_SIZE = 25
MAX_PAGE_SIZE = 100_000
_MAX_CACHED = 64  # queries remembered until the next write; a hook asks for far fewer

_SHAPING = {"page", "page_size", "fields", "truncate_content", "full_perms"}
_ORDERINGS = (
    "id",
    "title",
    "created",
    "modified",
    "added",
    "archive_serial_number",
    "num_notes",
    "owner",
    "page_count",
    "correspondent__name",
    "document_type__name",
    "storage_path__name",
)


def documents_page(state: State, request: Request, show: Callable[[Document], Any]) -> Answer:
    """One page of the documents the caller may see."""
    ids, all_json = _matching_ids(state, request)
    return paged(request, ids, lambda i: show(state.documents[i]), all_json)


def paged(request: Request, rows: Sequence[Row], show: Callable[[Row], Any], all_json: bytes) -> Answer:
    """``all`` carries the ids of every page up to API version 9."""
    size = _page_size(request.query.get("page_size", ""))
    last = max(1, -(-len(rows) // size))
    page = _page_number(request.query.get("page", "1"), last)
    head = {
        "count": len(rows),
        "next": _link(request, page + 1) if page < last else None,
        "previous": _link(request, page - 1) if page > 1 else None,
    }
    results = encode([show(row) for row in rows[(page - 1) * size : page * size]])
    everything = b',"all":' + all_json if request.api_version < 10 else b""
    return Answer(200, encode(head)[:-1] + everything + b',"results":' + results + b"}")


def _matching_ids(state: State, request: Request) -> tuple[list[int], bytes]:
    asked = {name: value for name, value in request.query.items() if name not in _SHAPING}
    key = (request.user.id, request.path, tuple(sorted(asked.items())))
    cached: tuple[list[int], bytes] | None = state.caches.get(key)
    if cached is None:
        found = _matching(state, request, asked)
        ids = [document.id for document in found]
        cached = ids, encode(ids)
        if len(state.caches) < _MAX_CACHED:
            state.caches[key] = cached
    return cached


def _matching(state: State, request: Request, asked: Mapping[str, str]) -> list[Document]:
    tests = tests_for(state, asked)
    rows = (d for d in _narrowed(state, asked) if request.user.is_superuser or d.visible_to(request.user))
    found = [d for d in rows if all(test(d) for test in tests)]
    return ordered(state, found, asked.get("ordering", ""))


def _narrowed(state: State, asked: Mapping[str, str]) -> Iterable[Document]:
    """Look up instead of scanning where the query names ids or a checksum: the hook asks that of 100,000."""
    named = asked.get("id__in") or asked.get("id")
    if named:
        wanted = [int(part) for part in named.split(",") if part.strip().isdigit()]
    elif asked.get("checksum__iexact"):
        wanted = sorted(state.by_checksum.get(asked["checksum__iexact"].lower(), ()))
    else:
        return state.roots()
    rows = (state.live(i) for i in sorted(set(wanted)))
    return [d for d in rows if d is not None and d.root is None]


def ordered(state: State, rows: list[Document], ordering: str) -> list[Document]:
    """Unknown names are ignored; what is left empty means newest first, as without ``ordering``."""
    terms = [term for term in ordering.split(",") if _known(state, term.removeprefix("-"))]
    if not terms:
        return sorted(rows, key=lambda d: (d.created, d.id), reverse=True)
    for term in reversed(terms):
        rows = sorted(rows, key=_sort_key(state, term.removeprefix("-")), reverse=term.startswith("-"))
    return rows


def _known(state: State, name: str) -> bool:
    if not name.startswith("custom_field_"):
        return name in _ORDERINGS
    number = name.removeprefix("custom_field_")
    if number.isdigit() and int(number) in state.custom_fields:
        return True
    raise invalid({name: ["Custom field not found"]})


def _sort_key(state: State, name: str) -> Callable[[Document], Any]:
    """Rows without a value come first, as in SQLite."""
    if name == "num_notes":
        return lambda d: len(d.notes)
    if name == "id":
        return lambda d: d.id

    def key(document: Document) -> tuple[bool, Any]:
        value = _sort_value(state, document, name)
        return (False, 0) if value is None else (True, value)

    return key


def _sort_value(state: State, document: Document, name: str) -> Any:
    if name.startswith("custom_field_"):
        return document.custom_fields.get(int(name.removeprefix("custom_field_")))
    if name.endswith("__name"):
        row = getattr(document, name.removesuffix("__name"))
        tables = {"correspondent": state.correspondents, "document_type": state.document_types}
        return None if row is None else tables.get(name.removesuffix("__name"), state.storage_paths)[row].name
    return getattr(document, name)


def _page_size(value: str) -> int:
    if not value.isdigit() or int(value) == 0:
        return PAGE_SIZE
    return min(int(value), MAX_PAGE_SIZE)


def _page_number(value: str, last: int) -> int:
    number = last if value == "last" else int(value) if value.isdigit() else 0
    if not 1 <= number <= last:
        raise missing("Invalid page.")
    return number


def _link(request: Request, page: int) -> str:
    """Built from the Host header: behind a proxy it may name an address the caller cannot reach."""
    query = {name: value for name, value in request.query.items() if name != "page"}
    if page > 1:
        query["page"] = str(page)
    return f"{request.base_url}{request.path}" + (f"?{urlencode(query)}" if query else "")
