"""A fake Paperless and the real hook beside it: in this process where time is short, else as a process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from hook.deadline import Deadline
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport, Backoff
from hook.post_consume import Hook
from hook.queue import Queue
from hook.settings.model import Settings
from hook.work import RESERVE
from tests.fakes import FakePaperless
from tests.forked import Ran

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "post-consume.sh"


def is_flagged(tags: frozenset[str]) -> bool:
    """The parent and the tag of one relation; which one it is, other tests say."""
    return "dedupe:review" in tags and len(tags) == 2


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
class Hooked:
    """A Paperless whose documents go through the hook."""

    fake: FakePaperless
    place: Path
    capfd: pytest.CaptureFixture[str]

    @property
    def index_dir(self) -> Path:
        return self.place / "index"

    @property
    def waiting(self) -> list[int]:
        return sorted(event.document_id for event in Queue(self.index_dir).events())

    def environ(self, document_id: int | None = None, **more: str) -> dict[str, str]:
        given = {} if document_id is None else self.fake.hook_environment(document_id)
        return {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOME": str(self.place),
            "PAPERLESS_SECRET_KEY": "the-secret-key",
            "DEDUPE_URL": self.fake.url,
            "DEDUPE_TOKEN": self.fake.token,
            "DEDUPE_INDEX_DIR": str(self.index_dir),
            **given,
            **more,
        }

    def hook(self, document_id: int, *, left_s: float | None = None, **more: str) -> Ran:
        """In this process; `left_s` are left for work, and the watchdog, who would end pytest, is far."""
        environ = self.environ(document_id, **{"DEDUPE_DEADLINE_S": "300", **more})
        working_s = 300 * (1 - RESERVE)
        started_s = time.monotonic() - (0.0 if left_s is None else working_s - left_s)
        self.capfd.readouterr()
        Hook(environ, started_s=started_s, connect=connect_impatiently).run()
        seen = self.capfd.readouterr()
        return Ran(0, seen.out, seen.err)  # `run` raises nothing, and `entry` ends with 0

    def process(self, document_id: int, **more: str) -> Ran:
        """As Paperless runs it: the script, no arguments, another directory."""
        done = self.start(document_id, **more).communicate(timeout=180)
        assert self._process is not None
        return Ran(self._process.returncode, *done)

    def start(self, document_id: int, **more: str) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [SCRIPT],
            cwd="/",
            env=self.environ(document_id, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self._process
