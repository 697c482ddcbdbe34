"""Takes events from the queue, examines their documents, and settles each event: done, or kept for the next run."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from hook.deadline import Deadline
from hook.errors import DedupeError, NotFoundError, PaperlessError, described, stops_run
from hook.findings.findings import Finding, Record
from hook.findings.plan import ExaminationResult
from hook.findings.wording import logged
from hook.paperless.client import COMMIT_PATIENCE_S
from hook.paperless.client import connect as connect_to_paperless
from hook.paperless.values import RawDocument
from hook.queue import Event, Queue
from hook.review.poll import apply_decisions
from hook.session import Connect, Session, opened
from hook.settings.model import Settings

OLDER_EVENTS: Final = 10  # examined in one run of the hook, besides the document that was consumed
OLDER_SHARE: Final = 0.5  # of the deadline, in which the hook begins with one of them
RESERVE: Final = 0.1  # of the deadline: to end in good order before the watchdog ends the process

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one document: the line for the log, and what is left to do, if anything.

    `document_id` is the document that was examined: for a file version, its root.
    """

    document_id: int
    line: str
    findings: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()  # those of them that were not reported before
    kept: str = ""  # why some of it is left for the next run
    stopped: bool = False  # by an error that is not about this document
    reexamine: tuple[int, ...] = ()  # to be examined next
    is_news: bool = True  # the text, the findings or the marks have changed


def examine(session: Session, document_id: int, *, patience_s: float = COMMIT_PATIENCE_S) -> Outcome:
    """Fetch, examine, write. Raises what stops it; errors of single writes are in `kept`."""
    try:
        raw = session.client.await_document(document_id, patience_s=patience_s)
    except NotFoundError:
        line = f"#{document_id}: not found: deleted, or not visible to the token's user"
        return Outcome(document_id, line, reexamine=session.examiner.forget(document_id))
    if session.settings.trash_same_file and raw.id == document_id:
        from hook.review.same_file.same_file import trash_same_file  # most hooks do not need it

        if line := trash_same_file(session, raw):
            return Outcome(raw.id, line)
    before = session.findings.get(raw.id)
    examined = _examined(session, raw)
    applied = session.writer.write([examined])
    after = session.findings.get(raw.id)
    is_gone = raw.id in applied.gone
    line = f"#{raw.id}: deleted in the meantime" if is_gone else _line(session, examined, before, after)
    kept = applied.kept.get(raw.id, "")
    return Outcome(
        raw.id,
        line if raw.id == document_id else f"#{document_id} is a file version of #{raw.id}; {line}",
        after.findings,
        new=tuple(finding for finding in after.findings if not before.has(finding)),
        kept=kept,
        stopped=applied.stopped is not None,
        reexamine=examined.reexamine,
        is_news=examined.changed or after != before or bool(kept),
    )


def _examined(session: Session, raw: RawDocument) -> ExaminationResult:
    """Twice, if somebody looked at a page in between."""
    examined = session.examiner.examine(raw)
    if session.inspector is None:
        return examined
    from hook.ink.looking import look_at
    from hook.ink.pictures.looking import look_at_picture

    desk = session.inspector, session.client, session.archive, raw.id
    is_news = look_at(*desk, examined.findings)
    if not look_at_picture(*desk, session.examiner.is_comparable(raw.owner)) and not is_news:
        return examined
    again = session.examiner.examine(raw)
    return replace(again, changed=examined.changed, reexamine=examined.reexamine)


def _line(session: Session, examined: ExaminationResult, before: Record, after: Record) -> str:
    number, skip = examined.document.id, session.settings.tag_skip
    if after.findings:
        first, more = after.findings[0], len(after.findings) - 1
        return logged(number, first) + (f"; and {more} more" if more else "")
    if examined.findings and session.labels.known().tags.get(skip) in examined.document.tags:
        return f"#{number}: has the tag {skip}, not marked"
    if before.findings:
        return f"#{number}: nothing similar any more, marks removed"
    if about := session.findings.about(number):
        return f"#{number}: nothing to add, the finding is on {', '.join(f'#{one}' for one in about[:3])}"
    return f"#{number}: nothing similar"


def examine_now(session: Session, documents: Iterable[int], report: Callable[[str], None]) -> None:
    """These documents and those that they lead to, at once: for a user who waits for the result."""
    lines: dict[int, str] = {}
    waiting = list(documents)
    for number in waiting:
        try:
            outcome = examine(session, number, patience_s=0.0)
        except PaperlessError as error:
            lines[number] = f"#{number}: examined by the next run: {error}"
            continue
        lines[number] = outcome.line
        waiting += [other for other in outcome.reexamine if waiting.count(other) < 2]
    for line in lines.values():
        report(line)


def keep(queue: Queue, event: Event, reason: str, *, is_fault: bool) -> None:
    queue.keep(event, reason, is_fault=is_fault)
    log.warning("#%d: kept for the next run: %s", event.document_id, reason)


class EventRunner:
    """One run. Logs a line for each document; with `only_news`, not if nothing has changed."""

    def __init__(
        self,
        session: Session,
        observe: Callable[[Outcome], None] = lambda outcome: None,
        *,
        only_news: bool = False,
    ) -> None:
        self._session, self._queue, self._observe = session, session.queue, observe
        self._only_news = only_news
        self._next: list[int] = []
        self._taken: set[int] = set()

    def take(self, event: Event, *, patience_s: float = COMMIT_PATIENCE_S) -> bool:
        """One event; False if nothing more can be done in this run."""
        self._taken.add(event.document_id)
        try:
            outcome = examine(self._session, event.document_id, patience_s=patience_s)
        except Exception as error:  # one bad document must not end the run
            keep(self._queue, event, described(error), is_fault=not stops_run(error))
            return not stops_run(error)
        self._report(outcome)
        for other in outcome.reexamine:  # before the event is done: a kill in between loses nothing
            self._session.examine_later(other)
        self._next += outcome.reexamine
        if outcome.kept:
            reason = f"some of it could not be written: {outcome.kept}"
            keep(self._queue, event, reason, is_fault=not outcome.stopped)
        else:
            self._queue.done(event)
        return not outcome.stopped

    def rest(self, limit: int, has_time: Callable[[], bool]) -> None:
        """Up to `limit` more: first those that the documents so far led to, then older ones."""
        older = [event.document_id for event in self._queue.due()]
        for _ in range(limit):
            number = self._pick(older)
            if number is None or not has_time() or not self.resume(number):
                return

    def resume(self, number: int) -> bool:
        """An event that was seen in the queue; nothing is done if another process has taken it since."""
        self._taken.add(number)
        event = self._queue.resume(number)
        return event is None or self.take(event, patience_s=0.0)

    def _pick(self, older: Iterable[int]) -> int | None:
        return next((number for number in (*self._next, *older) if number not in self._taken), None)

    def _report(self, outcome: Outcome) -> None:
        self._observe(outcome)
        is_shown = outcome.is_news or not self._only_news
        log.log(logging.INFO if is_shown else logging.DEBUG, "%s", outcome.line)


def run_hook(
    event: Event, queue: Queue, settings: Settings, left_s: float, connect: Connect = connect_to_paperless
) -> None:
    """One run of the hook: the document that was consumed, then decisions and older events if there is time.

    Errors are logged and the event is kept.
    """
    deadline = Deadline(time.monotonic, left_s - RESERVE * settings.deadline_s)

    def has_time() -> bool:
        return deadline.remaining() > OLDER_SHARE * settings.deadline_s

    try:
        with opened(settings, deadline=deadline, queue=queue, connect=connect) as session:
            runner = EventRunner(session)
            if runner.take(event) and has_time():
                apply_decisions(session, has_time=has_time)
                runner.rest(OLDER_EVENTS, has_time)
    except DedupeError as error:
        keep(queue, event, described(error), is_fault=False)
