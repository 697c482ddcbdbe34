"""A Paperless that is asked as the product asks it: a real one, or the fake one for the contract."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from pydantic import SecretStr

from hook.errors import NotFoundError, TemporaryError
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from hook.paperless.values import RawDocument, Task
from tests.live.pdf import text_pdf

ROOT = Path(__file__).resolve().parents[2]
HOOK = ROOT / "scripts" / "post-consume.sh"
POLL_S = 0.1
UNSAID = "<traceback"  # 2.20 writes this to a task that has failed, and the reason a moment later
NOT_STORED, SENT_AGAIN = "after parsing: database is locked", 5
PATIENCE_S = 180.0  # a real worker recycles its process after each task: some 5 s for a small file


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person sees of a document."""

    tags: frozenset[str]
    notes: tuple[str, ...]
    links: tuple[int, ...]


def token_file(place: Path, token: str) -> Path:
    file = place / "token"
    file.touch(mode=0o600)
    file.write_text(token)
    return file


@dataclass
class Server:
    """`runs_hook`: this Paperless has our hook as its post-consume script; else the scenario runs it.

    The token is in a file, because pytest prints the arguments of what fails.
    """

    url: str
    token_file: Path
    index_dir: Path
    runs_hook: bool
    is_fake: bool = False
    uploaded: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        token = SecretStr(self.token_file.read_text())
        self.client = Paperless(ApiTransport(self.url, token))
        self._http = httpx.Client(
            base_url=self.url,
            timeout=60,
            headers={
                "Authorization": f"Token {token.get_secret_value()}",
                "Accept": "application/json; version=9",
            },
        )

    def close(self) -> None:
        """What the scenarios brought in goes to the trash, and out of an index that the next one uses too: a sync
        stops where most documents are gone."""
        for document_id in self.uploaded:
            self._delete(document_id)
        self.client.close()
        self._http.close()
        if not self.is_fake:
            self.run("backfill", "--sync", "--accept-deletions")

    def _delete(self, document_id: int) -> None:
        """Again if Paperless's database was locked."""
        with suppress(NotFoundError):  # a scenario has moved it there already
            for _ in range(SENT_AGAIN):
                with suppress(TemporaryError):
                    self.client.delete_document(document_id)
                    return
            self.client.delete_document(document_id)

    # documents

    def send(self, text: str, name: str, *, comment: str = "") -> str:
        """Uploads; returns the id of the task. The fake reads the text of a file as its OCR text."""
        return self.send_file(
            (text + comment).encode() if self.is_fake else text_pdf(text, comment=comment), name
        )

    def send_file(self, data: bytes, name: str) -> str:
        answer = self._http.post(
            "/api/documents/post_document/",
            data={"title": name},
            files={"document": (f"{name}.pdf", data, "application/pdf")},
        )
        answer.raise_for_status()
        return str(answer.json())

    def finished(self, task_id: str) -> Task:
        """Waits for the task; a document it made has been through the hook."""
        ends = time.monotonic() + PATIENCE_S
        while (task := self.client.task(task_id)) is None or not task.done or task.result.startswith(UNSAID):
            assert time.monotonic() < ends, f"task {task_id} was not done within {PATIENCE_S:.0f} s"
            time.sleep(POLL_S)
        if task.status == "success" and task.document is not None:
            self.uploaded.append(task.document)
            if not self.runs_hook:
                self.run_hook(task.document)
        return task

    def consume(self, text: str, name: str, *, comment: str = "") -> int:
        return self.consumed(self.send(text, name, comment=comment), text, name, comment=comment)

    def consumed(self, task_id: str, text: str, name: str, *, comment: str = "") -> int:
        """The document that the task made."""
        task = self.settled(task_id, text, name, comment=comment)
        assert task.status == "success", task.result
        assert task.document is not None
        return task.document

    def settled(self, task_id: str, text: str, name: str, *, comment: str = "") -> Task:
        """The end of the task. A file that Paperless itself could not store is sent again: 2.20 on SQLite with
        two workers fails so on a busy machine, without any hook too (4 of 24 against 3 of 24)."""
        task = self.finished(task_id)
        for _ in range(SENT_AGAIN):
            if task.status == "success" or not task.result.endswith(NOT_STORED):
                break
            task = self.finished(self.send(text, name, comment=comment))
        return task

    def document(self, document_id: int) -> RawDocument:
        return self.client.document(document_id)

    def shown(self, document_id: int) -> Shown:
        document = self.document(document_id)
        names = {tag.id: tag.name for tag in self.client.tags()}
        link_field = self.client.find_custom_field("Similar documents")
        links = document.field_value(link_field.id) if link_field else None
        return Shown(
            tags=frozenset(names[tag] for tag in document.tags),
            notes=tuple(note.text for note in self.client.notes(document_id)),
            links=tuple(sorted(links or ())),
        )

    # what a person does

    def tag(self, document_id: int, name: str) -> None:
        tag = self.client.find_tag(name) or self.client.create_tag(name, color="#aaaaaa")
        self.client.modify_tags([document_id], add=[tag.id])

    def create(self, path: str, **payload: object) -> int:
        """Makes a correspondent, a document type, ..., and tells its id."""
        answer = self._http.post(f"/api/{path}/", json=payload)
        answer.raise_for_status()
        return int(answer.json()["id"])

    def remove(self, path: str, number: int) -> None:
        self._http.delete(f"/api/{path}/{number}/").raise_for_status()

    def user(self, name: str) -> int:
        """The id of a user, who is created if there is none."""
        found = self._http.get("/api/users/", params={"username__iexact": name}).json()["results"]
        return int(found[0]["id"]) if found else self.create("users", username=name)

    def own(self, document_id: int, owner: int, view: Sequence[int] = ()) -> None:
        nobody: dict[str, list[int]] = {"users": [], "groups": []}
        permissions = {"view": {"users": list(view), "groups": []}, "change": nobody}
        payload = {"owner": owner, "set_permissions": permissions}
        self._http.patch(f"/api/documents/{document_id}/", json=payload).raise_for_status()

    def trashed(self) -> set[int]:
        return {document.id for document in self.client.trash()}

    # our programs

    def environ(self) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOME": str(self.index_dir.parent),
            "DEDUPE_URL": self.url,
            "DEDUPE_TOKEN_FILE": str(self.token_file),
            "DEDUPE_INDEX_DIR": str(self.index_dir),
        }

    def run_hook(self, document_id: int) -> str:
        return self.hook({**self.environ(), "DOCUMENT_ID": str(document_id)})

    def hook(self, environ: Mapping[str, str]) -> str:
        return output([str(HOOK)], environ)

    def run(self, *words: str, **more: str) -> str:
        return output([sys.executable, "-m", "hook.cli", *words], {**self.environ(), **more})


def output(command: list[str], environ: Mapping[str, str]) -> str:
    """Runs one of our programs to its end; everything it printed."""
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
