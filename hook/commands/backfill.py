"""Examines the documents that are in Paperless already, and marks those that are similar.

Can be interrupted at any time, even killed: the next run continues. Documents that were examined and have not
changed are skipped. --sync is made for cron: it updates the index with what is new, changed, re-OCRed, deleted or
in the trash, and removes findings that no longer hold.

With --json each line is an object with "schema": 1 and an "event":
  finding     subject, other, relation, confidence, reason: a new finding
  taken back  subject, other, relation: a finding that no longer holds
  write       document, write: what would be written (--dry-run only)
  gone        document: deleted, in the trash, or not visible to the token's user
  skipped     document, reason, detail: this document could not be examined
  put off     document, reason: Paperless refused a write; the next run tries again
  summary     examined, found (by relation), taken_back, skipped (by reason), forgotten, put_off,
              documents_written, bulk_edits, decided, seconds, dry_run, complete: the last line. An error that ended
              the run (complete is false) is on standard error; if nothing was done before it, there is no summary
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hook import log
from hook.backfill.batches import WORTH_WORKERS, Options
from hook.backfill.progress import hidden
from hook.backfill.rebuild import rebuild
from hook.backfill.report import Report
from hook.backfill.run import BackfillRun
from hook.backfill.sync import synchronise
from hook.commands.options import (
    LINES,
    add_dry_run,
    add_jobs,
    add_json,
    add_quiet,
    add_verbose,
    iso_date,
    positive,
)
from hook.errors import FormatMismatch, IndexFault, SettingsError
from hook.examination.copying import copy_index
from hook.index.files import temporary_copy
from hook.locks import run_lock
from hook.log import plain
from hook.parallel.pool import collect_seldom, cores
from hook.private_files import prepare_directory
from hook.session import Session, inspector_of, open_archive, opened, settings_of
from hook.settings.model import Settings
from hook.settings.policy_file import policy_path
from hook.settings.types import Semantic

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_dry_run(parser, "show what would be written; write nothing")
    add("--sync", action="store_true", help="only what is new, changed or gone since the last run")
    add("--full", action="store_true", help="with --sync: compare every text (done every week anyway)")
    add("--index-only", action="store_true", help="fill the index; examine and mark nothing")
    add(
        "--examine-only",
        action="store_true",
        help="examine and keep the findings; write nothing to Paperless: the next run without this writes them",
    )
    add("--again", action="store_true", help="examine unchanged documents, too: after a change of settings")
    add(
        "--embeddings",
        action="store_true",
        help="only make the vectors of the semantic tier that are missing",
    )
    add(
        "--rebuild",
        action="store_true",
        help="build the index again, beside the old one: after a change of the recipe",
    )
    add("--since", type=iso_date, metavar="DATE", help="only documents added since, as 2025-01-31")
    add("--limit", type=positive, metavar="N", help="stop after N documents examined")
    add("--accept-deletions", action="store_true", help="with --sync: even if most documents were deleted")
    add(
        "--ink",
        action="store_true",
        help="then look at the pages of pairs with doubts; needs the extra `ink`",
    )
    add_jobs(parser)
    add_json(parser, LINES)
    add_quiet(parser)
    add_verbose(parser, "log every request and decision, too")


def run(args: argparse.Namespace) -> int:
    _refuse_contradictions(args)
    settings = settings_of(args.environ)
    if args.embeddings and settings.semantic is Semantic.OFF:
        raise SettingsError(
            "--embeddings needs DEDUPE_SEMANTIC=local, openai or ollama: see docs/semantic.md"
        )
    level = "WARNING" if args.quiet or args.json else "DEBUG" if args.verbose else settings.log_level
    modes = {"quiet": args.quiet, "dry_run": args.dry_run, "examine_only": args.examine_only}
    report = Report(_out, _warn, as_json=args.json, **modes)
    with ExitStack() as stack:
        stack.callback(log.close, log.set_up(level, settings.log_file))
        if args.dry_run:
            settings = stack.enter_context(_on_a_copy(settings))
        is_rebuild = args.rebuild or (not args.dry_run and _is_of_another_format(settings))
        is_beside = is_rebuild and settings.index_url is None  # a shared index is emptied and filled again
        if is_beside:
            _rebuild(settings, stack, quiet=args.quiet or args.json)
        inspector = _inspector(settings, is_wanted=args.ink)
        is_empty = is_rebuild and not is_beside
        session = stack.enter_context(opened(settings, empty=is_empty, warn=_warn, inspector=inspector))
        if not is_beside:
            stack.enter_context(session.archive.index.run_lock())
        _timed(args, session, report)
    return 0


def _inspector(settings: Settings, *, is_wanted: bool) -> Inspector | None:
    found = inspector_of(settings)
    if is_wanted and found is None:
        raise SettingsError(
            "--ink needs the extra `ink` (pypdfium2), and DEDUPE_INK must not be off: see docs/ink.md"
        )
    return found


def _is_of_another_format(settings: Settings) -> bool:
    """An index that an earlier version made is built again, whatever was asked for; decisions and findings stay."""
    try:
        with open_archive(settings, create=False):
            return False
    except FormatMismatch as error:
        _warn(f"{error}. Building it again.")
        return True
    except IndexFault:  # reported when it is opened to be used
        return False


def _rebuild(settings: Settings, stack: ExitStack, *, quiet: bool) -> None:
    """Two of them would build in the same place, so the lock comes first."""
    settings.required_token()
    prepare_directory(settings.index_dir)
    stack.enter_context(run_lock(settings.index_dir))
    rebuild(settings, quiet=quiet)


@contextmanager
def _on_a_copy(settings: Settings) -> Iterator[Settings]:
    """A dry run changes a temporary copy of the index, in a directory."""
    is_shared = settings.index_url is not None
    copy = TemporaryDirectory(prefix="dedupe-dry-run-") if is_shared else temporary_copy(settings.index_dir)
    with copy as place:
        update = {"index_dir": Path(place), "policy_file": policy_path(settings), "index_url": None}
        copied = settings.model_copy(update=update)
        if is_shared:
            with open_archive(settings) as shared, open_archive(copied) as local:
                copy_index(shared.index, local.index)
        yield copied


def _timed(args: argparse.Namespace, session: Session, report: Report) -> None:
    """Prints the summary however the run ends, since the findings until then are stored; but not that nothing was
    found, if nothing was looked at."""
    options = Options(
        dry_run=args.dry_run,
        index_only=args.index_only,
        examine_only=args.examine_only,
        again=args.again,
        since=args.since,
        limit=args.limit,
        quiet=args.quiet or args.json,
        jobs=args.jobs or cores(),
        worth_workers=0 if args.jobs else WORTH_WORKERS,
        ink=args.ink,
    )
    collect_seldom()
    started = time.monotonic()
    try:
        backfill = BackfillRun(session, options, report)
        if args.embeddings:
            backfill.embed(args.limit)
        elif args.sync:
            synchronise(backfill, full=args.full, accept_deletions=args.accept_deletions)
        else:
            backfill.backfill()
    except BaseException:
        if report.has_news:
            report.summary(time.monotonic() - started, complete=False)
        raise
    report.summary(time.monotonic() - started)


def _refuse_contradictions(args: argparse.Namespace) -> None:
    pairs = [
        ("sync", "index_only"),
        ("sync", "since"),
        ("sync", "rebuild"),
        ("sync", "again"),
        ("index_only", "dry_run"),
        *(("embeddings", other) for other in ("sync", "index_only", "again", "rebuild", "since")),
        ("examine_only", "dry_run"),
        ("examine_only", "index_only"),
    ]
    for one, other in pairs:
        if getattr(args, one) and getattr(args, other):
            names = [f"--{name.replace('_', '-')}" for name in (one, other)]
            raise SettingsError(f"{' and '.join(names)} cannot be combined: use one of them")
    if args.full and not args.sync:
        raise SettingsError("--full is for --sync; a backfill always compares every text")


def _out(line: str) -> None:
    with hidden():
        print(line, flush=True)


def _warn(line: str) -> None:
    with hidden():
        print(plain(line), file=sys.stderr, flush=True)
