"""Carries out what a person decides on the page: the tags that the person would set in Paperless, and undo.

A tag is set with the person's own token, so Paperless refuses what the person may not change. The decision is then
acted on as any other: by the worker of the service, or by the next run. If the service is killed, nothing is lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from hook.errors import DedupeError
from hook.findings.decisions import Kind
from hook.language.translate import Translate
from hook.paperless.client import Paperless
from hook.paperless.labels import Labels
from hook.review.journal import Journal, Operation, Stage
from hook.review.undo import undo
from hook.review_page.effects import Action, tag_of
from hook.review_page.sessions import Decided, PageSession
from hook.review_page.waiting import Waiting

if TYPE_CHECKING:
    from hook.session import Session
    from hook.settings.model import Settings

MOST_AT_ONCE: Final = 250  # documents per call
PATIENCE_S: Final = 5.0
POLL_S: Final = 0.05


class ChangedError(DedupeError):
    """What the person saw is not what is there now; nothing was written."""


class NothingToUndoError(DedupeError):
    """There is no decision of this person to undo, or the person may not."""


def matching(waiting: Iterable[Waiting], keys: Sequence[str], say: Translate) -> list[Waiting]:
    """The findings that the person saw, as they are now."""
    found = {one.key: one for one in waiting}
    if not keys or any(key not in found for key in keys):
        raise ChangedError(
            say(
                "This finding has changed or was decided in the meantime. Nothing was written: look at it again."
            )
        )
    return [found[key] for key in dict.fromkeys(keys)]


def decide(
    action: Action,
    decided: Sequence[Waiting],
    session: PageSession,
    settings: Settings,
    labels: Labels,
    notify: Callable[[int], None],
    words: str,
) -> None:
    """Sets the tag on all documents with one call, then tells the worker."""
    name = tag_of(action, settings)
    tag = labels.ensure([name])[name]
    subjects = sorted({one.subject for one in decided})
    for start in range(0, len(subjects), MOST_AT_ONCE):
        session.client.modify_tags(subjects[start : start + MOST_AT_ONCE], add=[tag])
    pairs = tuple((one.subject, finding.other) for one in decided for finding in one.findings)
    session.undoable.append(Decided(tag, tuple(subjects), pairs, words))
    for subject in subjects:
        notify(subject)


def undo_last(
    person: PageSession,
    session: Session,
    notify: Callable[[int], None],
    say: Translate,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Undoes the person's last decision: the tag is removed, or what was done because of it is undone.

    `session` is that of the service: it did what is undone now. What the person may not change stays.
    """
    if not person.undoable:
        raise NothingToUndoError(say("There is nothing to undo."))
    last = person.undoable.pop()
    with session.archive.index.writing_lock(session.deadline):
        touched = _take_back(last, person.client, session, say)
    for number in touched:
        notify(number)
    _await_worker(session, touched, sleep)
    return say("Undone: {words}", words=last.words)


def _await_worker(session: Session, documents: Sequence[int], sleep: Callable[[float], None]) -> None:
    """Only the worker examines: it may have read a document before the tag was removed, and two that examine the same
    document would undo each other's writes. The person waits a moment, so that the next page shows the finding."""
    for _ in range(int(PATIENCE_S / POLL_S)):
        if set(documents).isdisjoint(session.queue.numbers()):
            return
        sleep(POLL_S)


def _take_back(last: Decided, client: Paperless, session: Session, say: Translate) -> list[int]:
    """The documents to examine. First the tags that nobody has acted on yet: one call."""
    heads = list(client.documents_by_id(last.subjects, fields=("id", "tags")))
    client.modify_tags([head.id for head in heads if last.tag in head.tags], remove=[last.tag])
    touched: list[int] = []
    for operation in _operations(last, session):
        _require_rights(operation, client, say)
        touched += undo(session, operation.loser, lambda line: None)
    touched += _forget(last, client, session)
    return list(dict.fromkeys(touched or last.subjects))


def _operations(last: Decided, session: Session) -> list[Operation]:
    """Documents that were moved because of this decision; the newest operation of each pair."""
    pairs = {frozenset(pair) for pair in last.pairs}
    journal = Journal(session.archive.index)
    found: dict[frozenset[int], Operation] = {}
    for operation in journal:
        pair = frozenset((operation.kept, operation.loser))
        if pair in pairs and operation.stage is not Stage.ROLLED_BACK:
            found[pair] = operation
    return list(found.values())


def _require_rights(operation: Operation, client: Paperless, say: Translate) -> None:
    """The service undoes it with its own token, so it asks first whether this person may."""
    is_reachable = client.may_change(operation.loser) or client.trashed_document(operation.loser) is not None
    if not client.may_change(operation.kept) or not is_reachable:
        raise NothingToUndoError(say("You may not change these documents."))


def _forget(last: Decided, client: Paperless, session: Session) -> list[int]:
    """Decisions that moved nothing are forgotten, and the tag "confirmed" is removed."""
    decided = [found for pair in last.pairs if (found := session.decisions.get(*pair)) is not None]
    for entry in decided:
        session.decisions.forget(entry.a, entry.b)
    confirmed = [entry for entry in decided if entry.kind is Kind.CONFIRMED and not entry.action]
    tag = session.labels.renew().tags.get(session.settings.tag_confirmed)
    if confirmed and tag is not None:
        numbers = sorted({number for entry in confirmed for number in (entry.a, entry.b)})
        heads = client.documents_by_id(numbers, fields=("id", "tags"))
        client.modify_tags([head.id for head in heads if tag in head.tags], remove=[tag])
    return sorted({number for entry in decided for number in (entry.a, entry.b)})
