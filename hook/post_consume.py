"""What Paperless runs after it has consumed a document: examines it, and ends with 0 whatever happens.

At the top only the standard library is imported: if another one is missing after an upgrade, that becomes a
line in the log as well, the event is kept, and the user's own script still runs.
"""

from __future__ import annotations

import gc
import io
import logging
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hook import log as hook_log
from hook.queue import Event, Queue
from hook.unexpected import described
from hook.watchdog import Watchdog

if TYPE_CHECKING:
    from hook.settings.model import Settings

MAX_ID: Final = 2**32 - 2  # of the index
STARTED_S: Final = time.monotonic()  # imports count: Paperless waits for them, too

log = logging.getLogger(__name__)


def entry() -> None:
    """The program. Nothing that goes wrong at the very end can change its exit code."""
    gc.disable()  # a twelfth of the CPU time of a run; it ends in a moment and gives all memory back
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a letter that the locale lacks must not end a run
            stream.reconfigure(errors="backslashreplace")
    code = Hook(os.environ, sys.argv[1:]).run()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # nobody reads it any more
            stream.flush()
    os._exit(code)


class Hook:
    """One run, with what Paperless gave us; `options` go to `hook_work.examine`."""

    def __init__(
        self,
        environ: Mapping[str, str],
        arguments: Sequence[str] = (),
        *,
        started_s: float = STARTED_S,
        **options: Any,
    ) -> None:
        self._environ, self._arguments = environ, arguments
        self._started_s, self._options = started_s, options
        self._settings: Settings | None = None

    def run(self) -> int:
        """The exit code: 0, or the next script's if DEDUPE_NEXT_SCRIPT_EXIT_CODE asks for that."""
        try:
            hook_log.set_up()
            self._settings = self._load_settings()
            if self._settings is not None and (number := self._document_id()) is not None:
                self._keep_and_examine(number, self._settings)
        except BaseException as error:  # nothing of ours may make Paperless say that consumption failed
            log.error("%s", described(error))
        return self._run_next()

    def _load_settings(self) -> Settings | None:
        from hook.errors import SettingsError
        from hook.settings.model import load_settings, unknown_variables

        try:
            settings = load_settings(self._environ)
            hook_log.set_up(settings.log_level, settings.log_file)
            for problem in unknown_variables(self._environ):
                log.warning("%s", problem)
        except SettingsError as error:
            log.error("no document is examined until the settings are corrected: %s", error)
            return None
        return settings

    def _document_id(self) -> int | None:
        value = self._environ.get("DOCUMENT_ID", "")
        if value.isascii() and value.isdecimal() and 0 < int(value) <= MAX_ID:
            return int(value)
        log.error("DOCUMENT_ID is not set: this is run by Paperless, as PAPERLESS_POST_CONSUME_SCRIPT")
        return None

    def _keep_and_examine(self, number: int, settings: Settings) -> None:
        """The event is on the disk before anything else is tried."""
        with closing(Queue(settings.index_dir)) as queue:
            try:
                event = queue.begin(number) or queue.add(number)
            except OSError as error:
                log.error(
                    "#%d: not examined, because %s cannot be written (%s): make it writable for the user "
                    "that runs Paperless, or set DEDUPE_INDEX_DIR; then `paperless-dedupe backfill --sync`",
                    *(number, settings.index_dir, error.strerror),
                )
            else:
                self._examine(event, queue, settings)

    def _examine(self, event: Event, queue: Queue, settings: Settings) -> None:
        left_s = self._started_s + settings.deadline_s - time.monotonic()
        watchdog = Watchdog(left_s, lambda: self._out_of_time(event, settings))
        try:
            from hook.hook_work import examine

            examine(event, queue, settings, left_s, **self._options)
        except Exception as error:  # also a library that is missing
            queue.failed(event, described(error))
            log.error("#%d: kept for the next run: %s", event.document_id, described(error))
        finally:
            watchdog.stand_down()

    def _out_of_time(self, event: Event, settings: Settings) -> int:
        log.warning(
            "#%d: not done within %g s, kept for the next run", event.document_id, settings.deadline_s
        )
        return self._run_next()

    def _run_next(self) -> int:
        """Also when our own settings are wrong or our libraries are gone: it is not our script to lose."""
        named = self._environ.get("DEDUPE_NEXT_SCRIPT", "") if self._settings is None else ""
        script = self._settings.next_script if self._settings else Path(named) if named else None
        if script is None:
            return 0
        try:
            from hook.next_script import run_next

            code = run_next(script, self._arguments, self._environ)
        except BaseException as error:
            log.error("%s", described(error))
            return 0
        return code if self._settings and self._settings.next_script_exit_code else 0


if __name__ == "__main__":
    entry()
