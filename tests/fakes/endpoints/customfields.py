"""The custom field definitions: global, without owners, unique by name."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..rows import present
from ..rows.listing import paged
from ..rows.models import CustomField
from ..rows.state import State
from ..web import Answer, Request, allow, encode, invalid, missing, no_content, ok, required, route
from .catalog import named

Ids = Mapping[str, str]

DATA_TYPES = (
    "string",
    "url",
    "date",
    "boolean",
    "integer",
    "float",
    "monetary",
    "documentlink",
    "select",
    "longtext",
)


def list_fields(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_customfield")
    rows = sorted(named(state.custom_fields.values(), request), key=lambda row: row.name)
    counts = _counts(state)
    everything = encode([row.id for row in rows])
    return paged(request, rows, lambda row: present.custom_field(row, counts[row.id]), everything)


def retrieve(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_customfield")
    row = _row(state, ids)
    return ok(present.custom_field(row, _counts(state)[row.id]))


def create(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "add_customfield")
    data = request.data
    for name in ("name", "data_type"):
        if name not in data:
            raise required(name)
    _check(state, data, None)
    row = CustomField(state.next_id("custom_fields"), data["name"], data["data_type"])
    row.extra_data = _extra(data)
    state.custom_fields[row.id] = row
    return ok(present.custom_field(row, 0), 201)


def update(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "change_customfield")
    row, data = _row(state, ids), request.data
    _check(state, data, row)
    row.name = data.get("name", row.name)
    if "extra_data" in data:
        row.extra_data = _extra({"data_type": row.data_type, **data})
    return ok(present.custom_field(row, _counts(state)[row.id]))


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


def _check(state: State, data: dict[str, Any], row: CustomField | None) -> None:
    if "name" in data and any(f.name == data["name"] and f is not row for f in state.custom_fields.values()):
        raise invalid({"name": ["custom field with this name already exists."]})
    if "data_type" in data and data["data_type"] not in DATA_TYPES:
        raise invalid({"data_type": [f'"{data["data_type"]}" is not a valid choice.']})


def _extra(data: dict[str, Any]) -> dict[str, Any]:
    """A select field's options get ids; a value is such an id."""
    extra: dict[str, Any] = dict(data.get("extra_data") or {})
    if data["data_type"] == "select":
        options = extra.get("select_options")
        if not isinstance(options, list) or not options or not all(option.get("label") for option in options):
            raise invalid({"error": "extra_data.select_options must be a valid list"})
        extra["select_options"] = [{**o, "id": o.get("id") or uuid.uuid4().hex[:16]} for o in options]
    return extra


def _counts(state: State) -> Counter[int]:
    return Counter(i for d in state.documents.values() if d.deleted_at is None for i in d.custom_fields)


ROUTES = [
    route("GET", "custom_fields/", list_fields),
    route("POST", "custom_fields/", create),
    route("GET", "custom_fields/<id>/", retrieve),
    route("PATCH", "custom_fields/<id>/", update),
    route("DELETE", "custom_fields/<id>/", delete),
]
