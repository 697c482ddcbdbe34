"""The notes of a document: read, add, delete; no task, no workflow, but ``modified`` moves at once."""

from __future__ import annotations

from collections.abc import Mapping

from ..rows import present
from ..rows.state import State
from ..web import Answer, Request, allow, forbidden_object, invalid, missing, ok, route

Ids = Mapping[str, str]


def list_notes(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_note")
    row = state.readable_row(request, int(ids["id"]), "Insufficient permissions to view notes")
    return ok(present.notes(row.notes))


def create_note(state: State, request: Request, ids: Ids) -> Answer:
    """Any failure to save is a 200 with an ``error``: leaving out ``note`` is enough to see it."""
    allow(request.user, "add_note")
    row = state.readable_row(request, int(ids["id"]), "Insufficient permissions to view notes")
    if not row.changeable_by(request.user):
        raise forbidden_object("Insufficient permissions to create notes")
    if not isinstance(request.body, dict) or "note" not in request.body:
        return ok({"error": "Error saving note, check logs for more detail."})
    state.add_note(row, str(request.body["note"]), request.user)
    return ok(present.notes(row.notes))


def delete_note(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_note")
    row = state.readable_row(request, int(ids["id"]), "Insufficient permissions to view notes")
    if not row.changeable_by(request.user):
        raise forbidden_object("Insufficient permissions to delete notes")
    wanted = request.query.get("id", "")
    if not wanted:
        raise invalid({"id": "This field is required."})
    if not wanted.isdigit():
        raise invalid({"id": "A valid integer is required."})
    if int(wanted) not in [note.id for note in row.notes]:
        raise missing("No Note matches the given query.")
    row.notes = [note for note in row.notes if note.id != int(wanted)]
    state.touch(row)
    return ok(present.notes(row.notes))


ROUTES = [
    route("GET", "documents/<id>/notes/", list_notes),
    route("POST", "documents/<id>/notes/", create_note),
    route("DELETE", "documents/<id>/notes/", delete_note),
]
