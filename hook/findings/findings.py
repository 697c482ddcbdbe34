"""The findings on each document and what we wrote into Paperless for them, stored in the index directory.

The record of a document is the reason why a second run writes nothing, and why we remove only what is ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dedupe_core.explain.words import reason
from dedupe_core.model import Relation, Statement, StatementKind
from hook.examination.codec import read_json, statements_from_json, statements_to_json
from hook.index.ids import key_number, number_key
from hook.index.interface import DocumentIndex

NAMESPACE: Final = "findings"
_LOOKED: Final = (StatementKind.SAME_PRINT, StatementKind.DIFFERENT_PRINT)
_SUBJECTS: Final = NAMESPACE  # subject -> its record
_OTHERS: Final = "findings-others"  # other, subject -> nothing: who must be examined again when it changes


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict that is reported, with the hash of the other document's text that it is based on.

    `keeper` is the document that our note suggested to keep, and why.
    """

    other: int
    relation: Relation
    confidence: float
    statements: tuple[Statement, ...] = ()
    direction: int = 0
    other_hash: str = ""
    keeper: int | None = None
    keeper_reason: str = ""

    @property
    def reason(self) -> str:
        """In English: for the terminal and JSON."""
        return reason(self.statements)

    def is_as(self, other: Finding) -> bool:
        """True if both say the same of the same texts, looked at on paper or not, and this one says why: the first versions
        stored a text instead."""
        return bool(self.statements) and self._about == other._about

    def is_on_same_texts(self, other: Finding) -> bool:
        """True if neither the other text nor what was seen on paper has changed since."""
        return self._texts == other._texts

    @property
    def _texts(self) -> tuple[object, ...]:
        return (self.other, self.other_hash, any(statement.kind in _LOOKED for statement in self.statements))

    @property
    def _about(self) -> tuple[object, ...]:
        return (*self._texts, self.relation, self.direction)


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """A note of ours: the hash of its text, and its id once Paperless has answered.

    No id means that we were about to write it and do not know whether Paperless got it.
    """

    digest: str
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One subject: its findings (strongest first) and what we wrote into Paperless because of them.

    `tagged` are pairs of document and tag, since the other document can be tagged too. `judge` is the one that made the
    findings (Archive.judge_id).
    """

    subject: int
    findings: tuple[Finding, ...] = ()
    content_hash: str = ""
    tagged: frozenset[tuple[int, int]] = frozenset()
    links: frozenset[int] = frozenset()
    link_field: int | None = None
    notes: tuple[WrittenNote, ...] = ()
    judge: str = ""

    def __bool__(self) -> bool:
        """False if there is nothing to remember."""
        return bool(self.findings or self.tagged or self.links or self.notes)

    def has(self, finding: Finding) -> bool:
        """True if this pair was reported with this relation before. What the user removed since stays removed."""
        return any(
            (known.other, known.relation) == (finding.other, finding.relation) for known in self.findings
        )


class Findings:
    """The records of all subjects. They survive a rebuild of the index."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._subjects = index.namespace(_SUBJECTS)
        self._others = index.namespace(_OTHERS)

    def get(self, subject: int) -> Record:
        """An empty record if there was never a finding."""
        raw = self._subjects.get(number_key(subject))
        return Record(subject) if raw is None else decoded(subject, raw)

    def put(self, records: Iterable[Record]) -> None:
        """All of them or none; on disk when it returns. An empty record is deleted."""
        changed = [(record, before) for record in records if (before := self.get(record.subject)) != record]
        if changed:
            with self._index.batch(durable=True):
                for record, before in changed:
                    self._replace(record, before)

    def about(self, other: int) -> list[int]:
        """The subjects that have a finding on this document."""
        return [key_number(key[8:]) for key, _ in self._others.items(number_key(other))]

    def restore_others(self) -> None:
        """After damage: who must be examined again when a document changes, from the records."""
        with self._index.batch(durable=True):
            for record in self:
                for finding in record.findings:
                    self._others.put(number_key(finding.other) + number_key(record.subject), b"")

    def __iter__(self) -> Iterator[Record]:
        for key, raw in self._subjects.items():
            yield decoded(key_number(key), raw)

    def _replace(self, record: Record, before: Record) -> None:
        others = {finding.other for finding in record.findings}
        known = {finding.other for finding in before.findings}
        for other in known - others:
            self._others.delete(number_key(other) + number_key(record.subject))
        for other in others - known:
            self._others.put(number_key(other) + number_key(record.subject), b"")
        if record:
            self._subjects.put(number_key(record.subject), _encoded(record))
        else:
            self._subjects.delete(number_key(record.subject))


def findings_to_json(findings: Iterable[Finding]) -> list[list[Any]]:
    return [
        [f.other, f.relation.value, f.confidence, statements_to_json(f.statements), f.direction, f.other_hash]
        + ([f.keeper, f.keeper_reason] if f.keeper is not None else [])
        for f in findings
    ]


def findings_from_json(rows: Iterable[Sequence[Any]]) -> tuple[Finding, ...]:
    """The first versions stored the reason as a text: such a finding has no statements until it is examined again."""
    return tuple(
        Finding(
            other,
            Relation(relation),
            sure,
            () if isinstance(said, str) else statements_from_json(said),
            *rest,
        )
        for other, relation, sure, said, *rest in rows
    )


def _encoded(record: Record) -> bytes:
    raw: dict[str, Any] = {
        "findings": findings_to_json(record.findings),
        "content_hash": record.content_hash,
        "tagged": sorted(record.tagged),
        "links": sorted(record.links),
        "link_field": record.link_field,
        "notes": [[note.digest, note.id] for note in record.notes],
        "judge": record.judge,
    }
    return json.dumps(raw, separators=(",", ":")).encode("ascii")


def decoded(subject: int, raw: bytes) -> Record:
    """IndexDamaged if it is not a record."""
    return read_json(
        raw,
        lambda data: Record(
            subject,
            findings_from_json(data["findings"]),
            data["content_hash"],
            frozenset((document, tag) for document, tag in data["tagged"]),
            frozenset(data["links"]),
            data["link_field"],
            tuple(WrittenNote(digest, note_id) for digest, note_id in data["notes"]),
            data.get("judge", ""),
        ),
    )
