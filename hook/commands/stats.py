"""Counts what is in the index."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass

from hook.backfill.pending_work import PendingWork
from hook.commands.terminal import print_json
from hook.findings.decisions import Decisions
from hook.findings.findings import Findings
from hook.index.index import Index
from hook.index.interface import DocumentIndex
from hook.queue import Queue
from hook.review.journal import Journal
from hook.review.undo import is_in_trash
from hook.session import open_archive, settings_of
from hook.settings.model import Settings


@dataclass(frozen=True, slots=True)
class Figures:
    """`findings` and `decisions`: counts by month (2025-03), and in it by relation, or by kind and relation."""

    documents: int
    findings: Mapping[str, Mapping[str, int]]
    waiting_to_be_written: int
    decisions: Mapping[str, Mapping[str, int]]
    queued: int
    given_up: int
    index_bytes: int | None


def run(args: argparse.Namespace) -> int:
    counted = figures(settings_of(args.environ))
    if args.json:
        print_json(asdict(counted))
    else:
        print("\n".join(shown(counted)))
    return 0


def figures(settings: Settings) -> Figures:
    with open_archive(settings, create=False) as archive, closing(Queue(settings.index_dir)) as queue:
        index = archive.index
        gone = (operation.loser for operation in Journal(index) if is_in_trash(operation))
        there = set(index.ids()).difference(gone)
        findings = by_month(
            (known.added if (known := archive.fingerprint_of(record.subject)) else "", finding.relation.value)
            for record in Findings(index)
            for finding in record.findings
            if {record.subject, finding.other} <= there
        )
        decisions = by_month(
            (decision.decided_at, f"{decision.kind.value} {decision.relation.value}")
            for decision in Decisions(index)
        )
        events = queue.events()
        given_up = sum(event.is_given_up for event in events)
        return Figures(
            len(there),
            findings,
            sum(1 for _ in PendingWork(index).writes()),
            decisions,
            len(events) - given_up,
            given_up,
            _size_bytes(index, settings),
        )


def _size_bytes(index: DocumentIndex, settings: Settings) -> int | None:
    """Of an index on a server, the memory that it takes there."""
    if isinstance(index, Index):
        return sum(file.stat().st_size for file in settings.index_dir.iterdir() if file.is_file())
    from hook.commands.check.index_server import size_bytes
    from hook.index.shared.index import SharedIndex

    assert isinstance(index, SharedIndex)
    return size_bytes(index.server, index.names)


def by_month(entries: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Counts of what happened at some time."""
    months: dict[str, Counter[str]] = {}
    for when, what in entries:
        months.setdefault(when[:7], Counter())[what] += 1
    return {month: dict(sorted(counts.items())) for month, counts in sorted(months.items())}


def shown(counted: Figures) -> Iterator[str]:
    yield f"documents in the index: {counted.documents}"
    size = "unknown" if counted.index_bytes is None else f"{counted.index_bytes / 1e6:.1f} MB"
    yield f"size of the index: {size}"
    yield from _months("findings that wait for a decision", counted.findings)
    yield from _months("decisions", counted.decisions)
    if counted.waiting_to_be_written:
        yield f"findings that are not written yet: {counted.waiting_to_be_written}"
    if counted.queued or counted.given_up:
        yield f"queue: {counted.queued} wait, {counted.given_up} given up"


def _months(name: str, months: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    total = sum(count for counts in months.values() for count in counts.values())
    yield f"{name}: {total}"
    for month, counts in months.items():
        yield f"  {month or 'unknown'}: {', '.join(f'{count} {what}' for what, count in counts.items())}"
