"""The trash: documents that are a 404 elsewhere, to be restored with all they had or removed for good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows import present
from ..rows.listing import paged
from ..rows.models import Document
from ..rows.state import State
from ..web import Answer, Request, encode, forbidden_object, invalid, ok, required, route

Ids = Mapping[str, str]


def list_trash(state: State, request: Request, ids: Ids) -> Answer:
    """The shape of the documents list; a file version that was deleted shows up with its root named."""
    rows = [d for d in trashed(state) if request.user.is_superuser or d.owner in (None, request.user.id)]
    rows.sort(key=lambda d: (d.created, d.id), reverse=True)
    everything = encode([d.id for d in rows])
    return paged(request, rows, lambda d: present.document(state, request, d), everything)


def change_trash(state: State, request: Request, ids: Ids) -> Answer:
    """No workflow, webhook or hook on either action."""
    data = request.data
    if data.get("action") not in ("restore", "empty"):
        if "action" not in data:
            raise required("action")
        raise invalid({"action": [f'"{data["action"]}" is not a valid choice.']})
    rows = _named(state, data)
    if not all(request.user.is_superuser or d.owner in (None, request.user.id) for d in rows):
        raise forbidden_object()
    for row in rows:
        restore(state, row) if data["action"] == "restore" else empty(state, row)
    return ok({"result": "OK", "doc_ids": [row.id for row in rows]})


def trashed(state: State) -> list[Document]:
    return [d for d in state.documents.values() if d.deleted_at is not None]


def restore(state: State, row: Document) -> None:
    """Tags, values, links and notes come back as they were; ``modified`` moves."""
    for document in (row, *(state.documents[i] for i in state.versions_of.get(row.id, []))):
        document.deleted_at = None
        state.touch(document)


def empty(state: State, row: Document) -> None:
    if row.id in state.documents:  # a version may have gone with its root a moment ago
        state.expunge(row)


def _named(state: State, data: dict[str, Any]) -> list[Document]:
    if data.get("documents") is None:
        return trashed(state)
    rows = [
        d for d in map(state.documents.get, data["documents"]) if d is not None and d.deleted_at is not None
    ]
    if len({d.id for d in rows}) != len(data["documents"]):
        raise invalid({"documents": ["Some documents in the list have not yet been deleted."]})
    return rows


ROUTES = [
    route("GET", "trash/", list_trash),
    route("POST", "trash/", change_trash),
]
