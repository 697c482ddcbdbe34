"""Runs a backfill or a sync: on which index, by which session, with which report."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from hook import log
from hook.backfill.batches import WORTH_WORKERS, Options
from hook.backfill.progress import hidden
from hook.backfill.rebuild import rebuild
from hook.backfill.report import Report
from hook.backfill.run import BackfillRun
from hook.backfill.sync import synchronise
from hook.errors import FormatMismatch, SettingsError
from hook.index.files import temporary_copy
from hook.locks import run_lock
from hook.log import plain
from hook.parallel.pool import collect_seldom, cores
from hook.private_files import prepare_directory
from hook.session import Session, index_problem, inspector_of, opened, settings_of
from hook.settings.model import Settings
from hook.settings.types import Semantic

_CONTRADICTIONS: Final = {
    "sync": ("index_only", "since", "rebuild", "again"),
    "embeddings": ("sync", "index_only", "again", "rebuild", "since"),
    "examine_only": ("dry_run", "index_only"),
    "index_only": ("dry_run",),
}


def run(args: argparse.Namespace) -> int:
    _refuse_contradictions(args)
    settings = settings_of(args.environ)
    if args.embeddings and settings.semantic is Semantic.OFF:
        raise SettingsError(
            "--embeddings needs DEDUPE_SEMANTIC=local, openai or ollama: see docs/semantic.md"
        )
    is_quiet = args.quiet or args.json
    level = "WARNING" if is_quiet else "DEBUG" if args.verbose else settings.log_level
    modes = {"quiet": args.quiet, "dry_run": args.dry_run, "examine_only": args.examine_only}
    report = Report(_out, _warn, as_json=args.json, **modes)
    with ExitStack() as stack:
        stack.callback(log.close, log.set_up(level, settings.log_file))
        if args.dry_run:
            settings = stack.enter_context(_on_a_copy(settings))
        is_rebuild = args.rebuild or (not args.dry_run and _is_of_another_format(settings))
        is_beside = is_rebuild and settings.index_url is None  # a shared index is emptied and filled again
        if is_beside:
            settings.required_token()
            prepare_directory(settings.index_dir)
            stack.enter_context(run_lock(settings.index_dir))  # two of them would build in the same place
            rebuild(settings, quiet=is_quiet)
        inspector = inspector_of(settings)
        if args.ink and inspector is None:
            raise SettingsError(
                "--ink needs the extra `ink` (pypdfium2), and DEDUPE_INK must not be off: see docs/ink.md"
            )
        is_empty = is_rebuild and not is_beside
        session = stack.enter_context(opened(settings, empty=is_empty, warn=_warn, inspector=inspector))
        if not is_beside:
            stack.enter_context(session.archive.index.run_lock())
        _timed(args, session, report)
    return 0


def _is_of_another_format(settings: Settings) -> bool:
    """An index that an earlier version made is built again, whatever was asked for; decisions and findings stay."""
    problem = index_problem(settings)
    if isinstance(problem, FormatMismatch):
        _warn(f"{problem}. Building it again.")
    return isinstance(problem, FormatMismatch)  # any other is reported when it is opened to be used


@contextmanager
def _on_a_copy(settings: Settings) -> Iterator[Settings]:
    """A dry run changes a temporary copy of the index."""
    if settings.index_url is not None:
        raise SettingsError(
            "--dry-run needs an index in a directory, of which it makes a copy: use --examine-only"
        )
    with temporary_copy(settings.index_dir) as place:
        yield settings.model_copy(update={"index_dir": place})


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
    for option, others in _CONTRADICTIONS.items():
        for other in others:
            if getattr(args, option) and getattr(args, other):
                names = f"--{option} and --{other} cannot be combined".replace("_", "-")
                raise SettingsError(f"{names}: use one of them")
    if args.full and not args.sync:
        raise SettingsError("--full is for --sync; a backfill always compares every text")


def _out(line: str) -> None:
    with hidden():
        print(line, flush=True)


def _warn(line: str) -> None:
    with hidden():
        print(plain(line), file=sys.stderr, flush=True)
