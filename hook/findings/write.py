"""Makes Paperless show the findings of many documents: read what is there, plan, apply under the writing lock."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Final

from hook.deadline import Deadline
from hook.examination.archive import Archive
from hook.findings.apply import Applied, apply
from hook.findings.decisions import Decisions
from hook.findings.examine import compared
from hook.findings.findings import Finding, Findings, Record
from hook.findings.keeper import Files
from hook.findings.origin import Origins
from hook.findings.plan import ExaminationResult, Plan, Snapshot, plan, wanted_tags
from hook.findings.wording import changes
from hook.paperless.client import Paperless
from hook.paperless.labels import LabelIds, Labels
from hook.paperless.values import RawDocument
from hook.settings.model import Settings
from hook.settings.types import Mark

log = logging.getLogger(__name__)

WRITTEN_AT_ONCE: Final = 50  # subjects per hold of the writing lock: some 5 s, which a hook can wait
_HEAD: Final = (
    *("id", "title", "owner", "tags", "custom_fields", "added", "page_count"),
    *("archive_serial_number", "correspondent", "document_type", "storage_path"),
    *("archived_file_name", "mime_type", "permissions"),
)


@dataclass(frozen=True)
class Writer:
    """Belongs to the thread that opened the archive. `warn` takes a line for the user."""

    client: Paperless
    archive: Archive
    settings: Settings
    findings: Findings
    labels: Labels
    decisions: Decisions
    deadline: Deadline
    warn: Callable[[str], None]

    @cached_property
    def _origins(self) -> Origins:
        return Origins(self.client)

    def plans(self, examined: Sequence[ExaminationResult]) -> list[Plan]:
        """What `write` would do; for --dry-run."""
        return [made for chunk in self._chunks(examined) for made in self.planned(chunk)]

    def write(self, examined: Sequence[ExaminationResult]) -> Applied:
        """Paperless is not called where there is and was no finding.

        Not inside `archive.batch()`: other processes would wait for the index while we wait for Paperless.
        """
        applied = Applied()
        for chunk in self._chunks(examined):
            if applied.stopped:
                applied.keep((entry.document.id for entry in chunk), applied.stopped)
                continue
            with self.archive.index.writing_lock(self.deadline):
                before = {entry.document.id: self.findings.get(entry.document.id) for entry in chunk}
                self.apply(self.planned(chunk), applied)
            for number, record in before.items():
                self._log_changes(record, self.findings.get(number))
        return applied

    def _log_changes(self, before: Record, after: Record) -> None:
        """Without what a person has decided meanwhile, which has a line of its own."""
        undecided = [f for f in before.findings if not self.decisions.has(before.subject, f.other)]
        for line in changes(replace(before, findings=tuple(undecided)), after):
            log.info("%s", line)

    def apply(self, plans: Sequence[Plan], into: Applied) -> None:
        """Hold the writing lock."""
        apply(plans, self.client, self.findings, self.labels, into)

    def planned(self, chunk: Sequence[ExaminationResult]) -> list[Plan]:
        """A plan for each, made for what is there now: labels, and the documents that are named."""
        chunk = [replace(entry, findings=self._undecided(entry)) for entry in chunk]
        records = [self.findings.get(entry.document.id) for entry in chunk]
        snapshot = self._snapshot(chunk, records)
        self._warn_of_links(chunk, snapshot.labels)
        return [
            plan(
                entry,
                record,
                self.settings,
                replace(
                    snapshot,
                    claimed=self._claimed(record, chunk, snapshot.labels),
                    files=partial(self.files, readable=entry.readable),
                ),
            )
            for entry, record in zip(chunk, records, strict=True)
        ]

    def _chunks(self, examined: Sequence[ExaminationResult]) -> Iterator[list[ExaminationResult]]:
        due = [entry for entry in examined if entry.findings or self.findings.get(entry.document.id)]
        for start in range(0, len(due), WRITTEN_AT_ONCE):
            yield due[start : start + WRITTEN_AT_ONCE]

    def _undecided(self, examined: ExaminationResult) -> tuple[Finding, ...]:
        """The user may have decided since the document was examined."""
        number = examined.document.id
        return tuple(f for f in examined.findings if not self.decisions.has(number, f.other))

    # What Paperless shows now

    def _snapshot(self, chunk: Sequence[ExaminationResult], records: Sequence[Record]) -> Snapshot:
        labels = self.labels.renew()
        pairs = {(entry.document.id, finding.other) for entry in chunk for finding in entry.findings}
        named = {other for _, other in pairs} | {
            document for record in records for document, _ in record.tagged
        }
        heads = self._heads(named | {entry.document.id for entry in chunk}) if named else {}
        both = pairs | {(other, subject) for subject, other in pairs}
        known = [(one, two) for one, two in both if one in heads and two in heads]
        hidden = frozenset((one, two) for one, two in known if not heads[one].everyone_sees(heads[two]))
        return Snapshot(heads, labels, hidden=hidden)

    def with_shares(self, document: RawDocument) -> RawDocument:
        """The document with what Paperless tells about who may see it."""
        return replace(document, shares=self._heads([document.id]).get(document.id, document).shares)

    def everyone_sees(self, viewed: int, shown: int) -> bool:
        """True if whoever may see the first document may see the second one; False if that is not known."""
        heads = self._heads({viewed, shown})
        return len(heads) == 2 and heads[viewed].everyone_sees(heads[shown]) is True

    def _heads(self, numbers: Iterable[int]) -> dict[int, RawDocument]:
        return {head.id: head for head in self.client.documents_by_id(sorted(numbers), fields=_HEAD)}

    def _claimed(
        self,
        record: Record,
        chunk: Iterable[ExaminationResult],
        labels: LabelIds,
    ) -> frozenset[tuple[int, int]]:
        """Tags that this subject must not remove, because another one needs them on the same document."""
        documents = {document for document, _ in record.tagged}
        if not documents:
            return frozenset()
        about = (self.findings.about(document) for document in documents)
        subjects = documents.union(*about) - {record.subject}
        claims = {pair for subject in subjects for pair in self.findings.get(subject).tagged}
        for entry in chunk:
            if (subject := entry.document.id) != record.subject:
                wanted = wanted_tags(subject, entry.findings, self.settings)
                claims |= {(number, labels.tags[name]) for number, name, _ in wanted if name in labels.tags}
        return frozenset(claims)

    def files(
        self, subject: RawDocument, other: RawDocument, readable: Mapping[int, float] = MappingProxyType({})
    ) -> Files:
        """What their files say about which of the two to keep. `readable` has the others that were compared already."""
        if (better := readable.get(other.id)) is None:
            one, two = map(self.archive.fingerprint_of, (subject.id, other.id))
            better = compared(one, two) if one and two else 0.0
        return Files(self._origins.digital(subject, other), better)

    def _warn_of_links(self, chunk: Sequence[ExaminationResult], labels: LabelIds) -> None:
        relations = {finding.relation for entry in chunk for finding in entry.findings}
        if labels.problem and any(Mark.LINK in self.settings.marks_for(relation) for relation in relations):
            self.warn(labels.problem)
