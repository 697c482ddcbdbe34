"""A document at one moment as tests compare it: frozen, with names where the rows have ids."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .rows.models import Document, Matching
from .rows.state import State


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One document at one moment, with names instead of ids."""

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


def snapshot(state: State, document: Document) -> Snapshot:
    return Snapshot(
        id=document.id,
        title=document.title,
        content=state.newest(document).content if document.root is None else document.content,
        owner=None if document.owner is None else state.users[document.owner].username,
        tags=frozenset(state.tags[i].name for i in document.tags),
        notes=tuple(note.text for note in document.notes),
        custom_fields={state.custom_fields[i].name: v for i, v in document.custom_fields.items()},
        created=document.created,
        added=document.added,
        modified=document.modified,
        deleted_at=document.deleted_at,
        archive_serial_number=document.archive_serial_number,
        correspondent=_name(state.correspondents, document.correspondent),
        document_type=_name(state.document_types, document.document_type),
        storage_path=_name(state.storage_paths, document.storage_path),
        versions=tuple(state.versions_of.get(document.id, ())),
    )


def _name(rows: Mapping[int, Matching], row_id: int | None) -> str | None:
    return None if row_id is None else rows[row_id].name
