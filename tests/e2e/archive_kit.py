"""What the tests of backfill and sync share: an archive with a few look-alikes, and what came of it."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.model import Fingerprint
from hook import cli
from hook.backfill.pending_work import PendingWork
from hook.deadline import Deadline
from hook.findings.findings import Findings, Record
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport, Backoff
from hook.session import open_archive, settings_of
from hook.settings.model import Settings
from tests.fakes import After, Before, FakePaperless, Snapshot
from tests.forked import Forked, fork_server
from tests.live.texts import Texts

ROOT = Path(__file__).parents[2]


def connect_impatiently(settings: Settings, deadline: Deadline) -> Paperless:
    """As the hook connects, but without pauses between attempts."""
    wire = ApiTransport(
        settings.url,
        settings.required_token(),
        deadline=deadline,
        timeout_s=settings.timeout_s,
        backoff=Backoff(attempts=2, first_s=0.0),
        sleep=lambda seconds: None,
    )
    return Paperless(wire)


@dataclass
class Desk:
    """A fake Paperless and our commands beside it."""

    fake: FakePaperless
    place: Path
    capsys: pytest.CaptureFixture[str] | None = None  # or capfd; without, nobody reads what is printed
    settings: dict[str, str] = field(default_factory=dict)  # of every command

    @property
    def index_dir(self) -> Path:
        return self.place / "index"

    def environ(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOME": str(self.place),
            "DEDUPE_URL": self.fake.url,
            "DEDUPE_TOKEN": self.fake.token,
            "DEDUPE_INDEX_DIR": str(self.index_dir),
            **self.settings,
            **more,
        }

    def run(self, *words: str, code: int | None = 0, **more: str) -> tuple[str, str]:
        """Runs a command in this process; what it printed. It must end with this code, unless it is None."""
        self._shown()
        ended = cli.main(words, self.environ(**more))
        out, err = self._shown()
        assert code is None or ended == code, err
        return out, err

    def _shown(self) -> tuple[str, str]:
        return self.capsys.readouterr() if self.capsys else ("", "")

    def backfill(self, *options: str, code: int = 0, **more: str) -> list[dict[str, Any]]:
        """Its JSON lines."""
        out, _ = self.run("backfill", "--json", *options, code=code, **more)
        return [json.loads(line) for line in out.splitlines()]

    def sync(self, *options: str) -> list[dict[str, Any]]:
        return self.backfill("--sync", *options)

    def check(self, *options: str, **more: str) -> dict[str, dict[str, Any]]:
        """The lines of `check` by their names; its exit code must agree with them."""
        assert self.capsys is not None
        self.capsys.readouterr()
        code = cli.main(["check", "--json", *options], self.environ(**more))
        answer = json.loads(self.capsys.readouterr().out)
        failed = any(line["level"] == "fail" for line in answer["checks"])
        assert (answer["schema"], answer["ok"], code) == (1, not failed, int(failed))
        return {line["name"]: line for line in answer["checks"]}

    def process(self, *words: str, **more: str) -> Forked:
        return fork_server().start(words, self.environ(**more))


def summary(lines: list[dict[str, Any]]) -> dict[str, Any]:
    assert lines[-1]["event"] == "summary"
    return lines[-1]


def events(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == kind]


def pairs(lines: list[dict[str, Any]]) -> set[tuple[int, int]]:
    return {(line["subject"], line["other"]) for line in events(lines, "finding")}


def fill(fake: FakePaperless, letters: int, *, rescans: int = 0, bills: int = 0) -> dict[int, int]:
    """Letters, every third of them scanned again at once while there are `rescans` left, then a series of
    bills; scan -> letter."""
    texts, found = Texts(99), dict[int, int]()
    for n in range(letters):
        text = texts.letter()
        letter = fake.add_document(text, f"letter {n}")
        if n % 3 == 0 and len(found) < rescans:
            found[fake.add_document(texts.scanned_again(text), f"scan {n}")] = letter
    for n in range(bills):
        fake.add_document(texts.invoice(n + 1), f"bill {n}")
    assert len(found) == rescans
    return found


def killed_at(
    fake: FakePaperless, words: list[str], environ: dict[str, str], kind: type[After | Before], at: int | None
) -> bool:
    """Runs a program that is killed at one of its writes, which are counted from 0; True if it came to that."""
    started, seen = threading.Event(), count()

    def strike() -> None:
        if next(seen) == at:
            assert started.wait(600)
            running.kill()

    for method in ("POST", "PATCH", "DELETE"):
        fake.faults.add(method, "/api/", kind(strike), times=None)
    running = fork_server().start(words, environ)
    started.set()
    was_killed = running.wait(180) == -signal.SIGKILL
    fake.faults.clear()
    return was_killed


@dataclass(frozen=True)
class Result:
    """Everything that is left when a run has ended."""

    documents: dict[int, Snapshot]
    fingerprints: dict[int, Fingerprint]
    records: list[Record]
    pending: int
    sound: bool


def result(desk: Desk) -> Result:
    desk.fake.run_tasks()
    with opened(desk) as archive:
        fingerprints = {number: archive.fingerprint_of(number) for number in archive.index.ids()}
        return Result(
            documents={number: _still(desk.fake.document(number)) for number in desk.fake.documents},
            fingerprints={number: found for number, found in fingerprints.items() if found},
            records=[_without_ids(record) for record in Findings(archive.index)],
            pending=len(PendingWork(archive.index)),
            sound=archive.index.check().sound,
        )


@contextmanager
def opened(desk: Desk) -> Iterator[Any]:
    with open_archive(settings_of(desk.environ()), create=False) as archive:
        yield archive


def _still(document: Snapshot) -> Snapshot:
    """Without the time of the last change."""
    return replace(document, modified=document.added)


def _without_ids(record: Record) -> Record:
    """Paperless counts notes as they are written, and runs write them in another order."""
    return replace(record, notes=tuple(replace(note, id=None) for note in record.notes))
