"""Findings and what we wrote before -> the writes that are due. Pure: decided here, done in actions.py.

What a person has done is not undone: a tag, link or note of ours that somebody removed is not put back,
unless there is something new to say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hook.findings.findings import Finding, Record, WrittenNote
from hook.findings.keeper import COPIES, Ours, choose, is_whole, standing
from hook.findings.wording import note_text
from hook.paperless.labels import LabelIds
from hook.paperless.values import RawDocument
from hook.settings.model import Settings
from hook.settings.types import Mark, Scope

MAX_LINKS: Final = 20  # chips that a person can still survey


@dataclass(frozen=True, slots=True)
class Examined:
    """What one look at a document told, before anything is asked of or written to Paperless.

    `findings` are those that this document carries, strongest first. `elsewhere` are documents to examine
    next: the finding on the pair belongs to them, or their finding on this document may no longer hold.
    """

    document: RawDocument
    findings: tuple[Finding, ...] = ()
    elsewhere: tuple[int, ...] = ()
    changed: bool = False
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Paperless at this moment, as far as a plan needs it. A document that is not in here is gone.

    `claimed` are tags on documents that other subjects need, too; `cleanliness` is that of their texts.
    """

    documents: Mapping[int, RawDocument] = field(default_factory=dict)
    labels: LabelIds = field(default_factory=LabelIds)
    claimed: frozenset[tuple[int, int]] = frozenset()
    cleanliness: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TagChange:
    document: int
    add: frozenset[str] = frozenset()  # by name: a tag may have to be made first
    remove: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """The writes for one subject. `record` is what holds if none of them is done."""

    subject: int
    record: Record
    tags: tuple[TagChange, ...] = ()
    link: frozenset[int] = frozenset()
    unlink: frozenset[int] = frozenset()
    note: str | None = None  # None: leave the note as it is; "": take it away
    tag_names: Mapping[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tags or self.link or self.unlink or self.note is not None)


def plan(examined: Examined, before: Record, settings: Settings, scene: Scene) -> Plan:
    """What has to change in Paperless so that it shows these findings, and only these."""
    findings = tuple(
        _with_keeper(_as_said(entry, examined, before), examined, settings, scene)
        for entry in _standing(examined, settings, scene)
    )
    tags, tagged = _tags(examined, findings, before, settings, scene)
    link, unlink, links = _links(examined, findings, before, settings, scene)
    note, notes = _note(examined, findings, before, settings, scene)
    subject, field_id = examined.document.id, _field_of(links, before, scene)
    record = Record(subject, findings, examined.content_hash, tagged, links, field_id, notes)
    return Plan(subject, record, tags, link, unlink, note, scene.labels.names)


def describe(plan: Plan) -> list[str]:
    """The plan in words, for --dry-run."""
    lines = []
    for change in plan.tags:
        if change.add:
            lines.append(f"#{change.document}: add {_quoted(change.add)}")
        if change.remove:
            lines.append(
                f"#{change.document}: remove {_quoted(plan.tag_names[tag] for tag in change.remove)}"
            )
    if plan.link:
        lines.append(f"#{plan.subject}: link to {_numbers(plan.link)}")
    if plan.unlink:
        lines.append(f"#{plan.subject}: remove the link to {_numbers(plan.unlink)}")
    if plan.note is not None:
        lines.append(
            f"#{plan.subject}: note: {plan.note}" if plan.note else f"#{plan.subject}: remove our note"
        )
    return lines


def may_show(scope: Scope, viewed: int | None, shown: int | None) -> bool:
    """May a note on a document of the one owner name a document of the other?"""
    return scope is Scope.ALL or shown is None or shown == viewed


def linked(document: RawDocument, field_id: int | None) -> frozenset[int]:
    """Where the link field of a document points to."""
    value = None if field_id is None else document.field_value(field_id)
    return frozenset(value) if isinstance(value, list) else frozenset()


def digest_of(note: str) -> str:
    return hashlib.sha256(note.replace("\r\n", "\n").strip().encode("utf-8", "replace")).hexdigest()[:32]


def _standing(examined: Examined, settings: Settings, scene: Scene) -> tuple[Finding, ...]:
    """Without those on documents that are gone, are to be left alone, or must not be shown here."""
    skip = scene.labels.tags.get(settings.tag_skip)
    if skip in examined.document.tags:
        return ()
    return tuple(
        finding
        for finding in examined.findings
        if (other := scene.documents.get(finding.other)) is not None
        and skip not in other.tags
        and may_show(settings.scope, examined.document.owner, other.owner)
    )


def _as_said(finding: Finding, examined: Examined, before: Record) -> Finding:
    """In the words of before while neither text has changed: the confidence moves a little with each document
    that comes in, and a note must not be written anew for that."""
    if examined.content_hash != before.content_hash:
        return finding
    same = (finding.other, finding.relation, finding.direction, finding.other_hash)
    return next(
        (f for f in before.findings if (f.other, f.relation, f.direction, f.other_hash) == same), finding
    )


def _with_keeper(finding: Finding, examined: Examined, settings: Settings, scene: Scene) -> Finding:
    """Once said, it stays while the texts are the same: whoever confirms has read it."""
    if finding.keeper is not None or finding.relation not in COPIES:
        return finding
    ours, subject = ours_in(scene.labels, settings), examined.document.id
    one, two = (
        standing(
            document,
            ours,
            scene.cleanliness.get(document.id, 0.0),
            is_whole=is_whole(document.id, subject, finding.relation, finding.direction),
        )
        for document in (examined.document, scene.documents[finding.other])
    )
    choice = choose(one, two)
    return replace(finding, keeper=choice.keeper, keeper_reason=choice.reason)


def ours_in(labels: LabelIds, settings: Settings) -> Ours:
    """What we, or people for our sake, put on documents."""
    return Ours(
        tags=frozenset(labels.tags.values()),
        inbox=labels.inbox,
        link_field=labels.link_field,
        keep=labels.tags.get(settings.tag_keep),
    )


def _tags(
    examined: Examined, findings: Sequence[Finding], before: Record, settings: Settings, scene: Scene
) -> tuple[tuple[TagChange, ...], frozenset[tuple[int, int]]]:
    wanted = _wanted_tags(examined.document.id, findings, before, settings)
    documents = {**scene.documents, examined.document.id: examined.document}
    changes, tagged = [], set[tuple[int, int]]()
    for document_id in sorted({*wanted, *(document for document, _ in before.tagged)}):
        if (document := documents.get(document_id)) is not None:
            change, ours = _tag_change(document, wanted.get(document_id, {}), before, settings, scene)
            changes += [change] if change.add or change.remove else []
            tagged |= {(document_id, tag) for tag in ours}
    return tuple(changes), frozenset(tagged)


def _wanted_tags(
    subject: int, findings: Sequence[Finding], before: Record, settings: Settings
) -> dict[int, dict[str, bool]]:
    """Per document the names of the tags it should have, and whether there is anything new to say by it."""
    wanted: dict[int, dict[str, bool]] = {}
    for finding in findings:
        if Mark.TAG in settings.marks_for(finding.relation):
            is_new = not before.knows(finding)
            both = (subject, finding.other) if finding.relation in settings.tag_other else (subject,)
            for document in both:
                names = wanted.setdefault(document, {})
                for name in (settings.tag_for(finding.relation), settings.tag_review):
                    names[name] = names.get(name, False) or is_new
    return wanted


def _tag_change(
    document: RawDocument, wanted: Mapping[str, bool], before: Record, settings: Settings, scene: Scene
) -> tuple[TagChange, set[int]]:
    """The change, and those of our tags that are settled without it."""
    labels, present = scene.labels, set(document.tags)
    written = {tag for number, tag in before.tagged if number == document.id}
    ids = {name: labels.tags.get(name) for name in wanted}
    settled = {tag for tag in ids.values() if tag is not None and tag in present | written}
    add = frozenset(
        name
        for name, is_new in wanted.items()
        if (tag := ids[name]) not in present and (is_new or tag not in written)
    )
    unclaimed = {tag for tag in written - settled if (document.id, tag) not in scene.claimed}
    remove = unclaimed & present
    review = labels.tags.get(settings.tag_review)
    if review in remove and labels.below_review & (present - remove):
        remove.discard(review)  # removing the parent would take along a tag below it that is not ours
    return TagChange(document.id, add, frozenset(remove)), settled | remove


def _links(
    examined: Examined, findings: Sequence[Finding], before: Record, settings: Settings, scene: Scene
) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """Links to add, links to take away, links that are settled."""
    labels = scene.labels
    if labels.problem:
        return frozenset(), frozenset(), before.links
    present = linked(examined.document, labels.link_field)
    written = before.links if before.link_field == labels.link_field else frozenset[int]()
    linking = [finding for finding in findings if Mark.LINK in settings.marks_for(finding.relation)][
        :MAX_LINKS
    ]
    wanted = frozenset(finding.other for finding in linking)
    refused = frozenset(
        finding.other for finding in linking if finding.other in written and before.knows(finding)
    )
    unlink = (written - wanted) & present
    return wanted - present - refused, unlink, wanted & (present | written) | unlink


def _field_of(links: frozenset[int], before: Record, scene: Scene) -> int | None:
    return (scene.labels.link_field or before.link_field) if links else None


def _note(
    examined: Examined, findings: Sequence[Finding], before: Record, settings: Settings, scene: Scene
) -> tuple[str | None, tuple[WrittenNote, ...]]:
    """The note to write, and the notes of ours that are there without it."""
    noted = [finding for finding in findings if Mark.NOTE in settings.marks_for(finding.relation)]
    titles = {number: document.title for number, document in scene.documents.items()}
    titles[examined.document.id] = examined.document.title
    text = note_text(examined.document.id, titles, noted, settings.note_template)
    if text is None:
        return ("" if before.notes else None), before.notes
    known = [note.digest for note in before.notes if note.id is not None]
    is_there = known == [digest_of(text)] and len(before.notes) == 1
    return (None if is_there else text), before.notes


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _numbers(documents: frozenset[int]) -> str:
    return ", ".join(f"#{number}" for number in sorted(documents))
