"""Commands of ours that the service runs in processes of their own: `backfill --sync`, at its start and then periodically, and
`setup --webhooks`, until it has worked once.

A sync finds what no webhook reported: a lost event, a re-OCR, a deletion, a decision tag. It is a process because comparing every
text takes minutes, in which events must not wait, and because its memory is freed at the end. A setup is one because Paperless may
still be starting, or be down for hours.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from hook.service.metrics import Metrics

BUSY: Final = 6  # exit code of a sync while another one is running, or while Paperless is down
RETRY_S: Final = 60.0  # after a sync that failed
# Between attempts of a setup; doubles with each: a Paperless that starts with us answers within a minute.
FIRST_PAUSE_S: Final = 15.0
LONGEST_PAUSE_S: Final = 3600.0
_HOME: Final = str(Path(__file__).resolve().parents[2])
_START: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.cli import main; sys.exit(main())"
# -P: nothing is imported from the directory that the service was started in.
PROGRAM: Final = (sys.executable, "-P", "-c", _START, _HOME)
SYNC: Final = (*PROGRAM, "backfill", "--sync", "--json")
SETUP: Final = (*PROGRAM, "setup", "--webhooks")

log = logging.getLogger(__name__)


def _run(
    command: Sequence[str],
    environ: Mapping[str, str],
    read: Callable[[bytes], None],
    begun: Callable[[subprocess.Popen[bytes]], None] = lambda process: None,
) -> int:
    """The exit code. `read` gets each line of both outputs."""
    try:
        with subprocess.Popen(
            command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            begun(process)
            for line in process.stdout or ():
                read(line)
    except OSError as error:
        log.warning("%s cannot be run (%s)", command[0], error.strerror)
        return 1
    return int(process.returncode)


def _say(line: bytes) -> None:
    """A line of a set-up."""
    is_error = line.startswith(b"paperless-dedupe: ")
    log.log(logging.WARNING if is_error else logging.INFO, "%s", line.decode("utf-8", "replace"))


def set_up(
    environ: Mapping[str, str],
    url: str,
    *,
    command: Sequence[str] = SETUP,
    pause_s: float = FIRST_PAUSE_S,
) -> None:
    """Returns when it is complete. `url`: where Paperless reaches the service. When the service stops, an attempt is left to end by
    itself: what it had not finished is done at the next start."""
    while True:
        if _run((*command, url), environ, _say) == 0:
            return
        log.warning("setup: next attempt in %d s", pause_s)
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


class PeriodicSync(threading.Thread):
    """Waits most of the time."""

    def __init__(
        self, environ: Mapping[str, str], every_s: float, metrics: Metrics, command: Sequence[str] = SYNC
    ) -> None:
        super().__init__(name="periodic sync", daemon=True)
        self._environ, self._command = environ, command
        self._every_s, self._metrics = every_s, metrics
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self.last_done = ""  # when the last sync ended without an error

    def begin_to_stop(self) -> None:
        """A sync that is terminated resumes the next time."""
        self._stopping.set()
        if (process := self._process) is not None:
            process.terminate()

    def stop(self, timeout_s: float) -> None:
        """A sync that does not end by itself is killed: that loses nothing either."""
        self.begin_to_stop()
        if self.is_alive():
            self.join(timeout_s)
        if self.is_alive() and (process := self._process) is not None:
            process.kill()

    def run(self) -> None:
        while not self._stopping.is_set():
            code = _run(self._command, self._environ, self._read, self._begun)
            self._stopping.wait(self._pause_after(code))

    def _begun(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def _pause_after(self, code: int) -> float:
        result = "done" if code == 0 else "busy" if code == BUSY else "failed"
        self._metrics.sweeps.labels(result).inc()
        if code != 0:
            return min(RETRY_S, self._every_s)
        self.last_done = datetime.now(UTC).isoformat(timespec="seconds")
        return self._every_s

    def _read(self, line: bytes) -> None:
        event = _event(line)
        if event is None:
            log.warning("%s", line.decode("utf-8", "replace"))
        elif event["event"] == "finding":
            self._metrics.flagged.labels(event["relation"]).inc()
            log.info("#%d and #%d: %s", event["subject"], event["other"], event["relation"])
        elif event["event"] == "summary" and event["complete"]:
            self._metrics.examined.labels("sweep").inc(event["examined"])
            counts = event["examined"], sum(event["found"].values()), event["forgotten"]
            log.info("periodic sync: %d examined, %d found, %d deleted", *counts)


def _event(line: bytes) -> dict[str, Any] | None:
    """None if it is a line for people."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and "event" in event else None
