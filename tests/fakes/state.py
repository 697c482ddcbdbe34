"""The fake archive itself: every row behind one lock, look-ups, ownership, links, a strictly rising clock."""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
import json
import threading
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .rows import CustomField, Document, Matching, Note, SavedView, Tag, Task, User, Workflow
from .web import Request, forbidden_object, missing

Clock = Callable[[], dt.datetime]
Job = Callable[[], object]

ADDED, UPDATED = 2, 3  # workflow trigger types
LINK = "documentlink"
WEBHOOK_TIMEOUT_S = 5.0
WEBHOOK_ATTEMPTS = 4  # the first and three retries, after HTTP error statuses only


def wall_clock() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


@dataclass(slots=True)
class Options:
    """Switches a test may turn at any time."""

    delete_duplicates: bool = False  # PAPERLESS_CONSUMER_DELETE_DUPLICATES
    fire_webhooks: bool = False
    on_consumed: Callable[[int, dict[str, str]], object] | None = (
        None  # the post-consume hook, outside the lock
    )
    hides_permissions: bool = False  # of documents, even if they are asked for
    picture: bytes | None = None  # instead of the one that is made of the text of a document


class State:
    """Rows and rules. Callers hold ``lock``; what is given to ``enqueue`` is run without it."""

    def __init__(self, version: str, clock: Clock, enqueue: Callable[[Job], None]) -> None:
        self.version = version
        self.major = int(version.split(".")[0])
        self.options = Options()
        self.lock = threading.RLock()
        self.enqueue = enqueue
        self._clock, self._last = clock, dt.datetime.min.replace(tzinfo=dt.UTC)
        self._sequences: dict[str, itertools.count[int]] = {}
        self.users: dict[int, User] = {}
        self.documents: dict[int, Document] = {}
        self.by_checksum: dict[str, set[int]] = {}
        self.versions_of: dict[int, list[int]] = {}
        self.tags: dict[int, Tag] = {}
        self.correspondents: dict[int, Matching] = {}
        self.document_types: dict[int, Matching] = {}
        self.storage_paths: dict[int, Matching] = {}
        self.custom_fields: dict[int, CustomField] = {}
        self.saved_views: dict[int, SavedView] = {}
        self.workflows: dict[int, Workflow] = {}
        self.tasks: list[Task] = []

    def now(self) -> dt.datetime:
        """The clock's time, or a microsecond past the last answer: two writes never share a time."""
        self._last = max(self._clock(), self._last + dt.timedelta(microseconds=1))
        return self._last

    def next_id(self, table: str) -> int:
        return next(self._sequences.setdefault(table, itertools.count(1)))

    def reserve_ids(self, table: str, upto: int) -> None:
        """Later ids of the table start above ``upto``."""
        self._sequences[table] = itertools.count(max(self.next_id(table), upto + 1))

    def touch(self, document: Document) -> None:
        document.modified = self.now()

    # documents

    def checksum(self, data: bytes) -> str:
        return hashlib.sha256(data).hexdigest() if self.major >= 3 else hashlib.md5(data).hexdigest()

    def insert(self, document: Document) -> None:
        document.checksum = document.checksum or self.checksum(document.file_bytes)
        self.documents[document.id] = document
        self.by_checksum.setdefault(document.checksum, set()).add(document.id)
        if document.root is not None:
            self.versions_of.setdefault(document.root, []).append(document.id)

    def expunge(self, document: Document) -> None:
        """Removes a row for good, with its file versions."""
        for version in [self.documents[i] for i in self.versions_of.pop(document.id, [])]:
            self.expunge(version)
        del self.documents[document.id]
        self.by_checksum[document.checksum].discard(document.id)
        if document.root in self.versions_of:
            self.versions_of[document.root].remove(document.id)

    def to_trash(self, document: Document) -> None:
        """The document and its file versions; links that point here stay where they are."""
        for row in (document, *self.live_versions(document)):
            row.deleted_at = self.now()

    def trashed(self) -> list[Document]:
        return [row for row in self.documents.values() if row.deleted_at is not None]

    def restore(self, document: Document) -> None:
        """Tags, values, links and notes come back as they were; ``modified`` moves."""
        for row in (document, *(self.documents[i] for i in self.versions_of.get(document.id, []))):
            row.deleted_at = None
            self.touch(row)

    def roots(self) -> list[Document]:
        """What lists contain: not in the trash, no file versions; ascending ids."""
        return [self.documents[i] for i in sorted(self.documents) if self._is_listed(self.documents[i])]

    @staticmethod
    def _is_listed(row: Document) -> bool:
        return row.deleted_at is None and row.root is None

    def live(self, document_id: int) -> Document | None:
        """The row, file versions included, unless it is in the trash."""
        document = self.documents.get(document_id)
        return document if document is not None and document.deleted_at is None else None

    def live_versions(self, root: Document) -> list[Document]:
        return [row for i in self.versions_of.get(root.id, []) if (row := self.live(i)) is not None]

    def newest(self, document: Document) -> Document:
        """The version whose text and file a root shows; a version shows its own."""
        return (self.live_versions(document) or [document])[-1]

    def root_of(self, document: Document) -> Document:
        return document if document.root is None else self.documents.get(document.root, document)

    def visible_root(self, request: Request) -> Document:
        """For GET, PATCH and DELETE of a document: a version, a trashed and an invisible one are all 404."""
        document = self.live(request.id)
        if document is None or document.root is not None or not document.visible_to(request.user):
            raise missing("No Document matches the given query.")
        return document

    def readable_row(
        self, request: Request, words: str = "Insufficient permissions", *, trash: bool = False
    ) -> Document:
        """For metadata, notes and files: version rows are found, an invisible one is a 403 in plain text."""
        document = self.documents.get(request.id) if trash else self.live(request.id)
        if document is None:
            raise missing()
        if not self.root_of(document).visible_to(request.user):
            raise forbidden_object(words)
        return document

    def add_note(self, document: Document, note: str, user: User) -> None:
        document.notes.append(Note(self.next_id("notes"), note, self.now(), user))
        self.touch(document)

    def new_task(self, filename: str | None, owner: int | None = None) -> Task:
        task = Task(str(uuid.uuid4()), filename, owner)
        self.tasks.append(task)
        return task

    # tags

    def with_ancestors(self, tag_ids: Iterable[int]) -> set[int]:
        wanted = set(tag_ids)
        while parents := {self.tags[i].parent for i in wanted} - wanted - {None}:
            wanted |= {parent for parent in parents if parent is not None}
        return wanted

    def with_descendants(self, tag_ids: Iterable[int]) -> set[int]:
        wanted = set(tag_ids)
        while children := {tag.id for tag in self.tags.values() if tag.parent in wanted} - wanted:
            wanted |= children
        return wanted

    # The values of custom fields. A link appears on the other document by itself. Two ways of writing differ, as on the real
    # server: `bulk_edit` stores before it compares, so links dropped from the list stay on the other side; PATCH compares
    # first and takes them away.

    def bulk_set(self, document: Document, field: CustomField, value: Any) -> None:
        """A list that names the document itself is skipped whole, silently."""
        if field.data_type != LINK or document.id not in (value or []):
            document.custom_fields[field.id] = value
            self._link_back(document, field, value)

    def remove_value(self, document: Document, field: CustomField) -> None:
        self._unlink(document, field, document.custom_fields.pop(field.id, None))

    def replace_values(self, document: Document, values: dict[int, Any]) -> None:
        """Fields not listed are dropped, links no longer listed vanish on the other side, too."""
        for field_id in document.custom_fields.keys() - values.keys():
            self.remove_value(document, self.custom_fields[field_id])
        for field_id, value in values.items():
            field, before = self.custom_fields[field_id], document.custom_fields.get(field_id)
            if field.data_type == LINK:
                self._unlink(document, field, [i for i in before or [] if i not in (value or [])])
            self._link_back(document, field, value)
        document.custom_fields = dict(values)

    def _link_back(self, document: Document, field: CustomField, targets: Any) -> None:
        for target in map(self.documents.__getitem__, (targets or []) if field.data_type == LINK else []):
            links = target.custom_fields.get(field.id) or []
            if document.id not in links:
                target.custom_fields[field.id] = [*links, document.id]
            self.touch(target)

    def _unlink(self, document: Document, field: CustomField, targets: Any) -> None:
        """A target in the trash keeps its link: its values are out of reach until it is restored."""
        for target in map(self.live, (targets or []) if field.data_type == LINK else []):
            if target is not None:
                links = target.custom_fields.get(field.id) or []
                if document.id in links:
                    target.custom_fields[field.id] = [i for i in links if i != document.id]
                self.touch(target)

    # workflows

    def fire(self, document: Document, trigger: int) -> None:
        """Queues the webhooks of every enabled workflow that matches; file versions set off nothing."""
        if not self.options.fire_webhooks or document.root is not None:
            return
        for workflow in self.workflows.values():
            if workflow.enabled and trigger in [each["type"] for each in workflow.triggers]:
                for action in workflow.actions:
                    request = _webhook(document, action["webhook"])
                    self.enqueue(partial(_send, request))


def _webhook(document: Document, webhook: dict[str, Any]) -> urllib.request.Request:
    """As JSON with parameters, which is the shape that the product asks for."""
    link = f"None/documents/{document.id}/"  # without PAPERLESS_URL
    parameters = {key: value.replace("{{doc_url}}", link) for key, value in webhook["params"].items()}
    headers = {"Content-Type": "application/json", **webhook["headers"]}
    return urllib.request.Request(webhook["url"], json.dumps(parameters).encode(), headers, method="POST")


def _send(request: urllib.request.Request) -> None:
    """An error status is tried again, a connection error is not; the event is lost in the end."""
    for _ in range(WEBHOOK_ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=WEBHOOK_TIMEOUT_S) as answer:
                answer.read()
                return
        except urllib.error.HTTPError:
            continue
        except OSError:
            return
