"""The real hook beside a fake Paperless: in this process where time is short, else as a process."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from hook.post_consume import Hook
from hook.queue import Queue
from hook.work import RESERVE
from tests.e2e.archive_kit import Desk, connect_impatiently
from tests.forked import Ran

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "post-consume.sh"


def is_flagged(tags: frozenset[str]) -> bool:
    """The parent and the tag of one relation; which one it is, other tests say."""
    return "dedupe:review" in tags and len(tags) == 2


class Hooked(Desk):
    """A Paperless whose documents go through the hook."""

    @property
    def waiting(self) -> list[int]:
        return sorted(event.document_id for event in Queue(self.index_dir).events())

    def environ_of(self, document_id: int, **more: str) -> dict[str, str]:
        given = {**self.fake.hook_environment(document_id), "PAPERLESS_SECRET_KEY": "the-secret-key"}
        return self.environ(**{**given, **more})

    def hook(self, document_id: int, *, left_s: float | None = None, **more: str) -> Ran:
        """In this process; `left_s` are left for work, and the watchdog, who would end pytest, is far."""
        environ = self.environ_of(document_id, **{"DEDUPE_DEADLINE_S": "300", **more})
        working_s = 300 * (1 - RESERVE)
        started_s = time.monotonic() - (0.0 if left_s is None else working_s - left_s)
        assert self.capsys is not None
        self.capsys.readouterr()
        Hook(environ, started_s=started_s, connect=connect_impatiently).run()
        seen = self.capsys.readouterr()
        return Ran(0, seen.out, seen.err)  # `run` raises nothing, and `entry` ends with 0

    def script(self, document_id: int, **more: str) -> Ran:
        """As Paperless runs it: the script, no arguments, another directory."""
        done = self.start(document_id, **more).communicate(timeout=180)
        assert self._process is not None
        return Ran(self._process.returncode, *done)

    def start(self, document_id: int, **more: str) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [SCRIPT],
            cwd="/",
            env=self.environ_of(document_id, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self._process
