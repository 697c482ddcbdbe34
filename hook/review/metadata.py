"""Steps that change the metadata of a document: ASN, correspondent and the like, tags, custom fields, links.

Nothing that a user set is overwritten: a value is set only where there is none, and removed again only while it
is still the one we set. Tags and fields are changed by bulk edit, which leaves all others alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from hook.errors import NotFoundError, RefusedError
from hook.findings.links import LinkWriter
from hook.findings.plan import linked
from hook.language.translate import Translate
from hook.paperless.client import Paperless
from hook.paperless.labels import LINK_TYPE
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.journal import Progress, Step, StepKind

UNSET: Final[tuple[Any, ...]] = (None, "", [])

# Does a step and undoes it. `do` may return the step with something to remember; `undo` returns what could not
# be undone, in words.
Effect = tuple[Callable[[Step], Step | None], Callable[[Step], str | None]]


class Metadata:
    def __init__(self, client: Paperless, say: Translate) -> None:
        self._client, self._say = client, say

    def effects(self) -> dict[StepKind, Effect]:
        return {
            StepKind.MOVE_ASN: (self._move_asn, self._return_asn),
            StepKind.SET_VALUE: (self._set_value, self._clear_value),
            StepKind.ADD_TAGS: (self._add_tags, self._remove_tags),
            StepKind.UNTAG: (self._untag, lambda step: None),
            StepKind.SET_FIELDS: (self._set_fields, self._clear_fields),
            StepKind.UNLINK: (self._unlink, self._link),
        }

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

    def tag_again(self, step: Step) -> None:
        """Puts the tags of a refused decision back, where the document and the tag are still there."""
        for number, tags in step.values.get("had", {}).items():
            with suppress(NotFoundError, RefusedError):
                self._client.modify_tags([int(number)], add=tags)

    # Custom fields

    def _set_fields(self, step: Step) -> Step:
        """Remembers what was set: links to documents that are in the trash by then are left out."""
        present = _values(self._head(step.document))
        types = {field.id: field.data_type for field in self._client.custom_fields()}
        wanted = {
            number: self._fit(step.document, value, types[number])
            for number, value in _fields(step).items()
            if number in types and present.get(number) in UNSET
        }
        wanted = {number: value for number, value in wanted.items() if value not in UNSET}
        self._client.modify_custom_fields([step.document], add=wanted)
        done = step.with_values(set={str(number): value for number, value in wanted.items()})
        return replace(done, progress=Progress.DONE)

    def _clear_fields(self, step: Step) -> None:
        present = _values(self._head(step.document))
        types = {field.id: field.data_type for field in self._client.custom_fields()}
        written = step.values.get("set")
        values = _fields(step) if written is None else {int(one): value for one, value in written.items()}
        ours = [
            number
            for number, value in values.items()
            if number in present and present[number] == self._fit(step.document, value, types.get(number, ""))
        ]
        self._client.modify_custom_fields([step.document], remove=ours)

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


def _values(document: RawDocument) -> dict[int, Any]:
    return {entry.field_id: entry.value for entry in document.custom_fields}


def _fields(step: Step) -> Mapping[int, Any]:
    return {int(number): value for number, value in step.values["fields"].items()}
