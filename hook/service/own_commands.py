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
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

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


class _Repeated:
    """A command in a thread of its own, which waits most of the time."""

    def __init__(self, environ: Mapping[str, str], command: Sequence[str], name: str) -> None:
        self._environ, self._command = environ, command
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self.run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def begin_to_stop(self) -> None:
        self._stopping.set()

    def run(self) -> None:
        while not self._stopping.is_set() and (pause_s := self.pause_after(self.attempt())) is not None:
            self._stopping.wait(pause_s)

    def pause_after(self, code: int) -> float | None:
        """Seconds until the next attempt; None if there is none."""
        raise NotImplementedError

    def attempt(self) -> int:
        """The exit code of one run."""
        try:
            self._process = subprocess.Popen(
                self._command,
                env=dict(self._environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            log.warning("%s cannot be run (%s)", self._command[0], error.strerror)
            return 1
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self.read(lines)
        return self._process.wait()

    def read(self, lines: IO[bytes]) -> None:
        """What it prints."""
        raise NotImplementedError


class SelfSetup(_Repeated):
    """Ends when the set-up is complete. `url`: where Paperless reaches the service. An attempt that runs when the service stops is
    left to end by itself: it repeats what it had not finished at the next start."""

    def __init__(
        self,
        environ: Mapping[str, str],
        url: str,
        *,
        command: Sequence[str] = SETUP,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        super().__init__(environ, (*command, url), "setup")
        self._pause_s = first_pause_s

    def pause_after(self, code: int) -> float | None:
        if code == 0:
            return None
        pause_s, self._pause_s = self._pause_s, min(2 * self._pause_s, LONGEST_PAUSE_S)
        log.warning("setup: next attempt in %d s", pause_s)
        return pause_s

    def read(self, lines: IO[bytes]) -> None:
        for line in lines:
            is_error = line.startswith(b"paperless-dedupe: ")
            log.log(logging.WARNING if is_error else logging.INFO, "%s", line.decode("utf-8", "replace"))


class PeriodicSync(_Repeated):
    def __init__(
        self, environ: Mapping[str, str], every_s: float, metrics: Metrics, command: Sequence[str] = SYNC
    ) -> None:
        super().__init__(environ, command, "periodic sync")
        self._every_s, self._metrics = every_s, metrics
        self.last_done = ""  # when the last sync ended without an error

    def begin_to_stop(self) -> None:
        """A sync that is terminated resumes the next time."""
        super().begin_to_stop()
        if (process := self._process) is not None:
            process.terminate()

    def stop(self, timeout_s: float) -> None:
        """A sync that does not end by itself is killed: that loses nothing either."""
        self.begin_to_stop()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        if self._thread.is_alive() and (process := self._process) is not None:
            process.kill()

    def pause_after(self, code: int) -> float | None:
        result = "done" if code == 0 else "busy" if code == BUSY else "failed"
        self._metrics.count("dedupe_sweeps_total", result=result)
        if code != 0:
            return min(RETRY_S, self._every_s)
        self.last_done = datetime.now(UTC).isoformat(timespec="seconds")
        return self._every_s

    def read(self, lines: IO[bytes]) -> None:
        for line in lines:
            event = _event(line)
            if event is None:
                log.warning("%s", line.decode("utf-8", "replace"))
            elif event["event"] == "finding":
                self._metrics.count("dedupe_flagged_total", relation=event["relation"])
                log.info("#%d and #%d: %s", event["subject"], event["other"], event["relation"])
            elif event["event"] == "summary" and event["complete"]:
                self._metrics.count("dedupe_examined_total", event["examined"], source="sweep")
                counts = event["examined"], sum(event["found"].values()), event["forgotten"]
                log.info("periodic sync: %d examined, %d found, %d deleted", *counts)


def _event(line: bytes) -> dict[str, Any] | None:
    """None if it is a line for people."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and "event" in event else None
