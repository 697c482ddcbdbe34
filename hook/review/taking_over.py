"""Reads two documents and plans what the kept one takes over, as steps; and says afterwards what it was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dedupe_core.text.normalise import content_hash, normalise
from hook.findings.examine import Examiner
from hook.findings.plan import digest_of, linked, ours_in
from hook.paperless.values import Note, RawDocument
from hook.plain_text import TITLE_CHARACTERS, plain
from hook.review.journal import Doing, Operation, Step
from hook.review.steps import ADD_NOTE, ADD_TAGS, MOVE_ASN, SET_FIELDS, SET_VALUE, UNLINK
from hook.review.transfer import VALUES, Carry, Conflict, Names, carry, left_behind, quoted, taken_over

_HEADS: Final = {
    Doing.TRASH: 'Kept: #{other} "{title}", the same paper, was moved to the trash.',
    Doing.VERSION: '#{other} "{title}" is in the trash: its file is a version of this document now.',
}


@dataclass(frozen=True, slots=True)
class Both:
    """The two documents of an operation as they are now, with their notes."""

    kept: RawDocument
    loser: RawDocument
    kept_notes: tuple[Note, ...]
    loser_notes: tuple[Note, ...]


class TakingOver:
    """What an examiner knows is needed to tell our own tags, links and notes from those of people."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner, self._client, self._labels = examiner, examiner.client, examiner.labels

    def carry(self, both: Both) -> Carry:
        ours = ours_in(self._labels.known(), self._examiner.settings)
        written = {note.digest for note in self._examiner.findings.get(both.loser.id).notes}
        theirs = [note for note in both.loser_notes if digest_of(note.text) not in written]
        texts = [note.text for note in both.kept_notes]
        unseen = [quoted(both.loser.id, note) for note in theirs if note.text.strip() not in texts]
        return carry(both.kept, both.loser, ours, texts, [text for text in unseen if _is_for_people(text)])

    def steps(self, operation: Operation, made: Carry) -> list[Step]:
        """Without those that the operation has already."""
        kept = operation.kept
        steps = [Step(ADD_TAGS, kept, {"tags": sorted(made.tags)})] if made.tags else []
        steps += [
            Step(SET_VALUE, kept, {"name": name, "value": value}) for name, value in made.values.items()
        ]
        if made.fields:
            fields = {str(number): value for number, value in made.fields.items()}
            steps.append(Step(SET_FIELDS, kept, {"fields": fields}))
        if made.asn is not None:
            steps.append(Step(MOVE_ASN, kept, {"asn": made.asn, "from": operation.loser}))
        steps += [Step(ADD_NOTE, kept, {"text": text, "quote": True}) for text in made.notes]
        known = [(step.kind, step.values) for step in operation.steps]
        return [step for step in steps if (step.kind, step.values) not in known]

    def unlinking(self, operation: Operation, both: Both) -> list[Step]:
        """Links of ours that would lead into the trash: Paperless refuses to change a field with one."""
        field = self._labels.known().link_field
        if field is None:
            return []
        known = {step.document for step in operation.steps if step.kind == UNLINK}
        linking = set(linked(both.loser, field))
        if both.loser.id in linked(both.kept, field):
            linking.add(both.kept.id)
        values = {"field": field, "other": operation.loser}
        return [Step(UNLINK, number, values) for number in sorted(linking - known)]

    def summary(self, operation: Operation, both: Both, conflicts: Iterable[Conflict]) -> Step:
        """The note on the kept document: what it took over, what not, and how to take it back."""
        made, conflicts = [_carry_of(step) for step in operation.steps], list(conflicts)
        names = self._names(made, conflicts)
        title = plain(both.loser.title, TITLE_CHARACTERS)
        text = _HEADS[operation.doing].format(other=operation.loser, title=title)
        if taken := taken_over(made, names):
            text += f" Taken over: {taken}."
        if left := left_behind(conflicts, names):
            text += f" Left behind, because it is different here: {left}."
        text += f" `paperless-dedupe undo {operation.loser}` takes this back."
        return Step(ADD_NOTE, operation.kept, {"text": text, "summary": True})

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


def text_hash(document: RawDocument) -> str:
    """Of the text as it is now; as the index has it."""
    return content_hash(document.content, normalise(document.content)).hex()


def has_summary(operation: Operation) -> bool:
    return any(step.values.get("summary") for step in operation.steps)


def _is_for_people(text: str) -> bool:
    """Not one of our own that tells what became of a decision."""
    return ": Not done: " not in text and "`paperless-dedupe undo " not in text


def _carry_of(step: Step) -> Carry:
    """A step in the words of the plan."""
    values = step.values
    if step.kind == ADD_TAGS:
        return Carry(tags=frozenset(values["tags"]))
    if step.kind == SET_VALUE:
        return Carry(values={values["name"]: values["value"]})
    if step.kind == SET_FIELDS:
        return Carry(fields={int(number): value for number, value in values["fields"].items()})
    if step.kind == MOVE_ASN:
        return Carry(asn=values["asn"])
    return Carry(notes=(values["text"],)) if "quote" in values else Carry()
