"""The Paperless client: each method is one thing that Paperless can do, in our values.

What a method raises is drawn in errors.py. Nothing here can empty the trash: that is left to the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from hook.deadline import Deadline
from hook.errors import AddressError, AnswerError, NotFoundError
from hook.paperless import decode as payloads
from hook.paperless import http_errors as translate
from hook.paperless.api import Api, expect_ok, read
from hook.paperless.http import ApiTransport, Backoff
from hook.paperless.values import (
    DOCUMENT_FIELDS,
    HEAD_FIELDS,
    CustomField,
    FileVersion,
    Metadata,
    Note,
    RawDocument,
    SavedView,
    ServerInfo,
    Tag,
    Task,
    Workflow,
)

if TYPE_CHECKING:
    from hook.settings.model import Settings

T = TypeVar("T")

COMMIT_PATIENCE_S: Final = 3.0  # a webhook was seen 0.33 s before its document could be read
COMMIT_BACKOFF: Final = Backoff(attempts=50, first_s=0.1, cap_s=1.0)
MAX_FILE_BYTES: Final = 2 << 30
MAX_THUMBNAIL_BYTES: Final = 2 << 20  # those of Paperless have 20 to 60 kB


def connect(settings: Settings, deadline: Deadline | None = None) -> Paperless:
    """The client that the settings describe; without a deadline it takes the time it needs."""
    transport = ApiTransport(
        settings.url,
        settings.required_token(),
        deadline=deadline,
        timeout_s=settings.timeout_s,
        ca_file=settings.ca_file,
    )
    return Paperless(transport)


def obtain_token(settings: Settings, username: str, password: str, code: str = "") -> str:
    """The token of a user, for a password and, if the user has a second factor, its code."""
    payload = {"username": username, "password": password} | ({"code": code} if code else {})
    transport = ApiTransport(settings.url, None, timeout_s=settings.timeout_s, ca_file=settings.ca_file)
    try:
        answer = transport.call("POST", "token/", payload=payload)
    finally:
        transport.close()
    return read(answer, lambda raw: str(raw["token"]))


class Paperless(Api):
    """One Paperless, seen by the token's user. A context manager; may be shared between threads."""

    def __enter__(self) -> Paperless:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def within(self, deadline: Deadline) -> Paperless:
        """The same connections under another deadline: a service gives each examination its own."""
        return Paperless(self._transport.within(deadline))

    def server_info(self) -> ServerInfo:
        answer = self._call("GET", "ui_settings/")
        return read(answer, lambda raw: payloads.server_info(raw, answer.headers))

    # Documents

    def document(self, document_id: int, *, fields: Iterable[str] = DOCUMENT_FIELDS) -> RawDocument:
        return self._get(f"documents/{document_id}/", payloads.document, fields=tuple(fields))

    def await_document(self, document_id: int, *, patience_s: float = COMMIT_PATIENCE_S) -> RawDocument:
        """A document that may not be committed yet; for the id of a file version, its root (another id)."""
        for delay_s in COMMIT_BACKOFF.delays(self._transport.random):
            try:
                return self.document(document_id)
            except NotFoundError:
                root = self.resolve_root(document_id)
                if root not in (None, document_id):
                    return self.document(root)
                patience_s -= delay_s
                if patience_s < 0 or not self._transport.pause(delay_s):
                    raise
        return self.document(document_id)

    def resolve_root(self, document_id: int) -> int | None:
        """The document that a file version belongs to; a document is its own root, even in the trash.

        None if there is no such id, or no such question: 2.20 sends an unknown address to its login page.
        """
        try:
            return self._get(f"documents/{document_id}/root/", payloads.root_id)
        except (NotFoundError, AddressError):
            return None

    def metadata(self, document_id: int) -> Metadata:
        return self._get(f"documents/{document_id}/metadata/", payloads.metadata)

    def may_change(self, document_id: int) -> bool:
        """True if the token's user may change this document; False also if it is not there for this user."""
        try:
            return self.document(document_id, fields=("id", "user_can_change")).may_change is True
        except NotFoundError:
            return False

    def thumbnail(self, document_id: int) -> bytes:
        """The image of the first page, as Paperless has it."""
        file = BytesIO()
        self._transport.download(f"documents/{document_id}/thumb/", file, MAX_THUMBNAIL_BYTES)
        return file.getvalue()

    def patch_document(self, document_id: int, payload: Mapping[str, Any]) -> RawDocument:
        """Replaces what is named. Lists (tags, custom_fields) are replaced whole: read them just before."""
        answer = self._call(
            "PATCH", f"documents/{document_id}/", payload=payload, query={"fields": HEAD_FIELDS}
        )
        return read(answer, payloads.document)

    def modify_tags(
        self, document_ids: Iterable[int], *, add: Iterable[int] = (), remove: Iterable[int] = ()
    ) -> None:
        """Adds and removes tags on all these documents, or on none if one of them is gone."""
        self._bulk_edit("modify_tags", document_ids, add_tags=_ids(add), remove_tags=_ids(remove))

    def modify_custom_fields(
        self, document_ids: Iterable[int], *, add: Mapping[int, Any] | None = None, remove: Iterable[int] = ()
    ) -> None:
        """Sets and removes custom fields; the others stay.

        A documentlink can only grow here: to shrink one, use patch_document, or the reverse link stays.
        """
        values = {str(field): value for field, value in (add or {}).items()}
        self._bulk_edit(
            "modify_custom_fields", document_ids, add_custom_fields=values, remove_custom_fields=_ids(remove)
        )

    def _bulk_edit(self, method: str, document_ids: Iterable[int], **parameters: Any) -> None:
        ids = _ids(document_ids)
        if not ids or not any(parameters.values()):
            return  # a call that changes nothing would still cost Paperless's worker some seconds
        payload = {"documents": ids, "method": method, "parameters": parameters}
        # Repeatable: both methods name the final state, not a change of it.
        expect_ok(self._call("POST", "documents/bulk_edit/", payload=payload, repeatable=True))

    # Notes: each call answers with all notes of the document.

    def notes(self, document_id: int) -> tuple[Note, ...]:
        return self._get(f"documents/{document_id}/notes/", payloads.notes)

    def add_note(self, document_id: int, text: str) -> tuple[Note, ...]:
        answer = self._call("POST", f"documents/{document_id}/notes/", payload={"note": text})
        return read(answer, payloads.notes)

    def delete_note(self, document_id: int, note_id: int) -> tuple[Note, ...]:
        answer = self._call("DELETE", f"documents/{document_id}/notes/", query={"id": note_id})
        return read(answer, payloads.notes)

    # Tags and custom fields

    def tags(self, ids: Iterable[int] | None = None) -> list[Tag]:
        """Those of these tags, or of all, that exist and that the token's user may see."""
        return self._listed("tags/", payloads.tag, ids)

    def _listed(self, path: str, reader: Callable[[Any], T], ids: Iterable[int] | None) -> list[T]:
        if ids is None:
            return list(self._items(path, reader))
        return list(self._items(path, reader, id__in=wanted)) if (wanted := _ids(ids)) else []

    def find_tag(self, name: str) -> Tag | None:
        """Names are unique per owner only: a tag without an owner, which all users see, is preferred."""
        tags = self._items("tags/", payloads.tag, name__iexact=name)
        return min(tags, key=lambda tag: (tag.name != name, tag.owner is not None, tag.id), default=None)

    def create_tag(self, name: str, *, color: str, parent: int | None = None, match: str = "") -> Tag:
        """A tag that everybody sees (owner null) and that Paperless never learns or assigns (matching 0)."""
        everyone: dict[str, list[int]] = {"users": [], "groups": []}
        payload = {
            "name": name,
            "color": color,
            "parent": parent,
            "is_inbox_tag": False,
            "matching_algorithm": 0,
            "match": match,
            "owner": None,
            "set_permissions": {"view": everyone, "change": everyone},
        }
        return self._create("tags/", payload, payloads.tag, lambda: self.find_tag(name))

    def set_tag_match(self, tag_id: int, match: str) -> None:
        self._call("PATCH", f"tags/{tag_id}/", payload={"match": match})

    def set_field_extra(self, field_id: int, extra: Mapping[str, Any]) -> None:
        """Paperless keeps it with the definition of a custom field, for what this type of field does not use."""
        self._call("PATCH", f"custom_fields/{field_id}/", payload={"extra_data": dict(extra)})

    def names(self, kind: str, ids: Iterable[int] | None = None) -> dict[int, str]:
        """What some or all `correspondents`, `document_types` or `storage_paths` are called."""
        return dict(self._listed(f"{kind}/", payloads.named, ids))

    def custom_fields(self) -> list[CustomField]:
        return list(self._items("custom_fields/", payloads.custom_field))

    def find_custom_field(self, name: str) -> CustomField | None:
        fields = self._items("custom_fields/", payloads.custom_field, name__iexact=name)
        return min(fields, key=lambda field: (field.name != name, field.id), default=None)

    def create_custom_field(self, name: str, data_type: str) -> CustomField:
        """The existing one if it was created meanwhile, perhaps of another type."""
        payload = {"name": name, "data_type": data_type}
        return self._create(
            "custom_fields/", payload, payloads.custom_field, lambda: self.find_custom_field(name)
        )

    # Trash, files, tasks

    def delete_document(self, document_id: int) -> None:
        """Moves a document to the trash, from where it can be restored."""
        self._call("DELETE", f"documents/{document_id}/")

    def trash(self) -> Iterator[RawDocument]:
        """The documents in the trash, with all that they had before; and file versions that were deleted."""
        return self._items("trash/", payloads.document)

    def trashed_document(self, document_id: int) -> RawDocument | None:
        return next((document for document in self.trash() if document.id == document_id), None)

    def restore(self, document_ids: Iterable[int]) -> None:
        """Brings documents back from the trash; refused as a whole if one is not in it."""
        if ids := _ids(document_ids):
            expect_ok(self._call("POST", "trash/", payload={"documents": ids, "action": "restore"}))

    def download_original(
        self, document_id: int, file: IO[bytes], *, limit_bytes: int = MAX_FILE_BYTES
    ) -> int:
        """Writes the original file into a seekable `file`, which is emptied first; returns its size."""
        path = f"documents/{document_id}/download/"
        return self._transport.download(path, file, limit_bytes, {"original": "true"})

    def download(self, document_id: int, file: IO[bytes], *, limit_bytes: int = MAX_FILE_BYTES) -> int:
        """Like `download_original`, with the archive version where there is one: the scan with a text layer."""
        return self._transport.download(f"documents/{document_id}/download/", file, limit_bytes)

    def update_version(self, document_id: int, filename: str, file: IO[bytes], *, label: str = "") -> str:
        """Adds a file as the newest version of a document (3.x); returns the id of the task that does it."""
        path = f"documents/{document_id}/update_version/"
        data = {"version_label": label} if label else {}
        answer = self._transport.upload(path, name="document", file=file, filename=filename, data=data)
        if not isinstance(answer.data, str):
            raise AnswerError(answer.call, translate.UNEXPECTED)
        return answer.data

    def file_versions(self, document_id: int) -> tuple[FileVersion, ...]:
        """The files of a document, newest first; 2.20 does not send them."""
        return self._get(f"documents/{document_id}/", payloads.file_versions, fields=("versions",))

    def delete_version(self, document_id: int, version_id: int) -> None:
        """Moves one file of a document to the trash (3.x); never the one it came with."""
        self._call("DELETE", f"documents/{document_id}/versions/{version_id}/")

    def tasks(self) -> list[Task]:
        """The background tasks that Paperless still lists."""
        return self._get("tasks/", payloads.tasks)

    def task(self, task_id: str) -> Task | None:
        """None while Paperless has not stored it yet, or if the token's user may not see it."""
        tasks = self._get("tasks/", payloads.tasks, task_id=task_id)
        return next((task for task in tasks if task.id == task_id), None)

    # Saved views and workflows, with Paperless's own payloads

    def saved_views(self) -> list[SavedView]:
        return list(self._items("saved_views/", payloads.saved_view))

    def create_saved_view(self, payload: Mapping[str, Any]) -> SavedView:
        return read(self._call("POST", "saved_views/", payload=payload), payloads.saved_view)

    def workflows(self) -> list[Workflow]:
        return list(self._items("workflows/", payloads.workflow))

    def create_workflow(self, payload: Mapping[str, Any]) -> Workflow:
        return read(self._call("POST", "workflows/", payload=payload), payloads.workflow)

    def patch_workflow(self, workflow_id: int, payload: Mapping[str, Any]) -> Workflow:
        return read(self._call("PATCH", f"workflows/{workflow_id}/", payload=payload), payloads.workflow)

    def delete_label(self, kind: str, label_id: int) -> None:
        """Deletes one of `tags`, `custom_fields`, `saved_views` or `workflows`; documents lose it."""
        self._call("DELETE", f"{kind}/{label_id}/")


def _ids(ids: Iterable[int]) -> list[int]:
    return sorted(set(ids))  # Paperless refuses an id that is given twice
