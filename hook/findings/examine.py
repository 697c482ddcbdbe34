"""Examines one document by the index alone: fingerprint, look up, judge, remember.

A finding on a pair is carried by one of the two documents: the newer one, unless only the older one may show
the other (`carries`). So the findings do not depend on the order in which documents are examined.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from dedupe_core.fingerprint.age import by_age
from dedupe_core.judge.readability import readability
from dedupe_core.model import Document, Fingerprint, Relation, Statement, StatementKind, Verdict
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions
from hook.findings.findings import Finding, Findings
from hook.findings.keeper import COPIES
from hook.findings.plan import ExaminationResult, may_show
from hook.paperless.values import RawDocument
from hook.settings.model import Settings
from hook.settings.types import RELATIONS, Scope

if TYPE_CHECKING:
    from hook.examination.judging import Examination
    from hook.ink.seen import SeenPairs
    from hook.semantic.tier import SemanticTier

SAME_FILE_SAID: Final = (Statement(StatementKind.SAME_FILE),)


@dataclass(frozen=True, slots=True)
class Examiner:
    """Belongs to the thread that opened the archive."""

    archive: Archive
    settings: Settings
    findings: Findings
    decisions: Decisions
    semantic: SemanticTier | None = None
    seen: SeenPairs | None = None

    def examine(self, raw: RawDocument, examination: Examination | None = None) -> ExaminationResult:
        """Nothing is read from Paperless or written to it. Group many in `archive.batch()`. `examination`: judged already.

        Looked up and remembered in one transaction: of two documents that arrive at the same time, the later
        one sees the other.
        """
        with self.archive.batch():
            owners = self.comparable_owners(raw.owner)
            examination = examination or self.archive.examine_and_store(document_of(raw), owners=owners)
        judged = [self._looked_at(verdict, examination.fingerprint) for verdict in examination.verdicts]
        verdicts = self._verdicts(raw, judged)
        verdicts += self._by_picture(examination.fingerprint, {verdict.other for verdict in verdicts})
        verdicts += self._by_meaning(examination, raw.owner)
        reported = [verdict for verdict in verdicts if self._is_reported(verdict)]
        others = {verdict.other: self.archive.fingerprint_of(verdict.other) for verdict in reported}
        carried = [verdict for verdict in reported if self._carries(raw, others[verdict.other], verdict)]
        reexamine = {
            verdict.other for verdict in reported if verdict not in carried and not self._is_carried(verdict)
        }
        has_moved = examination.known is not None and (
            examination.changed or examination.known.owner != raw.owner
        )
        subject = examination.fingerprint
        return ExaminationResult(
            document=replace(raw, content=""),
            findings=tuple(_finding(verdict, subject, others[verdict.other]) for verdict in carried),
            reexamine=tuple(sorted(reexamine.union(self.findings.about(raw.id) if has_moved else ()))),
            changed=examination.changed,
            content_hash=subject.content_hash.hex(),
            judge=self.archive.judge_id,
            readable=_readable(subject, carried, others),
        )

    def forget(self, document_id: int) -> tuple[int, ...]:
        """For a document that was deleted; returns those to examine next. Its record stays: it may be restored.

        Without those that are deleted as well: two that name each other would be asked for in turn.
        """
        self.archive.forget(document_id)
        if self.semantic is not None:
            self.semantic.vectors.remove(document_id)
        about = self.findings.about(document_id)
        return tuple(number for number in about if number in self.archive)

    def comparable_owners(self, owner: int | None) -> tuple[int | None, ...] | None:
        """Whose documents a document is compared with; None for all."""
        return None if self.settings.scope is Scope.ALL or owner is None else (None, owner)

    def is_comparable(self, owner: int | None) -> Callable[[int | None], bool]:
        owners = self.comparable_owners(owner)
        return lambda other: owners is None or other in owners

    def _verdicts(self, raw: RawDocument, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Those of the index, and those of Paperless itself, which also compares files without text."""
        known = {verdict.other for verdict in verdicts}
        copies = [
            Verdict(raw.id, other, Relation.IDENTICAL, 1.0, flagged=True, statements=SAME_FILE_SAID)
            for other in raw.duplicates
            if other not in known and other != raw.id
        ]
        return [*copies, *verdicts]

    def _looked_at(self, verdict: Verdict, subject: Fingerprint) -> Verdict:
        """With what was seen on the pages of the pair, if somebody has looked."""
        if self.seen is None or not verdict.flagged or not verdict.doubts:
            return verdict
        other = self.archive.fingerprint_of(verdict.other)
        return self.seen.on(verdict, subject, other) if other else verdict

    def _by_picture(self, subject: Fingerprint, judged: Collection[int]) -> list[Verdict]:
        """Pages without text that look the same, if somebody has looked."""
        if self.seen is None:
            return []
        visible, known = self.is_comparable(subject.owner), self.archive.fingerprint_of
        return [
            verdict
            for verdict in self.seen.pictures.verdicts(subject, known)
            if verdict.other not in judged and (other := known(verdict.other)) and visible(other.owner)
        ]

    def _by_meaning(self, examination: Examination, owner: int | None) -> list[Verdict]:
        """What the semantic tier adds, if it is on. In a batch, which holds the lock of the index, nothing is embedded."""
        if self.semantic is None:
            return []
        visible, embed = self.is_comparable(owner), not self.archive.index.in_batch
        return self.semantic.verdicts(
            examination.fingerprint, examination.verdicts, visible=visible, embed=embed
        )

    def _is_reported(self, verdict: Verdict) -> bool:
        if verdict.relation not in RELATIONS or not self.settings.marks_for(verdict.relation):
            return False
        return verdict.flagged and not self.decisions.has(verdict.subject, verdict.other)

    def _carries(self, raw: RawDocument, other: Fingerprint | None, verdict: Verdict) -> bool:
        owner = other.owner if other else raw.owner
        return carries(self.settings.scope, (raw.id, raw.owner), (verdict.other, owner))

    def _is_carried(self, verdict: Verdict) -> bool:
        """True if the other document has the finding on this pair already."""
        findings = self.findings.get(verdict.other).findings
        return any((f.other, f.relation) == (verdict.subject, verdict.relation) for f in findings)


def carries(scope: Scope, subject: tuple[int, int | None], other: tuple[int, int | None]) -> bool:
    """True if the subject carries the finding on this pair. Each is an id and an owner; at most one does."""
    (number, owner), (other_number, other_owner) = subject, other
    here, there = may_show(scope, owner, other_owner), may_show(scope, other_owner, owner)
    return here and (number > other_number or not there)


def document_of(raw: RawDocument) -> Document:
    return Document(raw.id, raw.content, raw.title, raw.checksum, raw.created, raw.added, raw.owner)


def _finding(verdict: Verdict, subject: Fingerprint, other: Fingerprint | None) -> Finding:
    """Of a revision, it says first which of the two is newer."""
    statements = verdict.statements
    if verdict.relation is Relation.REVISION and other is not None:
        newer = by_age((subject, other))[-1].id
        statements = (Statement(StatementKind.NEWER, documents=(newer,)), *statements)
    return Finding(
        verdict.other,
        verdict.relation,
        round(verdict.confidence, 4),
        statements,
        verdict.direction,
        other.content_hash.hex() if other else "",
    )


def _readable(
    subject: Fingerprint, carried: Sequence[Verdict], others: Mapping[int, Fingerprint | None]
) -> dict[int, float]:
    """Against the texts between which a document to keep is chosen."""
    copies = [others[verdict.other] for verdict in carried if verdict.relation in COPIES]
    return {copy.id: compared(subject, copy) for copy in copies if copy}


def compared(one: Fingerprint, two: Fingerprint) -> float:
    """Positive if the first is the better reading."""
    return readability(one.printed or one.text, two.printed or two.text)
