"""Counts what is in the index."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from hook.backfill.pending_work import PendingWork
from hook.commands.terminal import print_json
from hook.findings.decisions import Decisions
from hook.findings.findings import Findings
from hook.queue import Queue
from hook.review.journal import Journal
from hook.review.undo import is_in_trash
from hook.session import open_archive, settings_of
from hook.settings.model import Settings

Months = dict[str, dict[str, int]]  # month, as 2025-03: what happened in it, and how often


def run(args: argparse.Namespace) -> int:
    counted = figures(settings_of(args.environ))
    if args.json:
        print_json(counted)
    else:
        print("\n".join(shown(counted)))
    return 0


def figures(settings: Settings) -> dict[str, Any]:
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
        return {
            "documents": len(there),
            "findings": findings,
            "waiting_to_be_written": sum(1 for _ in PendingWork(index).writes()),
            "decisions": decisions,
            "queued": len(events) - given_up,
            "given_up": given_up,
            "index_bytes": index.size_bytes(),
        }


def by_month(entries: Iterable[tuple[str, str]]) -> Months:
    months: dict[str, Counter[str]] = {}
    for when, what in entries:
        months.setdefault(when[:7], Counter())[what] += 1
    return {month: dict(sorted(counts.items())) for month, counts in sorted(months.items())}


def shown(counted: Mapping[str, Any]) -> Iterator[str]:
    size = counted["index_bytes"]
    yield f"documents in the index: {counted['documents']}"
    yield f"size of the index: {'unknown' if size is None else f'{size / 1e6:.1f} MB'}"
    for name, key in (("findings that wait for a decision", "findings"), ("decisions", "decisions")):
        yield f"{name}: {sum(sum(counts.values()) for counts in counted[key].values())}"
        for month, counts in counted[key].items():
            yield f"  {month or 'unknown'}: {', '.join(f'{count} {what}' for what, count in counts.items())}"
    if counted["waiting_to_be_written"]:
        yield f"findings that are not written yet: {counted['waiting_to_be_written']}"
    if counted["queued"] or counted["given_up"]:
        yield f"queue: {counted['queued']} wait, {counted['given_up']} given up"
