"""Shows how two indexed documents relate, and why."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import NamedTuple

from dedupe_core.explain.words import reason
from dedupe_core.model import Verdict
from hook.commands.scan import doubt_kind, verdict_line
from hook.examination.archive import Archive
from hook.findings.decisions import Decision, Decisions
from hook.findings.examine import Examiner
from hook.findings.findings import Finding, Findings, Record
from hook.findings.wording import percent, why_changed
from hook.log import plain
from hook.session import open_archive, settings_of
from hook.settings.model import Settings
from hook.settings.types import LookAtPages


class Stored(NamedTuple):
    """The finding on the pair as it was made, whichever of the two has it, and why it is judged otherwise today."""

    subject: int
    finding: Finding
    why: str


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    if args.index:
        settings = settings.model_copy(update={"index_dir": args.index})
    with open_archive(settings, create=False) as archive:
        verdict = _verdict(archive, settings, args.a, args.b)
        stored = _stored(archive, verdict)
        decision = Decisions(archive.index).get(args.a, args.b)
    if args.json:
        fields = stored and {
            "subject": stored.subject,
            **{name: getattr(stored.finding, name) for name in ("other", "relation", "confidence", "reason")},
        }
        print(json.dumps({**json.loads(verdict_line(verdict)), "stored": fields}))
    else:
        print("\n".join(_shown(verdict, stored, decision, settings)))
    return 0


def _verdict(archive: Archive, settings: Settings, a: int, b: int) -> Verdict:
    """As it would be made today: among the documents that the owner may see, and with what was seen on the pages."""
    both = [archive.known(number) for number in (a, b)]
    examiner = Examiner(archive, settings, Findings(archive.index), Decisions(archive.index))
    verdict = archive.explain(a, b, visible=examiner.is_comparable(both[0].owner))
    if settings.ink is LookAtPages.OFF:
        return verdict
    from hook.ink.seen import SeenPairs

    return SeenPairs(archive.index).on(verdict, *both)


def _stored(archive: Archive, verdict: Verdict) -> Stored | None:
    pair = verdict.subject, verdict.other
    for subject, other in (pair, pair[::-1]):
        record = Findings(archive.index).get(subject)
        for finding in record.findings:
            if finding.other == other:
                return Stored(subject, finding, _why(archive, record, finding, verdict))
    return None


def _why(archive: Archive, record: Record, was: Finding, verdict: Verdict) -> str:
    """Empty if it is judged as before."""
    if verdict.relation is was.relation:
        return ""
    subject, other = (archive.known(number).content_hash.hex() for number in (record.subject, was.other))
    now = Finding(was.other, verdict.relation, verdict.confidence, verdict.statements, 0, other)
    return why_changed(record, was, Record(record.subject, (), subject, judge=archive.judge_id), now)


def _shown(
    verdict: Verdict, stored: Stored | None, decision: Decision | None, settings: Settings
) -> Iterator[str]:
    pair = f"#{verdict.subject} and #{verdict.other}"
    today = f"{verdict.relation.value}, {percent(verdict.confidence)} sure"
    if stored is not None:
        finding, why = stored.finding, stored.why
        yield f"{pair}: {finding.relation.value}, {percent(finding.confidence)} sure, reported"
        yield plain(finding.reason)
        yield f"Judged today: {today}" + (f". It differs because {why}" if why else "")
    else:
        is_reported = verdict.flagged and settings.marks_for(verdict.relation)
        reported = "reported" if is_reported else "not reported"
        if decision is not None:
            reported = f"not reported, because you {decision.kind.value} it"
        yield f"{pair}: {today}, {reported}"
    if stored is None or stored.why:
        yield plain(reason(verdict.statements))
    for doubt in verdict.doubts:
        here, there = map(plain, doubt.sides)
        yield f'  doubt, {doubt_kind(doubt):10} "{here}" / "{there}"'
    for evidence in verdict.evidence:
        yield f"  {evidence.name:18} {_aligned(evidence.value)}  {plain(evidence.words)}".rstrip()


def _aligned(value: float) -> str:
    """By the decimal point; a whole number, such as a count, without one."""
    return f"{value:4.0f}    " if float(value).is_integer() else f"{value:8.3f}"
