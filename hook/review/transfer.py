"""What the kept document takes over from the other, as steps, and the note that says so afterwards.

Only what it lacks: nothing of the kept document is overwritten, and where both have a value and the values differ,
that is a conflict, which the note reports. Our own tags, links and notes are not taken over, nor is the inbox tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dedupe_core.explain.say import message
from hook.findings.apply import is_ours
from hook.findings.decisions import SAME_FILE
from hook.findings.keeper import Ours, ours_in
from hook.findings.plan import linked
from hook.language.translate import ENGLISH, Translate, translator
from hook.log import TITLE_CHARACTERS, plain
from hook.paperless.values import Note, RawDocument
from hook.review.journal import Do, Operation, Step, StepKind
from hook.review.kept.own_notes import OwnNotes
from hook.review.steps import UNSET
from hook.session import Session

VALUES: Final = {
    "correspondent": message("correspondent"),
    "document_type": message("type"),
    "storage_path": message("storage path"),
}
_ASN: Final = "archive_serial_number"
_VALUE_CHARACTERS: Final = 60
_REMEMBERED: Final = ("set", "note", "before")  # in a step when it is done
_HEADS: Final[Mapping[str, str]] = {
    Do.TRASH: message('Kept this document. #{other} "{title}" was moved to the trash.'),
    SAME_FILE: message(
        'Kept this document. #{other} "{title}" has the same file and was moved to the trash.'
    ),
    Do.VERSION: message(
        'The file of #{other} "{title}" is a version of this document now. #{other} was moved to the trash.'
    ),
}


@dataclass(frozen=True, slots=True)
class Both:
    """The two documents of an operation as they are now, with their notes."""

    kept: RawDocument
    loser: RawDocument
    kept_notes: tuple[Note, ...]
    loser_notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Both have it, and it differs; `name` is one of VALUES, the ASN, or the id of a custom field."""

    name: str | int
    here: Any
    there: Any


# Of ids: by kind, which is `tags`, `fields` or one of VALUES, then by id.
Names = Mapping[str, Mapping[int, str]]


def _name(names: Names, kind: str, number: Any, say: Translate) -> str:
    known = names.get(kind, {})
    return f'"{known[number]}"' if number in known else say("no. {n}", n=number)


# Pure


def transfer(
    kept: RawDocument, loser: RawDocument, ours: Ours, kept_notes: Sequence[str], loser_notes: Sequence[str]
) -> list[Step]:
    """Empty if the kept document lacks nothing. `loser_notes` are those of users, as `quoted`."""
    here, there = _fields(kept, ours), _fields(loser, ours)
    tags = set(loser.tags) - set(kept.tags) - ours.tags - ours.inbox
    fields = {str(number): value for number, value in there.items() if number not in here}
    steps = [Step(StepKind.ADD_TAGS, kept.id, {"tags": sorted(tags)})] if tags else []
    for name in VALUES:
        if getattr(kept, name) is None and (value := getattr(loser, name)) is not None:
            steps.append(Step(StepKind.SET_VALUE, kept.id, {"name": name, "value": value}))
    if fields:
        steps.append(Step(StepKind.SET_FIELDS, kept.id, {"fields": fields}))
    if kept.archive_serial_number is None and (asn := loser.archive_serial_number) is not None:
        steps.append(Step(StepKind.MOVE_ASN, kept.id, {"asn": asn, "from": loser.id}))
    present = {text.strip() for text in kept_notes}
    missing = dict.fromkeys(text for text in loser_notes if text.strip() not in present)
    return steps + [Step(StepKind.ADD_NOTE, kept.id, {"text": text, "quote": True}) for text in missing]


def conflicts(kept: RawDocument, loser: RawDocument, ours: Ours) -> list[Conflict]:
    here, there = _fields(kept, ours), _fields(loser, ours)
    values = [Conflict(name, getattr(kept, name), getattr(loser, name)) for name in (*VALUES, _ASN)]
    fields = [Conflict(number, here.get(number), value) for number, value in there.items()]
    return [one for one in (*values, *fields) if None not in (one.here, one.there) and one.here != one.there]


def quoted(document: int, note: Note, say: Translate = ENGLISH) -> str:
    """A note as it is copied to another document: Paperless gives the copy our name and today's date."""
    whose = ", ".join(part for part in (plain(note.username), note.created[:10]) if part)
    return f"{say('Note on #{n}', n=document)}{f' ({whose})' if whose else ''}: {note.text}"


def taken_over(steps: Iterable[Step], names: Names, say: Translate = ENGLISH) -> str:
    """The steps in words: `tags "Tax", "2024"; correspondent "Bank"; ASN 17`."""
    steps = list(steps)
    tags = [
        _name(names, "tags", tag, say)
        for step in _of(steps, StepKind.ADD_TAGS)
        for tag in step.values["tags"]
    ]
    parts = [f"{say('tag') if len(tags) == 1 else say('tags')} {', '.join(sorted(tags))}"] if tags else []
    for step in _of(steps, StepKind.SET_VALUE):
        name, value = step.values["name"], step.values["value"]
        parts.append(f"{say(VALUES[name])} {_name(names, name, value, say)}")
    for step in _of(steps, StepKind.SET_FIELDS):
        fields = [_name(names, "fields", int(number), say) for number in step.values["fields"]]
        parts += [say("field {name}", name=name) for name in fields]
    parts += [f"ASN {step.values['asn']}" for step in _of(steps, StepKind.MOVE_ASN)]
    notes = [step for step in _of(steps, StepKind.ADD_NOTE) if "quote" in step.values]
    if notes:
        parts.append(say("its note") if len(notes) == 1 else say("its {n} notes", n=len(notes)))
    return "; ".join(parts)


def not_taken_over(conflicts: Iterable[Conflict], names: Names, say: Translate = ENGLISH) -> str:
    """Conflicts in words: `type "Invoice" (here "Letter")`."""

    def in_words(conflict: Conflict) -> str:
        name, values = conflict.name, [conflict.there, conflict.here]
        what = "ASN"
        if isinstance(name, int):
            what = say("field {name}", name=_name(names, "fields", name, say))
            values = [plain(str(value), _VALUE_CHARACTERS) for value in values]
        elif name in VALUES:
            what, values = say(VALUES[name]), [_name(names, name, value, say) for value in values]
        return say("{what} {there} (here {here})", what=what, there=values[0], here=values[1])

    return "; ".join(map(in_words, conflicts))


def _fields(document: RawDocument, ours: Ours) -> dict[int, Any]:
    return {
        entry.field_id: entry.value
        for entry in document.custom_fields
        if entry.field_id != ours.link_field and entry.value not in UNSET
    }


def _of(steps: Iterable[Step], kind: StepKind) -> list[Step]:
    return [step for step in steps if step.kind is kind]


# With what we know of our own tags, links and notes


def missing_steps(session: Session, operation: Operation, both: Both) -> list[Step]:
    """Without those that the operation has already."""
    kept, loser, say = both.kept, both.loser, translator(session.settings.language)
    written = session.findings.get(loser.id).notes
    written += OwnNotes(session.client, session.archive.index).of(loser.id)
    theirs = [note for note in both.loser_notes if not is_ours(note, written)]
    texts = [note.text for note in both.kept_notes]
    missing = [quoted(loser.id, note, say) for note in theirs if note.text.strip() not in texts]
    known = [_planned(step) for step in operation.steps]
    planned = transfer(kept, loser, _ours(session), texts, missing)
    return [step for step in planned if _planned(step) not in known]


def unlinking(session: Session, operation: Operation, both: Both) -> list[Step]:
    """For our links that would name a document in the trash: Paperless refuses to change such a field."""
    field = session.labels.known().link_field
    if field is None:
        return []
    known = {step.document for step in _of(operation.steps, StepKind.UNLINK)}
    linking = set(linked(both.loser, field))
    if both.loser.id in linked(both.kept, field):
        linking.add(both.kept.id)
    values = {"field": field, "other": operation.loser}
    return [Step(StepKind.UNLINK, number, values) for number in sorted(linking - known)]


def summary(session: Session, operation: Operation, both: Both) -> Step:
    """The note on the kept document: what it took over, what not, and how to undo it."""
    differing = conflicts(both.kept, both.loser, _ours(session))
    names, say = _names(session, operation.steps, differing), translator(session.settings.language)
    head = _HEADS[SAME_FILE if operation.checksum else operation.doing]
    parts = [say(head, other=operation.loser, title=plain(both.loser.title, TITLE_CHARACTERS))]
    if taken := taken_over(operation.steps, names, say):
        parts.append(say("Taken over from it: {taken}.", taken=taken))
    if left := not_taken_over(differing, names, say):
        parts.append(say("Not taken over, because the value here is different: {left}.", left=left))
    parts.append(say("To undo this: `paperless-dedupe undo {n}`.", n=operation.loser))
    return Step(StepKind.ADD_NOTE, operation.kept, {"text": " ".join(parts), "summary": True})


def _ours(session: Session) -> Ours:
    return ours_in(session.labels.known(), session.settings)


def _names(session: Session, steps: Iterable[Step], differing: Iterable[Conflict]) -> Names:
    wanted = [(s.values["name"], s.values["value"]) for s in _of(steps, StepKind.SET_VALUE)]
    wanted += [(str(c.name), value) for c in differing if c.name in VALUES for value in (c.here, c.there)]
    known: dict[str, dict[int, str]] = {
        name: session.client.names(f"{name}s", {value for kind, value in wanted if kind == name})
        for name in VALUES
    }
    known["tags"] = dict(session.labels.known().names)
    known["fields"] = {field.id: field.name for field in session.client.custom_fields()}
    return known


def _planned(step: Step) -> tuple[StepKind, dict[str, Any]]:
    """A step as it was planned, without what was remembered when it was done."""
    return step.kind, {name: value for name, value in step.values.items() if name not in _REMEMBERED}


def has_summary(operation: Operation) -> bool:
    return any(step.values.get("summary") for step in operation.steps)
