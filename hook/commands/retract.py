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
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Final

from hook.commands.options import add_dry_run, add_json
from hook.errors import ForeignIndex, IndexMissing, NotFoundError, RightsError

if TYPE_CHECKING:
    from hook.commands.retraction import Retraction
    from hook.session import Session

SCHEMA: Final = 1
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
    from hook.commands.retraction import Recognised, described, plan_retraction, retract
    from hook.session import opened, settings_of

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
        beside = list(_beside(session))
        if not args.dry_run:
            for kind, number, _ in beside:
                with suppress(NotFoundError):
                    session.client.delete_label(kind, number)
            retract(session, plan)
        if args.json:
            print(json.dumps(_as_json(plan, beside, dry_run=args.dry_run), ensure_ascii=False))
            return 0
        word = "would remove" if args.dry_run else "removed"
        for line in described(plan):
            _say(word, line)
        for kind, _, name in beside:
            _say(word, f'{kind.replace("_", " ").removesuffix("s")}: "{name}"')
        if not described(plan) and not beside:
            print("There is nothing of paperless-dedupe in Paperless.")
    return 0


def _as_json(plan: Retraction, beside: Sequence[tuple[str, int, str]], *, dry_run: bool) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "dry_run": dry_run,
        "notes": plan.notes,
        "links": [[document, sorted(others)] for document, others in plan.links],
        "tags": [name for _, name in plan.tags],
        "untagged": [[name, documents] for _, name, documents in plan.untag],
        "link_field": plan.link_field[1] if plan.link_field else None,
        **{wanted: [name for kind, _, name in beside if kind == wanted] for wanted in _BESIDE},
        "stays": plan.kept,
    }


def _say(word: str, line: str) -> None:
    print(line if line.startswith("stays: ") else f"{word} {line}", flush=True)


def _beside(session: Session) -> Iterator[tuple[str, int, str]]:
    """Saved views that filter by our tag, and our workflows."""
    from hook.commands.setup import filters_on
    from hook.commands.webhooks import ours
    from hook.language.names import VIEW_NAME
    from hook.language.translate import in_every_language

    tag = session.labels.known().tags.get(session.settings.tag_review)
    for view in session.client.saved_views():
        if view.name in in_every_language(VIEW_NAME) and tag is not None and filters_on(view, tag):
            yield "saved_views", view.id, view.name
    try:
        for workflow in ours(session.client).values():
            yield "workflows", workflow.id, workflow.name
    except RightsError:
        print("workflows: this user may not see them, so they stay", file=sys.stderr)
