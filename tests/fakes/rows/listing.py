"""Filtered, ordered, paged lists as Paperless sends them; the order of a query is computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from ..web import Answer, Request, encode, missing
from .filters import tests_for
from .models import Document
from .state import State

PAGE_SIZE = 25
MAX_PAGE_SIZE = 100_000
_MAX_CACHED = 64  # queries remembered until the next write; a hook asks for far fewer

_SHAPING = {"page", "page_size", "fields", "full_perms"}
_ORDERINGS: Mapping[str, Callable[[Document], Any]] = {
    "id": lambda document: document.id,
    "modified": lambda document: document.modified,
}


def documents_page(state: State, request: Request, show: Callable[[Document], Any]) -> Answer:
    """One page of the documents the caller may see."""
    ids, all_json = _matching_ids(state, request)
    return paged(request, ids, lambda i: show(state.documents[i]), all_json)


def paged(
    request: Request, rows: Sequence[Any], show: Callable[[Any], Any], all_json: bytes | None = None
) -> Answer:
    """``all`` carries the ids of every page up to API version 9."""
    size = min(int(request.query.get("page_size", 0)) or PAGE_SIZE, MAX_PAGE_SIZE)
    last = max(1, -(-len(rows) // size))
    page = int(request.query.get("page", "1"))
    if not 1 <= page <= last:
        raise missing("Invalid page.")
    head = {
        "count": len(rows),
        "next": _link(request, page + 1) if page < last else None,
        "previous": _link(request, page - 1) if page > 1 else None,
    }
    everything = encode([row.id for row in rows]) if all_json is None else all_json
    results = encode([show(row) for row in rows[(page - 1) * size : page * size]])
    return Answer(200, encode(head)[:-1] + b',"all":' + everything + b',"results":' + results + b"}")


def _matching_ids(state: State, request: Request) -> tuple[list[int], bytes]:
    asked = {name: value for name, value in request.query.items() if name not in _SHAPING}
    key = (request.user.id, request.path, tuple(sorted(asked.items())))
    cached: tuple[list[int], bytes] | None = state.caches.get(key)
    if cached is None:
        ids = [document.id for document in _matching(state, request, asked)]
        cached = ids, encode(ids)
        if len(state.caches) < _MAX_CACHED:
            state.caches[key] = cached
    return cached


def _matching(state: State, request: Request, asked: Mapping[str, str]) -> list[Document]:
    tests = tests_for(asked)
    rows = (row for row in _narrowed(state, asked) if row.visible_to(request.user))
    found = [row for row in rows if all(test(row) for test in tests)]
    key = _ORDERINGS.get(asked.get("ordering", "").removeprefix("-"))
    if key is None:  # unknown ones are ignored: newest first, as without one
        return sorted(found, key=lambda row: (row.created, row.id), reverse=True)
    return sorted(found, key=key, reverse=asked["ordering"].startswith("-"))


def _narrowed(state: State, asked: Mapping[str, str]) -> Iterable[Document]:
    """Look up instead of scanning where the query names ids or a checksum: the hook asks that of 100,000."""
    if named := asked.get("id__in") or asked.get("id"):
        wanted = [int(part) for part in named.split(",") if part.strip().isdigit()]
    elif asked.get("checksum__iexact"):
        wanted = sorted(state.by_checksum.get(asked["checksum__iexact"].lower(), ()))
    else:
        return state.roots()
    rows = (state.live(i) for i in sorted(set(wanted)))
    return [row for row in rows if row is not None and row.root is None]


def _link(request: Request, page: int) -> str:
    """Built from the Host header: behind a proxy it may name an address the caller cannot reach."""
    query = {**request.query, "page": str(page)}
    return f"{request.base_url}{request.path}?{urlencode(query)}"
