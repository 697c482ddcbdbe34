"""Lets this index take over from another one that is lost.

A Paperless is used with one index, whose id is kept in Paperless. A command that finds another id there stops: a second
index does not know what was reported and decided, and would report it again. If the other index still exists, use that
one. If it is lost, this command writes the id of this index and reads the decisions that are kept in Paperless; then run
`paperless-dedupe backfill`.
"""

from __future__ import annotations

import argparse

from hook.findings.wording import many
from hook.review.kept.kept_decisions import adopt_decisions
from hook.session import address_of, opened, settings_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings) as session:
        with session.archive.index.writing_lock(session.deadline):
            session.labels.claim(adopt=True)
        new = adopt_decisions(session)
    print(f"this Paperless is now used with the index in {address_of(settings) or settings.index_dir}")
    print(f"{many(new, 'decision')} read from Paperless; now run `paperless-dedupe backfill`")
    return 0
