"""Two documents become one: the kept one takes over what the other has, which is then moved to the trash.

For confirm and make-version. Both documents are read again before anything is planned, and, tags and texts with one
request each, before the tags of the decision are removed and before the trash, which are the last two writes to Paperless. Every step is in the journal before it is tried: wherever a run is killed, the next one resumes the
operation or rolls it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from dedupe_core.explain.say import message
from hook.errors import DedupeError, NotFoundError, PaperlessError, ServerError, stops_run
from hook.findings.decisions import Decision
from hook.language.translate import translator
from hook.log import plain
from hook.paperless.values import RawDocument
from hook.review.asked import is_withdrawn, refuse_withdrawn, untag_step
from hook.review.journal import (
    Do,
    ImpossibleError,
    Journal,
    NotYetError,
    Operation,
    Progress,
    Stage,
    Step,
    StepKind,
)
from hook.review.kept.refusals import refuse
from hook.review.merge_rules import refuse_strangers, text_hash
from hook.review.steps import Steps, last_steps
from hook.review.transfer import Both, has_summary, missing_steps, summary, unlinking
from hook.session import Session

ROUNDS: Final = 3  # in which we look whether a user added something to the document that goes
FAILURES: Final = 5  # runs in which Paperless may fail (5xx) before the operation is rolled back
_DELETED: Final = message("one of the two was deleted in the meantime")
_GOALS: Final = {
    Do.TRASH: message("keep #{kept} and move #{loser} to the trash"),
    Do.VERSION: message("make #{loser} a version of #{kept}"),
}


class Merge:
    """Hold the writing lock."""

    def __init__(self, session: Session) -> None:
        self._session, self._client = session, session.client
        self.journal = Journal(session.archive.index)
        self._steps, self._say = Steps(session), translator(session.settings.language)

    def begin(self, operation: Operation) -> Operation:
        return self.resume(self.journal.begin(operation))

    def resume(self, operation: Operation) -> Operation:
        """To its end, or rolled back; still open if Paperless is attaching a file. Raises what stops the run."""
        if operation.stage is Stage.ROLLING_BACK:
            return self.roll_back(operation)
        try:
            return self._forward(operation)
        except NotYetError:
            return self._latest(operation)
        except ServerError as error:
            return self._after_failure(self._latest(operation), error)
        except (PaperlessError, ImpossibleError) as error:
            if stops_run(error):
                raise
            return self._refuse(self._latest(operation), error)

    def roll_back(self, operation: Operation) -> Operation:
        """Undoes all steps that were begun, last first: the user's undo, or because it could not be finished."""
        if not operation.refused:
            self._withdraw(operation)
        operation = self._undo(operation, lambda step: step.progress in (Progress.BEGUN, Progress.DONE))
        if operation.refused:
            self._steps.tag_again(operation)
            self._explain(operation)
        return self.journal.put(replace(operation, stage=Stage.ROLLED_BACK))

    def restored(self, operation: Operation) -> Operation:
        """Somebody took the document out of the trash, so both are kept: the link is there again, and the note that says
        otherwise goes. What was taken over stays until `undo`."""

        def is_stale(step: Step) -> bool:
            is_told = step.kind is StepKind.UNLINK or bool(step.values.get("summary"))
            return is_told and step.progress is Progress.DONE

        operation = self._undo(operation, is_stale)
        self._session.decisions.put([replace(Decision.from_json(operation.decision), action="")])
        place = next(n for n, step in enumerate(operation.steps) if step.kind is StepKind.TRASH)
        return self._put(operation, place, replace(operation.steps[place], progress=Progress.UNDONE))

    # Steps

    def _do(self, operation: Operation) -> Operation:
        """All steps that are planned or begun, in their order."""
        for place, step in enumerate(operation.steps):
            if step.progress is Progress.PLANNED:
                operation = self._put(operation, place, replace(step, progress=Progress.BEGUN))
            while (step := operation.steps[place]).progress is Progress.BEGUN:
                if step.kind is StepKind.UNTAG and "had" not in step.values:
                    operation = self._put(operation, place, self._asked(operation, step))
                    continue
                if step.kind is StepKind.TRASH:
                    self._look_again(operation)
                operation = self._put(operation, place, self._steps.do(step))
        return operation

    def _add(self, operation: Operation, steps: list[Step]) -> Operation:
        return self._do(self.journal.put(operation.with_steps(steps))) if steps else operation

    def _undo(self, operation: Operation, is_wanted: Callable[[Step], bool]) -> Operation:
        """These steps, last first; then both documents are examined again."""
        for place, step in reversed([*enumerate(operation.steps)]):
            if is_wanted(step):
                if (problem := self._steps.undo(step)) and problem not in operation.problems:
                    operation = replace(operation, problems=(*operation.problems, problem))
                operation = self._put(operation, place, replace(step, progress=Progress.UNDONE))
        for number in (operation.subject, operation.other):
            self._session.examine_later(number)
        return operation

    def _put(self, operation: Operation, place: int, step: Step) -> Operation:
        return self.journal.put(operation.with_step(place, step))

    # Forward

    def _forward(self, operation: Operation) -> Operation:
        operation = self._do(operation)
        if not operation.has_done(StepKind.TRASH):
            operation = self._take_over(operation)
            self._session.labels.renew()  # a tag that somebody has made meanwhile may withdraw the decision
            untag = [] if operation.has(StepKind.UNTAG) else [untag_step(self._session, operation)]
            operation = self._add(operation, [*untag, Step(StepKind.TRASH, operation.loser)])
        operation = self._take_over_late(operation)
        if not operation.has(StepKind.RECORD):
            self._require_kept(operation)
            operation = self._add(operation, last_steps(operation))
        return self.journal.put(replace(operation, stage=Stage.DONE))

    def _take_over(self, operation: Operation) -> Operation:
        """Until there is nothing left to take over; then a note on the kept document says what it was."""
        for _ in range(ROUNDS):
            both = self._read(operation)
            self._refuse_changes(operation, (both.kept, both.loser))
            steps = missing_steps(self._session, operation, both) + unlinking(self._session, operation, both)
            if not steps:
                break
            operation = self._add(operation, steps)
        if not has_summary(operation):
            operation = self._add(operation, [summary(self._session, operation, both)])
        return operation

    def _take_over_late(self, operation: Operation) -> Operation:
        """What a user added to the other document in the moment before it was moved to the trash."""
        gone = self._client.trashed_document(operation.loser)
        if gone is None:
            return operation
        try:
            kept, notes = self._client.document(operation.kept), self._client.notes(operation.kept)
            # Its ASN stays with it: one that was set this late was meant for this very document.
            both = Both(kept, replace(gone, archive_serial_number=None), notes, gone.notes)
            return self._add(operation, missing_steps(self._session, operation, both))
        except PaperlessError as error:
            if stops_run(error):
                raise
            return self._give_up_rest(self._latest(operation), error)

    def _give_up_rest(self, operation: Operation, error: PaperlessError) -> Operation:
        """The document is in the trash already: a late value that Paperless refuses does not justify a rollback."""
        steps = tuple(
            step if step.progress is Progress.DONE else replace(step, progress=Progress.UNDONE)
            for step in operation.steps
        )
        return self.journal.put(replace(operation, steps=steps, problems=(*operation.problems, str(error))))

    # Checks

    def _read(self, operation: Operation) -> Both:
        try:
            kept, loser = (self._client.document(number) for number in operation.both)
            return Both(kept, loser, self._client.notes(kept.id), self._client.notes(loser.id))
        except NotFoundError as error:
            raise ImpossibleError(_DELETED) from error

    def _asked(self, operation: Operation, step: Step) -> Step:
        """The step that removes the tags of the decision, with those that are there; refuses if one was withdrawn."""
        documents = self._look(operation)
        if not documents:
            raise ImpossibleError(_DELETED)
        tags = {
            str(document.id): sorted(set(step.values["tags"]) & set(document.tags)) for document in documents
        }
        return step.with_values(had={number: had for number, had in tags.items() if had})

    def _look_again(self, operation: Operation) -> None:
        """Right before the trash. A run that was killed may have moved it there already."""
        if not self._look(operation):
            self._client.document(operation.kept, fields=("id",))
            if self._client.trashed_document(operation.loser) is None:
                raise ImpossibleError(_DELETED)
        elif operation.checksum:
            refuse_strangers(self._session, operation)

    def _look(self, operation: Operation) -> list[RawDocument]:
        """Tags and texts of both, with one request; empty unless both are there."""
        documents = list(self._client.documents_by_id(operation.both, fields=("id", "tags", "content")))
        if len(documents) < 2:
            return []
        self._refuse_changes(operation, documents)
        return documents

    def _withdraw(self, operation: Operation) -> None:
        """The user undoes what has not come to its last steps: the tags that asked for it must not ask again."""
        if operation.asked and not operation.has(StepKind.UNTAG, Progress.DONE, Progress.UNDONE):
            tags = set(untag_step(self._session, operation).values["tags"])
            for head in list(self._client.documents_by_id(operation.both, fields=("id", "tags"))):
                self._client.modify_tags([head.id], remove=tags & set(head.tags))

    def _require_kept(self, operation: Operation) -> None:
        """After the trash: somebody may have trashed the kept one in the same moment, and both would be gone."""
        try:
            self._client.document(operation.kept, fields=("id",))
        except NotFoundError as error:
            raise ImpossibleError(
                "#{kept} was deleted in the same moment, so #{loser} was restored",
                kept=operation.kept,
                loser=operation.loser,
            ) from error

    def _refuse_changes(self, operation: Operation, documents: Iterable[RawDocument]) -> None:
        """The decision was withdrawn, or is about another text."""
        documents = list(documents)
        refuse_withdrawn(self._session, operation, documents)
        for document in documents:
            if document.id == operation.kept and operation.has(StepKind.ATTACH):
                continue  # its text is that of the file we attached
            if text_hash(document) != operation.hashes[str(document.id)]:
                raise ImpossibleError("the text of #{n} has changed since", n=document.id)

    # Failures

    def _after_failure(self, operation: Operation, error: ServerError) -> Operation:
        """The next run tries again; but not for ever, if Paperless fails each time."""
        failed = self.journal.put(replace(operation, failures=operation.failures + 1))
        if failed.failures < FAILURES or failed.has_done(StepKind.TRASH):
            raise error
        return self._refuse(failed, error)

    def _refuse(self, operation: Operation, error: DedupeError) -> Operation:
        told = error.phrase.said(self._say) if isinstance(error, ImpossibleError) else str(error)
        reason, told = (plain(text.rstrip(".")) for text in (str(error), told))
        back = replace(operation, stage=Stage.ROLLING_BACK, refused=reason, told=told)
        return self.roll_back(self.journal.put(back))

    def _explain(self, operation: Operation) -> None:
        """A note on the subject says why nothing was done; if it was deleted, on the other."""
        session, pair = self._session, operation.both
        problems = f" ({'; '.join(operation.problems)})" if operation.problems else ""
        goal = self._say(_GOALS[operation.doing], kept=operation.kept, loser=operation.loser)
        reason = (operation.told or operation.refused) + problems
        heads = list(self._client.documents_by_id(pair, fields=("id", "tags")))
        there = {head.id for head in heads}
        withdrawn = is_withdrawn(session, operation, heads)  # the tags ask for something else now
        for number, other in ((operation.subject, operation.other), (operation.other, operation.subject)):
            with suppress(NotFoundError):
                is_for_all = session.writer.everyone_sees(number, other) or other not in there
                refuse(session, pair, goal, reason, on=number, is_for_all=is_for_all, is_withdrawn=withdrawn)
                return

    def _latest(self, operation: Operation) -> Operation:
        """As it is in the journal: an error leaves us with an older state."""
        return self.journal.get(operation.number) or operation
