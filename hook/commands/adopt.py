"""Lets this index take over from another one that is lost."""

from __future__ import annotations

import argparse

from hook.findings.wording import many
from hook.review.kept.kept_decisions import adopt_decisions
from hook.session import address_of, opened, settings_of


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings) as session:
        with session.archive.index.writing_lock(session.deadline):
            session.labels.claim(adopt=True)
        new = adopt_decisions(session)
    print(f"this Paperless is now used with the index in {address_of(settings) or settings.index_dir}")
    print(f"{many(new, 'decision')} read from Paperless; now run `paperless-dedupe backfill`")
    return 0
