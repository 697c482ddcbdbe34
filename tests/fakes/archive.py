"""The archive as tests fill it and look into it: documents, tags, custom fields, past the API."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from .consumption import Incoming, consume, hook_environment
from .endpoints import catalog
from .rows.models import CustomField, Document, Matching, Tag, User
from .rows.state import State
from .snapshot import Snapshot, snapshot

Named = TypeVar("Named", Tag, CustomField)


class Archive:
    """The rows behind the API, reached without it. Everything may be called from any thread."""

    def __init__(self, state: State) -> None:
        self.state = state

    # filling the archive

    def add_document(
        self,
        content: str = "",
        title: str = "",
        *,
        id: int | None = None,
        owner: str | None = None,
        checksum: str | None = None,
        data: bytes | None = None,
        tags: Iterable[str | int] = (),
        created: dt.date | str | None = None,
        added: dt.datetime | str | None = None,
        page_count: int | None = 1,
        archive_serial_number: int | None = None,
        correspondent: str | None = None,
        document_type: str | None = None,
        storage_path: str | None = None,
        custom_fields: Mapping[str, Any] | None = None,
        notes: Iterable[str] = (),
        mime_type: str = "application/pdf",
        original_filename: str | None = None,
        has_archive: bool = True,
    ) -> int:
        """A document that is simply there: no task, no hook, no workflow. Unknown names are created."""
        with self.state.lock:
            if id is not None:
                if id in self.state.documents:
                    raise ValueError(f"document {id} is there already")
                self.state.reserve_ids("documents", id)
            number = self.state.next_id("documents") if id is None else id
            when = _datetime(added) or self.state.now()
            document = Document(
                id=number,
                name=title or f"Document {number}",
                owner=None if owner is None else self._user(owner).id,
                content=content,
                data=data,
                checksum=checksum or "",
                created=_date(created) or when.date(),
                added=when,
                modified=when,
                page_count=page_count,
                archive_serial_number=archive_serial_number,
                mime_type=mime_type,
                has_archive=has_archive,
                original_filename=original_filename or f"{title or number}.pdf",
                correspondent=self._named(catalog.CORRESPONDENTS, correspondent),
                document_type=self._named(catalog.DOCUMENT_TYPES, document_type),
                storage_path=self._named(catalog.STORAGE_PATHS, storage_path),
                tags=self.state.with_ancestors(self._tag(tag) for tag in tags),
            )
            for name, value in (custom_fields or {}).items():
                document.custom_fields[self.custom_field_id(name)] = value
            self.state.insert(document)
            for note in notes:
                self.state.add_note(document, note, self._user("admin"))
            return number

    def add_version(self, root_id: int, content: str) -> int:
        """A new file version: the root shows its text from now on."""
        with self.state.lock:
            root = self.state.documents[root_id]
            now = self.state.now()
            version = Document(self.state.next_id("documents"), root.name, root.owner)
            version.content, version.root = content, root_id
            version.created, version.added, version.modified = root.created, now, now
            self.state.insert(version)
            self.state.touch(root)
            return version.id

    def consume(self, content: str, filename: str = "scan.pdf", *, title: str | None = None) -> int | None:
        """The whole consumption at once, hook included; None if it was refused as an exact duplicate."""
        with self.state.lock:
            task = self.state.new_task(filename)
        return consume(self.state, Incoming(filename, content.encode(), title=title), task)

    def hook_environment(self, document_id: int) -> dict[str, str]:
        return hook_environment(document_id)

    def appear_later(self, document_id: int, n_gets: int = 2) -> None:
        """Answer 404 to the first GETs, as before the commit of its transaction."""
        with self.state.lock:
            self.state.documents[document_id].hidden_gets = n_gets
            self.state.changed()

    def add_tag(
        self, name: str, *, owner: str | None = None, parent: str | None = None, inbox: bool = False
    ) -> int:
        with self.state.lock:
            tag = Tag(self.state.next_id("tags"), name, None if owner is None else self._user(owner).id)
            tag.parent = None if parent is None else self._tag(parent)
            tag.is_inbox_tag, tag.matching_algorithm = inbox, 0
            self.state.tags[tag.id] = tag
            self.state.changed()
            return tag.id

    def delete_tag(self, name: str) -> None:
        with self.state.lock:
            catalog.TAGS.remove(self.state, self.state.tags[self.tag_id(name)])

    def tag_id(self, name: str) -> int:
        with self.state.lock:
            return _by_name(self.state.tags.values(), name).id

    @property
    def tag_names(self) -> list[str]:
        with self.state.lock:
            return sorted(tag.name for tag in self.state.tags.values())

    def add_custom_field(self, name: str, data_type: str, extra_data: Mapping[str, Any] | None = None) -> int:
        with self.state.lock:
            field = CustomField(self.state.next_id("custom_fields"), name, data_type, dict(extra_data or {}))
            self.state.custom_fields[field.id] = field
            return field.id

    def delete_custom_field(self, name: str) -> None:
        with self.state.lock:
            catalog.CUSTOM_FIELDS.remove(self.state, self.state.custom_fields[self.custom_field_id(name)])

    def custom_field_id(self, name: str) -> int:
        with self.state.lock:
            return _by_name(self.state.custom_fields.values(), name).id

    # looking inside

    @property
    def documents(self) -> list[int]:
        """The ids a list shows."""
        with self.state.lock:
            return [document.id for document in self.state.roots()]

    @property
    def trashed(self) -> list[int]:
        with self.state.lock:
            return sorted(document.id for document in self.state.trashed())

    def document(self, document_id: int) -> Snapshot:
        """Also of a document in the trash or a version row; KeyError if it is gone for good."""
        with self.state.lock:
            return snapshot(self.state, self.state.documents[document_id])

    def _tag(self, tag: str | int) -> int:
        if isinstance(tag, int):
            return tag
        with self.state.lock:
            known = [row.id for row in self.state.tags.values() if row.name == tag]
            return known[0] if known else self.add_tag(tag)

    def _named(self, kind: catalog.Kind, name: str | None) -> int | None:
        if name is None:
            return None
        rows = kind.table(self.state)
        known: list[int] = [row.id for row in rows.values() if row.name == name]
        if not known:
            row = Matching(self.state.next_id(kind.path), name)
            rows[row.id] = row
            known = [row.id]
        return known[0]

    def user_id(self, name: str) -> int:
        return self._user(name).id

    def _user(self, name: str) -> User:
        with self.state.lock:
            for user in self.state.users.values():
                if user.username == name:
                    return user
        raise KeyError(f"no user {name!r}: add_user first")


def _by_name(rows: Iterable[Named], name: str) -> Named:
    for row in rows:
        if row.name == name:
            return row
    raise KeyError(f"nothing is called {name!r}")


def _date(value: dt.date | str | None) -> dt.date | None:
    return dt.date.fromisoformat(value) if isinstance(value, str) else value


def _datetime(value: dt.datetime | str | None) -> dt.datetime | None:
    found = dt.datetime.fromisoformat(value) if isinstance(value, str) else value
    return found.replace(tzinfo=dt.UTC) if found is not None and found.tzinfo is None else found
