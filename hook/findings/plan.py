"""Findings and what we wrote before -> the writes to make. Pure: decided here, done in apply.py.

What the user has changed is not reverted: a tag, link or note of ours that they removed is not added again,
unless there is something new to report.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hook.findings.findings import Finding, Record
from hook.findings.keeper import COPIES, Files, ours_in, suggest
from hook.findings.wording import note_text
from hook.paperless.labels import LabelIds
from hook.paperless.values import RawDocument
from hook.settings.model import Settings
from hook.settings.types import Mark, Scope

MAX_LINKS: Final = 20  # more are not shown: each is a clickable chip in Paperless


@dataclass(frozen=True, slots=True)
class ExaminationResult:
    """The result of examining a document, before anything is read from or written to Paperless.

    `findings` are those that this document carries, strongest first. `reexamine` are documents to examine
    next: they carry the finding on the pair, or their finding on this document may no longer hold.
    `readable` says by how much this text is a better reading than that of another document.
    """

    document: RawDocument
    findings: tuple[Finding, ...] = ()
    reexamine: tuple[int, ...] = ()
    changed: bool = False
    content_hash: str = ""
    judge: str = ""
    readable: Mapping[int, float] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of Paperless that a plan needs. A document that is missing here is deleted or not visible.

    `claimed` are tags on documents that the findings of other subjects need, too; `files` compares the files of two documents. `hidden` are pairs: not
    everybody who sees the first document may see the second one, as far as is known.
    """

    documents: Mapping[int, RawDocument] = field(default_factory=dict)
    labels: LabelIds = field(default_factory=LabelIds)
    claimed: frozenset[tuple[int, int]] = frozenset()
    files: Callable[[RawDocument, RawDocument], Files] = lambda subject, other: Files()
    hidden: frozenset[tuple[int, int]] = frozenset()

    def may_name(self, viewed: int, shown: int) -> bool:
        """True if whoever may see the one document may see the other."""
        return (viewed, shown) not in self.hidden

    def may_link(self, one: int, two: int) -> bool:
        """A link shows the id of each on the other."""
        return self.may_name(one, two) and self.may_name(two, one)


@dataclass(frozen=True, slots=True)
class TagChange:
    document: int
    add: frozenset[str] = frozenset()  # by name: a tag may have to be created first
    remove: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """The writes for one subject. `record` is the state if none of them is made."""

    subject: int
    record: Record
    tags: tuple[TagChange, ...] = ()
    link: frozenset[int] = frozenset()
    unlink: frozenset[int] = frozenset()
    note: str | None = None  # None: leave the note as it is; "": remove it
    tag_names: Mapping[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tags or self.link or self.unlink or self.note is not None)


def plan(examined: ExaminationResult, before: Record, settings: Settings, snapshot: Snapshot) -> Plan:
    """What has to change in Paperless so that it shows these findings, and only these."""
    return _Planner(examined, before, settings, snapshot).plan()


def may_show(scope: Scope, viewed: int | None, shown: int | None) -> bool:
    """True if a note on a document of owner `viewed` may name a document of owner `shown`."""
    return scope is Scope.ALL or shown is None or shown == viewed


def wanted_tags(
    subject: int, findings: Iterable[Finding], settings: Settings
) -> Iterator[tuple[int, str, Finding]]:
    """Documents and names of tags, each with the finding that it is for."""
    for finding in findings:
        if Mark.TAG in settings.marks_for(finding.relation):
            is_for_both = finding.relation in settings.tag_other
            for document in (subject, finding.other) if is_for_both else (subject,):
                for name in settings.tags_for(finding.relation, finding.confidence):
                    yield document, name, finding


def linked(document: RawDocument, field_id: int | None) -> frozenset[int]:
    """The documents that the link field of a document names."""
    value = None if field_id is None else document.field_value(field_id)
    return frozenset(value) if isinstance(value, list) else frozenset()


def digest_of(note: str) -> str:
    return hashlib.sha256(note.replace("\r\n", "\n").strip().encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class _Planner:
    examined: ExaminationResult
    before: Record
    settings: Settings
    snapshot: Snapshot

    @property
    def subject(self) -> RawDocument:
        return self.examined.document

    def plan(self) -> Plan:
        findings = [self._with_keeper(self._as_reported(finding)) for finding in self._shown()]
        tags, tagged = self._tags(findings)
        link, unlink, links = self._links(findings)
        record = Record(
            self.subject.id,
            tuple(findings),
            self.examined.content_hash,
            tagged,
            links,
            (self.snapshot.labels.link_field or self.before.link_field) if links else None,
            self.before.notes,
            self.examined.judge or self.before.judge,
        )
        names = self.snapshot.labels.names
        return Plan(self.subject.id, record, tags, link, unlink, self._note(findings), names)

    def _is_skipped(self, document: RawDocument) -> bool:
        return self.snapshot.labels.tags.get(self.settings.tag_skip) in document.tags

    def _marked(self, findings: Sequence[Finding], mark: Mark) -> list[Finding]:
        return [finding for finding in findings if mark in self.settings.marks_for(finding.relation)]

    def _shown(self) -> list[Finding]:
        """Without those on documents that are deleted, tagged to be skipped, or not for this owner to see."""
        if self._is_skipped(self.subject):
            return []
        return [
            finding
            for finding in self.examined.findings
            if (other := self.snapshot.documents.get(finding.other)) is not None
            and not self._is_skipped(other)
            and may_show(self.settings.scope, self.subject.owner, other.owner)
        ]

    def _as_reported(self, finding: Finding) -> Finding:
        """In the words of the last report while neither text has changed and nobody has looked at the pages since: the
        confidence changes a little with each new document in the index, and a note must not be rewritten for that. Nor
        does the relation change with the neighbours: a person has seen it. Another judge may say otherwise."""
        if self.examined.content_hash != self.before.content_hash:
            return finding
        is_same_judge = bool(self.examined.judge) and self.examined.judge == self.before.judge
        for known in self.before.findings:
            is_seen = is_same_judge and bool(known.statements) and known.is_on_same_texts(finding)
            if known.is_as(finding) or is_seen:
                return known
        return finding

    def _with_keeper(self, finding: Finding) -> Finding:
        """A suggestion stays the same while the texts do: the user confirms what the note says."""
        if not self.snapshot.may_name(self.subject.id, finding.other):
            return replace(finding, keeper=None, keeper_reason="")
        if finding.keeper is not None or finding.relation not in COPIES:
            return finding
        other, ours = self.snapshot.documents[finding.other], ours_in(self.snapshot.labels, self.settings)
        choice = suggest(finding, self.subject, other, ours, self.snapshot.files(self.subject, other))
        return replace(finding, keeper=choice.keeper, keeper_reason=choice.reason)

    def _tags(self, findings: Sequence[Finding]) -> tuple[tuple[TagChange, ...], frozenset[tuple[int, int]]]:
        documents = {**self.snapshot.documents, self.subject.id: self.subject}
        # By document: the names, and whether each reports anything new.
        wanted: dict[int, dict[str, bool]] = {}
        for number, name, finding in wanted_tags(self.subject.id, findings, self.settings):
            if number == self.subject.id or self.snapshot.may_link(self.subject.id, number):
                names = wanted.setdefault(number, {})
                names[name] = names.get(name, False) or not self.before.has(finding)
        changes, tagged = [], set[tuple[int, int]]()
        for number in sorted({*wanted, *(document for document, _ in self.before.tagged)} & documents.keys()):
            change, ours = self._tag_change(documents[number], wanted.get(number, {}))
            changes += [change] if change.add or change.remove else []
            tagged |= {(number, tag) for tag in ours}
        return tuple(changes), frozenset(tagged)

    def _tag_change(self, document: RawDocument, wanted: Mapping[str, bool]) -> tuple[TagChange, set[int]]:
        """The change, and the tags that are ours on this document before it is made."""
        labels, present = self.snapshot.labels, set(document.tags)
        written = {tag for number, tag in self.before.tagged if number == document.id}
        ids = {name: labels.tags.get(name) for name in wanted}
        ours = {tag for tag in ids.values() if tag is not None and tag in present | written}
        add = frozenset(
            name
            for name, is_new in wanted.items()
            if (tag := ids[name]) not in present and (is_new or tag not in written)
        )
        unclaimed = {tag for tag in written - ours if (document.id, tag) not in self.snapshot.claimed}
        remove = unclaimed & present
        review = labels.tags.get(self.settings.tag_review)
        if review in remove and labels.below_review & (present - remove):
            remove.discard(review)  # removing the parent would also remove a tag below it that is not ours
        return TagChange(document.id, add, frozenset(remove)), ours | remove

    def _links(self, findings: Sequence[Finding]) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
        """Links to add, links to remove, and the links that are ours before that."""
        labels, before = self.snapshot.labels, self.before
        if labels.problem:
            return frozenset(), frozenset(), before.links
        present = linked(self.subject, labels.link_field)
        written = before.links if before.link_field == labels.link_field else frozenset[int]()
        marked = self._marked(findings, Mark.LINK)
        linking = [f for f in marked if self.snapshot.may_link(self.subject.id, f.other)][:MAX_LINKS]
        wanted = frozenset(finding.other for finding in linking)
        removed = frozenset(f.other for f in linking if f.other in written and before.has(f))
        unlink = (written - wanted) & present
        return wanted - present - removed, unlink, wanted & (present | written) | unlink

    def _note(self, findings: Sequence[Finding]) -> str | None:
        """The note to write; "" to remove ours, None to leave it as it is."""
        noted, subject, notes = self._marked(findings, Mark.NOTE), self.subject.id, self.before.notes
        titles = {number: document.title for number, document in self.snapshot.documents.items()}
        titles[subject] = self.subject.title
        named = frozenset(f.other for f in noted if self.snapshot.may_name(subject, f.other))
        text = note_text(subject, titles, noted, named, self.settings.language)
        if text is None:
            return "" if notes else None
        is_there = len(notes) == 1 and notes[0].id is not None and notes[0].digest == digest_of(text)
        return None if is_there else text
