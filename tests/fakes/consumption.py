"""A file coming in: uploads and new file versions become rows, tasks, webhooks and a call of the hook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

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


def hook_environment(document_id: int) -> dict[str, str]:
    """Of the variables that a post-consume script gets, the one that the product reads."""
    return {"DOCUMENT_ID": str(document_id)}


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
        hook = state.options.on_consumed
    try:
        if hook is not None:
            hook(document.id, hook_environment(document.id))
    except Exception as error:
        words = f"{incoming.filename}: Error while executing post-consume script: {error}"
        _finish(state, task, "FAILURE", words)
    else:
        task.document = document.id
        _finish(state, task, "SUCCESS", f"Success. New document id {document.id} created")
    return document.id


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
    )
    state.insert(document)
    if root is not None:
        state.touch(root)
    return document


def _finish(state: State, task: Task, status: str, result: str) -> None:
    with state.lock:
        task.status, task.result = status, result


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
    return _queue(state, request, Incoming(*_upload(request), root=root))


def _upload(request: Request) -> tuple[str, bytes, int]:
    upload = request.files["document"]
    return upload.filename, upload.data, request.user.id


def _queue(state: State, request: Request, incoming: Incoming) -> Answer:
    """What an upload leads to: a pending task, run by the worker."""
    task = state.new_task(incoming.filename, incoming.owner)

    def run() -> None:
        consume(state, incoming, task)

    state.enqueue_outside(run)
    return ok(task.task_id)


ROUTES = [
    route("POST", "documents/post_document/", post_document),
    route("POST", "documents/<id>/update_version/", update_version, since_major=3),
]
