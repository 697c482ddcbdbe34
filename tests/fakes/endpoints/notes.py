"""The notes of a document: read, add, delete; no task, no workflow, but ``modified`` moves at once."""

from __future__ import annotations

from collections.abc import Mapping

from ..rows import present
from ..rows.models import Document
from ..rows.state import State
from ..web import Answer, Request, allow, forbidden_object, missing, ok, route

Ids = Mapping[str, str]


def list_notes(state: State, request: Request, ids: Ids) -> Answer:
    return ok(present.notes(_row(state, request, ids, "view").notes))


def create_note(state: State, request: Request, ids: Ids) -> Answer:
    row = _row(state, request, ids, "add")
    state.add_note(row, str(request.data["note"]), request.user)
    return ok(present.notes(row.notes))


def delete_note(state: State, request: Request, ids: Ids) -> Answer:
    row = _row(state, request, ids, "delete")
    wanted = int(request.query["id"])
    if wanted not in [note.id for note in row.notes]:
        raise missing("No Note matches the given query.")
    row.notes = [note for note in row.notes if note.id != wanted]
    state.touch(row)
    return ok(present.notes(row.notes))


def _row(state: State, request: Request, ids: Ids, verb: str) -> Document:
    allow(request.user, f"{verb}_note")
    row = state.readable_row(request, int(ids["id"]), "Insufficient permissions to view notes")
    if verb != "view" and not row.changeable_by(request.user):
        raise forbidden_object(f"Insufficient permissions to {verb.replace('add', 'create')} notes")
    return row


ROUTES = [
    route("GET", "documents/<id>/notes/", list_notes),
    route("POST", "documents/<id>/notes/", create_note),
    route("DELETE", "documents/<id>/notes/", delete_note),
]
