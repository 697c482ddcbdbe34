"""Which documents are older editions of another one: they get a tag, so that a saved view can leave them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dedupe_core.model import Relation
from hook.findings.chains import chained, latest_of
from hook.findings.decisions import Decisions
from hook.findings.findings import Finding, Findings
from hook.findings.plan import Examined, may_show
from hook.settings.types import Scope

if TYPE_CHECKING:
    from hook.index.archive import Archive


class Editions:
    """The revisions that were reported before, and those of the documents that are about to be written."""

    def __init__(
        self,
        archive: Archive,
        findings: Findings,
        decisions: Decisions,
        scope: Scope,
        examined: Iterable[Examined],
    ) -> None:
        self._archive, self._findings, self._decisions, self._scope = archive, findings, decisions, scope
        self._new = {entry.document.id: _revisions(entry.findings) for entry in examined}

    def superseded(self, examined: Examined) -> frozenset[int]:
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
