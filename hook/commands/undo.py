"""Undoes a decision: restores the document from the trash, and removes from the kept one what it took over.

A value that somebody has changed since stays as it is. The finding is shown again afterwards; to get rid of it,
put the tag for "not a duplicate" on the document. If there is nothing to restore, the decisions on the document
are deleted.

With --json one object: "schema": 1, "document", "messages" (what was done, in words) and "examined" (the ids of both).
"""

from __future__ import annotations

import argparse

from hook.commands.options import add_json
from hook.commands.terminal import print_json
from hook.review.kept.kept_decisions import keep_decisions
from hook.review.undo import undo
from hook.session import opened, settings_of
from hook.work import examine_now


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", metavar="ID", type=int, help="id of either of the two documents")
    add_json(parser)


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
