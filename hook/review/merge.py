"""Two documents become one: the kept one takes over what the other has, which then goes to the trash.

Shared by confirm and make-version. Both documents are read again before anything is planned and once more
before the trash; every write is in the journal first (journal.py), so that a kill at any moment leaves
something that the next run brings to its end, or back to its beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hook.errors import NotFoundError, PaperlessError, ServerError
from hook.findings.apply import GENERAL
from hook.findings.decisions import Decision, Decisions
from hook.findings.examine import Examiner
from hook.plain_text import plain
from hook.queue import Queue
from hook.review.journal import Doing, Journal, Operation, Progress, Stage, Step
from hook.review.settling import settle
from hook.review.steps import ATTACH, TRASH, ImpossibleError, NotYetError, Steps, say
from hook.review.taking_over import Both, TakingOver, has_summary, text_hash
from hook.review.transfer import Conflict

ROUNDS: Final = 3  # so often we look whether a person added something to the one that goes
FAILURES: Final = 5  # runs that an error of Paperless's own may spoil before all is taken back
_WHAT: Final = {
    Doing.TRASH: "keeping #{kept} and moving #{loser} to the trash",
    Doing.VERSION: "making #{loser} a version of #{kept}",
}

Attach = Callable[[Operation, Step], Step]


class Merge:
    """Brings operations to an end. Hold the writing lock. `attach` does the step that only versions have."""

    def __init__(
        self, examiner: Examiner, queue: Queue, attach: Attach, detach: Callable[[Step], str]
    ) -> None:
        self._examiner, self._queue, self._client = examiner, queue, examiner.client
        self._journal = Journal(examiner.archive.index)
        self._steps, self._taking_over = Steps(examiner.client), TakingOver(examiner)
        self._attach, self._detach = attach, detach

    def go_on(self, operation: Operation) -> Operation:
        """To its end, or back to where it was; what stops all work (Paperless is down) is raised."""
        if operation.stage is Stage.TAKING_BACK:
            return self.take_back(operation)
        try:
            return self._forward(operation)
        except NotYetError:
            return self._latest(operation)
        except ServerError as error:
            return self._after_failure(self._latest(operation), error)
        except GENERAL:
            raise
        except (PaperlessError, ImpossibleError) as error:
            return self.take_back(self._turned(operation, error))

    def take_back(self, operation: Operation) -> Operation:
        """All that was begun, last first; a person's undo, or because it could not go on."""
        operation = self._journal.take_back(operation, self._back)
        for number in (operation.subject, operation.other):
            self._queue.add(number)
        if operation.refused:
            self._explain(operation)
        else:
            Decisions(self._examiner.archive.index).forget(operation.kept, operation.loser)
        return self._journal.put(replace(operation, stage=Stage.TAKEN_BACK))

    # Forward

    def _forward(self, operation: Operation) -> Operation:
        operation = self._do(operation)
        if not _is_trashed(operation):
            operation = self._gather(operation)
            operation = self._do(self._journal.add(operation, [Step(TRASH, operation.loser)]))
        operation = self._gather_late(operation)
        return self._finish(operation)

    def _do(self, operation: Operation) -> Operation:
        return self._journal.do(operation, lambda step: self._one(operation, step))

    def _one(self, operation: Operation, step: Step) -> Step | None:
        if step.kind == ATTACH:
            return self._attach(operation, step)
        if step.kind == TRASH:
            self._look_again(operation)
        self._steps.do(step)
        return None

    def _look_again(self, operation: Operation) -> None:
        """The last look before the trash; a run that was killed may have brought it there already."""
        try:
            both = self._read(operation)
        except ImpossibleError:
            self._client.document(operation.kept, fields=("id",))
            if self._client.trashed_document(operation.loser) is None:
                raise
        else:
            self._refuse_changes(operation, both)

    def _gather(self, operation: Operation) -> Operation:
        """Takes over what there is, until there is nothing more; then says so on the kept one."""
        conflicts: tuple[Conflict, ...] = ()
        for _ in range(ROUNDS):
            both = self._read(operation)
            self._refuse_changes(operation, both)
            made = self._taking_over.carry(both)
            conflicts = made.conflicts
            steps = self._taking_over.steps(operation, made) + self._taking_over.unlinking(operation, both)
            if not steps:
                break
            operation = self._do(self._journal.add(operation, steps))
        if not has_summary(operation):
            note = self._taking_over.summary(operation, both, conflicts)
            operation = self._do(self._journal.add(operation, [note]))
        return operation

    def _gather_late(self, operation: Operation) -> Operation:
        """What a person put on the other one in the moment before it went."""
        gone = self._client.trashed_document(operation.loser)
        if gone is None:
            return operation
        try:
            kept, notes = self._client.document(operation.kept), self._client.notes(operation.kept)
            # Its ASN stays with it: one that came this late was meant for this very document.
            made = self._taking_over.carry(
                Both(kept, replace(gone, archive_serial_number=None), notes, gone.notes)
            )
            return self._do(self._journal.add(operation, self._taking_over.steps(operation, made)))
        except GENERAL:
            raise
        except PaperlessError as error:  # it is in the trash: this is no reason to turn back
            return self._given_up(self._latest(operation), error)

    def _finish(self, operation: Operation) -> Operation:
        """What we keep ourselves. A document that is restored finds its record again."""
        archive, findings = self._examiner.archive, self._examiner.findings
        Decisions(archive.index).put([Decision.from_json(operation.decision)])
        about = set(self._examiner.forget(operation.loser)) - {operation.kept, operation.loser}
        for subject in sorted(about):
            self._queue.add(subject)
        record = findings.get(operation.subject)
        if operation.subject == operation.loser:
            findings.put([replace(record, links=frozenset())])
            settle(self._examiner, self._queue, operation.subject, (), is_gone=True)
        else:
            rest = tuple(finding for finding in record.findings if finding.other != operation.other)
            settle(self._examiner, self._queue, operation.subject, rest)
        if operation.doing is Doing.VERSION:
            self._queue.add(operation.kept)  # it has another text now
        return self._journal.put(replace(operation, stage=Stage.DONE))

    # Reading

    def _read(self, operation: Operation) -> Both:
        try:
            kept, loser = (self._client.document(number) for number in (operation.kept, operation.loser))
            return Both(kept, loser, self._client.notes(kept.id), self._client.notes(loser.id))
        except NotFoundError as error:
            raise ImpossibleError("one of the two was deleted meanwhile") from error

    def _refuse_changes(self, operation: Operation, both: Both) -> None:
        for document in (both.kept, both.loser):
            if document is both.kept and operation.has(ATTACH):
                continue  # its text is that of the file we attached
            if text_hash(document) != operation.hashes[str(document.id)]:
                raise ImpossibleError(f"the text of #{document.id} has changed since")

    # Bookkeeping

    def _back(self, step: Step) -> str:
        return self._detach(step) if step.kind == ATTACH else self._steps.back(step)

    def _after_failure(self, operation: Operation, error: ServerError) -> Operation:
        """Once more in the next run; an error that comes again and again is an answer, too."""
        self._journal.put(replace(operation, failures=operation.failures + 1))
        if operation.failures + 1 < FAILURES or _is_trashed(operation):
            raise error
        return self.take_back(self._turned(operation, error))

    def _turned(self, operation: Operation, error: Exception) -> Operation:
        reason = plain(str(error).rstrip("."))
        return self._journal.put(replace(self._latest(operation), stage=Stage.TAKING_BACK, refused=reason))

    def _given_up(self, operation: Operation, error: PaperlessError) -> Operation:
        steps = tuple(
            step if step.progress is Progress.DONE else replace(step, progress=Progress.BACK)
            for step in operation.steps
        )
        return self._journal.put(replace(operation, steps=steps, problems=(*operation.problems, str(error))))

    def _explain(self, operation: Operation) -> None:
        """Says on the document why what was asked for did not happen."""
        problems = f" ({'; '.join(operation.problems)})" if operation.problems else ""
        what = _WHAT[operation.doing].format(kept=operation.kept, loser=operation.loser)
        for number in (operation.subject, operation.other):
            try:
                say(self._client, number, f"Not done: {what}. {operation.refused}{problems}.")
            except NotFoundError:
                continue
            return

    def _latest(self, operation: Operation) -> Operation:
        return self._journal.get(operation.number) or operation


def _is_trashed(operation: Operation) -> bool:
    return any(step.kind == TRASH and step.progress is Progress.DONE for step in operation.steps)
