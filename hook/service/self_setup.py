"""Runs `setup --webhooks` when the service starts, until it has worked once: nobody has to run it by hand.

It is a process of its own, like the periodic sync: Paperless may still be starting, or be down for hours.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Final

from hook.service.periodic_sync import COMMAND as SYNC

FIRST_PAUSE_S: Final = (
    15.0  # doubles with each attempt: a Paperless that starts with us answers within a minute
)
LONGEST_PAUSE_S: Final = 3600.0
COMMAND: Final = (*SYNC[: SYNC.index("backfill")], "setup", "--webhooks")

log = logging.getLogger(__name__)


class SelfSetup:
    """Has a thread of its own, which ends when the set-up is complete. `url`: where Paperless reaches the service."""

    def __init__(
        self,
        environ: Mapping[str, str],
        url: str,
        *,
        command: Sequence[str] = COMMAND,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self._environ, self._command, self._pause_s = environ, (*command, url), first_pause_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self.run, name="setup", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """An attempt that runs is left to end by itself: it repeats what it had not finished at the next start."""
        self._stopping.set()

    def run(self) -> None:
        while not self._stopping.is_set() and self.attempt() != 0:
            log.warning("setup: next attempt in %d s", self._pause_s)
            self._stopping.wait(self._pause_s)
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def attempt(self) -> int:
        """Its exit code. What it created and its errors go to our stderr, where the log is."""
        try:
            return subprocess.run(
                self._command,
                env=dict(self._environ),
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr,
                check=False,
            ).returncode
        except OSError as error:
            log.warning("setup: %s cannot be run (%s)", self._command[0], error.strerror)
            return 1
