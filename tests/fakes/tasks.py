"""Background work: a file coming in, the tasks that show it, and the single worker that does it."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from queue import Empty, Queue
from typing import Any

from .rows import Document, Task
from .state import ADDED, UPDATED, Job, State
from .web import Answer, Request, forbidden_object, missing, ok, route


class Worker:
    """First in, first out, one at a time, as with Paperless's default of one worker.

    Jobs wait for ``run_all``, or are run by a thread after a delay.
    """

    def __init__(self, delay_s: float | None) -> None:
        self._jobs: Queue[Job | None] = Queue()
        self._running, self._closing = threading.RLock(), threading.Event()
        self._thread = threading.Thread(target=self._work, args=(delay_s,), daemon=True)
        if delay_s is not None:
            self._thread.start()

    def add(self, job: Job) -> None:
        self._jobs.put(job)

    def run_all(self) -> None:
        """Runs what waits, and what that queues in turn."""
        with self._running, suppress(Empty):
            while (job := self._jobs.get_nowait()) is not None:
                self._run(job)

    def wait_idle(self, timeout_s: float) -> bool:
        """True once nothing waits or runs; only useful with a delay, else nobody works."""
        with self._jobs.all_tasks_done:
            return self._jobs.all_tasks_done.wait_for(lambda: not self._jobs.unfinished_tasks, timeout_s)

    def close(self) -> None:
        self._closing.set()
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def _work(self, delay_s: float) -> None:
        while (job := self._jobs.get()) is not None and not self._closing.wait(delay_s):
            with self._running:
                self._run(job)

    def _run(self, job: Job) -> None:
        try:
            job()
        finally:
            self._jobs.task_done()


@dataclass(slots=True)
class File:
    """A file on its way in, as a document or as a version of one. Its text is its OCR text."""

    name: str
    data: bytes
    owner: int | None = None
    title: str | None = None
    root: Document | None = None


def hook_environment(document_id: int) -> dict[str, str]:
    """Of the variables that a post-consume script gets, the one that the product reads."""
    return {"DOCUMENT_ID": str(document_id)}


def consume(state: State, file: File, task: Task) -> int | None:
    """The consume task: refuses an exact duplicate or stores it, tells workflows, calls the hook.

    A hook that fails turns the task into a failure, but the document stays.
    """
    with state.lock:
        task.status, task.result = "FAILURE", _refusal(state, file, task)
        if task.result:
            return None
        task.status = "STARTED"
        document = _store(state, file)
        state.fire(state.root_of(document), UPDATED if document.root is not None else ADDED)
        hook = state.options.on_consumed
    status, result = "SUCCESS", f"Success. New document id {document.id} created"
    try:
        if hook is not None:
            hook(document.id, hook_environment(document.id))
    except Exception as error:
        status, result = "FAILURE", f"{file.name}: Error while executing post-consume script: {error}"
    with state.lock:
        task.document = document.id if status == "SUCCESS" else None
        task.status, task.result = status, result
    return document.id


def _refusal(state: State, file: File, task: Task) -> str:
    """2.20 always refuses the same bytes, 3.0 only if configured; the trash counts."""
    known = state.by_checksum.get(state.checksum(file.data))
    if not known or not (state.major < 3 or state.options.delete_duplicates):
        return ""
    twin = state.documents[min(known)]
    task.document = twin.id
    if state.major >= 3:
        return f"Not consuming: It is a duplicate of document #{twin.id}"
    return f"{file.name}: Not consuming {file.name}: It is a duplicate of {twin.name} (#{twin.id})."


def _store(state: State, file: File) -> Document:
    now, root = state.now(), file.root
    document = Document(
        id=state.next_id("documents"),
        name=root.name if root else file.title or PurePath(file.name).stem,
        owner=root.owner if root else file.owner,
        content=file.data.decode(errors="replace"),
        data=file.data,
        created=root.created if root else now.date(),
        added=now,
        modified=now,
        original_filename=file.name,
        root=root.id if root else None,
    )
    state.insert(document)
    if root is not None:
        state.touch(root)
    return document


def post_document(state: State, request: Request) -> Answer:
    return _queue(state, File(*request.files["document"], request.user.id, request.data["title"]))


def update_version(state: State, request: Request) -> Answer:
    """A new file for a document."""
    root = state.live(request.id)
    if root is None:
        raise missing()
    if not request.user.may("change_document") or not root.changeable_by(request.user):
        raise forbidden_object()
    return _queue(state, File(*request.files["document"], request.user.id, root=root))


def _queue(state: State, file: File) -> Answer:
    """What an upload leads to: a pending task, run by the worker."""
    task = state.new_task(file.name, file.owner)
    state.enqueue(lambda: consume(state, file, task))
    return ok(task.task_id)


def list_tasks(state: State, request: Request) -> Answer:
    """Up to API version 9 a plain list, newest first."""
    user, wanted = request.user, request.query.get("task_id")
    rows = [task for task in reversed(state.tasks) if user.is_superuser or task.owner in (None, user.id)]
    return ok([_task(state, task) for task in rows if wanted in (None, task.task_id)])


def _task(state: State, task: Task) -> dict[str, Any]:
    """2.20 reads the id of the document from the words of the result and leaves it a string."""
    related = task.document if state.major >= 3 or task.document is None else str(task.document)
    names = {"task_id": task.task_id, "task_file_name": task.filename}
    return {**names, "status": task.status, "result": task.result, "related_document": related}


ROUTES = (
    route("POST", "documents/post_document/", post_document, "add_document"),
    route("POST", "documents/<id>/update_version/", update_version, since_major=3),
    route("GET", "tasks/", list_tasks, "view_paperlesstask"),
)
