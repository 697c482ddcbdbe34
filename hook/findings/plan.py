"""Findings and what we wrote before -> the writes to make. Pure: decided here, done in apply.py.

What the user has changed is not reverted: a tag, link or note of ours that they removed is not added again,
unless there is something new to report.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding, Record, WrittenNote
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


def _unknown(subject: RawDocument, other: RawDocument) -> Files:
    return Files()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of Paperless that a plan needs. A document that is missing here is deleted or not visible.

    `claimed` are tags on documents that the findings of other subjects need, too; `superseded` are older editions
    in the chain of the subject, which get a tag; `files` compares the files of two documents. `hidden` are pairs: not
    everybody who sees the first document may see the second one, as far as is known.
    """

    documents: Mapping[int, RawDocument] = field(default_factory=dict)
    labels: LabelIds = field(default_factory=LabelIds)
    claimed: frozenset[tuple[int, int]] = frozenset()
    superseded: frozenset[int] = frozenset()
    files: Callable[[RawDocument, RawDocument], Files] = _unknown
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
    findings = tuple(
        _with_keeper(_as_reported(entry, examined, before), examined, settings, snapshot)
        for entry in _shown(examined, settings, snapshot)
    )
    tags, tagged = _tags(examined, findings, before, settings, snapshot)
    link, unlink, links = _links(examined, findings, before, settings, snapshot)
    note, notes = _note(examined, findings, before, settings, snapshot)
    subject, field_id = examined.document.id, _field_of(links, before, snapshot)
    record = Record(
        subject,
        findings,
        examined.content_hash,
        tagged,
        links,
        field_id,
        notes,
        examined.judge or before.judge,
    )
    return Plan(subject, record, tags, link, unlink, note, snapshot.labels.names)


def may_show(scope: Scope, viewed: int | None, shown: int | None) -> bool:
    """True if a note on a document of owner `viewed` may name a document of owner `shown`."""
    return scope is Scope.ALL or shown is None or shown == viewed


def linked(document: RawDocument, field_id: int | None) -> frozenset[int]:
    """The documents that the link field of a document names."""
    value = None if field_id is None else document.field_value(field_id)
    return frozenset(value) if isinstance(value, list) else frozenset()


def digest_of(note: str) -> str:
    return hashlib.sha256(note.replace("\r\n", "\n").strip().encode("utf-8", "replace")).hexdigest()[:32]


def _shown(examined: ExaminationResult, settings: Settings, snapshot: Snapshot) -> tuple[Finding, ...]:
    """Without those on documents that are deleted, tagged to be skipped, or not for this owner to see."""
    skip = snapshot.labels.tags.get(settings.tag_skip)
    if skip in examined.document.tags:
        return ()
    return tuple(
        finding
        for finding in examined.findings
        if (other := snapshot.documents.get(finding.other)) is not None
        and skip not in other.tags
        and may_show(settings.scope, examined.document.owner, other.owner)
    )


def _as_reported(finding: Finding, examined: ExaminationResult, before: Record) -> Finding:
    """In the words of the last report while neither text has changed and nobody has looked at the pages since: the
    confidence changes a little with each new document in the index, and a note must not be rewritten for that. Nor does
    the relation change with the neighbours: a person has seen it. Another judge may say otherwise."""
    if examined.content_hash != before.content_hash:
        return finding
    is_same_judge = bool(examined.judge) and examined.judge == before.judge
    for known in before.findings:
        if known.is_as(finding) or (is_same_judge and known.statements and known.is_on_same_texts(finding)):
            return known
    return finding


def _with_keeper(
    finding: Finding, examined: ExaminationResult, settings: Settings, snapshot: Snapshot
) -> Finding:
    """A suggestion stays the same while the texts do: the user confirms what the note says."""
    if not snapshot.may_name(examined.document.id, finding.other):
        return replace(finding, keeper=None, keeper_reason="")
    if finding.keeper is not None or finding.relation not in COPIES:
        return finding
    other, ours = snapshot.documents[finding.other], ours_in(snapshot.labels, settings)
    files = snapshot.files(examined.document, other)
    choice = suggest(finding, examined.document, other, ours, files)
    return replace(finding, keeper=choice.keeper, keeper_reason=choice.reason)


def _tags(
    examined: ExaminationResult,
    findings: Sequence[Finding],
    before: Record,
    settings: Settings,
    snapshot: Snapshot,
) -> tuple[tuple[TagChange, ...], frozenset[tuple[int, int]]]:
    documents = {**snapshot.documents, examined.document.id: examined.document}
    wanted = _wanted_tags(examined.document.id, findings, before, settings, snapshot)
    for number in _superseded(findings, documents, settings, snapshot):
        wanted.setdefault(number, {})[settings.tag_superseded] = False
    changes, tagged = [], set[tuple[int, int]]()
    for document_id in sorted({*wanted, *(document for document, _ in before.tagged)}):
        if (document := documents.get(document_id)) is not None:
            change, ours = _tag_change(document, wanted.get(document_id, {}), before, settings, snapshot)
            changes += [change] if change.add or change.remove else []
            tagged |= {(document_id, tag) for tag in ours}
    return tuple(changes), frozenset(tagged)


def _superseded(
    findings: Sequence[Finding],
    documents: Mapping[int, RawDocument],
    settings: Settings,
    snapshot: Snapshot,
) -> list[int]:
    """The older editions to tag: only while a revision is shown, and without those tagged to be skipped."""
    if not any(finding.relation is Relation.REVISION for finding in findings):
        return []
    skip = snapshot.labels.tags.get(settings.tag_skip)
    return [one for one in snapshot.superseded if one in documents and skip not in documents[one].tags]


def _wanted_tags(
    subject: int, findings: Sequence[Finding], before: Record, settings: Settings, snapshot: Snapshot
) -> dict[int, dict[str, bool]]:
    """Per document the names of the tags it should have, and whether each reports anything new."""
    wanted: dict[int, dict[str, bool]] = {}
    for finding in findings:
        is_new = not before.has(finding)
        is_for_both = finding.relation in settings.tag_other and snapshot.may_link(subject, finding.other)
        for document in (subject, finding.other) if is_for_both else (subject,):
            for name in settings.tags_for(finding.relation, finding.confidence):
                names = wanted.setdefault(document, {})
                names[name] = names.get(name, False) or is_new
    return wanted


def _tag_change(
    document: RawDocument, wanted: Mapping[str, bool], before: Record, settings: Settings, snapshot: Snapshot
) -> tuple[TagChange, set[int]]:
    """The change, and the tags that are ours on this document before it is made."""
    labels, present = snapshot.labels, set(document.tags)
    written = {tag for number, tag in before.tagged if number == document.id}
    ids = {name: labels.tags.get(name) for name in wanted}
    ours = {tag for tag in ids.values() if tag is not None and tag in present | written}
    add = frozenset(
        name
        for name, is_new in wanted.items()
        if (tag := ids[name]) not in present and (is_new or tag not in written)
    )
    unclaimed = {tag for tag in written - ours if (document.id, tag) not in snapshot.claimed}
    remove = unclaimed & present
    review = labels.tags.get(settings.tag_review)
    if review in remove and labels.below_review & (present - remove):
        remove.discard(review)  # removing the parent would also remove a tag below it that is not ours
    return TagChange(document.id, add, frozenset(remove)), ours | remove


def _links(
    examined: ExaminationResult,
    findings: Sequence[Finding],
    before: Record,
    settings: Settings,
    snapshot: Snapshot,
) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """Links to add, links to remove, and the links that are ours before that."""
    labels = snapshot.labels
    if labels.problem:
        return frozenset(), frozenset(), before.links
    present = linked(examined.document, labels.link_field)
    written = before.links if before.link_field == labels.link_field else frozenset[int]()
    linking = [
        finding
        for finding in findings
        if Mark.LINK in settings.marks_for(finding.relation)
        and snapshot.may_link(examined.document.id, finding.other)
    ][:MAX_LINKS]
    wanted = frozenset(finding.other for finding in linking)
    removed = frozenset(
        finding.other for finding in linking if finding.other in written and before.has(finding)
    )
    unlink = (written - wanted) & present
    return wanted - present - removed, unlink, wanted & (present | written) | unlink


def _field_of(links: frozenset[int], before: Record, snapshot: Snapshot) -> int | None:
    return (snapshot.labels.link_field or before.link_field) if links else None


def _note(
    examined: ExaminationResult,
    findings: Sequence[Finding],
    before: Record,
    settings: Settings,
    snapshot: Snapshot,
) -> tuple[str | None, tuple[WrittenNote, ...]]:
    """The note to write, and the notes that are ours before that."""
    noted = [finding for finding in findings if Mark.NOTE in settings.marks_for(finding.relation)]
    titles = {number: document.title for number, document in snapshot.documents.items()}
    titles[examined.document.id] = examined.document.title
    named = frozenset(f.other for f in noted if snapshot.may_name(examined.document.id, f.other))
    text = note_text(examined.document.id, titles, noted, settings.note_template, named, settings.language)
    if text is None:
        return ("" if before.notes else None), before.notes
    known = [note.digest for note in before.notes if note.id is not None]
    is_there = known == [digest_of(text)] and len(before.notes) == 1
    return (None if is_there else text), before.notes
