"""What Paperless shows at this moment of the documents that plans are about, read with few calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from hook.findings.findings import Findings, Record
from hook.findings.plan import Examined, Plan, Scene, plan
from hook.paperless.client import Paperless
from hook.paperless.labels import LabelIds, Labels
from hook.settings.model import Settings
from hook.settings.types import Mark

_HEAD: Final = (
    *("id", "title", "owner", "tags", "custom_fields", "added", "page_count"),
    *("archive_serial_number", "correspondent", "document_type", "storage_path"),
)


def plans_for(
    chunk: Sequence[Examined],
    client: Paperless,
    settings: Settings,
    findings: Findings,
    labels: Labels,
    cleanliness: Callable[[int], float] = lambda document: 0.0,
) -> list[Plan]:
    """A plan for each, made against what is there now: labels, and the documents that are named."""
    ids = labels.renew()
    before = [findings.get(entry.document.id) for entry in chunk]
    named = {finding.other for entry in chunk for finding in entry.findings}
    named |= {document for record in before for document, _ in record.tagged}
    heads = {head.id: head for head in client.documents_by_id(sorted(named), fields=_HEAD)}
    paired = {number for entry in chunk if entry.findings for number in (entry.document.id, *_others(entry))}
    scene = Scene(heads, ids, cleanliness={number: cleanliness(number) for number in paired})
    return [
        plan(
            entry, record, settings, replace(scene, claimed=_claimed(record, chunk, settings, findings, ids))
        )
        for entry, record in zip(chunk, before, strict=True)
    ]


def _others(entry: Examined) -> list[int]:
    return [finding.other for finding in entry.findings]


def _claimed(
    record: Record, chunk: Iterable[Examined], settings: Settings, findings: Findings, ids: LabelIds
) -> frozenset[tuple[int, int]]:
    """Tags that this record may not take away, because another one needs them on the same document."""
    documents = {document for document, _ in record.tagged}
    if not documents:
        return frozenset()
    subjects = documents.union(*(findings.about(document) for document in documents)) - {record.subject}
    claims = {pair for subject in subjects for pair in findings.get(subject).tagged}
    for entry in chunk:
        claims |= _wanted(entry, settings, ids) if entry.document.id != record.subject else set()
    return frozenset(claims)


def _wanted(examined: Examined, settings: Settings, ids: LabelIds) -> set[tuple[int, int]]:
    return {
        (document, ids.tags[name])
        for finding in examined.findings
        if Mark.TAG in settings.marks_for(finding.relation)
        for document in (examined.document.id, finding.other)
        if document != finding.other or finding.relation in settings.tag_other
        for name in (settings.tag_for(finding.relation), settings.tag_review)
        if name in ids.tags
    }
