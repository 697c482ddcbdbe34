"""The sync of `backfill --sync`, at the start of the service and every so often, in a process of its own.

So a lost webhook, a re-OCR, a deletion or a decision tag is seen without anyone doing anything. A process,
because a comparison of every text takes minutes in which events go on, and gives its memory back at its end.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from hook.service.metrics import Metrics

BUSY: Final = 6  # the exit code of a sync that finds another one running, or Paperless away
AGAIN_S: Final = 60.0  # after one that failed
STOP_S: Final = 5.0
_HOME: Final = str(Path(__file__).resolve().parents[2])
_START: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.cli import main; sys.exit(main())"
# -P: the directory that the service was started in is no place to import from.
COMMAND: Final = (sys.executable, "-P", "-c", _START, _HOME, "backfill", "--sync", "--json")

log = logging.getLogger(__name__)


class Sweeper:
    """Runs in a thread of its own, which mostly waits."""

    def __init__(
        self, environ: Mapping[str, str], every_s: float, metrics: Metrics, command: Sequence[str] = COMMAND
    ) -> None:
        self._environ, self._every_s, self._metrics, self._command = environ, every_s, metrics, command
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self.run, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """A sync that is ended goes on where it was, the next time."""
        self._stopping.set()
        if (process := self._process) is not None:
            process.terminate()
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    def run(self) -> None:
        while not self._stopping.is_set():
            code = self.sweep()
            self._stopping.wait(self._every_s if code == 0 else min(AGAIN_S, self._every_s))

    def sweep(self) -> int:
        """One sync; its exit code. What goes wrong it says itself, on our stderr."""
        try:
            self._process = process = subprocess.Popen(
                self._command, env=dict(self._environ), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
            )
        except OSError as error:
            log.warning("no sweep: %s cannot be run (%s)", self._command[0], error.strerror)
            return 1
        assert process.stdout is not None
        with process.stdout as lines:
            self._read(lines)
        code = process.wait()
        result = "done" if code == 0 else "busy" if code == BUSY else "failed"
        self._metrics.count("dedupe_sweeps_total", result=result)
        return code

    def _read(self, lines: IO[bytes]) -> None:
        for line in lines:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == "finding":
                self._metrics.count("dedupe_flagged_total", relation=event["relation"])
                log.info("#%d is %s with #%d", event["subject"], event["relation"], event["other"])
            elif event["event"] == "summary":
                self._metrics.count("dedupe_examined_total", event["examined"], source="sweep")
                found = sum(event["found"].values())
                log.info(
                    "sweep: %d examined, %d found, %d gone", event["examined"], found, event["forgotten"]
                )
