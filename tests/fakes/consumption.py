"""A file coming in: uploads and new file versions become rows, tasks, webhooks and a call of the hook."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from .endpoints.webhooks import fire
from .rows.models import Document, Task
from .rows.state import ADDED, UPDATED, State
from .web import Answer, Request, forbidden_object, missing, ok, required, route

OnConsumed = Callable[[int, dict[str, str]], None]
_MIME_BY_SUFFIX = {".pdf": "application/pdf", ".txt": "text/plain", ".png": "image/png", ".jpg": "image/jpeg"}
_WISHES = ("correspondent", "document_type", "storage_path", "archive_serial_number", "page_count")


@dataclass(slots=True)
class Incoming:
    """A file on its way in, with what the uploader wished for it. The text of the file is its OCR text."""

    filename: str
    data: bytes
    content: str
    owner: int | None = None
    title: str | None = None
    root: int | None = None
    version_label: str | None = None
    commit_after_gets: int = 0
    tags: set[int] = field(default_factory=set)
    created: dt.date | None = None
    wishes: dict[str, Any] = field(default_factory=dict)


def queue_consumption(state: State, incoming: Incoming) -> Task:
    """What an upload leads to: a pending task, run by the worker."""
    task = state.new_task("consume_file", incoming.filename, incoming.owner)
    state.enqueue_outside(lambda: _run(state, incoming, task))
    return task


def _run(state: State, incoming: Incoming, task: Task) -> None:
    consume(state, incoming, task)


def consume(state: State, incoming: Incoming, task: Task) -> int | None:
    """The consume task: refuse an exact duplicate or store it, tell workflows, call the hook.

    A hook that fails turns the task into a failure, but the document stays.
    """
    with state.lock:
        task.status = "STARTED"
        if _is_refused(state, incoming, task) or _is_not_stored(state, incoming, task):
            return None
        document = _store(state, incoming)
        fire(state, state.root_of(document), UPDATED if document.root is not None else ADDED)
        environment = hook_environment(state, document, task.task_id)
        hook = state.on_consumed
    try:
        if hook is not None:
            hook(document.id, environment)
    except Exception as error:
        _finish(
            state, task, "FAILURE", f"{incoming.filename}: Error while executing post-consume script: {error}"
        )
    else:
        task.document = document.id
        _finish(state, task, "SUCCESS", f"Success. New document id {document.id} created")
    return document.id


def run_script(script: Path) -> OnConsumed:
    """A hook that runs a program as Paperless does: no arguments, the worker's whole environment."""

    def run(document_id: int, environment: dict[str, str]) -> None:
        finished = subprocess.run(
            [script], env={**os.environ, **environment}, capture_output=True, check=False
        )
        for stream in (finished.stdout, finished.stderr):
            sys.stderr.write(stream.decode(errors="replace"))
        finished.check_returncode()

    return run


def hook_environment(state: State, document: Document, task_id: str = "") -> dict[str, str]:
    """The variables of a post-consume script: absent is the word ``None``, or empty for owner and tags."""
    owner = state.users.get(document.owner or 0)
    archive = f"/media/archive/{document.id:07}.pdf" if document.mime_type == "application/pdf" else "None"
    suffix = PurePath(document.original_filename).suffix or ".pdf"
    link = f"{state.script_name}/api/documents/{document.id}"
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


def _is_refused(state: State, incoming: Incoming, task: Task) -> bool:
    """2.20 always refuses the same bytes, 3.0 only if configured; the trash counts."""
    if state.major >= 3 and not state.options.delete_duplicates:
        return False
    known = [i for i in state.by_checksum.get(state.checksum(incoming.data), ()) if i in state.documents]
    if not known:
        return False
    twin = state.documents[min(known)]
    task.duplicate_of = twin.id
    words = f"Not consuming: It is a duplicate of document #{twin.id}"
    if state.major < 3:
        name = incoming.filename
        words = f"{name}: Not consuming {name}: It is a duplicate of {twin.title} (#{twin.id})."
        words += " Note: existing document is in the trash." if twin.deleted_at else ""
    task.document = None if state.major < 3 and twin.deleted_at else twin.id
    _finish(state, task, "FAILURE", words)
    return True


def _is_not_stored(state: State, incoming: Incoming, task: Task) -> bool:
    """A database that others keep locked: nothing of the file stays."""
    if not state.options.not_stored:
        return False
    name, error = incoming.filename, state.options.not_stored.pop(0)
    words = f"The following error occurred while storing document {name} after parsing: {error}"
    _finish(state, task, "FAILURE", f"{name}: {words}")
    return True


def _store(state: State, incoming: Incoming) -> Document:
    now = state.now()
    root = state.documents.get(incoming.root or 0)
    inbox = {tag.id for tag in state.tags.values() if tag.is_inbox_tag}
    document = Document(
        id=state.next_id("documents"),
        name=root.name if root else incoming.title or PurePath(incoming.filename).stem,
        owner=root.owner if root else incoming.owner,
        content=incoming.content,
        data=incoming.data,
        created=root.created if root else incoming.created or now.date(),
        added=now,
        modified=now,
        mime_type=_MIME_BY_SUFFIX.get(PurePath(incoming.filename).suffix.lower(), "application/pdf"),
        original_filename=incoming.filename,
        root=root.id if root else None,
        version_label=incoming.version_label,
        hidden_gets=incoming.commit_after_gets,
        tags=set() if root else state.with_ancestors(incoming.tags | inbox),
    )
    for name in _WISHES:
        if incoming.wishes.get(name) is not None:
            setattr(document, name, incoming.wishes[name])
    state.insert(document)
    if root is not None:
        state.touch(root)
    return document


def _finish(state: State, task: Task, status: str, result: str) -> None:
    with state.lock:
        task.status, task.result, task.done = status, result, state.now()


# endpoints


def post_document(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    if not request.user.may("add_document"):
        raise forbidden_object()
    incoming = _upload(request)
    body = request.data
    incoming.title = body.get("title") or None
    tags = body.get("tags") or []
    incoming.tags = {int(i) for i in (tags if isinstance(tags, list) else [tags])}
    if body.get("created"):
        incoming.created = dt.date.fromisoformat(str(body["created"])[:10])
    incoming.wishes = {name: int(body[name]) for name in _WISHES if body.get(name)}
    return ok(queue_consumption(state, incoming).task_id)


def update_version(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    """A new file for a document; named by a version id it lands on the root all the same."""
    incoming = _upload(request)
    row = state.live(int(ids["id"]))
    if row is None:
        raise missing()
    root = state.root_of(row)
    if not request.user.may("change_document") or not root.changeable_by(request.user):
        raise forbidden_object()
    incoming.root = root.id
    incoming.version_label = (request.data.get("version_label") or "").strip() or None
    return ok(queue_consumption(state, incoming).task_id)


def _upload(request: Request) -> Incoming:
    if "document" not in request.files:
        raise required("document")
    upload = request.files["document"]
    text = upload.data.decode(errors="replace")
    return Incoming(filename=upload.filename, data=upload.data, content=text, owner=request.user.id)


ROUTES = [
    route("POST", "documents/post_document/", post_document),
    route("POST", "documents/<id>/update_version/", update_version, since_major=3),
]
