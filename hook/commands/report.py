"""Writes the findings that wait for a decision into one HTML file, with both documents side by side.

The file needs nothing else: pictures and style are in it, and it contains no script. With --dry-run, the documents that
are new or changed are examined first, and nothing is written to Paperless. What was examined is kept: a later backfill
only writes. The file contains text of your documents; only you can read it.

With --json the summary is one object: "schema": 1, "file", "cards", "left_out", "images" and "images_left_out".
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from hook.backfill.batches import Options
from hook.backfill.pending_work import all_records
from hook.backfill.report import Report
from hook.backfill.run import BackfillRun
from hook.commands.options import add_dry_run, add_json, add_quiet, positive
from hook.commands.terminal import print_json
from hook.errors import SettingsError
from hook.findings.wording import many
from hook.private_files import replacing
from hook.review_page.person import Person
from hook.review_page.report import Summary, write_report
from hook.session import Session, inspector_of, opened, settings_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--html", metavar="FILE", type=Path, required=True, help="the file to write")
    add_dry_run(parser, "examine first what is new or changed; write nothing to Paperless")
    parser.add_argument(
        "--limit", type=positive, default=500, metavar="N", help="show at most N cards (default: 500)"
    )
    add_quiet(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with ExitStack() as stack:
        inspector = inspector_of(settings)
        session = stack.enter_context(opened(settings, warn=_warn, create=args.dry_run, inspector=inspector))
        if args.dry_run:
            _examine(session, quiet=args.quiet)
        try:
            found = _write(args, session)
        except OSError as error:
            raise SettingsError(f"--html: {args.html} cannot be written ({error.strerror})") from error
    if args.json:
        print_json({"file": str(args.html.absolute()), **asdict(found)})
    elif not args.quiet:
        print(_summary(found, args.html))
    return 0


def _examine(session: Session, *, quiet: bool) -> None:
    """As a backfill, but the findings stay in the index."""
    report = Report(warn=_warn, examine_only=True)
    with session.archive.index.run_lock():
        BackfillRun(session, Options(examine_only=True, quiet=quiet), report).backfill()
    if not quiet:
        _warn(f"{many(report.examined, 'document')} examined, nothing was written to Paperless")


def _write(args: argparse.Namespace, session: Session) -> Summary:
    person = Person(session.client, session.settings, session.archive.index)
    with replacing(args.html.absolute()) as file:
        return write_report(
            *(session.archive, person, all_records, file.write),
            limit=args.limit,
            dry_run=args.dry_run,
            inspector=session.inspector,
        )


def _summary(found: Summary, path: Path) -> str:
    left = f", {found.left_out} more left out (--limit)" if found.left_out else ""
    dropped = many(found.images_left_out, "picture")
    images = f", {dropped} left out to keep the file small" if found.images_left_out else ""
    return f"{path}: {many(found.cards, 'card')} with {many(found.images, 'picture')}{left}{images}"


def _warn(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
