"""Lists the findings that wait for your decision: pairs of similar documents, the strongest first.

With --json each line is an object with "schema": 1, "subject", "other", "relation", "confidence", "reason",
"subject_title", "other_title", "keeper" and "keeper_reason" (null and "" if both are to be kept).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hook.commands.terminal import wrapped
from hook.findings.findings import Finding, Record
from hook.findings.wording import percent
from hook.log import TITLE_CHARACTERS, plain

if TYPE_CHECKING:
    from hook.paperless.values import RawDocument
    from hook.session import Session
    from hook.settings.model import Settings

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Undecided:
    """A finding that is shown in Paperless and that the user has not decided on."""

    subject: RawDocument
    other: RawDocument
    finding: Finding

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
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line, see above")


def run(args: argparse.Namespace) -> int:
    from hook.session import opened, settings_of

    settings = settings_of(args.environ)
    with opened(settings) as session:
        found = undecided(session)
    lines = (
        (json.dumps(entry.to_json(), ensure_ascii=False) for entry in found)
        if args.json
        else shown(found, settings)
    )
    for line in lines:
        print(line)
    return 0


def undecided(session: Session) -> list[Undecided]:
    """Without documents that are deleted, and without those from which the user removed our tags."""
    from hook.paperless.values import HEAD_FIELDS

    records = [record for record in session.findings if record.findings]
    named = {r.subject for r in records} | {f.other for r in records for f in r.findings}
    heads = {head.id: head for head in session.client.documents_by_id(sorted(named), fields=HEAD_FIELDS)}
    found = [
        Undecided(heads[record.subject], heads[finding.other], finding)
        for record in records
        if record.subject in heads and not _is_set_aside(record, heads[record.subject])
        for finding in record.findings
        if finding.other in heads and not session.decisions.has(record.subject, finding.other)
    ]
    return sorted(found, key=lambda entry: (-entry.finding.confidence, entry.subject.id, entry.other.id))


def shown(found: Iterable[Undecided], settings: Settings) -> Iterator[str]:
    """A paragraph for each, wrapped to the terminal."""
    found = list(found)
    if not found:
        yield "Nothing waits for a decision."
    for entry in found:
        yield from _paragraph(entry, settings)


def _paragraph(entry: Undecided, settings: Settings) -> Iterator[str]:
    finding = entry.finding
    kept = f"keep #{finding.keeper} ({finding.keeper_reason})" if finding.keeper is not None else "keep both"
    yield wrapped(f"{_named(entry.subject)} and {_named(entry.other)}")
    yield wrapped(f"{finding.relation.value}, {percent(finding.confidence)} sure; suggestion: {kept}", "  ")
    yield wrapped(plain(finding.reason), "  ")
    for document in (entry.subject, entry.other):
        yield f"  {settings.document_url(document.id)}"


def _named(document: RawDocument) -> str:
    return f'#{document.id} "{plain(document.title, TITLE_CHARACTERS)}"'


def _is_set_aside(record: Record, head: RawDocument) -> bool:
    """True if we tagged it, and all of those tags were removed."""
    ours = {tag for document, tag in record.tagged if document == record.subject}
    return bool(ours) and not ours & set(head.tags)
