"""The fake archive itself: every row behind one lock, look-ups, ownership, a strictly rising clock."""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
import threading
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..web import Request, forbidden_object, missing, no_document
from .models import CustomField, Document, Matching, Note, SavedView, Tag, Task, User, Workflow

Clock = Callable[[], dt.datetime]
OnConsumed = Callable[[int, dict[str, str]], None]  # with the id and its environment

ADDED, UPDATED = 2, 3  # workflow trigger types


def _nowhere(job: Callable[[], None]) -> None:
    raise RuntimeError("no worker is attached to this archive")


def wall_clock() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


@dataclass(slots=True)
class Options:
    """Switches a test may turn at any time."""

    delete_duplicates: bool = False  # PAPERLESS_CONSUMER_DELETE_DUPLICATES
    fire_webhooks: bool = False
    on_consumed: OnConsumed | None = None  # runs as the post-consume hook, outside the lock
    hides_permissions: bool = False  # of documents, even if they are asked for
    picture: bytes | None = None  # instead of the one that is made of the text of a document


class State:
    """Rows and rules. Callers hold ``lock``."""

    def __init__(self, version: str, clock: Clock = wall_clock) -> None:
        self.version = version
        self.major = int(version.split(".")[0])
        self.options = Options()
        self.lock = threading.RLock()
        self._clock, self._last = clock, dt.datetime.min.replace(tzinfo=dt.UTC)
        self._sequences: dict[str, itertools.count[int]] = {}
        self.users: dict[int, User] = {}
        self.documents: dict[int, Document] = {}
        self.by_checksum: dict[str, set[int]] = {}
        self.tags: dict[int, Tag] = {}
        self.correspondents: dict[int, Matching] = {}
        self.document_types: dict[int, Matching] = {}
        self.storage_paths: dict[int, Matching] = {}
        self.custom_fields: dict[int, CustomField] = {}
        self.saved_views: dict[int, SavedView] = {}
        self.workflows: dict[int, Workflow] = {}
        self.tasks: list[Task] = []
        self.enqueue: Callable[[Callable[[], None]], None] = _nowhere  # under the lock
        self.enqueue_outside: Callable[[Callable[[], None]], None] = _nowhere  # without it
        self.token_attempts: list[dt.datetime] = []
        self.caches: dict[object, Any] = {}
        self.versions_of: dict[int, list[int]] = {}

    # clock, ids, change

    def now(self) -> dt.datetime:
        """The clock's time, or a microsecond past the last answer: two writes never share a time."""
        self._last = max(self._clock(), self._last + dt.timedelta(microseconds=1))
        return self._last

    def next_id(self, table: str) -> int:
        return next(self._sequences.setdefault(table, itertools.count(1)))

    def reserve_ids(self, table: str, upto: int) -> None:
        """Later ids of the table start above ``upto``."""
        start = max(self.next_id(table), upto + 1)
        self._sequences[table] = itertools.count(start)

    def changed(self) -> None:
        """Forget every cached list."""
        self.caches.clear()

    def touch(self, document: Document) -> None:
        document.modified = self.now()
        self.changed()

    # documents

    def checksum(self, data: bytes) -> str:
        return hashlib.sha256(data).hexdigest() if self.major >= 3 else hashlib.md5(data).hexdigest()

    def insert(self, document: Document) -> Document:
        document.checksum = document.checksum or self.checksum(document.file_bytes)
        self.documents[document.id] = document
        self.by_checksum.setdefault(document.checksum, set()).add(document.id)
        if document.root is not None:
            self.versions_of.setdefault(document.root, []).append(document.id)
        self.changed()
        return document

    def expunge(self, document: Document) -> None:
        """Remove a row for good, with its file versions."""
        for version in [self.documents[i] for i in self.versions_of.pop(document.id, [])]:
            self.expunge(version)
        del self.documents[document.id]
        self.by_checksum[document.checksum].discard(document.id)
        if document.root in self.versions_of:
            self.versions_of[document.root].remove(document.id)
        self.changed()

    def to_trash(self, document: Document) -> None:
        """The document and its file versions; links that point here stay where they are."""
        for row in (document, *self.live_versions(document)):
            row.deleted_at = self.now()
        self.changed()

    def trashed(self) -> list[Document]:
        return [row for row in self.documents.values() if row.deleted_at is not None]

    def restore(self, document: Document) -> None:
        """Tags, values, links and notes come back as they were; ``modified`` moves."""
        for row in (document, *(self.documents[i] for i in self.versions_of.get(document.id, []))):
            row.deleted_at = None
            self.touch(row)

    def roots(self) -> list[Document]:
        """What lists contain: committed, not in the trash, no file versions; ascending ids."""
        found: list[Document] | None = self.caches.get("roots")
        if found is None:
            found = [d for d in self.documents.values() if self.is_live(d) and d.root is None]
            found.sort(key=lambda d: d.id)
            self.caches["roots"] = found
        return found

    def is_live(self, document: Document) -> bool:
        return document.deleted_at is None and document.hidden_gets == 0

    def live(self, document_id: int) -> Document | None:
        """The row, file versions included, unless in the trash or not committed yet."""
        document = self.documents.get(document_id)
        return document if document is not None and self.is_live(document) else None

    def live_versions(self, root: Document) -> list[Document]:
        rows = (self.documents[i] for i in self.versions_of.get(root.id, []))
        return sorted((d for d in rows if self.is_live(d)), key=lambda d: d.id)

    def newest(self, root: Document) -> Document:
        """The version whose text and file a root shows."""
        return (self.live_versions(root) or [root])[-1]

    def root_of(self, document: Document) -> Document:
        return document if document.root is None else self.documents.get(document.root, document)

    def visible_root(self, request: Request, document_id: int) -> Document:
        """For GET, PATCH and DELETE of a document: a version, a trashed and an invisible one are all 404."""
        document = self.live(document_id)
        if document is None or document.root is not None or not document.visible_to(request.user):
            raise no_document()
        return document

    def readable_row(
        self,
        request: Request,
        document_id: int,
        words: str = "Insufficient permissions",
        *,
        trash: bool = False,
    ) -> Document:
        """For metadata, notes and files: version rows are found, an invisible one is a 403 in plain text."""
        document = self.documents.get(document_id) if trash else self.live(document_id)
        if document is None or document.hidden_gets:
            raise missing()
        if not self.root_of(document).visible_to(request.user):
            raise forbidden_object(words)
        return document

    def add_note(self, document: Document, note: str, user: User) -> Note:
        row = Note(self.next_id("notes"), note, self.now(), user)
        document.notes.append(row)
        self.touch(document)
        return row

    def new_task(self, filename: str | None, owner: int | None = None) -> Task:
        task = Task(str(uuid.uuid4()), filename, owner)
        self.tasks.append(task)
        return task

    # tags

    def ancestors(self, tag: Tag) -> list[int]:
        found: list[int] = []
        while tag.parent is not None:
            found.append(tag.parent)
            tag = self.tags[tag.parent]
        return found

    def descendants(self, tag_id: int) -> list[int]:
        children = [t.id for t in self.tags.values() if t.parent == tag_id]
        return children + [grand for child in children for grand in self.descendants(child)]

    def with_ancestors(self, tag_ids: Iterable[int]) -> set[int]:
        return {found for i in tag_ids for found in (i, *self.ancestors(self.tags[i]))}

    def with_descendants(self, tag_ids: Iterable[int]) -> set[int]:
        return {found for i in tag_ids for found in (i, *self.descendants(i))}
