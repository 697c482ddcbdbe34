"""The trash: documents that are a 404 elsewhere, to be restored with all they had."""

from __future__ import annotations

from collections.abc import Mapping

from ..rows import present
from ..rows.listing import paged
from ..rows.state import State
from ..web import Answer, Request, forbidden_object, invalid, ok, route

Ids = Mapping[str, str]


def list_trash(state: State, request: Request, ids: Ids) -> Answer:
    """The shape of the documents list; a file version that was deleted shows up with its root named."""
    user = request.user
    rows = [row for row in state.trashed() if user.is_superuser or row.owner in (None, user.id)]
    rows.sort(key=lambda row: (row.created, row.id), reverse=True)
    return paged(request, rows, lambda row: present.document(state, request, row))


def restore(state: State, request: Request, ids: Ids) -> Answer:
    """No workflow, webhook or hook; refused as a whole if one is not in the trash."""
    wanted, user = request.data["documents"], request.user
    rows = [row for row in state.trashed() if row.id in wanted]
    if len(rows) != len(wanted):
        raise invalid({"documents": ["Some documents in the list have not yet been deleted."]})
    if not all(user.is_superuser or row.owner in (None, user.id) for row in rows):
        raise forbidden_object()
    for row in rows:
        state.restore(row)
    return ok({"result": "OK", "doc_ids": [row.id for row in rows]})


ROUTES = [
    route("GET", "trash/", list_trash),
    route("POST", "trash/", restore),
]
