"""Shows how two indexed documents relate, and why; also if they are siblings or unrelated."""

from __future__ import annotations

import argparse
from pathlib import Path

from dedupe_core.explain.words import reason
from hook.commands.scan import doubt_kind, verdict_line
from hook.findings.decisions import Decisions
from hook.findings.wording import percent
from hook.log import plain
from hook.session import open_archive, settings_of
from hook.settings.types import LookAtPages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", type=int, help="id of a document")
    parser.add_argument("b", metavar="B", type=int, help="id of the other document")
    parser.add_argument(
        "--index", metavar="DIR", type=Path, help="the index to use (default: that of the settings)"
    )
    parser.add_argument("--json", action="store_true", help="the verdict as the JSON line of `scan`")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    if args.index:
        settings = settings.model_copy(update={"index_dir": args.index})
    with open_archive(settings, create=False) as archive:
        verdict = archive.explain(args.a, args.b)
        if settings.ink is not LookAtPages.OFF:
            from hook.ink.seen import SeenPairs

            verdict = SeenPairs(archive.index).on(verdict, archive.known(args.a), archive.known(args.b))
        decision = Decisions(archive.index).get(args.a, args.b)
    if args.json:
        print(verdict_line(verdict))
        return 0
    reported = "reported" if verdict.flagged and settings.marks_for(verdict.relation) else "not reported"
    if decision is not None:
        reported = f"not reported, because you {decision.kind.value} it"
    sure = f"{percent(verdict.confidence)} sure"
    print(f"#{args.a} and #{args.b}: {verdict.relation.value}, {sure}, {reported}")
    print(plain(reason(verdict.statements)))
    for doubt in verdict.doubts:
        here, there = map(plain, doubt.sides)
        print(f'  doubt, {doubt_kind(doubt):10} "{here}" / "{there}"')
    for one in verdict.evidence:
        print(f"  {one.name:18} {one.value:8.3f}  {plain(one.words)}".rstrip())
    return 0
