"""The findings that wait for a decision, one a pair, as plain values: for `pending`, `groups` and the API."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hook.findings.findings import Finding, Findings
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review_page.overview import Records, waiting_for
from hook.review_page.person import Person

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.session import Session

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Undecided:
    """A finding that the user has not decided on; `written` if Paperless shows it."""

    subject: RawDocument
    other: RawDocument
    finding: Finding
    written: bool = True

    def to_json(self) -> dict[str, Any]:
        finding = self.finding
        return {
            "schema": SCHEMA,
            "subject": self.subject.id,
            "other": self.other.id,
            "relation": finding.relation.value,
            "confidence": finding.confidence,
            "reason": finding.reason,
            "subject_title": self.subject.title,
            "other_title": self.other.title,
            "keeper": finding.keeper,
            "keeper_reason": finding.keeper_reason,
            "written": self.written,
        }


def undecided(session: Session, records: Records) -> list[Undecided]:
    """All of them, the strongest first."""
    return with_titles(session, waiting_pairs(session, records))


def waiting_pairs(session: Session, records: Records) -> list[tuple[int, Finding]]:
    """As the review page lists them: without documents that are deleted or have a decision tag, and without those from
    which the user removed our tags."""
    shown = Person(session.client, session.settings, session.archive.index).shown
    pairs = [
        (waiting.subject, finding)
        for waiting in waiting_for(session.archive, shown, records)
        for finding in waiting.findings
    ]
    return sorted(pairs, key=lambda pair: (-pair[1].confidence, pair[0], pair[1].other))


def with_titles(session: Session, pairs: Iterable[tuple[int, Finding]]) -> list[Undecided]:
    """Without documents that were deleted a moment ago."""
    pairs = list(pairs)
    named = sorted({number for subject, finding in pairs for number in (subject, finding.other)})
    heads = {head.id: head for head in session.client.documents_by_id(named, fields=HEAD_FIELDS)}
    return [
        Undecided(
            heads[subject], heads[finding.other], finding, _is_written(session.archive, subject, finding)
        )
        for subject, finding in pairs
        if subject in heads and finding.other in heads
    ]


def _is_written(archive: Archive, subject: int, finding: Finding) -> bool:
    return any(stored.other == finding.other for stored in Findings(archive.index).get(subject).findings)
