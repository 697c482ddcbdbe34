"""Document links: read just before the write, written, read back. The caller holds the writing lock.

Paperless updates the other side of a link without a lock: of 20 links to one document made at once, 13 arrived.
And it checks every document of a list: if one is in the trash, it refuses the whole list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from hook.errors import NotFoundError, RefusedError
from hook.findings.plan import linked
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument

_FIELDS: Final = ("id", "custom_fields")


class LinkWriter:
    """Writes one link field. `sparing`: many documents are written, so use PATCH where that is safe.

    A bulk edit occupies Paperless's worker for about 5 s, and a backfill links hundreds of documents: new
    documents would have to wait for all of them. PATCH costs no task, but replaces all custom fields of a
    document, so it is used only on documents that have no other custom field.
    """

    def __init__(self, client: Paperless, field_id: int, *, sparing: bool = False) -> None:
        self._client, self._field, self._sparing = client, field_id, sparing
        self.bulk_edits = 0

    def add(self, subject: int, others: frozenset[int]) -> frozenset[int]:
        """Links the subject to the others; returns those that it is linked to now."""
        document = self._read(subject)
        present = linked(document, self._field)
        if others <= present:
            return others
        try:
            self._extend(document, sorted(others - present))
        except RefusedError as refusal:
            others = self._add_around_trash(document, others, refusal)
        self._repair(subject, others)
        return others

    def remove(self, subject: int, others: frozenset[int]) -> None:
        """Removes links on both sides; the subject's other custom fields are written back as just read."""
        document = self._read(subject)
        if linked(document, self._field) & others:
            try:
                self._replace(document, [number for number in self._value(document) if number not in others])
            except RefusedError:
                self._remove_around_trash(subject, others)

    def _extend(self, document: RawDocument, others: list[int]) -> None:
        if not others:
            return
        value = [*self._value(document), *others]
        foreign = [entry for entry in document.custom_fields if entry.field_id != self._field]
        if self._sparing and not foreign:
            self._replace(document, value)
        else:
            self._client.modify_custom_fields([document.id], add={self._field: value})
            self.bulk_edits += 1

    def _replace(self, document: RawDocument, value: list[int]) -> None:
        entries: list[dict[str, Any]] = [
            {"field": entry.field_id, "value": entry.value}
            for entry in document.custom_fields
            if entry.field_id != self._field
        ]
        entries += [{"field": self._field, "value": value}] if value else []
        self._client.patch_document(document.id, {"custom_fields": entries})

    def _repair(self, subject: int, others: Iterable[int]) -> None:
        """Reads back, and sets a side again that got lost because a user edited links at the same time."""
        documents = {
            entry.id: entry for entry in self._client.documents_by_id([subject, *others], fields=_FIELDS)
        }
        for other in others:
            if subject in documents and other in documents:
                there = other in linked(documents[subject], self._field)
                back = subject in linked(documents[other], self._field)
                if not (there and back):
                    unlinked = documents[other if there else subject]
                    self._replace(unlinked, [*self._value(unlinked), subject if there else other])

    def _add_around_trash(
        self, document: RawDocument, others: frozenset[int], refusal: RefusedError
    ) -> frozenset[int]:
        """Leaves out others that are in the trash; if one is in the subject's own list, links from the other side."""
        asked = {self._read(document.id).id, *others, *self._value(document)}
        live = frozenset(self._client.document_ids(id__in=sorted(asked)))
        if live >= asked:
            raise refusal  # it is about something else
        if live >= set(self._value(document)):
            self._extend(document, sorted(others & live))
        else:
            for other in map(self._read, sorted(others & live)):
                self._replace(other, [*self._value(other), document.id])
        return others & live

    def _remove_around_trash(self, subject: int, others: frozenset[int]) -> None:
        for other in sorted(others):
            try:
                document = self._read(other)
            except NotFoundError:
                continue
            self._replace(document, [number for number in self._value(document) if number != subject])

    def _read(self, document_id: int) -> RawDocument:
        return self._client.document(document_id, fields=_FIELDS)

    def _value(self, document: RawDocument) -> list[int]:
        value = document.field_value(self._field)
        return [number for number in value if number != document.id] if isinstance(value, list) else []
