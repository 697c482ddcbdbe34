"""Undoes a decision: restores the document from the trash, and removes from the kept one what it took over.

A value that somebody has changed since stays as it is. The finding is shown again afterwards; to get rid of it,
put the tag for "not a duplicate" on the document. If there is nothing to restore, the decisions on the document
are deleted.
"""

from __future__ import annotations

import argparse

from hook.review.kept.kept_decisions import keep_decisions
from hook.review.undo import undo
from hook.session import opened, settings_of
from hook.work import examine_now


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", metavar="ID", type=int, help="id of either of the two documents")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings) as session:
        with session.archive.index.writing_lock(session.deadline):
            touched = undo(session, args.document, print)
        keep_decisions(session)
        examine_now(session, touched, print)
    return 0
