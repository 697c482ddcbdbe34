"""Shows how two indexed documents relate, and why; also if they are siblings or unrelated.

A finding is shown as it was made; then how the pair is judged today, and why that differs. With --json the verdict of today has
"stored": the finding, or null.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from dedupe_core.explain.words import reason
from dedupe_core.model import Verdict
from hook.commands.options import add_index, add_json
from hook.commands.scan import doubt_kind, verdict_line
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions
from hook.findings.examine import Examiner
from hook.findings.findings import Finding, Findings, Record
from hook.findings.wording import percent, why_changed
from hook.log import plain
from hook.session import open_archive, settings_of
from hook.settings.types import LookAtPages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", type=int, help="id of a document")
    parser.add_argument("b", metavar="B", type=int, help="id of the other document")
    add_index(parser)
    add_json(parser, "print the verdict as the JSON line of `scan`")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    if args.index:
        settings = settings.model_copy(update={"index_dir": args.index})
    with open_archive(settings, create=False) as archive:
        findings, decisions = Findings(archive.index), Decisions(archive.index)
        stored, both = _stored(findings, args.a, args.b), [archive.known(one) for one in (args.a, args.b)]
        visible = Examiner(archive, settings, findings, decisions).is_comparable(both[0].owner)
        verdict = archive.explain(args.a, args.b, visible=visible)
        if settings.ink is not LookAtPages.OFF:
            from hook.ink.seen import SeenPairs

            verdict = SeenPairs(archive.index).on(verdict, *both)
        decision = decisions.get(args.a, args.b)
        why = _why(archive, stored, verdict) if stored else ""
    if args.json:
        print(json.dumps({**json.loads(verdict_line(verdict)), "stored": _stored_json(stored)}))
        return 0
    today = f"{verdict.relation.value}, {percent(verdict.confidence)} sure"
    if stored is not None:
        finding = stored[1]
        print(
            f"#{args.a} and #{args.b}: {finding.relation.value}, {percent(finding.confidence)} sure, reported"
        )
        print(plain(finding.reason))
        print(f"Judged today: {today}" + (f". It differs because {why}" if why else ""))
        if why:
            print(plain(reason(verdict.statements)))
    else:
        reported = "reported" if verdict.flagged and settings.marks_for(verdict.relation) else "not reported"
        if decision is not None:
            reported = f"not reported, because you {decision.kind.value} it"
        print(f"#{args.a} and #{args.b}: {today}, {reported}")
        print(plain(reason(verdict.statements)))
    for doubt in verdict.doubts:
        here, there = map(plain, doubt.sides)
        print(f'  doubt, {doubt_kind(doubt):10} "{here}" / "{there}"')
    for one in verdict.evidence:
        print(f"  {one.name:18} {one.value:8.3f}  {plain(one.words)}".rstrip())
    return 0


def _stored(findings: Findings, a: int, b: int) -> tuple[Record, Finding] | None:
    """The finding on the pair as it was made, whichever of the two has it."""
    for subject, other in ((a, b), (b, a)):
        record = findings.get(subject)
        for finding in record.findings:
            if finding.other == other:
                return record, finding
    return None


def _stored_json(stored: tuple[Record, Finding] | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    record, finding = stored
    return {
        "subject": record.subject, "other": finding.other, "relation": finding.relation.value,
        "confidence": finding.confidence, "reason": finding.reason,
    }  # fmt: skip


def _why(archive: Archive, stored: tuple[Record, Finding], verdict: Verdict) -> str:
    """Why the pair is judged otherwise today; empty if it is not."""
    record, was = stored
    if verdict.relation is was.relation:
        return ""
    subject, other = (archive.known(number).content_hash.hex() for number in (record.subject, was.other))
    found = Finding(was.other, verdict.relation, verdict.confidence, verdict.statements, 0, other)
    return why_changed(record, was, Record(record.subject, (), subject, judge=archive.judge_id), found)
