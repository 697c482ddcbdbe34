"""The custom field definitions: global, without owners, unique by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows.listing import paged
from ..rows.models import CustomField
from ..rows.state import State
from ..web import Answer, Request, allow, invalid, missing, no_content, ok, route
from .catalog import named

Ids = Mapping[str, str]


def list_fields(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_customfield")
    return paged(
        request, sorted(named(state.custom_fields.values(), request), key=lambda row: row.name), _shown
    )


def create(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "add_customfield")
    data = request.data
    if any(field.name == data["name"] for field in state.custom_fields.values()):
        raise invalid({"name": ["custom field with this name already exists."]})
    row = CustomField(state.next_id("custom_fields"), data["name"], data["data_type"])
    state.custom_fields[row.id] = row
    return ok(_shown(row), 201)


def update(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "change_customfield")
    row = _row(state, ids)
    row.extra_data = dict(request.data["extra_data"])
    return ok(_shown(row))


def delete(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_customfield")
    remove(state, _row(state, ids))
    return no_content()


def remove(state: State, row: CustomField) -> None:
    for document in state.documents.values():
        document.custom_fields.pop(row.id, None)
    del state.custom_fields[row.id]
    state.changed()


def _row(state: State, ids: Ids) -> CustomField:
    row = state.custom_fields.get(int(ids["id"]))
    if row is None:
        raise missing("No CustomField matches the given query.")
    return row


def _shown(row: CustomField) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "data_type": row.data_type, "extra_data": row.extra_data}


ROUTES = [
    route("GET", "custom_fields/", list_fields),
    route("POST", "custom_fields/", create),
    route("PATCH", "custom_fields/<id>/", update),
    route("DELETE", "custom_fields/<id>/", delete),
]
