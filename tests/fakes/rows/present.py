"""Rows as the JSON Paperless 2.20 and 3.0 send, field by field so that ``fields=`` costs what it shows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..web import Request
from .models import Document, Matching, Note, Owned, Tag, User
from .state import State

Show = Callable[[State, Request, Document], Any]


def moment(value: dt.datetime | None) -> str | None:
    return None if value is None else value.isoformat().replace("+00:00", "Z")


def document(state: State, request: Request, row: Document, *, detail: bool = False) -> dict[str, Any]:
    """One document; ``detail`` is a GET of it alone, the only answer that names exact duplicates."""
    chosen = set(request.query["fields"].split(",")) if "fields" in request.query else _FIELDS.keys()
    dropped = _ONLY_V3 if state.major < 3 else set()
    if "full_perms" not in request.query or state.options.hides_permissions:
        dropped = dropped | {"permissions"}
    shown = {
        name: show(state, request, row)
        for name, show in _FIELDS.items()
        if name in chosen and name not in dropped
    }
    if detail and "duplicate_documents" in shown:
        shown["duplicate_documents"] = _exact_duplicates(state, request.user, row)
    return shown


def _exact_duplicates(state: State, user: User, row: Document) -> list[dict[str, Any]]:
    """Same checksum, trash included; only in Paperless 3."""
    others = [state.documents[i] for i in sorted(state.by_checksum[row.checksum]) if i != row.id]
    others = [o for o in others if o.root is None and o.hidden_gets == 0 and o.visible_to(user)]
    return [{"id": o.id, "title": o.title, "deleted_at": moment(o.deleted_at)} for o in others]


def notes(rows: Iterable[Note]) -> list[dict[str, Any]]:
    return [
        {
            "id": note.id,
            "note": note.text,
            "created": moment(note.created),
            "user": {"id": note.user.id, "username": note.user.username},
        }
        for note in rows
    ]


def matching(request: Request, row: Matching) -> dict[str, Any]:
    shown = {"id": row.id, "name": row.name, "match": row.match, "matching_algorithm": row.matching_algorithm}
    shown |= {"owner": row.owner, "user_can_change": row.changeable_by(request.user)}
    if isinstance(row, Tag):
        shown |= {"color": row.color, "is_inbox_tag": row.is_inbox_tag, "parent": row.parent}
    return shown


def _permissions(row: Owned) -> dict[str, Any]:
    return {
        "view": {"users": sorted(row.view_users | row.change_users), "groups": sorted(row.view_groups)},
        "change": {"users": sorted(row.change_users), "groups": []},
    }


def _archived_name(row: Document) -> str | None:
    has_archive = row.has_archive and row.mime_type == "application/pdf"
    return f"{row.created.isoformat()} {row.title}.pdf" if has_archive else None


def _versions(state: State, request: Request, row: Document) -> list[dict[str, Any]]:
    """Newest first; a version row in the trash is shown with its root's list."""
    root = state.root_of(row)
    return [
        {
            "id": version.id,
            "checksum": version.checksum,
            "is_root": version is root,
        }
        for version in reversed([root, *state.live_versions(root)])
    ]


_FIELDS: Mapping[str, Show] = {
    "id": lambda s, q, d: d.id,
    "correspondent": lambda s, q, d: d.correspondent,
    "document_type": lambda s, q, d: d.document_type,
    "storage_path": lambda s, q, d: d.storage_path,
    "title": lambda s, q, d: d.name,
    "content": lambda s, q, d: s.newest(d).content if d.root is None else d.content,
    "tags": lambda s, q, d: sorted(d.tags),
    "created": lambda s, q, d: d.created.isoformat(),
    "modified": lambda s, q, d: moment(d.modified),
    "added": lambda s, q, d: moment(d.added),
    "archive_serial_number": lambda s, q, d: d.archive_serial_number,
    "original_file_name": lambda s, q, d: d.original_filename,
    "archived_file_name": lambda s, q, d: _archived_name(d),
    "duplicate_documents": lambda s, q, d: [],
    "owner": lambda s, q, d: d.owner,
    "permissions": lambda s, q, d: _permissions(d),
    "user_can_change": lambda s, q, d: d.changeable_by(q.user),
    "notes": lambda s, q, d: notes(d.notes),
    "custom_fields": lambda s, q, d: [{"value": v, "field": i} for i, v in d.custom_fields.items()],
    "page_count": lambda s, q, d: d.page_count,
    "mime_type": lambda s, q, d: d.mime_type,
    "versions": _versions,
}
_ONLY_V3 = {"duplicate_documents", "versions"}
