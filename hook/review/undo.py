"""Undoes a decision: restores from the trash, and returns what the kept document took over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from hook.errors import DedupeError, NotFoundError, PaperlessError
from hook.review.journal import Operation, Stage

if TYPE_CHECKING:
    from hook.findings.examine import Examiner
    from hook.review.review import Review


class NothingToUndoError(DedupeError):
    """There is no decision on that document, or what it did cannot be undone any more."""


def undo(document: int, review: Review, examiner: Examiner, tell: Callable[[str], None]) -> list[int]:
    """Returns the documents to examine. Hold the writing lock."""
    operations = [entry for entry in review.journal.about(document) if entry.stage is not Stage.TAKEN_BACK]
    if operations:
        return _undo_operation(operations[0], review, examiner, tell)
    decided = review.deciding.decisions.about(document)
    if not decided:
        raise NothingToUndoError(
            f"nothing was decided on #{document}: see `paperless-dedupe decisions export`"
        )
    for entry in decided:
        review.deciding.decisions.forget(entry.a, entry.b)
        tell(f"#{entry.a} and #{entry.b}: no longer {entry.kind.value}")
    touched = sorted({number for entry in decided for number in (entry.a, entry.b)})
    _unmark(touched, examiner)
    return touched


def show_again(documents: Iterable[int], examiner: Examiner, tell: Callable[[str], None]) -> None:
    """A finding that holds is shown again at once, not only when a run comes by."""
    told: dict[int, str] = {}
    waiting = list(documents)
    for number in waiting:
        try:
            outcome = examiner.run(number, patience_s=0.0)
        except PaperlessError as error:
            told[number] = f"#{number}: examined by the next run: {error}"
            continue
        told[number] = outcome.line
        waiting += [other for other in outcome.elsewhere if waiting.count(other) < 2]
    for line in told.values():
        tell(line)


def _undo_operation(
    operation: Operation, review: Review, examiner: Examiner, tell: Callable[[str], None]
) -> list[int]:
    if operation.stage is Stage.DONE and not _is_to_be_had(operation.loser, examiner):
        raise NothingToUndoError(
            f"#{operation.loser} is no longer in the trash: Paperless has removed it for good, "
            f"so that #{operation.kept} keeps what it took over"
        )
    examiner.labels.renew()
    turned = review.journal.put(replace(operation, stage=Stage.TAKING_BACK, refused="", problems=()))
    done = review.merge.take_back(turned)
    tell(f"#{done.loser} is back, #{done.kept} has given back what it took over")
    for problem in done.problems:
        tell(f"but: {problem}")
    return [done.kept, done.loser]  # in this order: its text may have been that of a version


def _is_to_be_had(document: int, examiner: Examiner) -> bool:
    try:
        examiner.client.document(document, fields=("id",))
    except NotFoundError:
        return examiner.client.trashed_document(document) is not None
    return True


def _unmark(documents: list[int], examiner: Examiner) -> None:
    tag = examiner.labels.renew().tags.get(examiner.settings.tag_confirmed)
    if tag is not None:
        heads = examiner.client.documents_by_id(documents, fields=("id", "tags"))
        examiner.client.modify_tags([head.id for head in heads if tag in head.tags], remove=[tag])
