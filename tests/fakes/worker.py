"""The single background worker: jobs wait for ``run_all`` or, if asked for, a small delay."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Job = Callable[[], None]


class Worker:
    """First in, first out, one at a time, as with Paperless's default of one worker.

    A job is run either under the archive's lock (a database task) or outside it (a webhook, a hook script).
    """

    def __init__(self, archive_lock: threading.RLock, delay_s: float | None) -> None:
        self._archive_lock = archive_lock
        self._jobs: deque[Job] = deque()
        self._pending = 0
        self._running = threading.RLock()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._delay_s = delay_s
        self._thread = threading.Thread(target=self._work, name="fake-paperless-worker", daemon=True)
        if delay_s is not None:
            self._thread.start()

    def add(self, job: Job) -> None:
        self.add_outside(lambda: self._locked(job))

    def add_outside(self, job: Job) -> None:
        with self._changed:
            self._jobs.append(job)
            self._pending += 1
            self._changed.notify_all()

    def run_all(self) -> int:
        """Run what waits, and what that queues in turn; returns how many jobs were run."""
        done = 0
        while self._run_one():
            done += 1
        return done

    def wait_idle(self, timeout_s: float) -> bool:
        """True once nothing waits or runs; only useful with a delay, else nobody works."""
        with self._changed:
            return self._changed.wait_for(lambda: self._pending == 0, timeout_s)

    def close(self) -> None:
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=1.0)

    def _locked(self, job: Job) -> None:
        with self._archive_lock:
            job()

    def _run_one(self) -> bool:
        with self._running:
            try:
                job = self._jobs.popleft()
            except IndexError:
                return False
            try:
                job()
            finally:
                with self._changed:
                    self._pending -= 1
                    self._changed.notify_all()
            return True

    def _work(self) -> None:
        while not self._closing.is_set():
            with self._changed:
                self._changed.wait_for(lambda: bool(self._jobs) or self._closing.is_set())
            if not self._closing.wait(self._delay_s):
                self._run_one()
