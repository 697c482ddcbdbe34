"""Work that an interrupted run left: documents to examine, and findings that Paperless does not show yet.

Written in the same transaction as the index, so a kill at any moment loses no finding. A finding is stored as it
was judged: judging it again, with later documents in the index, could result in other words. One document can be
in both lists: its findings are to be written, and another document led to it being examined again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from hook.examination.codec import read_json
from hook.findings.findings import Findings, Record, findings_from_json, findings_to_json
from hook.findings.plan import ExaminationResult
from hook.index.ids import key_number, number_key
from hook.index.interface import DocumentIndex, KeyValue
from hook.paperless.values import RawDocument

if TYPE_CHECKING:
    from hook.examination.archive import Archive

_TO_EXAMINE: Final = "owed-examinations"  # document -> nothing
TO_WRITE: Final = "owed-writes"  # document -> its findings, perhaps none any more


class PendingWork:
    """By document id. Changes join the batch that is open, or are on disk when the call returns."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._to_examine = index.namespace(_TO_EXAMINE)
        self._to_write = index.namespace(TO_WRITE)

    def add_examinations(self, documents: Iterable[int]) -> None:
        for document in documents:
            if not self.awaits_examination(document):
                self._to_examine.put(number_key(document), b"")

    def awaits_examination(self, document: int) -> bool:
        return self._to_examine.get(number_key(document)) is not None

    def examinations(self) -> Iterator[int]:
        return (key_number(key) for key, _ in self._to_examine.items())

    def examined(self, document: int) -> None:
        self._drop(self._to_examine, [document])

    def add_write(self, examined: ExaminationResult) -> None:
        self._to_write.put(number_key(examined.document.id), _encoded(examined))

    def writes(self) -> Iterator[int]:
        return (key_number(key) for key, _ in self._to_write.items())

    def write_of(self, document: RawDocument) -> ExaminationResult:
        """The findings on this document when it was examined."""
        value = self._to_write.get(number_key(document.id))
        return decoded(document, value) if value is not None else ExaminationResult(document)

    def records(self) -> Iterator[Record]:
        """The findings that are judged and not written, as they would be stored."""
        for number in list(self.writes()):
            examined = self.write_of(RawDocument(number))
            yield Record(number, examined.findings, examined.content_hash)

    def written(self, documents: Iterable[int]) -> None:
        self._drop(self._to_write, documents)

    def __len__(self) -> int:
        return len(self._to_examine) + len(self._to_write)

    def _drop(self, stored: KeyValue, documents: Iterable[int]) -> None:
        keys = [key for key in map(number_key, documents) if stored.get(key) is not None]
        if keys:
            with self._index.batch(durable=True):
                for key in keys:
                    stored.delete(key)


def all_records(archive: Archive) -> list[Record]:
    """What is stored, with what is judged and not written yet instead of it where there is both."""
    pending = {record.subject: record for record in PendingWork(archive.index).records()}
    stored = [record for record in Findings(archive.index) if record.subject not in pending]
    return [record for record in (*stored, *pending.values()) if record.findings]


def _encoded(examined: ExaminationResult) -> bytes:
    rows = findings_to_json(examined.findings)
    made = {"findings": rows, "content_hash": examined.content_hash, "judge": examined.judge}
    return json.dumps(made).encode("ascii")


def decoded(document: RawDocument, value: bytes) -> ExaminationResult:
    """IndexDamaged if it is not what `add_write` stored."""

    def read(data: dict[str, Any]) -> ExaminationResult:
        findings, judge = findings_from_json(data["findings"]), data.get("judge", "")
        return ExaminationResult(document, findings, content_hash=data["content_hash"], judge=judge)

    return read_json(value, read)
