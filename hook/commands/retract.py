"""Takes back everything that this program has written to Paperless: tags, notes, links, the link field, the saved view and
the workflows.

What you have written stays, also notes that were copied from a document in the trash. Your decisions and the index stay,
too; delete the index directory to remove them. Switch the hook or the service off first, or it begins again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from hook.errors import NotFoundError, RightsError

if TYPE_CHECKING:
    from hook.session import Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="show what would be removed; remove nothing")


def run(args: argparse.Namespace) -> int:
    from hook.commands.retraction import described, plan_retraction, retract
    from hook.session import opened, settings_of

    settings = settings_of(args.environ)
    with opened(settings) as session, session.archive.index.writing_lock(session.deadline):
        plan = plan_retraction(session)
        beside = list(_beside(session))
        word = "would remove" if args.dry_run else "removed"
        if args.dry_run:
            for line in described(plan):
                _say(word, line)
        else:
            for kind, number, _ in beside:
                with suppress(NotFoundError):
                    session.client.delete_label(kind, number)
            retract(session, plan, lambda line: _say(word, line))
        for kind, _, name in beside:
            _say(word, f'{kind.replace("_", " ").removesuffix("s")}: "{name}"')
        if not described(plan) and not beside:
            print("Nothing of ours is in Paperless.")
    return 0


def _say(word: str, line: str) -> None:
    print(line if line.startswith("stays: ") else f"{word} {line}", flush=True)


def _beside(session: Session) -> Iterator[tuple[str, int, str]]:
    """Saved views that filter by our tag, and our workflows."""
    from hook.commands.setup import filters_on
    from hook.commands.webhooks import ours
    from hook.language.names import VIEW_NAMES

    tag = session.labels.known().tags.get(session.settings.tag_review)
    for view in session.client.saved_views():
        if view.name in VIEW_NAMES.values() and tag is not None and filters_on(view, tag):
            yield "saved_views", view.id, view.name
    try:
        for workflow in ours(session.client).values():
            yield "workflows", workflow.id, workflow.name
    except RightsError:
        print("workflows: this user may not see them, so they stay", file=sys.stderr)
