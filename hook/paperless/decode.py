"""Reads Paperless's answers into our values: one reader for each kind of answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hook.paperless.values import (
    CustomField,
    FieldValue,
    FileVersion,
    Metadata,
    Note,
    RawDocument,
    SavedView,
    ServerInfo,
    Shares,
    Tag,
    Task,
    TrashedDocument,
    Workflow,
)

Raw = Mapping[str, Any]

MAX_ID: Final = 2**32 - 2  # as in the index; no Paperless has as many of anything


def document(raw: Raw) -> RawDocument:
    versions = _list(raw, "versions")
    return RawDocument(
        id=_id(raw["id"]),
        title=_text(raw, "title"),
        content=_text(raw, "content"),
        owner=_number(raw, "owner"),
        created=_text(raw, "created"),
        added=_text(raw, "added"),
        modified=_text(raw, "modified"),
        tags=tuple(_id(tag) for tag in _list(raw, "tags")),
        custom_fields=tuple(
            FieldValue(_id(entry["field"]), entry["value"]) for entry in _list(raw, "custom_fields")
        ),
        page_count=_number(raw, "page_count"),
        archive_serial_number=_number(raw, "archive_serial_number"),
        correspondent=_number(raw, "correspondent"),
        document_type=_number(raw, "document_type"),
        storage_path=_number(raw, "storage_path"),
        original_file_name=_text(raw, "original_file_name"),
        has_archive=bool(raw["archived_file_name"]) if "archived_file_name" in raw else None,
        mime_type=_text(raw, "mime_type"),
        checksum=_text(versions[0], "checksum") if versions else "",
        duplicates=tuple(
            _id(twin["id"]) for twin in _list(raw, "duplicate_documents") if not twin.get("deleted_at")
        ),
        notes=notes(_list(raw, "notes")),
        shares=_shares(raw["permissions"]) if "permissions" in raw else None,
        may_change=raw["user_can_change"] is True if "user_can_change" in raw else None,
    )


def _shares(raw: Raw) -> Shares:
    sides = [raw[action] for action in ("view", "change")]
    users = frozenset(_id(user) for side in sides for user in _list(side, "users"))
    return Shares(users, frozenset(_id(group) for side in sides for group in _list(side, "groups")))


def id_of(raw: Raw) -> int:
    return _id(raw["id"])


def root_id(raw: Raw) -> int:
    return _id(raw["root_id"])


def all_ids(raw: Raw) -> list[int] | None:
    """API 9 lists the ids of all results beside each page; asking for the results would load every text."""
    return [_id(entry) for entry in raw["all"]] if "all" in raw else None


def results(raw: Raw) -> list[Raw]:
    if not isinstance(found := raw["results"], list):
        raise TypeError("results are not a list")
    return found


def notes(raw: list[Raw]) -> tuple[Note, ...]:
    if not isinstance(raw, list):
        raise TypeError("notes are not a list")
    return tuple(_note(entry) for entry in raw)


def _note(raw: Raw) -> Note:
    user = raw.get("user") or {}
    return Note(
        _id(raw["id"]),
        _text(raw, "note"),
        _text(raw, "created"),
        _number(user, "id"),
        _text(user, "username"),
    )


def metadata(raw: Raw) -> Metadata:
    return Metadata(
        original_checksum=_text(raw, "original_checksum"),
        original_size_bytes=_number(raw, "original_size") or 0,
        original_mime_type=_text(raw, "original_mime_type"),
        original_filename=_text(raw, "original_filename"),
        archive_checksum=_text(raw, "archive_checksum"),
        lang=_text(raw, "lang"),
    )


def tag(raw: Raw) -> Tag:
    parent, owner = _number(raw, "parent"), _number(raw, "owner")
    is_inbox = bool(raw.get("is_inbox_tag"))
    match = _text(raw, "match")
    return Tag(_id(raw["id"]), _name(raw), _text(raw, "color"), parent, owner, is_inbox, match)


def named(raw: Raw) -> tuple[int, str]:
    """A correspondent, document type or storage path."""
    return _id(raw["id"]), _name(raw)


def file_versions(raw: Raw) -> tuple[FileVersion, ...]:
    """Newest first."""
    return tuple(
        FileVersion(_id(entry["id"]), _text(entry, "checksum"), bool(entry["is_root"]))
        for entry in _list(raw, "versions")
    )


def custom_field(raw: Raw) -> CustomField:
    extra = raw.get("extra_data")
    known = extra if isinstance(extra, dict) else {}
    return CustomField(_id(raw["id"]), _name(raw), _text(raw, "data_type"), known)


def trashed_document(raw: Raw) -> TrashedDocument:
    return TrashedDocument(
        _id(raw["id"]), _text(raw, "title"), _text(raw, "deleted_at"), _number(raw, "root_document")
    )


def task(raw: Raw) -> Task:
    related = raw.get("related_document")
    return Task(
        id=_text(raw, "task_id"),
        status=_text(raw, "status").lower(),
        result=_text(raw, "result"),
        document=int(related) if related else None,  # a number or its digits, depending on the version
        file_name=_text(raw, "task_file_name"),
    )


def tasks(raw: list[Raw]) -> list[Task]:
    return [task(entry) for entry in raw]


def saved_view(raw: Raw) -> SavedView:
    return SavedView(_id(raw["id"]), _name(raw), raw)


def workflow(raw: Raw) -> Workflow:
    return Workflow(_id(raw["id"]), _name(raw), bool(raw.get("enabled")), raw)


def server_info(raw: Raw, headers: Mapping[str, str]) -> ServerInfo:
    user = raw["user"]
    return ServerInfo(
        version=headers.get("x-version") or _text(raw["settings"], "version"),
        api_version=int(headers.get("x-api-version") or 9),
        user_id=_id(user["id"]),
        username=_text(user, "username"),
        is_superuser=bool(user.get("is_superuser")),
        permissions=frozenset(map(str, _list(raw, "permissions"))),
    )


# The readers below raise KeyError or TypeError for what is not as documented, without repeating the value:
# it could be the text of a document.


def _id(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MAX_ID:  # True is an int, too
        raise TypeError("an id is not a number that can be one")
    return value


def _number(raw: Raw, name: str) -> int | None:
    value = raw.get(name)
    if value is not None and (type(value) is not int or abs(value) >= 2**63):
        raise TypeError(f"{name} is not a number")
    return value


def _text(raw: Raw, name: str) -> str:
    value = raw.get(name)
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is not a text")
    return value or ""


def _name(raw: Raw) -> str:
    if not isinstance(name := raw["name"], str):
        raise TypeError("name is not a text")
    return name


def _list(raw: Raw, name: str) -> list[Any]:
    value = raw.get(name)
    if value is not None and not isinstance(value, list):
        raise TypeError(f"{name} is not a list")
    return value or []
