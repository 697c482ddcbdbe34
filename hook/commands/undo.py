"""Undoes a decision."""

from __future__ import annotations

import argparse

from hook.commands.terminal import print_json
from hook.review.kept.kept_decisions import keep_decisions
from hook.review.undo import undo
from hook.session import opened, settings_of
from hook.work import examine_now


def run(args: argparse.Namespace) -> int:
    settings, said = settings_of(args.environ), list[str]()
    report = said.append if args.json else print
    with opened(settings, create=False) as session:
        with session.archive.index.writing_lock(session.deadline):
            touched = undo(session, args.document, report)
        keep_decisions(session)
        examine_now(session, touched, report)
    if args.json:
        print_json({"document": args.document, "messages": said, "examined": touched})
    return 0
