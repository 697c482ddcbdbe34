"""Undoes a decision: restores from the trash, and removes what the kept document took over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from hook.errors import DedupeError, NotFoundError
from hook.findings.decisions import Decision, Kind
from hook.paperless.client import Paperless
from hook.review.journal import Operation, Stage, StepKind
from hook.review.merge import Merge
from hook.session import Session


class NothingToUndoError(DedupeError):
    """There is no decision on that document, it cannot be undone any more, or the person may not."""


def undo(session: Session, document: int, report: Callable[[str], None]) -> list[int]:
    """Returns the documents to examine. Hold the writing lock."""
    merge = Merge(session)
    session.labels.known()  # stops here if this Paperless is used with another index
    operations = [entry for entry in merge.journal.about(document) if entry.stage is not Stage.ROLLED_BACK]
    if operations:
        return _undo_operation(session, merge, operations[0], report)
    decided = session.decisions.about(document)
    if not decided:
        raise NothingToUndoError(
            f"there is no decision on #{document}: `paperless-dedupe decisions export` lists them all"
        )
    for entry in decided:
        report(f"#{entry.a} and #{entry.b}: no longer {entry.kind.value}")
    return forget_decisions(session, decided, session.client)


def forget_decisions(session: Session, decided: Sequence[Decision], client: Paperless) -> list[int]:
    """Those that moved nothing; `client` removes the tag "confirmed". Returns the documents to examine."""
    for decision in decided:
        session.decisions.forget(*decision.pair)
    kept = [entry for entry in decided if entry.kind is Kind.CONFIRMED and not entry.action]
    confirmed = sorted({number for decision in kept for number in decision.pair})
    tag = session.labels.renew().tags.get(session.settings.tag_confirmed)
    if confirmed and tag is not None:
        heads = client.documents_by_id(confirmed, fields=("id", "tags"))
        client.modify_tags([head.id for head in heads if tag in head.tags], remove=[tag])
    return sorted({number for decision in decided for number in decision.pair})


def notice_restored(session: Session, there: Collection[int], report: Callable[[str], None]) -> None:
    """For documents that we moved to the trash and that are there again: somebody restored them in Paperless. Takes the writing lock."""
    merge = Merge(session)
    moved = [operation for operation in merge.journal if operation.loser in there and is_in_trash(operation)]
    for number, kept, loser in ((operation.number, operation.kept, operation.loser) for operation in moved):
        with session.archive.index.writing_lock(session.deadline):
            operation = merge.journal.get(number)
            is_there = session.client.document_ids(id__in=[loser])
            if operation is None or not is_in_trash(operation) or not is_there:
                continue
            session.labels.renew()
            merge.restored(operation)
            report(
                f"#{loser} was restored by hand, so #{kept} and #{loser} are both kept; `paperless-dedupe undo {loser}` "
                f"takes back what #{kept} took over"
            )


def is_in_trash(operation: Operation) -> bool:
    """As far as we know."""
    return operation.stage is Stage.DONE and operation.has_done(StepKind.TRASH)


def _undo_operation(
    session: Session, merge: Merge, operation: Operation, report: Callable[[str], None]
) -> list[int]:
    if operation.stage is Stage.DONE and not can_be_restored(session, operation.loser):
        raise NothingToUndoError(
            f"#{operation.loser} is not in the trash any more: Paperless has deleted it for good, so "
            f"#{operation.kept} keeps what it took over"
        )
    session.labels.renew()
    begun = merge.journal.put(replace(operation, stage=Stage.ROLLING_BACK, refused="", problems=()))
    done = merge.roll_back(begun)
    report(f"#{done.loser} is restored, #{done.kept} has returned what it took over")
    for problem in done.problems:
        report(f"except: {problem}")
    return [done.kept, done.loser]  # in this order: the text of the kept one may have been that of a version


def can_be_restored(session: Session, document: int) -> bool:
    try:
        session.client.document(document, fields=("id",))
    except NotFoundError:
        return session.client.trashed_document(document) is not None
    return True
