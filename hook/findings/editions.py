"""The editions of one document: in order of age, in words, and which of them are superseded by a later one.

Superseded documents get a tag if the settings ask for it, so that a saved view can leave them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Fingerprint, Relation, Statement, StatementKind
from hook.findings.decisions import Decisions
from hook.findings.findings import Finding, Findings
from hook.findings.plan import ExaminationResult, may_show
from hook.settings.types import Scope

if TYPE_CHECKING:
    from hook.examination.archive import Archive

MAX_EDITIONS: Final = 24  # of one document that are looked up


def chained(start: Iterable[int], editions_of: Callable[[int], Iterable[int]]) -> list[int]:
    """These documents and all that are connected with them: the third edition may not resemble the first."""
    found = dict.fromkeys(start)
    for number in (waiting := list(found)):
        for other in editions_of(number):
            if other not in found and len(found) < MAX_EDITIONS:
                found[other] = None
                waiting.append(other)
    return list(found)


def latest_of(editions: Iterable[Fingerprint]) -> int:
    return by_age(editions)[-1].id


def latest_edition(subject: Fingerprint, others: Sequence[Fingerprint]) -> Statement:
    """`#90 is the latest of 3`, or `#90 is newer` if there are two."""
    latest = (latest_of([subject, *others]),)
    if len(others) == 1:
        return Statement(StatementKind.NEWER, documents=latest)
    return Statement(StatementKind.LATEST, counts=(len(others) + 1,), documents=latest)


def with_chain(
    findings: Sequence[Finding], subject: Fingerprint, others: Sequence[Fingerprint]
) -> tuple[Finding, ...]:
    """Says so of the first revision only: the other lines of a note need not repeat it."""
    first = next((n for n, one in enumerate(findings) if one.relation is Relation.REVISION), None)
    if first is None or not others:
        return tuple(findings)
    said = (latest_edition(subject, others), *findings[first].statements)
    return (*findings[:first], replace(findings[first], statements=said), *findings[first + 1 :])


class Editions:
    """The revisions that were reported before, and those of the documents that are about to be written."""

    def __init__(
        self,
        archive: Archive,
        findings: Findings,
        decisions: Decisions,
        scope: Scope,
        examined: Iterable[ExaminationResult],
    ) -> None:
        self._archive, self._findings, self._decisions, self._scope = archive, findings, decisions, scope
        self._new = {entry.document.id: _revisions(entry.findings) for entry in examined}

    def superseded(self, examined: ExaminationResult) -> frozenset[int]:
        """All editions in the chain of this document but the latest; none if it has no revision."""
        subject, owner = examined.document.id, examined.document.owner
        if not self._new[subject]:
            return frozenset()
        found = map(self._archive.fingerprint_of, chained([subject], self._editions_of))
        editions = [one for one in found if one and may_show(self._scope, owner, one.owner)]
        numbers = frozenset(one.id for one in editions)
        return numbers - {latest_of(editions)} if editions else numbers

    def _editions_of(self, number: int) -> Iterator[int]:
        pairs = {*self._own(number), *self._about(number)}
        return (other for other in sorted(pairs) if not self._decisions.has(number, other))

    def _own(self, number: int) -> set[int]:
        if number in self._new:
            return self._new[number]
        return _revisions(self._findings.get(number).findings)

    def _about(self, number: int) -> set[int]:
        subjects = {*self._findings.about(number), *self._new}
        return {subject for subject in subjects if number in self._own(subject)}


def _revisions(findings: Iterable[Finding]) -> set[int]:
    return {finding.other for finding in findings if finding.relation is Relation.REVISION}
