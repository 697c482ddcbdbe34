"""The steps of an operation: each can be done twice, and undone, without harm. Their order is that of merge.py.

Nothing that a user set is overwritten: a value is set only where there is none, and removed again only while it
is still the one we set. Tags and fields are changed by bulk edit, which leaves all others alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from hook.errors import NotFoundError, PaperlessError, RefusedError
from hook.findings.decisions import Decision
from hook.findings.findings import WrittenNote
from hook.findings.links import LinkWriter
from hook.findings.plan import digest_of, linked
from hook.language.translate import translator
from hook.paperless.labels import LINK_TYPE
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.journal import Operation, Progress, Step, StepKind
from hook.review.kept.own_notes import OwnNotes, newest
from hook.review.resolve import unmark, unmark_around
from hook.review.versions import Attaching
from hook.session import Session

UNSET: Final[tuple[Any, ...]] = (None, "", [])

# Does a step and undoes it. The one may return the step with something to remember, the other what could not be undone.
Effect = tuple[Callable[[Step], Step | None], Callable[[Step], str | None]]


class Steps:
    def __init__(self, session: Session) -> None:
        self._session, self._client = session, session.client
        self._notes = OwnNotes(session.client, session.archive.index)
        self._say = translator(session.settings.language)
        attaching = Attaching(session.client, say=self._say)
        self._effects: dict[StepKind, Effect] = {
            StepKind.MOVE_ASN: (self._move_asn, self._return_asn),
            StepKind.SET_VALUE: (self._set_value, self._clear_value),
            StepKind.ADD_TAGS: (self._add_tags, self._remove_tags),
            StepKind.UNTAG: (self._untag, lambda step: None),
            StepKind.SET_FIELDS: (self._set_fields, self._clear_fields),
            StepKind.UNLINK: (self._unlink, self._link),
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

    def _head(self, document_id: int) -> RawDocument:
        return self._client.document(document_id, fields=HEAD_FIELDS)

    # The ASN is unique over all documents and the trash: it is removed from the one before the other gets it

    def _move_asn(self, step: Step) -> None:
        asn, source = step.values["asn"], step.values["from"]
        kept, other = self._head(step.document), self._head(source)
        if kept.archive_serial_number == asn:
            return
        if kept.archive_serial_number is not None:  # a user gave it another one in the meantime
            self._give_asn(other, asn)
            return
        if other.archive_serial_number == asn:
            self._client.patch_document(source, {"archive_serial_number": None})
        self._client.patch_document(step.document, {"archive_serial_number": asn})

    def _return_asn(self, step: Step) -> str | None:
        asn, source = step.values["asn"], step.values["from"]
        with suppress(NotFoundError):
            if self._head(step.document).archive_serial_number == asn:
                self._client.patch_document(step.document, {"archive_serial_number": None})
        try:
            return self._give_asn(self._head(source), asn)
        except (NotFoundError, RefusedError):
            return self._say("ASN {asn} could not be returned to #{n}", asn=asn, n=source)

    def _give_asn(self, document: RawDocument, asn: int) -> str | None:
        if document.archive_serial_number is None:
            self._client.patch_document(document.id, {"archive_serial_number": asn})
        elif document.archive_serial_number != asn:
            return self._say("#{n} no longer has the ASN {asn}", n=document.id, asn=asn)
        return None

    # Correspondent, type, storage path

    def _set_value(self, step: Step) -> None:
        name, value = step.values["name"], step.values["value"]
        if getattr(self._head(step.document), name) is None:
            self._client.patch_document(step.document, {name: value})

    def _clear_value(self, step: Step) -> None:
        name, value = step.values["name"], step.values["value"]
        if getattr(self._head(step.document), name) == value:
            self._client.patch_document(step.document, {name: None})

    # Tags

    def _add_tags(self, step: Step) -> None:
        tags = set(step.values["tags"]) - set(self._head(step.document).tags)
        try:
            self._client.modify_tags([step.document], add=tags)
        except RefusedError:
            existing = {tag.id for tag in self._client.tags(tags)}
            if existing == tags:
                raise
            self._client.modify_tags([step.document], add=existing)  # without one that was deleted

    def _remove_tags(self, step: Step) -> None:
        present = set(self._head(step.document).tags)
        added = set(step.values["tags"])
        parents = {tag.id: tag.parent for tag in self._client.tags()}
        needed = set[int | None]()
        for tag in present - added:  # removing a parent would also remove a user's tag below it
            while (tag := parents.get(tag)) is not None:  # type: ignore[assignment]  # ends with None
                needed.add(tag)
        self._client.modify_tags([step.document], remove=(added & present & parents.keys()) - needed)

    def _untag(self, step: Step) -> None:
        """A document that is restored must not bring the decision up again; a decision that is refused gets its tags back.

        Which document had which tag was read, and stored, right before (merge.py).
        """
        had = step.values.get("had", {})
        self._client.modify_tags(map(int, had), remove={tag for tags in had.values() for tag in tags})

    def tag_again(self, operation: Operation) -> None:
        """After a refusal: the decision tags that were removed, where the document and the tag are still there."""
        for step in operation.steps:
            for number, tags in step.values.get("had", {}).items():
                with suppress(NotFoundError, RefusedError):
                    self._client.modify_tags([int(number)], add=tags)

    # Custom fields

    def _set_fields(self, step: Step) -> Step:
        """Remembers what was set: links to documents that are in the trash by then are left out."""
        present, types = self._values(step.document), self._types()
        wanted = {
            number: self._fit(step.document, value, types[int(number)])
            for number, value in step.values["fields"].items()
            if int(number) in types and present.get(int(number)) in UNSET
        }
        wanted = {number: value for number, value in wanted.items() if value not in UNSET}
        self._client.modify_custom_fields([step.document], add={int(n): v for n, v in wanted.items()})
        return replace(step.with_values(set=wanted), progress=Progress.DONE)

    def _clear_fields(self, step: Step) -> None:
        present, types = self._values(step.document), self._types()
        values = {int(n): value for n, value in step.values.get("set", step.values["fields"]).items()}
        ours = [
            number
            for number, value in values.items()
            if number in present and present[number] == self._fit(step.document, value, types.get(number, ""))
        ]
        self._client.modify_custom_fields([step.document], remove=ours)

    def _values(self, document: int) -> dict[int, Any]:
        return {entry.field_id: entry.value for entry in self._head(document).custom_fields}

    def _types(self) -> dict[int, str]:
        return {field.id: field.data_type for field in self._client.custom_fields()}

    def _fit(self, document: int, value: Any, data_type: str) -> Any:
        """A link list without the document itself, for which Paperless would silently drop the whole list, and
        without those in the trash, for which it would refuse it."""
        if data_type != LINK_TYPE or not isinstance(value, list):
            return value
        live = set(self._client.document_ids(id__in=sorted(set(value))) if value else ())
        return [number for number in value if number != document and number in live]

    # Links: Paperless refuses every later change of a link field that names a document in the trash

    def _unlink(self, step: Step) -> None:
        field, other = step.values["field"], step.values["other"]
        with suppress(NotFoundError):
            document = self._head(step.document)
            if other in linked(document, field):
                LinkWriter(self._client, field).shrink(document, frozenset({other}))

    def _link(self, step: Step) -> str | None:
        field, other = step.values["field"], step.values["other"]
        try:
            LinkWriter(self._client, field).add(step.document, frozenset({other}))
        except RefusedError:
            return self._say("the link of #{n} to #{m} could not be restored", n=step.document, m=other)
        return None

    # Notes and the trash

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
            unmark_around(self._session, step.document)
        else:
            rest = tuple(f for f in record.findings if f.other != step.values["other"])
            unmark(self._session, step.document, rest)

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
