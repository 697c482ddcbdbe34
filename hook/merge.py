"""Two documents become one: takes over what the other has, moves it to the trash, or takes it all back.

Shared by confirm and make-version. Both documents are read again before anything is planned and once more
before the trash; every write is in the journal first (journal.py), so that a kill at any moment leaves
something that the next run brings to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from dedupe_core.text import content_hash, normalise
from hook.actions import GENERAL
from hook.carry import VALUES, Carry, Conflict, Names, carry, left_behind, quoted, taken_over
from hook.decisions import Decision, Decisions
from hook.errors import NotFoundError, PaperlessError, ServerError
from hook.examine import Examiner
from hook.journal import Doing, Journal, Operation, Progress, Stage, Step
from hook.plain_text import plain
from hook.plan import digest_of, linked, ours_in
from hook.queue import Queue
from hook.records import Note, RawDocument
from hook.settling import settle
from hook.steps import (
    ADD_NOTE,
    ADD_TAGS,
    ATTACH,
    MOVE_ASN,
    SET_FIELDS,
    SET_VALUE,
    TRASH,
    UNLINK,
    ImpossibleError,
    Steps,
    say,
)

ROUNDS: Final = 3  # so often we look whether a person added something to the one that goes
ATTEMPTS: Final = 5  # runs that an error of Paperless's own may spoil before all is taken back
TITLE_CHARACTERS: Final = 80

Attach = Callable[[Operation, Step], Step | None]


class NotYetError(Exception):
    """Paperless is still at it: the operation goes on in a later run."""


@dataclass(frozen=True, slots=True)
class Pair:
    kept: RawDocument
    loser: RawDocument
    kept_notes: tuple[Note, ...]
    loser_notes: tuple[Note, ...]


def text_hash(document: RawDocument) -> str:
    return content_hash(document.content, normalise(document.content)).hex()


class Merge:
    """Brings operations to an end. Hold the writing lock. `attach` does the step that only versions have."""

    def __init__(
        self, examiner: Examiner, queue: Queue, attach: Attach, detach: Callable[[Step], str]
    ) -> None:
        self._examiner, self._queue = examiner, queue
        self._client, self._labels = examiner.client, examiner.labels
        self._journal = Journal(examiner.archive.index)
        self._steps = Steps(examiner.client)
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
            now = self._latest(operation)
            self._journal.put(replace(now, failures=now.failures + 1))
            if now.failures + 1 < ATTEMPTS or _is_trashed(now):
                raise
            return self.take_back(self._turned(operation, str(error)))
        except GENERAL:
            raise
        except (PaperlessError, ImpossibleError) as error:
            return self.take_back(self._turned(operation, str(error)))

    def take_back(self, operation: Operation) -> Operation:
        """All that was begun, last first; a person's undo, or because it could not go on."""
        operation = self._journal.take_back(operation, self._back)
        self._queue.add(operation.subject)
        self._queue.add(operation.other)
        if operation.refused:
            self._explain(operation)
        else:
            a, b = sorted((operation.kept, operation.loser))
            Decisions(self._examiner.archive.index).forget(a, b)
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
            return self._attach(self._latest(operation), step)
        if step.kind == TRASH:
            self._look_again(operation)
        self._steps.do(step)
        return None

    def _look_again(self, operation: Operation) -> None:
        """The last look before the trash; a run that was killed may have brought it there already."""
        try:
            pair = self._read(operation)
        except ImpossibleError:
            self._client.document(operation.kept, fields=("id",))
            if self._client.trashed_document(operation.loser) is None:
                raise
        else:
            self._refuse_changes(operation, pair)

    def _gather(self, operation: Operation) -> Operation:
        """Takes over what there is, until there is nothing more; then says so on the kept one."""
        conflicts: tuple[Conflict, ...] = ()
        for _ in range(ROUNDS):
            pair = self._read(operation)
            self._refuse_changes(operation, pair)
            more = self._carry(pair)
            conflicts = more.conflicts
            steps = [*_steps_of(more, operation), *self._unlinking(operation, pair)]
            if not steps:
                break
            operation = self._do(self._journal.add(operation, steps))
        if not any(step.values.get("summary") for step in operation.steps):
            text = self._summary(operation, pair, conflicts)
            note = Step(ADD_NOTE, operation.kept, {"text": text, "summary": True})
            operation = self._do(self._journal.add(operation, [note]))
        return operation

    def _gather_late(self, operation: Operation) -> Operation:
        """What a person put on the other one in the moment before it went."""
        gone = self._client.trashed_document(operation.loser)
        if gone is None:
            return operation
        try:
            kept = self._client.document(operation.kept)
            notes = self._client.notes(operation.kept)
            more = self._carry(Pair(kept, replace(gone, archive_serial_number=None), notes, gone.notes))
            return self._do(self._journal.add(operation, _steps_of(more, operation)))
        except GENERAL:
            raise
        except PaperlessError as error:  # it is in the trash: this is no reason to turn back
            done = tuple(
                replace(step, progress=Progress.BACK) if step.progress is not Progress.DONE else step
                for step in self._latest(operation).steps
            )
            return self._journal.put(
                replace(operation, steps=done, problems=(*operation.problems, str(error)))
            )

    def _finish(self, operation: Operation) -> Operation:
        """What we keep ourselves; a document that is restored finds its record again."""
        archive, findings = self._examiner.archive, self._examiner.findings
        Decisions(archive.index).put([Decision.from_json(operation.decision)])
        about = set(self._examiner.forget(operation.loser)) - {operation.kept, operation.loser}
        for subject in sorted(about):
            self._queue.add(subject)
        record = findings.get(operation.subject)
        rest = tuple(finding for finding in record.findings if finding.other != operation.other)
        if operation.subject == operation.loser:
            findings.put([replace(record, links=frozenset())])
            settle(self._examiner, self._queue, operation.subject, (), is_gone=True)
        else:
            settle(self._examiner, self._queue, operation.subject, rest)
        if operation.doing is Doing.VERSION:
            self._queue.add(operation.kept)  # it has another text now
        return self._journal.put(replace(self._latest(operation), stage=Stage.DONE))

    # Reading

    def _read(self, operation: Operation) -> Pair:
        try:
            kept, loser = (self._client.document(number) for number in (operation.kept, operation.loser))
        except NotFoundError as error:
            raise ImpossibleError("one of the two was deleted meanwhile") from error
        return Pair(kept, loser, self._client.notes(kept.id), self._client.notes(loser.id))

    def _refuse_changes(self, operation: Operation, pair: Pair) -> None:
        for document in (pair.kept, pair.loser):
            if operation.doing is Doing.VERSION and document is pair.kept and operation.has(ATTACH):
                continue  # its text is that of the file we attached
            if text_hash(document) != operation.hashes[str(document.id)]:
                raise ImpossibleError(f"the text of #{document.id} has changed since")

    def _carry(self, pair: Pair) -> Carry:
        known = self._labels.known()
        ours = ours_in(known, self._examiner.settings)
        written = {note.digest for note in self._examiner.findings.get(pair.loser.id).notes}
        theirs = [note for note in pair.loser_notes if digest_of(note.text) not in written]
        texts = [note.text for note in pair.kept_notes]
        unseen = [quoted(pair.loser.id, note) for note in theirs if note.text.strip() not in texts]
        return carry(pair.kept, pair.loser, ours, texts, [text for text in unseen if _is_for_people(text)])

    def _unlinking(self, operation: Operation, pair: Pair) -> list[Step]:
        """Links of ours that would lead into the trash: Paperless refuses to change a field with one."""
        field = self._labels.known().link_field
        if field is None:
            return []
        known = {step.document for step in operation.steps if step.kind == UNLINK}
        linking = linked(pair.loser, field) | (
            {pair.kept.id} if pair.loser.id in linked(pair.kept, field) else set()
        )
        values = {"field": field, "other": operation.loser}
        return [Step(UNLINK, number, values) for number in sorted(linking - known)]

    # Words

    def _summary(self, operation: Operation, pair: Pair, conflicts: tuple[Conflict, ...]) -> str:
        made = [
            _carry_of(step) for step in operation.steps if step.kind != ADD_NOTE or "quote" in step.values
        ]
        names = self._names(made, conflicts)
        title = plain(pair.loser.title, TITLE_CHARACTERS)
        text = _HEADS[operation.doing].format(other=operation.loser, title=title)
        if taken := taken_over(made, names):
            text += f" Taken over: {taken}."
        if left := left_behind(conflicts, names):
            text += f" Left behind, because it is different here: {left}."
        return f"{text} `paperless-dedupe undo {operation.loser}` takes this back."

    def _names(self, made: Iterable[Carry], conflicts: Iterable[Conflict]) -> Names:
        wanted = [(name, value) for carry in made for name, value in carry.values.items()]
        wanted += [(str(c.name), value) for c in conflicts if c.name in VALUES for value in (c.here, c.there)]
        known: dict[str, dict[int, str]] = {
            name: self._client.names(f"{name}s", {value for kind, value in wanted if kind == name})
            for name in VALUES
        }
        known["tags"] = dict(self._labels.known().names)
        known["fields"] = {field.id: field.name for field in self._client.custom_fields()}
        return Names(known)

    def _explain(self, operation: Operation) -> None:
        """Says on the document why what was asked for did not happen."""
        problems = f" ({'; '.join(operation.problems)})" if operation.problems else ""
        what = _WHAT[operation.doing].format(kept=operation.kept, loser=operation.loser)
        for number in (operation.subject, operation.other):
            try:
                return say(self._client, number, f"Not done: {what}. {operation.refused}{problems}.")
            except NotFoundError:
                continue

    # Bookkeeping

    def _back(self, step: Step) -> str:
        if step.kind == ATTACH:
            return self._detach(step)
        return self._steps.back(step)

    def _turned(self, operation: Operation, reason: str) -> Operation:
        now = self._latest(operation)
        return self._journal.put(replace(now, stage=Stage.TAKING_BACK, refused=plain(reason.rstrip("."))))

    def _latest(self, operation: Operation) -> Operation:
        return self._journal.get(operation.number) or operation


_HEADS: Final = {
    Doing.TRASH: 'Kept: #{other} "{title}", the same paper, was moved to the trash.',
    Doing.VERSION: 'The file of #{other} "{title}" is a version of this document now; #{other} was moved to the trash.',
}
_WHAT: Final = {
    Doing.TRASH: "keeping #{kept} and moving #{loser} to the trash",
    Doing.VERSION: "making #{loser} a version of #{kept}",
}


def _is_trashed(operation: Operation) -> bool:
    return any(step.kind == TRASH and step.progress is Progress.DONE for step in operation.steps)


def _is_for_people(text: str) -> bool:
    """Not one of our own that tells what became of a decision."""
    return ": Not done: " not in text and "`paperless-dedupe undo " not in text


def _steps_of(made: Carry, operation: Operation) -> list[Step]:
    kept, loser = operation.kept, operation.loser
    steps = [Step(ADD_TAGS, kept, {"tags": sorted(made.tags)})] if made.tags else []
    steps += [Step(SET_VALUE, kept, {"name": name, "value": value}) for name, value in made.values.items()]
    if made.fields:
        fields = {str(number): value for number, value in made.fields.items()}
        steps.append(Step(SET_FIELDS, kept, {"fields": fields}))
    if made.asn is not None:
        steps.append(Step(MOVE_ASN, kept, {"asn": made.asn, "from": loser}))
    steps += [Step(ADD_NOTE, kept, {"text": text, "quote": True}) for text in made.notes]
    known = [(step.kind, step.values) for step in operation.steps]
    return [step for step in steps if (step.kind, step.values) not in known]


def _carry_of(step: Step) -> Carry:
    """A step in the words of the plan, for the note that lists what was taken over."""
    values = step.values
    if step.kind == ADD_TAGS:
        return Carry(tags=frozenset(values["tags"]))
    if step.kind == SET_VALUE:
        return Carry(values={values["name"]: values["value"]})
    if step.kind == SET_FIELDS:
        return Carry(fields={int(number): value for number, value in values["fields"].items()})
    if step.kind == MOVE_ASN:
        return Carry(asn=values["asn"])
    return Carry(notes=(values["text"],)) if step.kind == ADD_NOTE else Carry()
