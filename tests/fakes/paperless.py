"""The fake Paperless as tests start it, fill it and look into it; and what people do in its web page, as one-line calls."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Self, TypeVar

from . import labels
from .application import Application
from .faults import Faults
from .rows import ALL_PERMISSIONS, CustomField, Document, Matching, Snapshot, Tag, User
from .server import Listener, Recorded
from .state import UPDATED, Clock, State, wall_clock
from .tasks import File, Worker, consume, hook_environment

DEFAULT_TOKEN = "0123456789abcdef0123456789abcdef01234567"
FIRST_USER_ID = 2  # 1 is the anonymous user of a real installation
Named = TypeVar("Named", Tag, CustomField)


class FakePaperless:
    """A Paperless on a loopback port, empty but for one superuser ``admin``.

    ``version`` is what it claims to be; 2.x has no file versions. Background tasks wait for ``run_tasks()``
    unless ``task_delay_s`` starts a worker thread. Everything may be called from any thread.
    """

    def __init__(
        self,
        version: str = "3.0.5",
        *,
        port: int = 0,
        token: str = DEFAULT_TOKEN,
        task_delay_s: float | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        self._worker = Worker(task_delay_s)
        self.state = State(version, clock, self._worker.add)
        self.options = self.state.options
        self.faults = Faults()
        self.token = token
        self._application = Application(self.state)
        self._listener = Listener(self._application, self.faults, port)
        self.state.reserve_ids("users", FIRST_USER_ID - 1)
        self.add_user("admin", superuser=True, token=token)

    # life

    def __enter__(self) -> Self:
        self._listener.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self._worker.close()

    def down(self) -> None:
        """Refuses connections; the port stays ours."""
        self._listener.stop(keep_port=True)

    def up(self) -> None:
        self._listener.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.port}"

    # what was asked of it

    @property
    def connections(self) -> int:
        """Open ones: with none, no request of a killed program is being answered any more."""
        return len(self._listener.connections)

    @property
    def requests(self) -> list[Recorded]:
        return self._listener.requests

    @property
    def writes(self) -> list[Recorded]:
        return [seen for seen in self.requests if seen.method != "GET"]

    def forget_requests(self) -> None:
        self.requests.clear()

    # background tasks

    def run_tasks(self) -> None:
        """Does what waits: ``modified`` of bulk edits moves, webhooks are sent, uploads are consumed."""
        self._worker.run_all()

    def wait_idle(self, timeout_s: float = 5.0) -> bool:
        return self._worker.wait_idle(timeout_s)

    # users

    def add_user(
        self,
        name: str,
        *,
        superuser: bool = False,
        permissions: Iterable[str] | None = None,
        token: str | None = None,
    ) -> str:
        """Returns the token; the password is the name. Without ``permissions`` the user's role may do everything to what he can see."""
        token = token or hashlib.sha1(name.encode()).hexdigest()
        with self.state.lock:
            granted = ALL_PERMISSIONS if permissions is None else frozenset(permissions)
            user = User(self.state.next_id("users"), name, token, name, superuser, granted)
            self.state.users[user.id] = self._application.tokens[token] = user
        return token

    def revoke_token(self, token: str | None = None) -> None:
        """From now on this token is a 401."""
        with self.state.lock:
            self._application.tokens.pop(token or self.token).token = ""

    def grant_token(self, name: str, token: str) -> None:
        with self.state.lock:
            user = self._application.tokens[token] = self._user(name)
            user.token = token

    def _user(self, name: str) -> User:
        return next(user for user in self.state.users.values() if user.username == name)

    # filling the archive, past the API: no request, no task, no hook, no workflow

    def add_document(
        self,
        content: str = "",
        title: str = "",
        *,
        id: int | None = None,
        owner: str | None = None,
        checksum: str = "",
        data: bytes | None = None,
        tags: Iterable[str] = (),
        created: str = "",
        added: str = "",
        correspondent: str | None = None,
        document_type: str | None = None,
        storage_path: str | None = None,
        custom_fields: Mapping[str, Any] | None = None,
        notes: Iterable[str] = (),
        original_filename: str = "",
        **columns: Any,
    ) -> int:
        """A document that is simply there. Unknown names are created."""
        with self.state.lock:
            if id is not None:
                self.state.reserve_ids("documents", id)
            number = self.state.next_id("documents") if id is None else id
            when = dt.datetime.fromisoformat(added) if added else self.state.now()
            when = when if when.tzinfo else when.replace(tzinfo=dt.UTC)
            document = Document(
                id=number,
                name=title or f"Document {number}",
                owner=None if owner is None else self._user(owner).id,
                content=content,
                data=data,
                checksum=checksum,
                created=dt.date.fromisoformat(created) if created else when.date(),
                added=when,
                modified=when,
                original_filename=original_filename or f"{title or number}.pdf",
                correspondent=self._named(labels.CORRESPONDENTS, correspondent),
                document_type=self._named(labels.DOCUMENT_TYPES, document_type),
                storage_path=self._named(labels.STORAGE_PATHS, storage_path),
                tags=self.state.with_ancestors(map(self._tag, tags)),
                custom_fields={self.custom_field_id(name): v for name, v in (custom_fields or {}).items()},
                **columns,
            )
            self.state.insert(document)
            for note in notes:
                self.state.add_note(document, note, self._user("admin"))
            return number

    def add_version(self, root_id: int, content: str) -> int:
        """A new file version: the root shows its text from now on."""
        with self.state.lock:
            root, now = self.state.documents[root_id], self.state.now()
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
        return consume(self.state, File(filename, content.encode(), title=title), task)

    def hook_environment(self, document_id: int) -> dict[str, str]:
        return hook_environment(document_id)

    def add_tag(self, name: str, *, owner: str | None = None, parent: str | None = None) -> int:
        with self.state.lock:
            tag = Tag(self.state.next_id("tags"), name, None if owner is None else self._user(owner).id)
            tag.parent = None if parent is None else self._tag(parent)
            tag.matching_algorithm = 0
            self.state.tags[tag.id] = tag
            return tag.id

    def delete_tag(self, name: str) -> None:
        with self.state.lock:
            labels.TAGS.remove(self.state, self.state.tags[self.tag_id(name)])

    def tag_id(self, name: str) -> int:
        return _by_name(self.state.tags, name).id

    @property
    def tag_names(self) -> list[str]:
        with self.state.lock:
            return sorted(tag.name for tag in self.state.tags.values())

    def add_custom_field(self, name: str, data_type: str) -> int:
        with self.state.lock:
            field = CustomField(self.state.next_id("custom_fields"), name, data_type)
            self.state.custom_fields[field.id] = field
            return field.id

    def delete_custom_field(self, name: str) -> None:
        with self.state.lock:
            labels.CUSTOM_FIELDS.remove(self.state, self.state.custom_fields[self.custom_field_id(name)])

    def custom_field_id(self, name: str) -> int:
        return _by_name(self.state.custom_fields, name).id

    def _tag(self, name: str) -> int:
        known = [row.id for row in self.state.tags.values() if row.name == name]
        return known[0] if known else self.add_tag(name)

    def _named(self, kind: labels.Kind, name: str | None) -> int | None:
        if name is None:
            return None
        rows = kind.table(self.state)
        for row in rows.values():
            if row.name == name:
                return int(row.id)
        number = self.state.next_id(kind.path)
        rows[number] = Matching(number, name)
        return number

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
            state, row = self.state, self.state.documents[document_id]
            return Snapshot(
                id=row.id,
                title=row.name,
                content=state.newest(row).content,
                owner=None if row.owner is None else state.users[row.owner].username,
                tags=frozenset(state.tags[i].name for i in row.tags),
                notes=tuple(note.text for note in row.notes),
                custom_fields={state.custom_fields[i].name: v for i, v in row.custom_fields.items()},
                created=row.created,
                added=row.added,
                modified=row.modified,
                deleted_at=row.deleted_at,
                archive_serial_number=row.archive_serial_number,
                correspondent=_name(state.correspondents, row.correspondent),
                document_type=_name(state.document_types, row.document_type),
                storage_path=_name(state.storage_paths, row.storage_path),
                versions=tuple(state.versions_of.get(row.id, ())),
            )

    # What people do in the web page: nothing of it counts as a request; workflows are set off all the same.

    def tag(self, document_id: int, *names: str) -> None:
        with self.state.lock:
            document = self.state.documents[document_id]
            document.tags |= self.state.with_ancestors(map(self._tag, names))
            self._was_edited(document)

    def untag(self, document_id: int, *names: str) -> None:
        with self.state.lock:
            document = self.state.documents[document_id]
            document.tags -= self.state.with_descendants(map(self._tag, names))
            self._was_edited(document)

    def edit(self, document_id: int, **values: Any) -> None:
        """Sets columns such as ``title``, ``content``, ``archive_serial_number`` or ``owner`` (by name)."""
        with self.state.lock:
            document = self.state.documents[document_id]
            if values.get("owner") is not None:
                values["owner"] = self._user(values["owner"]).id
            if "content" in values:
                document.data = document.file_bytes  # the text is edited, the file stays
            for name, value in values.items():
                setattr(document, "name" if name == "title" else name, value)
            self._was_edited(document)

    def _was_edited(self, document: Document) -> None:
        self.state.touch(document)
        self.state.fire(document, UPDATED)

    def share(self, document_id: int, user: str, *, change: bool = False) -> None:
        """Lets another user see the document, or change it as well."""
        with self.state.lock:
            document = self.state.documents[document_id]
            (document.change_users if change else document.view_users).add(self._user(user).id)

    def reprocess(self, document_id: int, new_content: str) -> None:
        """Re-OCR: the text changes, ``modified`` does not, nobody is told."""
        with self.state.lock:
            document = self.state.newest(self.state.documents[document_id])
            document.data = document.file_bytes
            document.content = new_content

    def trash(self, document_id: int) -> None:
        with self.state.lock:
            self.state.to_trash(self.state.documents[document_id])

    def restore(self, document_id: int) -> None:
        with self.state.lock:
            self.state.restore(self.state.documents[document_id])

    def empty_trash(self) -> None:
        with self.state.lock:
            for document in self.state.trashed():
                if document.id in self.state.documents:  # a version may have gone with its root a moment ago
                    self.state.expunge(document)


def _by_name(rows: Mapping[int, Named], name: str) -> Named:
    return next(row for row in list(rows.values()) if row.name == name)


def _name(rows: Mapping[int, Matching], row_id: int | None) -> str | None:
    return None if row_id is None else rows[row_id].name
