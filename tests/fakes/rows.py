"""The rows of the fake archive: documents, tags, custom fields, users, tasks, as plain mutable records."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_MODELS = (
    *("document", "tag", "correspondent", "documenttype", "storagepath", "savedview", "paperlesstask"),
    *("uisettings", "note", "user", "customfield", "workflow"),
)
ALL_PERMISSIONS = frozenset(
    f"{verb}_{model}" for model in _MODELS for verb in ("add", "view", "change", "delete")
)


@dataclass(slots=True)
class User:
    id: int
    username: str
    token: str
    password: str
    is_superuser: bool = False
    permissions: frozenset[str] = ALL_PERMISSIONS

    def may(self, codename: str) -> bool:
        return self.is_superuser or codename in self.permissions


@dataclass(slots=True)
class Note:
    id: int
    text: str
    created: dt.datetime
    user: User


@dataclass(slots=True)
class Owned:
    """Anything with an owner and shares: visible to owner, sharers, superusers, and to all when unowned."""

    id: int
    name: str
    owner: int | None = None
    view_users: set[int] = field(default_factory=set)
    change_users: set[int] = field(default_factory=set)
    view_groups: set[int] = field(default_factory=set)

    def visible_to(self, user: User) -> bool:
        return self.changeable_by(user) or user.id in self.view_users

    def changeable_by(self, user: User) -> bool:
        return user.is_superuser or self.owner in (None, user.id) or user.id in self.change_users


@dataclass(slots=True)
class Matching(Owned):
    """A correspondent, document type or storage path."""

    match: str = ""
    matching_algorithm: int = 1  # Paperless's default is "any word", not "none"


@dataclass(slots=True)
class Tag(Matching):
    color: str = "#a6cee3"
    parent: int | None = None


@dataclass(slots=True)
class CustomField:
    id: int
    name: str
    data_type: str = ""
    extra_data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class SavedView(Owned):
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Workflow:
    id: int
    name: str = ""
    order: int = 0
    enabled: bool = True
    triggers: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Document(Owned):
    """A row of the documents table; ``name`` is the title. A file version is a row with a ``root``."""

    content: str = ""
    created: dt.date = dt.date(2026, 1, 1)
    added: dt.datetime = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    modified: dt.datetime = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    deleted_at: dt.datetime | None = None
    checksum: str = ""
    data: bytes | None = None
    page_count: int | None = 1
    archive_serial_number: int | None = None
    mime_type: str = "application/pdf"
    original_filename: str = "scan.pdf"
    has_archive: bool = True  # 3.0 makes none for a PDF that has text, 2.20 makes one for every PDF
    correspondent: int | None = None
    document_type: int | None = None
    storage_path: int | None = None
    tags: set[int] = field(default_factory=set)
    custom_fields: dict[int, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    root: int | None = None

    @property
    def file_bytes(self) -> bytes:
        return self.content.encode("utf-8", "surrogatepass") if self.data is None else self.data


@dataclass(slots=True)
class Task:
    """A background job as ``/api/tasks/`` shows it."""

    task_id: str
    filename: str | None
    owner: int | None = None
    status: str = "PENDING"
    result: str | None = None
    document: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One document at one moment as tests compare it, with names instead of ids."""

    id: int
    title: str
    content: str
    owner: str | None
    tags: frozenset[str]
    notes: tuple[str, ...]
    custom_fields: Mapping[str, Any]
    created: dt.date
    added: dt.datetime
    modified: dt.datetime
    deleted_at: dt.datetime | None
    archive_serial_number: int | None
    correspondent: str | None
    document_type: str | None
    storage_path: str | None
    versions: tuple[int, ...]
