"""The steps of an operation: each can be done twice, and undone, without harm.

The order in which they are done is that of merge.py.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hook.errors import NotFoundError, PaperlessError
from hook.findings.decisions import Decision
from hook.findings.findings import WrittenNote
from hook.findings.plan import digest_of
from hook.language.translate import translator
from hook.review.journal import Operation, Progress, Step, StepKind
from hook.review.kept.own_notes import OwnNotes, newest
from hook.review.metadata import Effect, Metadata
from hook.review.resolve import unmark
from hook.review.versions import Attaching
from hook.session import Session


class Steps:
    def __init__(self, session: Session) -> None:
        self._session, self._client = session, session.client
        self._notes = OwnNotes(session.client, session.archive.index)
        self._say = translator(session.settings.language)
        attaching = Attaching(session.client, say=self._say)
        self._metadata = Metadata(session.client, self._say)
        self._effects: dict[StepKind, Effect] = {
            **self._metadata.effects(),
            StepKind.ATTACH: (attaching.do, attaching.undo),
            StepKind.ADD_NOTE: (self._add_note, self._delete_note),
            StepKind.TRASH: (self._trash, self._restore),
            StepKind.RECORD: (self._record, self._withdraw),
            StepKind.FORGET: (self._forget, self._examine),
            StepKind.UNMARK: (self._unmark, self._examine),
            StepKind.EXAMINE: (self._examine, self._examine),
        }

    def do(self, step: Step) -> Step:
        """The step when it is done; still begun if it takes another turn, with what has to be stored before."""
        return self._effects[step.kind][0](step) or replace(step, progress=Progress.DONE)

    def undo(self, step: Step) -> str:
        """What could not be undone, in the language of notes."""
        try:
            return self._effects[step.kind][1](step) or ""
        except NotFoundError:
            return self._say("#{n} was deleted", n=step.document)

    def tag_again(self, step: Step) -> None:
        """After a refusal: the decision tags that the operation removed."""
        if step.kind is StepKind.UNTAG:
            self._metadata.tag_again(step)

    # In Paperless

    def _add_note(self, step: Step) -> Step:
        """In two turns: which notes are there is stored before ours is sent, so that it is found after a kill."""
        if "before" not in step.values:
            return step.with_values(before=[note.id for note in self._client.notes(step.document)])
        text, before = step.values["text"], step.values["before"]
        digest = digest_of(text)
        number = newest(self._client.notes(step.document), digest, but=before)
        if number is None:
            number = newest(self._client.add_note(step.document, text), digest, but=before)
        if step.values.get("summary"):
            self._notes.record(step.document, WrittenNote(digest, number))
        return replace(step.with_values(note=number), progress=Progress.DONE)

    def _delete_note(self, step: Step) -> None:
        """By id and text; if the id is not known, the one with this text that was not there before."""
        digest, before = digest_of(step.values["text"]), step.values.get("before", ())
        notes = self._client.notes(step.document)
        number = step.values.get("note") or newest(notes, digest, but=before)
        if number in [note.id for note in notes if digest_of(note.text) == digest]:
            with suppress(NotFoundError):
                self._client.delete_note(step.document, number)

    def _trash(self, step: Step) -> None:
        try:
            self._client.delete_document(step.document)
        except NotFoundError:
            if self._client.trashed_document(step.document) is None:
                raise

    def _restore(self, step: Step) -> None:
        try:
            self._client.restore([step.document])
        except PaperlessError:  # perhaps a user restored it: NotFoundError if it is gone for good
            self._client.document(step.document, fields=("id",))

    # What we store ourselves

    def _record(self, step: Step) -> None:
        self._session.decisions.put([Decision.from_json(step.values["decision"])])

    def _withdraw(self, step: Step) -> None:
        self._session.decisions.forget(*Decision.from_json(step.values["decision"]).pair)

    def _forget(self, step: Step) -> None:
        """The record of its findings stays: it is needed if the document is restored."""
        about = set(self._session.examiner.forget(step.document)) - {step.values["kept"]}
        for subject in sorted(about):
            self._session.examine_later(subject)

    def _unmark(self, step: Step) -> None:
        """The finding is no longer shown on its subject; if that is in the trash, on the documents around it."""
        findings, is_gone = self._session.findings, step.values["is_gone"]
        record = findings.get(step.document)
        if is_gone:
            findings.put([replace(record, links=frozenset())])
        rest = [
            finding for finding in record.findings if not is_gone and finding.other != step.values["other"]
        ]
        unmark(self._session, step.document, tuple(rest), is_gone=is_gone)

    def _examine(self, step: Step) -> None:
        self._session.examine_later(step.document)


def last_steps(operation: Operation) -> list[Step]:
    """What we store ourselves, after the document is in the trash."""
    kept, loser, subject = operation.kept, operation.loser, operation.subject
    marks = {"other": operation.other, "is_gone": subject == loser}
    return [
        Step(StepKind.RECORD, loser, {"decision": operation.decision}),
        Step(StepKind.FORGET, loser, {"kept": kept}),
        Step(StepKind.UNMARK, subject, marks),
        *([Step(StepKind.EXAMINE, kept)] if operation.has(StepKind.ATTACH) else []),  # it has another text
    ]
