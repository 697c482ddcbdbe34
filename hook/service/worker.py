"""Examines the documents in the queue of the service, one after the other, for as long as the service runs.

After an error of Paperless or the index as a whole, the event stays first, and everything is opened again after
a pause that grows. An error of one document costs that document an attempt (queue.py).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from hook.deadline import Deadline
from hook.errors import described
from hook.paperless.client import COMMIT_PATIENCE_S
from hook.queue import Queue
from hook.review.poll import apply_decisions
from hook.service.metrics import Metrics
from hook.session import Session
from hook.work import EventRunner, Outcome

IDLE_S: Final = 2.0  # waits for an event before it looks around
REFRESH_EVERY_S: Final = 15.0  # looks for events that hooks have left, or that are due again
DECIDE_EVERY: Final = 5  # of these waits: looks for decision tags, while there is no pause between events
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0

Open = Callable[[], AbstractContextManager[Session]]

log = logging.getLogger(__name__)


class Worker(threading.Thread):
    """This thread alone uses the index and the client that `open` gives it."""

    def __init__(self, open: Open, queue: Queue, metrics: Metrics, *, idle_s: float = IDLE_S) -> None:
        super().__init__(name="worker", daemon=True)
        self._open, self._queue, self._metrics = open, queue, metrics
        self._idle_s = idle_s
        self._stopping = threading.Event()
        self._pause_s = FIRST_PAUSE_S
        self._refresh_at_s = self._decide_at_s = 0.0
        self._may_be_decided = True  # at the start: by a tag that was set before
        self._is_some_left = False
        self.stalled = ""  # why no document can be examined at the moment

    def begin_to_stop(self) -> None:
        self._stopping.set()
        self._queue.stop()

    def stop(self, timeout_s: float) -> bool:
        """Ends after the current document; False if that takes longer. The document is still in the queue then."""
        self.begin_to_stop()
        if self.is_alive():
            self.join(timeout_s)
        return not self.is_alive()

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._open() as session:
                    self._work_off(session)
            except Exception as error:  # the service must survive; all events are on disk
                self._stall(described(error))

    def _work_off(self, session: Session) -> None:
        """Until Paperless or the index fails as a whole, or we are stopped."""
        while not self._stopping.is_set() and not session.archive.index.was_replaced():
            self._look_for_events()
            self._look_for_decisions(session)
            waiting = self._queue.next(self._idle_s)
            if waiting is not None and not self._examine(session, *waiting):
                self._stall("")
                return

    def _look_for_events(self) -> None:
        now_s = time.monotonic()
        if now_s >= self._refresh_at_s:
            self._refresh_at_s = now_s + REFRESH_EVERY_S
            self._queue.refresh()

    def _look_for_decisions(self, session: Session) -> None:
        """A tag that a user sets causes an event like any other; one query finds all such tags."""
        now_s = time.monotonic()
        is_early = now_s < self._decide_at_s and (not self._queue.is_empty or self._is_some_left)
        if not self._may_be_decided or is_early:
            return
        self._decide_at_s, self._is_some_left = now_s + DECIDE_EVERY * self._idle_s, True
        # All decisions share one deadline: of many, some are left for the next time.
        self._is_some_left = not apply_decisions(session.within(_deadline(session)), fresh=True)
        self._may_be_decided = self._is_some_left

    def _examine(self, session: Session, number: int, since_s: float) -> bool:
        """False if nothing more can be done with this session."""
        event = self._queue.resume(number)
        if event is None:
            return True
        began_s, began_cpu_s, seen = time.monotonic(), time.thread_time(), list[Outcome]()
        self._may_be_decided = True
        # The document of a new webhook may not be committed yet; that of an older event is there or deleted.
        patience_s = max(COMMIT_PATIENCE_S - (began_s - since_s), 0.0)
        # Our own writes cause events: without news, nothing is logged for them.
        runner = EventRunner(session.within(_deadline(session)), seen.append, only_news=True)
        is_fine = runner.take(event, patience_s=patience_s)
        cpu_s = time.thread_time() - began_cpu_s
        log.debug("#%d took %.1f ms of CPU", number, 1000 * cpu_s)
        self._count(seen, began_s, since_s, is_fine=is_fine)
        if is_fine:
            self._recover()
        return is_fine

    def _count(self, seen: list[Outcome], began_s: float, since_s: float, *, is_fine: bool) -> None:
        for outcome in seen:
            self._metrics.examined.labels("event").inc()
            for finding in outcome.new:
                self._metrics.flagged.labels(finding.relation.value).inc()
        if not is_fine or not seen or seen[0].kept:
            self._metrics.failures.labels("document" if is_fine else "general").inc()
            return
        ended_s = time.monotonic()
        self._metrics.examination_s.observe(ended_s - began_s)
        self._metrics.latency_s.observe(ended_s - since_s)

    def _stall(self, reason: str) -> None:
        """An error with a document was logged there; an error on opening is logged here."""
        if reason and reason != self.stalled:
            log.warning("no document can be examined at the moment, events are kept: %s", reason)
        self.stalled = reason or "see the log"
        self._stopping.wait(self._pause_s)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def _recover(self) -> None:
        if self.stalled:
            log.info("examining documents again")
        self.stalled, self._pause_s = "", FIRST_PAUSE_S


def _deadline(session: Session) -> Deadline:
    """Each document has its own."""
    return Deadline(time.monotonic, session.settings.deadline_s)
