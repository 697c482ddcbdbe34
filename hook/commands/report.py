"""Writes the findings that wait for a decision into one HTML file."""

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
from hook.commands.terminal import print_json
from hook.errors import SettingsError
from hook.findings.wording import many
from hook.private_files import replacing
from hook.review_page.person import Person
from hook.review_page.report import Summary, write_report
from hook.session import Session, inspector_of, opened, settings_of


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with ExitStack() as stack:
        inspector = inspector_of(settings)
        session = stack.enter_context(opened(settings, warn=_warn, create=args.dry_run, inspector=inspector))
        if args.dry_run:
            _examine(session, quiet=args.quiet)
        try:
            summary = _write(args, session)
        except OSError as error:
            raise SettingsError(f"--html: {args.html} cannot be written ({error.strerror})") from error
    if args.json:
        print_json({"file": str(args.html.absolute()), **asdict(summary)})
    elif not args.quiet:
        print(_summary(summary, args.html))
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


def _summary(summary: Summary, path: Path) -> str:
    left = f", {summary.left_out} more left out (--limit)" if summary.left_out else ""
    dropped = many(summary.images_left_out, "picture")
    images = f", {dropped} left out to keep the file small" if summary.images_left_out else ""
    return f"{path}: {many(summary.cards, 'card')} with {many(summary.images, 'picture')}{left}{images}"


def _warn(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
