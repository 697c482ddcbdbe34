"""The single writes of which an operation is made: each can be done twice, and taken back, without harm.

Nothing of a person is overwritten: a value is set only where there is none, and taken back only while it is
still the one we set. Tags go through bulk edits, which leave the others alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from hook.errors import DedupeError, NotFoundError, PaperlessError, RefusedError
from hook.findings.links import LinkWriter
from hook.findings.plan import digest_of, linked
from hook.paperless.client import Paperless
from hook.paperless.labels import LINK_TYPE
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.journal import Step

MOVE_ASN: Final = "move the ASN"
SET_VALUE: Final = "set"
ADD_TAGS: Final = "add tags"
SET_FIELDS: Final = "set fields"
ADD_NOTE: Final = "add a note"
UNTAG: Final = "remove the decision"
UNLINK: Final = "unlink"
ATTACH: Final = "attach the file"
TRASH: Final = "move to the trash"

_NOTHING: Final[tuple[Any, ...]] = (None, "", [])


class ImpossibleError(DedupeError):
    """It makes no sense, or something has come in between: what was done so far is taken back."""


class NotYetError(DedupeError):
    """Paperless is still at it: the operation goes on in a later run."""


class Steps:
    """Does steps, and takes them back, in one Paperless. `back` returns what stays, in words."""

    def __init__(self, client: Paperless) -> None:
        self._client = client
        self._doing: dict[str, tuple[Callable[[Step], None], Callable[[Step], str]]] = {
            MOVE_ASN: (self._move_asn, self._asn_back),
            SET_VALUE: (self._set_value, self._value_back),
            ADD_TAGS: (self._add_tags, self._tags_back),
            SET_FIELDS: (self._set_fields, self._fields_back),
            ADD_NOTE: (self._add_note, self._note_back),
            UNTAG: (self._untag, _stays),
            UNLINK: (self._unlink, self._link_back),
            TRASH: (self._trash, self._restore),
        }

    def do(self, step: Step) -> None:
        self._doing[step.kind][0](step)

    def back(self, step: Step) -> str:
        try:
            return self._doing[step.kind][1](step)
        except NotFoundError:
            return f"#{step.document} is gone"

    def head(self, document_id: int) -> RawDocument:
        return self._client.document(document_id, fields=HEAD_FIELDS)

    # The ASN: unique over the archive and the trash, so it leaves the one before it comes to the other

    def _move_asn(self, step: Step) -> None:
        asn, source = step.values["asn"], step.values["from"]
        kept, other = self.head(step.document), self.head(source)
        if kept.archive_serial_number == asn:
            return
        if kept.archive_serial_number is not None:  # a person gave it another one meanwhile
            self._give_asn(other, asn)
            return
        if other.archive_serial_number == asn:
            self._client.patch_document(source, {"archive_serial_number": None})
        self._client.patch_document(step.document, {"archive_serial_number": asn})

    def _asn_back(self, step: Step) -> str:
        asn, source = step.values["asn"], step.values["from"]
        with suppress(NotFoundError):
            if self.head(step.document).archive_serial_number == asn:
                self._client.patch_document(step.document, {"archive_serial_number": None})
        try:
            return self._give_asn(self.head(source), asn)
        except (NotFoundError, RefusedError):
            return f"ASN {asn} could not be given back to #{source}"

    def _give_asn(self, document: RawDocument, asn: int) -> str:
        if document.archive_serial_number == asn:
            return ""
        if document.archive_serial_number is not None:
            return f"#{document.id} has another ASN now than {asn}"
        self._client.patch_document(document.id, {"archive_serial_number": asn})
        return ""

    # Correspondent, type, storage path

    def _set_value(self, step: Step) -> None:
        name, value = step.values["name"], step.values["value"]
        if getattr(self.head(step.document), name) is None:
            self._client.patch_document(step.document, {name: value})

    def _value_back(self, step: Step) -> str:
        name, value = step.values["name"], step.values["value"]
        if getattr(self.head(step.document), name) == value:
            self._client.patch_document(step.document, {name: None})
        return ""

    # Tags

    def _add_tags(self, step: Step) -> None:
        tags = set(step.values["tags"]) - set(self.head(step.document).tags)
        try:
            self._client.modify_tags([step.document], add=tags)
        except RefusedError:
            there = self._client.tags_by_id(tags).keys()
            if there == tags:
                raise
            self._client.modify_tags([step.document], add=there)  # without one that was deleted meanwhile

    def _tags_back(self, step: Step) -> str:
        present = set(self.head(step.document).tags)
        added = set(step.values["tags"])
        parents = {tag.id: tag.parent for tag in self._client.tags()}
        needed = set[int | None]()
        for tag in present - added:  # removing a parent would take along the tag of a person below it
            while (tag := parents.get(tag)) is not None:  # type: ignore[assignment]  # ends with None
                needed.add(tag)
        self._client.modify_tags([step.document], remove=(added & present & parents.keys()) - needed)
        return ""

    def _untag(self, step: Step) -> None:
        """The decision is in the journal now; a document that is restored must not bring it up again."""
        tags = step.values["tags"]
        heads = self._client.documents_by_id(step.values["documents"], fields=("id", "tags"))
        tagged = [head for head in heads if set(tags) & set(head.tags)]
        there = {tag for head in tagged for tag in head.tags} & set(tags)
        self._client.modify_tags([head.id for head in tagged], remove=there)

    # Custom fields: by bulk edit, which leaves all others alone

    def _set_fields(self, step: Step) -> None:
        present = _values(self.head(step.document))
        types = {field.id: field.data_type for field in self._client.custom_fields()}
        wanted = {
            number: _fit(step.document, value, types[number])
            for number, value in _fields(step).items()
            if number in types and present.get(number) in _NOTHING
        }
        self._client.modify_custom_fields([step.document], add=wanted)

    def _fields_back(self, step: Step) -> str:
        present = _values(self.head(step.document))
        types = {field.id: field.data_type for field in self._client.custom_fields()}
        ours = [
            number
            for number, value in _fields(step).items()
            if number in present and present[number] == _fit(step.document, value, types.get(number, ""))
        ]
        self._client.modify_custom_fields([step.document], remove=ours)
        return ""

    # Notes

    def _add_note(self, step: Step) -> None:
        say(self._client, step.document, step.values["text"])

    def _note_back(self, step: Step) -> str:
        digest = digest_of(step.values["text"])
        for note in self._client.notes(step.document):
            if digest_of(note.text) == digest:
                with suppress(NotFoundError):
                    self._client.delete_note(step.document, note.id)
        return ""

    # Links: Paperless refuses every later change of a link field that names a document in the trash

    def _unlink(self, step: Step) -> None:
        field, other = step.values["field"], step.values["other"]
        try:
            links = linked(self.head(step.document), field)
        except NotFoundError:
            return
        if other not in links:
            return
        rest = sorted(links - {other})
        try:  # by bulk edit, since PATCH would overwrite a field that a person is just editing
            self._client.modify_custom_fields(
                [step.document], add={field: rest} if rest else {}, remove=[] if rest else [field]
            )
        except RefusedError:
            LinkWriter(self._client, field).remove(step.document, frozenset({other}))

    def _link_back(self, step: Step) -> str:
        field, other = step.values["field"], step.values["other"]
        try:
            LinkWriter(self._client, field).add(step.document, frozenset({other}))
        except RefusedError:
            return f"the link of #{step.document} to #{other} could not be set again"
        return ""

    # Trash

    def _trash(self, step: Step) -> None:
        try:
            self._client.delete_document(step.document)
        except NotFoundError:
            if self._client.trashed_document(step.document) is None:
                raise

    def _restore(self, step: Step) -> str:
        try:
            self._client.restore([step.document])
        except PaperlessError:
            self.head(step.document)  # somebody restored it already; NotFoundError if it is gone for good
        return ""


def say(client: Paperless, document_id: int, text: str) -> None:
    """Adds a note, unless it is there already: a run that was killed may have written it."""
    digest = digest_of(text)
    if digest not in [digest_of(note.text) for note in client.notes(document_id)]:
        client.add_note(document_id, text)


def _stays(step: Step) -> str:
    return ""


def _values(document: RawDocument) -> dict[int, Any]:
    return {entry.field_id: entry.value for entry in document.custom_fields}


def _fields(step: Step) -> Mapping[int, Any]:
    return {int(number): value for number, value in step.values["fields"].items()}


def _fit(document: int, value: Any, data_type: str) -> Any:
    """A document cannot link to itself: Paperless would drop the whole list without a word."""
    if data_type == LINK_TYPE and isinstance(value, list):
        return [number for number in value if number != document]
    return value
