"""What a run that was ended owes: documents to examine, and findings that Paperless does not show yet.

Written in the same transaction as the index, so that a kill at any moment loses no finding. A finding is kept
as it was judged: judging it again, with later documents in the index, could come to other words. One document
can be owed both: what was found on it is to be written, and another one asks that it be examined again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.plan import Examined
from hook.index.ids import key_number, number_key
from hook.index.index import Index
from hook.index.store import Namespace
from hook.paperless.values import RawDocument

_TO_EXAMINE: Final = "owed-examinations"  # document -> nothing
_TO_WRITE: Final = "owed-writes"  # document -> its findings, perhaps none any more


class Unsettled:
    """By document id. Changes join the batch that is open, or are on the disk when the call returns."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._to_examine = index.namespace(_TO_EXAMINE)
        self._to_write = index.namespace(_TO_WRITE)

    def owe_examination(self, documents: Iterable[int]) -> None:
        for document in documents:
            if not self.awaits_examination(document):
                self._to_examine.put(number_key(document), b"")

    def awaits_examination(self, document: int) -> bool:
        return self._to_examine.get(number_key(document)) is not None

    def examinations(self) -> Iterator[int]:
        for key, _ in self._to_examine.items():
            yield key_number(key)

    def examined(self, document: int) -> None:
        self._drop(self._to_examine, [document])

    def owe_write(self, examined: Examined) -> None:
        self._to_write.put(number_key(examined.document.id), _encoded(examined))

    def writes(self) -> Iterator[int]:
        for key, _ in self._to_write.items():
            yield key_number(key)

    def owed_write(self, raw: RawDocument) -> Examined:
        """What was judged of this document when it was examined."""
        value = self._to_write.get(number_key(raw.id))
        return _decoded(raw, value) if value is not None else Examined(raw)

    def written(self, documents: Iterable[int]) -> None:
        self._drop(self._to_write, documents)

    def __len__(self) -> int:
        return len(self._to_examine) + len(self._to_write)

    def _drop(self, kept: Namespace, documents: Iterable[int]) -> None:
        keys = [key for key in map(number_key, documents) if kept.get(key) is not None]
        if keys:
            with self._index.batch(durable=True):
                for key in keys:
                    kept.delete(key)


def _encoded(examined: Examined) -> bytes:
    rows = [
        [entry.other, entry.relation.value, entry.confidence, entry.reason, entry.direction, entry.other_hash]
        for entry in examined.findings
    ]
    return json.dumps({"findings": rows, "content_hash": examined.content_hash}).encode("ascii")


def _decoded(raw: RawDocument, value: bytes) -> Examined:
    data: dict[str, Any] = json.loads(value)
    findings = tuple(Finding(other, Relation(relation), *rest) for other, relation, *rest in data["findings"])
    return Examined(raw, findings, content_hash=data["content_hash"])
