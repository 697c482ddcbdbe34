"""Rows as the JSON Paperless 2.20 and 3.0 send, field by field so that ``fields=`` costs what it shows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..web import Request
from .models import CustomField, Document, Matching, Note, Owned, SavedView, Tag, User
from .state import State

Show = Callable[[State, Request, Document], Any]

TRUNCATED_CHARS = 550


def moment(value: dt.datetime | None) -> str | None:
    return None if value is None else value.isoformat().replace("+00:00", "Z")


def document(
    state: State,
    request: Request,
    row: Document,
    *,
    detail: bool = False,
    full_permissions: bool = False,
) -> dict[str, Any]:
    """One document; ``detail`` is a GET of it alone, the only answer that names exact duplicates."""
    wanted = request.query.get("fields", "")
    chosen = set(wanted.split(",")) if wanted else None
    shown = _shown(state.major, full_permissions or _true(request, "full_perms"))
    found = {
        name: show(state, request, row) for name, show in shown.items() if chosen is None or name in chosen
    }
    if state.options.hides_permissions:
        found.pop("permissions", None)
    if "content" in found and _true(request, "truncate_content"):
        found["content"] = found["content"][:TRUNCATED_CHARS]
    if detail and "duplicate_documents" in found:
        found["duplicate_documents"] = exact_duplicates(state, request.user, row)
    return found


def exact_duplicates(state: State, user: User, row: Document) -> list[dict[str, Any]]:
    """Same checksum, trash included; only in Paperless 3."""
    others = [state.documents[i] for i in state.by_checksum[row.checksum] if i != row.id]
    others = [o for o in others if o.root is None and o.hidden_gets == 0 and o.visible_to(user)]
    others.sort(key=lambda o: o.created, reverse=True)
    return [{"id": o.id, "title": o.title, "deleted_at": moment(o.deleted_at)} for o in others]


def notes(rows: Iterable[Note]) -> list[dict[str, Any]]:
    return [
        {"id": n.id, "note": n.text, "created": moment(n.created), "user": basic_user(n.user)} for n in rows
    ]


def basic_user(user: User) -> dict[str, Any]:
    return {"id": user.id, "username": user.username, "first_name": "", "last_name": ""}


def version_info(row: Document, root: Document) -> dict[str, Any]:
    return {
        "id": row.id,
        "added": moment(row.added),
        "version_label": row.version_label,
        "checksum": row.checksum,
        "is_root": row.id == root.id,
    }


def permissions(row: Owned) -> dict[str, Any]:
    return {
        "view": {"users": sorted(row.view_users | row.change_users), "groups": sorted(row.view_groups)},
        "change": {"users": sorted(row.change_users), "groups": []},
    }


def ownership(request: Request, row: Owned) -> dict[str, Any]:
    """The tail of every owned object: full permissions on demand, else whether the caller may change it."""
    if _true(request, "full_perms"):
        return {"owner": row.owner, "permissions": permissions(row)}
    return {"owner": row.owner, "user_can_change": row.changeable_by(request.user)}


def matching(request: Request, row: Matching, document_count: int) -> dict[str, Any]:
    return {
        "id": row.id,
        "slug": row.name.lower().replace(" ", "-"),
        "name": row.name,
        "match": row.match,
        "matching_algorithm": row.matching_algorithm,
        "is_insensitive": row.is_insensitive,
        "document_count": document_count,
        **ownership(request, row),
    }


def tag(state: State, request: Request, row: Tag, counts: Mapping[int, int]) -> dict[str, Any]:
    children = sorted((t for t in state.tags.values() if t.parent == row.id), key=lambda t: t.name.lower())
    return {
        **matching(request, row, counts.get(row.id, 0)),
        "color": row.color,
        "text_color": "#000000",
        "is_inbox_tag": row.is_inbox_tag,
        "parent": row.parent,
        "children": [tag(state, request, child, counts) for child in children],
    }


def custom_field(row: CustomField, document_count: int) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "data_type": row.data_type,
        "extra_data": row.extra_data,
        "document_count": document_count,
    }


def saved_view(state: State, request: Request, row: SavedView) -> dict[str, Any]:
    shown = {"id": row.id, "name": row.name, **row.values, **ownership(request, row)}
    if state.major >= 3 and request.api_version < 10:
        pinned = request.user.settings.get("saved_views", {})
        shown["show_on_dashboard"] = row.id in pinned.get("dashboard_views_visible_ids", [])
        shown["show_in_sidebar"] = row.id in pinned.get("sidebar_views_visible_ids", [])
    return shown


def _true(request: Request, name: str) -> bool:
    return request.query.get(name, "").lower() in ("true", "1")


def _archived_name(row: Document) -> str | None:
    has_archive = row.has_archive and row.mime_type == "application/pdf"
    return f"{row.created.isoformat()} {row.title}.pdf" if has_archive else None


def _versions(state: State, request: Request, row: Document) -> list[dict[str, Any]]:
    """Newest first; a version row in the trash is shown with its root's list."""
    root = state.root_of(row)
    return [version_info(v, root) for v in reversed([root, *state.live_versions(root)])]


def _effective_content(state: State, request: Request, row: Document) -> str:
    return state.newest(row).content if row.root is None else row.content


_FIELDS: Mapping[str, Show] = {
    "id": lambda s, q, d: d.id,
    "correspondent": lambda s, q, d: d.correspondent,
    "document_type": lambda s, q, d: d.document_type,
    "storage_path": lambda s, q, d: d.storage_path,
    "title": lambda s, q, d: d.name,
    "content": _effective_content,
    "tags": lambda s, q, d: sorted(d.tags),
    "created": lambda s, q, d: d.created.isoformat(),
    "created_date": lambda s, q, d: d.created.isoformat(),
    "modified": lambda s, q, d: moment(d.modified),
    "added": lambda s, q, d: moment(d.added),
    "deleted_at": lambda s, q, d: moment(d.deleted_at),
    "archive_serial_number": lambda s, q, d: d.archive_serial_number,
    "original_file_name": lambda s, q, d: d.original_filename,
    "archived_file_name": lambda s, q, d: _archived_name(d),
    "duplicate_documents": lambda s, q, d: [],
    "owner": lambda s, q, d: d.owner,
    "permissions": lambda s, q, d: permissions(d),
    "user_can_change": lambda s, q, d: d.changeable_by(q.user),
    "is_shared_by_requester": lambda s, q, d: d.owner == q.user.id and bool(d.view_users | d.change_users),
    "notes": lambda s, q, d: notes(d.notes),
    "custom_fields": lambda s, q, d: [{"value": v, "field": i} for i, v in d.custom_fields.items()],
    "page_count": lambda s, q, d: d.page_count,
    "mime_type": lambda s, q, d: d.mime_type,
    "root_document": lambda s, q, d: d.root,
    "versions": _versions,
}
_ONLY_V3 = {"duplicate_documents", "root_document", "versions"}


def _shown(major: int, full_permissions: bool) -> dict[str, Show]:
    """The fields of this Paperless: ``permissions`` replaces the two short answers about them."""
    dropped = {"user_can_change", "is_shared_by_requester"} if full_permissions else {"permissions"}
    if major < 3:
        dropped |= _ONLY_V3
    return {name: show for name, show in _FIELDS.items() if name not in dropped}
