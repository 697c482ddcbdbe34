"""A file coming in: uploads and new file versions become rows, tasks, webhooks and a call of the hook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from .endpoints.webhooks import fire
from .rows.models import Document, Task
from .rows.state import ADDED, UPDATED, State
from .web import Answer, Request, allow, forbidden_object, missing, ok, route


@dataclass(slots=True)
class Incoming:
    """A file on its way in. The text of the file is its OCR text."""

    filename: str
    data: bytes
    owner: int | None = None
    title: str | None = None
    root: Document | None = None
    version_label: str | None = None


def consume(state: State, incoming: Incoming, task: Task) -> int | None:
    """The consume task: refuse an exact duplicate or store it, tell workflows, call the hook.

    A hook that fails turns the task into a failure, but the document stays.
    """
    with state.lock:
        task.status = "STARTED"
        if words := _refusal(state, incoming, task):
            _finish(state, task, "FAILURE", words)
            return None
        document = _store(state, incoming)
        fire(state, state.root_of(document), UPDATED if document.root is not None else ADDED)
        environment = hook_environment(state, document, task.task_id)
        hook = state.options.on_consumed
    try:
        if hook is not None:
            hook(document.id, environment)
    except Exception as error:
        words = f"{incoming.filename}: Error while executing post-consume script: {error}"
        _finish(state, task, "FAILURE", words)
    else:
        task.document = document.id
        _finish(state, task, "SUCCESS", f"Success. New document id {document.id} created")
    return document.id


def hook_environment(state: State, document: Document, task_id: str = "") -> dict[str, str]:
    """The variables of a post-consume script: absent is the word ``None``, or empty for owner and tags."""
    owner = state.users.get(document.owner or 0)
    archive = f"/media/archive/{document.id:07}.pdf" if document.mime_type == "application/pdf" else "None"
    suffix = PurePath(document.original_filename).suffix or ".pdf"
    link = f"/api/documents/{document.id}"
    return {
        "DOCUMENT_ID": str(document.id),
        "DOCUMENT_TYPE": _name(state.document_types.get(document.document_type or 0)),
        "DOCUMENT_CREATED": str(document.created),
        "DOCUMENT_MODIFIED": str(document.modified),
        "DOCUMENT_ADDED": str(document.added),
        "DOCUMENT_FILE_NAME": f"{document.created} {document.title}{suffix}",
        "DOCUMENT_SOURCE_PATH": f"/media/originals/{document.id:07}{suffix}",
        "DOCUMENT_ARCHIVE_PATH": archive,
        "DOCUMENT_THUMBNAIL_PATH": f"/media/thumbnails/{document.id:07}.webp",
        "DOCUMENT_DOWNLOAD_URL": f"{link}/download/",
        "DOCUMENT_THUMBNAIL_URL": f"{link}/thumb/",
        "DOCUMENT_OWNER": owner.username if owner else "",
        "DOCUMENT_CORRESPONDENT": _name(state.correspondents.get(document.correspondent or 0)),
        "DOCUMENT_TAGS": ",".join(state.tags[i].name for i in sorted(document.tags)),
        "DOCUMENT_ORIGINAL_FILENAME": document.original_filename,
        "TASK_ID": task_id,
    }


def _name(row: Any) -> str:
    return "None" if row is None else str(row.name)


def _refusal(state: State, incoming: Incoming, task: Task) -> str:
    """2.20 always refuses the same bytes, 3.0 only if configured; the trash counts."""
    name = incoming.filename
    known = [i for i in state.by_checksum.get(state.checksum(incoming.data), ()) if i in state.documents]
    if known and (state.major < 3 or state.options.delete_duplicates):
        twin = state.documents[min(known)]
        task.document = twin.id
        if state.major >= 3:
            return f"Not consuming: It is a duplicate of document #{twin.id}"
        return f"{name}: Not consuming {name}: It is a duplicate of {twin.title} (#{twin.id})."
    return ""


def _store(state: State, incoming: Incoming) -> Document:
    now, root = state.now(), incoming.root
    document = Document(
        id=state.next_id("documents"),
        name=root.name if root else incoming.title or PurePath(incoming.filename).stem,
        owner=root.owner if root else incoming.owner,
        content=incoming.data.decode(errors="replace"),
        data=incoming.data,
        created=root.created if root else now.date(),
        added=now,
        modified=now,
        original_filename=incoming.filename,
        root=root.id if root else None,
        version_label=incoming.version_label,
    )
    state.insert(document)
    if root is not None:
        state.touch(root)
    return document


def _finish(state: State, task: Task, status: str, result: str) -> None:
    with state.lock:
        task.status, task.result, task.done = status, result, state.now()


# endpoints


def post_document(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    allow(request.user, "add_document")
    return _queue(state, request, Incoming(*_upload(request), title=request.data["title"]))


def update_version(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    """A new file for a document."""
    root = state.live(int(ids["id"]))
    if root is None:
        raise missing()
    if not request.user.may("change_document") or not root.changeable_by(request.user):
        raise forbidden_object()
    incoming = Incoming(*_upload(request), root=root, version_label=request.data.get("version_label"))
    return _queue(state, request, incoming)


def _upload(request: Request) -> tuple[str, bytes, int]:
    upload = request.files["document"]
    return upload.filename, upload.data, request.user.id


def _queue(state: State, request: Request, incoming: Incoming) -> Answer:
    """What an upload leads to: a pending task, run by the worker."""
    task = state.new_task("consume_file", incoming.filename, incoming.owner)
    state.enqueue_outside(lambda: _run(state, incoming, task))
    return ok(task.task_id)


def _run(state: State, incoming: Incoming, task: Task) -> None:
    consume(state, incoming, task)


ROUTES = [
    route("POST", "documents/post_document/", post_document),
    route("POST", "documents/<id>/update_version/", update_version, since_major=3),
]
