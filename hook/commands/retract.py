"""Takes back everything that this program has written to Paperless: tags, notes, links, the link field, the saved view and
the workflows.

What you have written stays, also notes that were copied from a document in the trash. Your decisions and the index stay,
too; delete the index directory to remove them. Switch the hook or the service off first, or it begins again.

The index says which notes and links are ours. If it is lost, --lost-index goes by what Paperless shows: our tags, the link
field if all links in it are of documents with our tags or of pairs that you decided, the saved view and the workflows. Notes
without a record stay, and are listed; --unrecorded-notes also removes those that the token's user wrote in our words.

With --json one object: "schema": 1, "dry_run", "notes" (pairs of a document and a note), "links" (a document and the others), "tags" (deleted), "untagged"
(tag, documents), "link_field" (or null), "saved_views", "workflows" and "stays" (what is not removed, and why).
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from typing import Any, Final

from hook.commands.options import add_dry_run, add_json
from hook.commands.terminal import fitted, print_json
from hook.errors import ForeignIndex, IndexMissing
from hook.review.kept.retraction import Recognised, Retraction, described, plan_retraction, retract
from hook.session import opened, settings_of

_BESIDE: Final = ("saved_views", "workflows")
_IF_LOST: Final = "If that index is lost, `paperless-dedupe retract --lost-index --dry-run` shows what can be recognised as ours."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_dry_run(parser, "show what would be removed; remove nothing")
    parser.add_argument(
        "--lost-index",
        action="store_true",
        help="the index is lost: remove what can be recognised without it",
    )
    parser.add_argument(
        "--unrecorded-notes",
        action="store_true",
        help="also remove notes of the token's user that begin as ours do, but are not recorded",
    )


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with ExitStack() as stack:
        try:
            session = stack.enter_context(opened(settings, create=args.lost_index))
            stack.enter_context(session.archive.index.writing_lock(session.deadline))
            if args.lost_index:
                session.labels.of_any_index()
            session.labels.known()
        except (ForeignIndex, IndexMissing):
            print(_IF_LOST, file=sys.stderr)
            raise
        plan = plan_retraction(session, Recognised(args.lost_index, args.unrecorded_notes))
        if not args.dry_run:
            retract(session, plan)
    if args.json:
        print_json(_as_json(plan, dry_run=args.dry_run))
        return 0
    word = "would remove" if args.dry_run else "removed"
    for line in described(plan) or ["There is nothing of paperless-dedupe in Paperless."]:
        print(fitted(line if line.startswith(("stays: ", "There ")) else f"{word} {line}"))
    return 0


def _as_json(plan: Retraction, *, dry_run: bool) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "notes": plan.notes,
        "links": [[document, sorted(others)] for document, others in plan.links],
        "tags": [name for _, name in plan.tags],
        "untagged": [[name, documents] for _, name, documents in plan.untag],
        "link_field": plan.link_field[1] if plan.link_field else None,
        **{wanted: [name for kind, _, name in plan.beside if kind == wanted] for wanted in _BESIDE},
        "stays": plan.kept,
    }
