"""Single documents and their list: read, PATCH, move to the trash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows import fieldvalues, present
from ..rows.fieldvalues import BadValue
from ..rows.listing import documents_page
from ..rows.models import Document
from ..rows.state import UPDATED, State
from ..web import (
    Answer,
    Request,
    allow,
    forbidden_model,
    forbidden_target,
    invalid,
    invalid_pk,
    no_content,
    no_document,
    ok,
    route,
)
from .webhooks import fire

Ids = Mapping[str, str]

_REFERENCES = ("correspondent", "document_type", "storage_path")


def list_documents(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_document")
    return documents_page(state, request, lambda row: present.document(state, request, row))


def retrieve(state: State, request: Request, ids: Ids) -> Answer:
    """Each look at a document whose transaction is still open brings its commit nearer."""
    allow(request.user, "view_document")
    row = state.documents.get(int(ids["id"]))
    if row is not None and row.hidden_gets > 0:
        row.hidden_gets -= 1
        state.changed()
        raise no_document()
    return ok(present.document(state, request, state.visible_root(request, int(ids["id"])), detail=True))


def destroy(state: State, request: Request, ids: Ids) -> Answer:
    state.to_trash(_changeable(state, request, ids, "delete_document"))
    return no_content()


def update(state: State, request: Request, ids: Ids) -> Answer:
    """Lists REPLACE: custom fields not named are lost, whoever added them in the meantime."""
    row, data = _changeable(state, request, ids, "change_document"), request.data
    _check(state, request, row, data)
    _change_owner(request, row)
    if "custom_fields" in data:
        fieldvalues.replace_all(state, row, {item["field"]: item["value"] for item in data["custom_fields"]})
    for name in (*_REFERENCES, "archive_serial_number"):
        if name in data:
            setattr(row, name, data[name])
    state.touch(row)
    fire(state, row, UPDATED)
    return ok(present.document(state, request, row))


def _change_owner(request: Request, row: Document) -> None:
    """Ownership and shares may be changed by the owner, a superuser, or anybody while there is no owner."""
    data, user = request.data, request.user
    wants = data.keys() & {"owner", "set_permissions"}
    if wants and not (user.is_superuser or row.owner in (None, user.id)):
        raise forbidden_target()
    for action, wanted in data.get("set_permissions", {}).items():
        users = row.view_users if action == "view" else row.change_users
        users.clear()
        users.update(wanted["users"])
    row.owner = data.get("owner", row.owner)


def _changeable(state: State, request: Request, ids: Ids, right: str) -> Document:
    allow(request.user, right)
    row = state.visible_root(request, int(ids["id"]))
    if not row.changeable_by(request.user):
        raise forbidden_model()
    return row


def _check(state: State, request: Request, row: Document, data: dict[str, Any]) -> None:
    for name in _REFERENCES:
        if data.get(name) is not None and data[name] not in getattr(state, f"{name}s"):
            raise invalid_pk(name, data[name])
    if data.get("archive_serial_number") is not None:
        _check_asn(state, row, data["archive_serial_number"])
    try:
        for item in data.get("custom_fields", ()):
            fieldvalues.check_value(state, request.user, state.custom_fields[item["field"]], item["value"])
    except BadValue as reason:
        raise invalid({"custom_fields": [{"non_field_errors": [str(reason)]}]}) from None


def _check_asn(state: State, row: Document, asn: int) -> None:
    """Unique over the archive and the trash: a trashed document keeps its number to itself."""
    for other in state.documents.values():
        if other.archive_serial_number == asn and other.id != row.id:
            words = "document with this archive serial number already exists."
            if other.deleted_at is not None:
                words = "Document with this Archive Serial Number already exists in the trash."
            raise invalid({"archive_serial_number": [words]})


ROUTES = [
    route("GET", "documents/", list_documents),
    route("GET", "documents/<id>/", retrieve),
    route("PATCH", "documents/<id>/", update),
    route("DELETE", "documents/<id>/", destroy),
]
