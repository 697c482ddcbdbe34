"""Takes back everything that this program has written to Paperless, and says what that is."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from typing import Any, Final

from hook.commands.terminal import fitted, print_json
from hook.errors import ForeignIndex, IndexMissing
from hook.review.kept.retraction import Retraction, described, plan_retraction, retract
from hook.session import opened, settings_of

_NOTHING: Final = "There is nothing of paperless-dedupe in Paperless."
_NO_NOTES: Final = "There is nothing that can be recognised without the index. --unrecorded-notes looks for notes in all documents."
_IF_LOST: Final = "If that index is lost, `paperless-dedupe retract --lost-index --dry-run` shows what can be recognised as ours."


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
        plan = plan_retraction(session, lost_index=args.lost_index, unrecorded_notes=args.unrecorded_notes)
        if not args.dry_run:
            retract(session, plan)
    if args.json:
        print_json(_as_json(plan, dry_run=args.dry_run))
        return 0
    word = "would remove" if args.dry_run else "removed"
    nothing = _NO_NOTES if args.lost_index and not args.unrecorded_notes else _NOTHING
    for line in described(plan) or [nothing]:
        print(fitted(line if line.startswith(("stays: ", "There ")) else f"{word} {line}"))
    return 0


def _as_json(plan: Retraction, *, dry_run: bool) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "notes": plan.notes,
        "links": [[document, sorted(others)] for document, others in plan.links],
        "tags": plan.named("tags"),
        "untagged": [[name, documents] for _, name, documents in plan.untag],
        "link_field": next(iter(plan.named("custom_fields")), None),
        "saved_views": plan.named("saved_views"),
        "workflows": plan.named("workflows"),
        "stays": plan.stays,
    }
