"""Decisions that move no document: a pair is dismissed or confirmed, remembered, and no longer shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dedupe_core.model import Observation
from hook.findings.decisions import Decision, Decisions, Kind, now
from hook.findings.examine import Examiner
from hook.findings.findings import Finding, Record
from hook.index.archive import NotIndexed
from hook.paperless.values import RawDocument
from hook.queue import Queue
from hook.review.settling import settle


@dataclass(frozen=True, slots=True)
class Pair:
    """A finding as it is kept: on the subject, about the other."""

    record: Record
    finding: Finding

    @property
    def subject(self) -> int:
        return self.record.subject

    def __str__(self) -> str:
        return f"#{self.subject} and #{self.finding.other}"


class Deciding:
    """Hold the writing lock."""

    def __init__(self, examiner: Examiner, queue: Queue, tell: Callable[[str], None]) -> None:
        self._examiner, self._queue, self._tell = examiner, queue, tell
        self._settings = examiner.settings
        self.decisions = Decisions(examiner.archive.index)

    def pairs(self, document: int) -> list[Pair]:
        """What is shown on the document; if that is nothing, what is shown about it. The surest first."""
        findings = self._examiner.findings
        own = findings.get(document)
        if own.findings:
            return [Pair(own, finding) for finding in own.findings]
        records = [findings.get(subject) for subject in findings.about(document)]
        found = [Pair(r, f) for r in records for f in r.findings if f.other == document]
        return sorted(found, key=lambda pair: (-pair.finding.confidence, pair.subject))

    def tags_on(self, document: RawDocument) -> list[str]:
        """The decisions that a person has put on it, by name."""
        known, settings = self._examiner.labels.known().tags, self._settings
        names = (settings.tag_not_duplicate, settings.tag_confirm, settings.tag_make_version)
        return [name for name in names if known.get(name) in document.tags]

    def dismiss(self, document: RawDocument, pairs: Sequence[Pair]) -> None:
        """Our tags, note and link are taken back."""
        self.decisions.put(self.decision(pair, Kind.DISMISSED) for pair in pairs)
        self._settle(document, pairs)
        for pair in pairs:
            self._tell(f"{pair}: no duplicates, as you say")

    def confirm(self, document: RawDocument, pairs: Sequence[Pair]) -> None:
        """Only the tags change: note and link stay, and are no longer ours to take back."""
        self.decisions.put(self.decision(pair, Kind.CONFIRMED) for pair in pairs)
        for pair in pairs:
            record = self._examiner.findings.get(pair.subject)
            rest = tuple(finding for finding in record.findings if finding.other != pair.finding.other)
            links, notes = record.links - {pair.finding.other}, record.notes if rest else ()
            self._examiner.findings.put([replace(record, findings=rest, links=links, notes=notes)])
        self._settle(document, pairs, add=(self._settings.tag_confirmed,))
        for pair in pairs:
            self._tell(f"{pair}: confirmed, both are kept")

    def tidy(self, document: RawDocument) -> bool:
        """Nothing is shown (any more): a run was killed just before its last write, or (False) the tag was
        put on a document that has no finding. The tag goes."""
        decided = self.decisions.about(document.id)
        is_confirmed = any(entry.kind is Kind.CONFIRMED for entry in decided)
        add = is_confirmed and self._settings.tag_confirm in self.tags_on(document)
        names = (self._settings.tag_confirmed,) if add else ()
        settle(self._examiner, self._queue, document.id, (), add=names, remove=self.tag_ids(document))
        return bool(decided)

    def decision(self, pair: Pair, kind: Kind, action: str = "") -> Decision:
        a, b = sorted((pair.subject, pair.finding.other))
        said = pair.finding
        evidence = self._evidence(a, b)
        return Decision(a, b, kind, said.relation, said.confidence, said.reason, evidence, action, now())

    def tag_ids(self, document: RawDocument) -> tuple[int, ...]:
        """What a person has put on it for our sake, and that has served."""
        known = self._examiner.labels.known().tags
        names = [*self.tags_on(document), self._settings.tag_keep]
        return tuple(known[name] for name in names if known.get(name) in document.tags)

    def _settle(self, document: RawDocument, pairs: Sequence[Pair], add: tuple[str, ...] = ()) -> None:
        subjects = sorted({pair.subject for pair in pairs})
        for subject in subjects:
            decided = {pair.finding.other for pair in pairs if pair.subject == subject}
            record = self._examiner.findings.get(subject)
            rest = tuple(finding for finding in record.findings if finding.other not in decided)
            remove = self.tag_ids(document) if subject == document.id else ()
            settle(self._examiner, self._queue, subject, rest, add=add, remove=remove)
        if document.id not in subjects:
            self._examiner.client.modify_tags([document.id], remove=self.tag_ids(document))

    def _evidence(self, one: int, two: int) -> tuple[Observation, ...]:
        try:
            return self._examiner.archive.explain(one, two).evidence
        except NotIndexed:
            return ()
