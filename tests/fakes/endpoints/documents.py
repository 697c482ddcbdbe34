"""The endpoints of single documents and their list: read, PATCH, trash, notes, metadata, files."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from ..rows import fieldvalues, present
from ..rows.fieldvalues import BadValue, StoreFailed
from ..rows.listing import documents_page
from ..rows.models import Document
from ..rows.rights import change_owner
from ..rows.state import UPDATED, State
from ..web import (
    Answer,
    Refused,
    Request,
    allow,
    forbidden_model,
    html,
    invalid,
    invalid_pk,
    missing,
    no_content,
    ok,
    route,
)
from .bulk import to_trash
from .files import file_row
from .webhooks import fire

Ids = Mapping[str, str]

MAX_ASN = 0xFFFFFFFF


def list_documents(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_document")
    return documents_page(state, request, lambda row: present.document(state, request, row))


def retrieve(state: State, request: Request, ids: Ids) -> Answer:
    """``?version=`` shows the text of one file version; the duplicates are named here only."""
    allow(request.user, "view_document")
    _count_down(state, int(ids["id"]))
    row = state.visible_root(request, int(ids["id"]))
    shown = present.document(state, request, row, detail=True)
    if "version" in request.query and "content" in shown and state.major >= 3:
        shown["content"] = file_row(state, request, row).content
    return ok(shown)


def _count_down(state: State, document_id: int) -> None:
    """Each look at a document whose transaction is still open brings its commit nearer."""
    row = state.documents.get(document_id)
    if row is not None and row.hidden_gets > 0:
        row.hidden_gets -= 1
        state.changed()
        raise missing("No Document matches the given query.")


def destroy(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_document")
    row = state.visible_root(request, int(ids["id"]))
    _refuse_unless_changeable(request, row)
    to_trash(state, row)
    return no_content()


def _refuse_unless_changeable(request: Request, row: Document) -> None:
    if not row.changeable_by(request.user):
        raise forbidden_model()


# PATCH


def update(state: State, request: Request, ids: Ids) -> Answer:
    """Lists REPLACE: tags and custom fields not named are lost, whoever added them in the meantime."""
    allow(request.user, "change_document")
    row = state.visible_root(request, int(ids["id"]))
    _refuse_unless_changeable(request, row)
    data = request.data
    _check(state, request, row, data)
    change_owner(state, request.user, row, data)
    try:
        _apply(state, row, data)
    except StoreFailed:
        raise Refused(html(500, "<h1>Server Error (500)</h1>")) from None
    state.touch(row)
    fire(state, row, UPDATED)
    return ok(present.document(state, request, row, full_permissions=True))


def _check(state: State, request: Request, row: Document, data: dict[str, Any]) -> None:
    if len(str(data.get("title") or "")) > 128:
        raise invalid({"title": ["Ensure this field has no more than 128 characters."]})
    for tag in data.get("tags", []):
        if tag not in state.tags:
            raise invalid_pk("tags", tag)
    for name in ("correspondent", "document_type", "storage_path"):
        if data.get(name) is not None and data[name] not in getattr(state, f"{name}s"):
            raise invalid_pk(name, data[name])
    if data.get("archive_serial_number") is not None:
        _check_asn(state, row, data["archive_serial_number"])
    if "created" in data:
        _date(data["created"])
    if "custom_fields" in data:
        _check_fields(state, request, data["custom_fields"])


def _check_asn(state: State, row: Document, asn: Any) -> None:
    """Unique over the archive and the trash: a trashed document keeps its number to itself."""
    if not isinstance(asn, int):
        raise invalid({"archive_serial_number": ["A valid integer is required."]})
    if not 0 <= asn <= MAX_ASN:
        side = "less than or equal to 4294967295" if asn > 0 else "greater than or equal to 0"
        raise invalid({"archive_serial_number": [f"Ensure this value is {side}."]})
    for other in state.documents.values():
        if other.archive_serial_number == asn and other.id != row.id:
            words = "document with this archive serial number already exists."
            if other.deleted_at is not None:
                words = "Document with this Archive Serial Number already exists in the trash."
            raise invalid({"archive_serial_number": [words]})


def _check_fields(state: State, request: Request, items: list[dict[str, Any]]) -> None:
    errors: list[dict[str, Any]] = []
    for item in items:
        error: dict[str, Any] = {}
        if item.get("field") not in state.custom_fields:
            error = {"field": [f'Invalid pk "{item.get("field")}" - object does not exist.']}
        else:
            try:
                fieldvalues.check_value(
                    state, request.user, state.custom_fields[item["field"]], item.get("value")
                )
            except BadValue as reason:
                error = {"non_field_errors": [str(reason)]}
        errors.append(error)
    if any(errors):
        raise invalid({"custom_fields": errors})


def _apply(state: State, row: Document, data: dict[str, Any]) -> None:
    if "custom_fields" in data:
        values = {item["field"]: item.get("value") for item in data["custom_fields"]}
        fieldvalues.replace_all(state, row, values)
    if "tags" in data:
        row.tags = _tags_after(state, row.tags, set(data["tags"]))
    if data.get("remove_inbox_tags"):
        row.tags -= {tag.id for tag in state.tags.values() if tag.is_inbox_tag}
    if "title" in data:
        row.name = str(data["title"])
    if "content" in data:
        _set_content(state, row, str(data["content"]))
    if "created" in data:
        row.created = _date(data["created"])
    for name in ("correspondent", "document_type", "storage_path", "archive_serial_number"):
        if name in data:
            setattr(row, name, data[name])


def _tags_after(state: State, before: set[int], wanted: set[int]) -> set[int]:
    """A child brings its ancestors; a parent that is taken away takes its descendants along."""
    return state.with_ancestors(wanted) - state.with_descendants(before - wanted)


def _set_content(state: State, row: Document, content: str) -> None:
    target = state.newest(row)
    target.data = target.file_bytes
    target.content = content


def _date(value: Any) -> dt.date:
    try:
        return dt.date.fromisoformat(str(value)[:10])
    except ValueError:
        words = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD."
        raise invalid({"created": [words]}) from None


def next_asn(state: State, request: Request, ids: Ids) -> Answer:
    """Looks past the trash, so the number proposed may still be taken there."""
    return ok(max((d.archive_serial_number or 0 for d in state.roots()), default=0) + 1)


ROUTES = [
    route("GET", "documents/", list_documents),
    route("GET", "documents/next_asn/", next_asn),
    route("GET", "documents/<id>/", retrieve),
    route("PATCH", "documents/<id>/", update),
    route("DELETE", "documents/<id>/", destroy),
]
