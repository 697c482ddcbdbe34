"""What Paperless runs after it has consumed a document. Examines it, and exits with 0 whatever happens.

Only the standard library is imported at the top. If a library is missing after an upgrade, that becomes a line
in the log, the event is kept, and the user's own script still runs.
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
from hook.deadline import Watchdog
from hook.errors import described
from hook.index.ids import parse_id
from hook.queue import Event, Queue

if TYPE_CHECKING:
    from hook.settings.model import Settings

STARTED_S: Final = time.monotonic()  # imports count: Paperless waits for them, too

log = logging.getLogger(__name__)


def entry() -> None:
    """The program. Nothing that goes wrong at the very end can change its exit code."""
    gc.disable()  # a twelfth of the CPU time of a run, which is short and frees all its memory at the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a character that the locale lacks must not end the run
            stream.reconfigure(errors="backslashreplace")
    given = dict(os.environ)  # the next script gets what Paperless gave us
    # Before numpy is loaded. Its linear algebra starts a thread for each core, which wait for work without sleeping:
    # 0.1 CPU seconds of a hook with the semantic tier on two cores, and more on many.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    Hook(given, sys.argv[1:]).run()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # broken pipe, closed, or None
            stream.flush()
    os._exit(0)


class Hook:
    """One run, with what Paperless passed; `options` go to `work.run_hook`."""

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

    def run(self) -> None:
        try:
            hook_log.set_up()
            self._settings = self._load_settings()
            if self._settings is not None and (document_id := self._document_id()) is not None:
                self._keep_and_examine(document_id, self._settings)
        except BaseException as error:  # otherwise Paperless would report the consumption as failed
            log.error("%s", described(error))
        self._run_next()

    def _load_settings(self) -> Settings | None:
        from hook.errors import SettingsError
        from hook.settings.loading import load_settings, unknown_variables

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
        document_id = parse_id(self._environ.get("DOCUMENT_ID", ""))
        if document_id is None:
            log.error("DOCUMENT_ID is not set: this is run by Paperless, as PAPERLESS_POST_CONSUME_SCRIPT")
        return document_id

    def _keep_and_examine(self, document_id: int, settings: Settings) -> None:
        """The event is on disk before anything else is tried."""
        with closing(Queue(settings.index_dir)) as queue:
            try:
                event = queue.begin(document_id) or queue.add(document_id)
            except OSError as error:
                log.error(
                    "#%d: not examined, because %s cannot be written (%s): make it writable by the user "
                    "that runs Paperless, or set DEDUPE_INDEX_DIR; then run `paperless-dedupe backfill --sync`",
                    *(document_id, settings.index_dir, error.strerror),
                )
            else:
                self._examine(event, queue, settings)

    def _examine(self, event: Event, queue: Queue, settings: Settings) -> None:
        left_s = self._started_s + settings.deadline_s - time.monotonic()
        watchdog = Watchdog(left_s, lambda: self._on_timeout(event, settings))
        try:
            from hook.work import run_hook

            run_hook(event, queue, settings, left_s, **self._options)
        except Exception as error:  # also a library that is missing
            queue.keep(event, described(error), is_fault=True)
            log.error("#%d: kept for the next run: %s", event.document_id, described(error))
        finally:
            watchdog.cancel()

    def _on_timeout(self, event: Event, settings: Settings) -> None:
        log.warning(
            "#%d: not done within %g s, kept for the next run", event.document_id, settings.deadline_s
        )
        self._run_next()

    def _run_next(self) -> None:
        """Also when our settings are wrong or our libraries are missing: the user's script must not suffer."""
        named = self._environ.get("DEDUPE_NEXT_SCRIPT", "") if self._settings is None else ""
        script = self._settings.next_script if self._settings else Path(named) if named else None
        try:
            if script is not None:
                run_next(script, self._arguments, self._environ)
        except BaseException as error:
            log.error("%s", described(error))


def run_next(script: Path, arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Runs the user's own post-consume script (DEDUPE_NEXT_SCRIPT) as Paperless would.

    The environment contains Paperless's secrets. A post-consume script gets them from Paperless, too.
    """
    import subprocess  # only where there is such a script

    sys.stdout.flush()
    sys.stderr.flush()
    try:
        code = subprocess.run([script, *arguments], env=environ, check=False).returncode
    except FileNotFoundError:
        log.warning("DEDUPE_NEXT_SCRIPT: %s, or the interpreter in its first line, does not exist", script)
    except OSError as error:
        log.warning("DEDUPE_NEXT_SCRIPT: %s cannot be run (%s)", script, error.strerror)
    else:
        if code != 0:
            log.warning("DEDUPE_NEXT_SCRIPT: %s exited with %d", script, code)


if __name__ == "__main__":
    entry()
