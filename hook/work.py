"""Works off events: examines their documents one after the other, and keeps what could not be done."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from hook.errors import IndexFault, PaperlessError, described
from hook.findings.apply import GENERAL
from hook.findings.examine import Examiner, Outcome
from hook.paperless.client import COMMIT_PATIENCE_S
from hook.queue import Event, Queue

log = logging.getLogger(__name__)


class Worklist:
    """An examiner and the queue. What is said of each document goes to the log; with `only_news`, not again."""

    def __init__(
        self,
        examiner: Examiner,
        queue: Queue,
        observe: Callable[[Outcome], None] = lambda outcome: None,
        *,
        only_news: bool = False,
    ) -> None:
        self._examiner, self._queue, self._observe = examiner, queue, observe
        self._only_news = only_news
        self._next: list[int] = []
        self._tried: set[int] = set()

    def work(self, event: Event, *, patience_s: float = COMMIT_PATIENCE_S) -> bool:
        """One event; False if nothing more can be done in this run."""
        number = event.document_id
        self._tried.add(number)
        try:
            outcome = self._examiner.run(number, patience_s=patience_s)
        except (*GENERAL, IndexFault) as error:
            self._queue.put_off(event, str(error))
            log.warning("#%d: kept for the next run: %s", number, error)
            return False
        except PaperlessError as error:
            self._queue.failed(event, str(error))
            log.warning("#%d: kept for the next run: %s", number, error)
            return True
        except Exception as error:  # one bad document must not end the run; its text may be in the message
            self._queue.failed(event, described(error))
            log.warning("#%d: kept for the next run: %s", number, described(error))
            return True
        self._observe(outcome)
        is_told = outcome.is_news or not self._only_news
        log.log(logging.INFO if is_told else logging.DEBUG, "%s", outcome.line)
        for other in outcome.elsewhere:  # before the event is done: a kill in between loses nothing
            self._queue.add(other)
        self._next += outcome.elsewhere
        if not outcome.kept:
            self._queue.done(event)
        else:
            (self._queue.put_off if outcome.stopped else self._queue.failed)(event, outcome.kept)
            log.warning(
                "#%d: not all of it is written, the rest is kept for the next run: %s", number, outcome.kept
            )
        return not outcome.stopped

    def rest(self, limit: int, has_time: Callable[[], bool]) -> bool:
        """Up to `limit` more: first those that the work so far asks for, then older ones. True: all done."""
        older = [event.document_id for event in self._queue.due()]
        done = 0
        while (number := self._pick(older)) is not None:
            if done == limit or not has_time():
                return False
            self._tried.add(number)
            event = self._queue.resume(number)
            if event is not None and not self.work(event, patience_s=0.0):
                return False
            done += 1
        return True

    def _pick(self, older: Iterable[int]) -> int | None:
        return next((number for number in (*self._next, *older) if number not in self._tried), None)
