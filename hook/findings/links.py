"""Document links: read just before the write, written, read back. The caller holds the writing lock.

Paperless updates the other side of a link without a lock: of 20 links to one document made at once, 13 arrived.
And it checks every document of a list: if one is in the trash, it refuses the whole list. So only live ids are written;
a restored document gets its link back by the next sync.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from hook.errors import RefusedError
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
        """Links the subject to the others; returns those that it is linked to now, without those in the trash."""
        document = self._read(subject)
        if others <= linked(document, self._field):
            return others
        try:
            added = self._extend(document, others)
        except RefusedError:  # perhaps one was trashed since we looked
            added = self._extend(self._read(subject), others)
        self._repair(subject, added)
        return added

    def remove(self, subject: int, others: frozenset[int]) -> None:
        """Removes links on both sides. A side that is left without a link loses the field."""
        document = self._read(subject)
        known = self._known({*others, *self._value(document)})
        if linked(document, self._field) & others:
            rest = [number for number in self._value(document) if number in known.keys() - others]
            self._replace(document, rest)
        for other in self._known(others).values():  # read again: Paperless has changed them along with it
            value = self._value(other)
            if other.field_value(self._field) is not None and (subject in value or not value):
                self._replace(other, sorted(self._known(value).keys() - {subject}))

    def shrink(self, document: RawDocument, dropped: frozenset[int]) -> None:
        """Removes links from one side by bulk edit: PATCH would overwrite a field that a user is editing."""
        rest = sorted(self._known(linked(document, self._field)).keys() - dropped)
        self._bulk_edit(document.id, rest)

    def _extend(self, document: RawDocument, others: frozenset[int]) -> frozenset[int]:
        known = self._known({*others, *self._value(document)})
        value = self._value(document)
        added = sorted(others & known.keys() - set(value))
        if known.keys() >= set(value):
            self._grow(document, value, added)
        else:  # from the other side, so that a link of the user's stays that is in the trash with its document
            for other in added:
                live = self._known(self._value(known[other]))
                self._grow(known[other], [n for n in self._value(known[other]) if n in live], [document.id])
        return others & known.keys()

    def _grow(self, document: RawDocument, value: list[int], added: list[int]) -> None:
        foreign = [entry for entry in document.custom_fields if entry.field_id != self._field]
        if added and self._sparing and not foreign:
            self._replace(document, [*value, *added])
        elif added:
            self._bulk_edit(document.id, [*value, *added])

    def _replace(self, document: RawDocument, value: list[int]) -> None:
        """By PATCH, which also removes the other side of a link; the other fields are written back as just read.

        By bulk edit if one of those is a list: it may name a document in the trash, and would be refused.
        """
        foreign = [entry for entry in document.custom_fields if entry.field_id != self._field]
        if any(isinstance(entry.value, list) for entry in foreign):
            self._bulk_edit(document.id, value)
            return
        entries: list[dict[str, Any]] = [{"field": entry.field_id, "value": entry.value} for entry in foreign]
        entries += [{"field": self._field, "value": value}] if value else []
        self._client.patch_document(document.id, {"custom_fields": entries})

    def _bulk_edit(self, document_id: int, value: list[int]) -> None:
        add, remove = ({self._field: value}, []) if value else ({}, [self._field])
        self._client.modify_custom_fields([document_id], add=add, remove=remove)
        self.bulk_edits += 1

    def _repair(self, subject: int, others: Iterable[int]) -> None:
        """Reads back, and sets a side again that got lost because a user edited links at the same time."""
        documents = self._known({subject, *others})
        for other in others:
            if subject in documents and other in documents:
                there = other in linked(documents[subject], self._field)
                back = subject in linked(documents[other], self._field)
                if not (there and back):
                    unlinked = documents[other if there else subject]
                    live = sorted(self._known(self._value(unlinked)))
                    self._replace(unlinked, [*live, subject if there else other])

    def _known(self, numbers: Iterable[int]) -> dict[int, RawDocument]:
        """Those that are not in the trash."""
        documents = self._client.documents_by_id(sorted(set(numbers)), fields=_FIELDS)
        return {document.id: document for document in documents}

    def _read(self, document_id: int) -> RawDocument:
        return self._client.document(document_id, fields=_FIELDS)

    def _value(self, document: RawDocument) -> list[int]:
        value = document.field_value(self._field)
        return [number for number in value if number != document.id] if isinstance(value, list) else []
