"""The fake's background: uploads, file versions, the hook, webhooks, the trash, tasks, saved views."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes import FakePaperless
from tests.fakes.client import connect
from tests.fakes.consumption import run_script


class Receiver:
    """Takes webhooks; answers with the statuses it is given, then with 200."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.seen: list[tuple[str, str, str | None]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                kind = self.headers.get("Content-Type", "")
                receiver.seen.append((kind, body, self.headers.get("X-Secret")))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                return None

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/events"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    opened = Receiver()
    yield opened
    opened.close()


def add_workflow(api: httpx.Client, url: str, trigger: int, **webhook: Any) -> httpx.Response:
    wanted = {"url": url, "as_json": True, "params": {"doc_url": "{{doc_url}}"}, "headers": {"X-Secret": "s"}}
    action = {"type": 4, "webhook": {**wanted, **webhook}}
    name = f"near-dup {trigger} {webhook}"
    return api.post(
        "/api/workflows/", json={"name": name, "triggers": [{"type": trigger}], "actions": [action]}
    )


# consumption


def test_an_upload_is_consumed_by_the_worker(fake: FakePaperless, api: httpx.Client) -> None:
    """The call answers with a task id; the document comes later, the hook sees it committed."""
    seen: list[tuple[int, str, int]] = []

    def hook(number: int, environment: dict[str, str]) -> None:
        status = api.get(f"/api/documents/{number}/").status_code
        seen.append((number, environment["DOCUMENT_ID"], status))

    fake.on_consumed = hook
    files = {"document": ("letter.txt", b"Dear Sir", "text/plain")}
    task = api.post("/api/documents/post_document/", data={"title": "Letter"}, files=files).json()
    assert api.get(f"/api/tasks/?task_id={task}").json()[0]["status"] == "PENDING" and fake.documents == []
    fake.run_tasks()
    (number,) = fake.documents
    assert seen == [(number, str(number), 200)]
    assert (fake.document(number).title, fake.document(number).content) == ("Letter", "Dear Sir")
    (done,) = api.get(f"/api/tasks/?task_id={task}").json()
    assert (done["status"], done["related_document"]) == ("SUCCESS", number)


def test_a_failing_hook_fails_the_task_and_keeps_the_document(fake: FakePaperless, api: httpx.Client) -> None:
    """As a script with a non-zero exit does."""

    def hook(number: int, environment: dict[str, str]) -> None:
        raise RuntimeError("returned non-zero exit status 3.")

    fake.on_consumed = hook
    number = fake.consume("text")
    (task,) = api.get("/api/tasks/").json()
    assert task["status"] == "FAILURE" and "post-consume script" in task["result"]
    assert fake.documents == [number]


def test_the_environment_of_a_hook(fake: FakePaperless) -> None:
    """Absent is the word ``None``, but empty for owner and tags; tag names are joined by commas."""
    environment = fake.hook_environment(fake.add_document(title="Invoice", created="2026-03-03"))
    assert environment["DOCUMENT_TYPE"] == environment["DOCUMENT_CORRESPONDENT"] == "None"
    assert environment["DOCUMENT_OWNER"] == environment["DOCUMENT_TAGS"] == ""
    assert environment["DOCUMENT_CREATED"] == "2026-03-03"
    assert " " in environment["DOCUMENT_ADDED"] and environment["DOCUMENT_ADDED"].endswith("+00:00")
    assert environment["DOCUMENT_FILE_NAME"] == "2026-03-03 Invoice.pdf"


def test_a_script_runs_as_the_hook(fake: FakePaperless, tmp_path: Path) -> None:
    """A program gets the variables, and its exit code decides the task."""
    script = tmp_path / "hook.sh"
    script.write_text(f'#!/bin/sh\necho "$DOCUMENT_ID $#" > {tmp_path}/seen\nexit 3\n')
    script.chmod(0o755)
    fake.on_consumed = run_script(script)
    number = fake.consume("text")
    assert (tmp_path / "seen").read_text() == f"{number} 0\n"
    assert fake.state.tasks[-1].status == "FAILURE"


def test_exact_duplicates_at_the_door(fake: FakePaperless, api: httpx.Client) -> None:
    """3.0 consumes them unless told otherwise; 2.20 refuses them, also when the twin is in the trash."""
    first = fake.consume("same")
    assert fake.consume("same") is not None
    fake.options.delete_duplicates = True
    assert fake.consume("same") is None
    refused = api.get("/api/tasks/").json()[0]
    assert refused["result"] == f"Not consuming: It is a duplicate of document #{first}"
    assert refused["duplicate_documents"][0]["id"] == first
    with FakePaperless("2.20.15") as old:
        twin = old.consume("same", "invoice.pdf")
        assert twin is not None
        old.trash(twin)
        assert old.consume("same", "invoice.pdf") is None
        assert "existing document is in the trash" in (old.state.tasks[-1].result or "")


def test_make_a_version_in_three_steps(fake: FakePaperless, api: httpx.Client) -> None:
    """Download B, post it to A, wait for the task, delete B: one document with two versions."""
    ids: list[int] = []
    fake.on_consumed = lambda number, environment: ids.append(number)
    a, b = fake.add_document(content="old scan", tags=["kept"]), fake.add_document(content="new scan")
    before = fake.document(a).modified
    data = api.get(f"/api/documents/{b}/download/?original=true").content
    files = {"document": ("b.pdf", data, "application/pdf")}
    answer = api.post(f"/api/documents/{a}/update_version/", files=files, data={"version_label": "rescan"})
    fake.run_tasks()
    (task,) = api.get("/api/tasks/", params={"task_id": answer.json()}).json()
    assert task["status"] == "SUCCESS" and ids == [task["related_document"]]
    assert api.delete(f"/api/documents/{b}/").status_code == 204
    after = fake.document(a)
    assert after.content == "new scan" and after.tags == {"kept"} and after.modified > before
    assert fake.documents == [a] and after.versions == tuple(ids)
    label = api.patch(f"/api/documents/{a}/versions/{ids[0]}/", json={"version_label": "x"})
    assert label.json()["version_label"] == "x"
    assert api.delete(f"/api/documents/{a}/versions/{ids[0]}/").json() == {
        "result": "OK",
        "current_version_id": a,
    }
    assert fake.document(a).content == "old scan" and ids[0] in fake.trashed


def test_a_worker_thread_does_the_work_if_asked() -> None:
    """With ``task_delay_s`` nobody needs to call ``run_tasks``."""
    with FakePaperless(task_delay_s=0.0) as fake, connect(fake) as api:
        api.post("/api/documents/post_document/", files={"document": ("a.txt", b"text", "text/plain")})
        assert fake.wait_idle() and len(fake.documents) == 1


# webhooks


def test_added_webhook_comes_before_the_commit(
    fake: FakePaperless, api: httpx.Client, receiver: Receiver
) -> None:
    """The event names a document that is still a 404."""
    fake.fire_webhooks = True
    assert add_workflow(api, receiver.url, 2).status_code == 201
    number = fake.consume("text", commit_after_gets=1)
    fake.run_tasks()
    ((kind, body, secret),) = receiver.seen
    assert kind == "application/json" and secret == "s"
    assert json.loads(body) == {"doc_url": f"None/documents/{number}/"}
    assert [api.get(f"/api/documents/{number}/").status_code for _ in range(2)] == [404, 200]


def test_our_own_writes_fire_updated(fake: FakePaperless, api: httpx.Client, receiver: Receiver) -> None:
    """bulk_edit, even without effect, and PATCH; not notes, trash, restore, reprocess or a link's target."""
    fake.fire_webhooks = True
    fake.options.public_url = "https://docs.example"
    add_workflow(api, receiver.url, 3)
    fake.add_custom_field("Similar", "documentlink")
    number, other = fake.add_document(tags=["a"]), fake.add_document()
    edit = {"documents": [number], "method": "modify_tags"}
    unchanged = {"add_tags": [fake.tag_id("a")], "remove_tags": []}
    api.post("/api/documents/bulk_edit/", json={**edit, "parameters": unchanged})
    api.patch(f"/api/documents/{number}/", json={"custom_fields": [{"field": 1, "value": [other]}]})
    api.post(f"/api/documents/{number}/notes/", json={"note": "n"})
    fake.reprocess(number, "new")
    fake.trash(other)
    fake.restore(other)
    fake.run_tasks()
    urls = [json.loads(body)["doc_url"] for _, body, _ in receiver.seen]
    assert urls == [f"https://docs.example/documents/{number}/"] * 2


def test_webhook_shapes(fake: FakePaperless, api: httpx.Client, receiver: Receiver) -> None:
    """Form without ``as_json``, raw body without ``use_params``, multipart with the file."""
    fake.fire_webhooks = True
    add_workflow(api, receiver.url, 3, as_json=False)
    add_workflow(api, receiver.url, 3, use_params=False, body="id={{ doc_id }}")
    add_workflow(api, receiver.url, 3, include_document=True)
    number = fake.add_document(content="the file")
    fake.edit(number, title="x")
    fake.run_tasks()
    form, raw, multipart = receiver.seen
    assert form[0] == "application/x-www-form-urlencoded" and form[1].startswith("doc_url=None%2Fdocuments")
    assert raw[1] == f"id={number}"
    assert multipart[0].startswith("multipart/form-data") and "the file" in multipart[1]
    assert add_workflow(api, "ftp://host/", 3).status_code == 400


def test_unknown_placeholder_in_2_20(receiver: Receiver) -> None:
    """``doc_id`` is new in 3.0: before, the parameters are empty and a raw body is not sent."""
    with FakePaperless("2.20.15") as fake, connect(fake) as api:
        fake.fire_webhooks = True
        add_workflow(api, receiver.url, 3, params={"doc_id": "{{doc_id}}"})
        add_workflow(api, receiver.url, 3, use_params=False, body="{{doc_id}}")
        fake.edit(fake.add_document(), title="x")
        fake.run_tasks()
    assert [body for _, body, _ in receiver.seen] == ["{}"]


def test_error_status_is_retried_three_times(
    fake: FakePaperless, api: httpx.Client, receiver: Receiver
) -> None:
    """Four requests, then the event is lost; a refused connection is not retried at all."""
    fake.fire_webhooks = True
    add_workflow(api, receiver.url, 3)
    receiver.statuses = [500] * 9
    fake.edit(fake.add_document(), title="x")
    fake.run_tasks()
    assert len(receiver.seen) == 4


# trash


def test_trash_hides_and_restore_brings_back(fake: FakePaperless, api: httpx.Client) -> None:
    """404 everywhere, listed in the trash; restored with tags, notes and fields, ``modified`` moved."""
    fake.add_custom_field("Score", "float")
    number = fake.add_document(tags=["a"], notes=["n"], custom_fields={"Score": 0.5}, archive_serial_number=3)
    before = fake.document(number)
    assert api.delete(f"/api/documents/{number}/").status_code == 204
    for path in ("", "notes/", "metadata/"):
        assert api.get(f"/api/documents/{number}/{path}").status_code == 404
    assert api.get(f"/api/documents/{number}/download/").status_code == 200
    (listed,) = api.get("/api/trash/").json()["results"]
    assert listed["id"] == number and listed["deleted_at"] is not None and fake.documents == []
    answer = api.post("/api/trash/", json={"documents": [number], "action": "restore"})
    assert answer.json() == {"result": "OK", "doc_ids": [number]}
    after = fake.document(number)
    assert (after.tags, after.notes, after.custom_fields) == (before.tags, before.notes, before.custom_fields)
    assert after.modified > before.modified and after.deleted_at is None


def test_emptying_is_final(fake: FakePaperless, api: httpx.Client) -> None:
    """Only what is in the trash can be emptied; versions go with their root."""
    number = fake.add_document()
    version = fake.add_version(number, "two")
    assert api.post("/api/trash/", json={"documents": [number], "action": "empty"}).status_code == 400
    edit = {"documents": [number], "method": "delete", "parameters": {}}
    assert api.post("/api/documents/bulk_edit/", json=edit).status_code == 200
    assert fake.trashed == [number, version]
    assert api.post("/api/trash/", json={"action": "empty"}).status_code == 200
    with pytest.raises(KeyError):
        fake.document(number)


# saved views


def test_saved_view_pins_belong_to_the_creator(fake: FakePaperless, api: httpx.Client) -> None:
    """Paperless 3 keeps ``show_*`` in the creating user's settings; the name is no key."""
    body = {"name": "Suspected", "show_on_dashboard": True, "show_in_sidebar": False, "filter_rules": []}
    view = api.post("/api/saved_views/", json=body).json()
    assert view["show_on_dashboard"] is True and view["show_in_sidebar"] is False
    settings = api.get("/api/ui_settings/").json()["settings"]["saved_views"]
    assert settings == {"dashboard_views_visible_ids": [view["id"]], "sidebar_views_visible_ids": []}
    assert api.post("/api/saved_views/", json=body).status_code == 201
    bad = {**body, "display_fields": ["custom_field_9"]}
    assert api.post("/api/saved_views/", json=bad).status_code == 400
