"""Takes back what a decision has done: restores from the trash, and what was taken over goes back.

A value that somebody has changed since stays as it is. The finding is shown again afterwards; to be rid of
it, put the tag for "no duplicate" on the document. Without anything to restore, the decisions on it are
forgotten.
"""

from __future__ import annotations

import argparse
from contextlib import closing

from hook.deadline import Deadline
from hook.findings.examine import Examiner
from hook.locks import writing_lock
from hook.queue import Queue
from hook.review.review import Review
from hook.review.undo import show_again, undo
from hook.session import opened, settings_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", metavar="ID", type=int, help="id of either of the two documents")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings) as at, closing(Queue(settings.index_dir)) as queue:
        examiner = Examiner(at.archive, at.client, settings)
        review = Review(examiner, queue, tell=print)
        with writing_lock(settings.index_dir, Deadline.never()):
            touched = undo(args.document, review, examiner, print)
        show_again(touched, examiner, print)
    return 0
