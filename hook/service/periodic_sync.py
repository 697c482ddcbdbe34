"""Runs `backfill --sync` when the service starts and then periodically, in a process of its own.

It finds what no webhook reported: a lost event, a re-OCR, a deletion, a decision tag. It is a process because
comparing every text takes minutes, in which events must not wait, and because its memory is freed at the end.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from hook.service.metrics import Metrics

BUSY: Final = 6  # exit code of a sync while another one is running, or while Paperless is down
RETRY_S: Final = 60.0  # after a failure
_HOME: Final = str(Path(__file__).resolve().parents[2])
_START: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.cli import main; sys.exit(main())"
# -P: nothing is imported from the directory that the service was started in.
COMMAND: Final = (sys.executable, "-P", "-c", _START, _HOME, "backfill", "--sync", "--json")

log = logging.getLogger(__name__)


class PeriodicSync:
    """Has a thread of its own, which waits most of the time."""

    def __init__(
        self, environ: Mapping[str, str], every_s: float, metrics: Metrics, command: Sequence[str] = COMMAND
    ) -> None:
        self._environ, self._every_s, self._metrics, self._command = environ, every_s, metrics, command
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self.last_done = ""  # when the last sync ended without an error
        self._thread = threading.Thread(target=self.run, name="periodic sync", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def begin_to_stop(self) -> None:
        """A sync that is terminated resumes the next time."""
        self._stopping.set()
        if (process := self._process) is not None:
            process.terminate()

    def stop(self, timeout_s: float) -> None:
        """A sync that does not end by itself is killed: that loses nothing either."""
        self.begin_to_stop()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        if self._thread.is_alive() and (process := self._process) is not None:
            process.kill()

    def run(self) -> None:
        while not self._stopping.is_set():
            code = self.sync()
            self._stopping.wait(self._every_s if code == 0 else min(RETRY_S, self._every_s))

    def sync(self) -> int:
        """Runs one sync and returns its exit code. What it says about errors is logged."""
        try:
            self._process = process = subprocess.Popen(
                self._command,
                env=dict(self._environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            log.warning("no periodic sync: %s cannot be run (%s)", self._command[0], error.strerror)
            return 1
        assert process.stdout is not None
        with process.stdout as lines:
            self._read(lines)
        code = process.wait()
        result = "done" if code == 0 else "busy" if code == BUSY else "failed"
        self._metrics.count("dedupe_sweeps_total", result=result)
        if code == 0:
            self.last_done = datetime.now(UTC).isoformat(timespec="seconds")
        return code

    def _read(self, lines: IO[bytes]) -> None:
        for line in lines:
            event = _event(line)
            if event is None:
                log.warning("%s", line.decode("utf-8", "replace"))
            elif event["event"] == "finding":
                self._metrics.count("dedupe_flagged_total", relation=event["relation"])
                log.info("#%d and #%d: %s", event["subject"], event["other"], event["relation"])
            elif event["event"] == "summary" and event["complete"]:
                self._metrics.count("dedupe_examined_total", event["examined"], source="sweep")
                found = sum(event["found"].values())
                log.info(
                    "periodic sync: %d examined, %d found, %d deleted",
                    *(event["examined"], found, event["forgotten"]),
                )


def _event(line: bytes) -> dict[str, Any] | None:
    """None if it is a line for people."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and "event" in event else None
