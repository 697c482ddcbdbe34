"""Lists, exports or imports decisions."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hook.commands.terminal import wrapped
from hook.examination.archive import Archive
from hook.findings.decisions import SAME_FILE, BadDecisionError, Decisions, Kind, import_decisions, read_lines
from hook.findings.wording import many, percent
from hook.log import TITLE_CHARACTERS, plain
from hook.review.journal import Journal
from hook.review.kept.history import Past, TrashDelay, history
from hook.session import open_archive, settings_of
from hook.settings.environment import paperless_variables

_OUTCOMES: Final = {
    "trash": "one was moved to the trash",
    "version": "one is a file version of the other",
    SAME_FILE: "one was moved to the trash automatically, because it is the same file",
}


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with open_archive(settings, create=args.verb == "import") as archive:
        decisions = Decisions(archive.index)
        if args.verb == "import":
            new, known = import_decisions(decisions, read_lines(_lines(args.file), args.file))
            skipped = f"{known} skipped because the pair is decided already"
            print(f"{many(new, 'decision')} imported, {skipped}", file=sys.stderr)
            return 0
        delay = TrashDelay.of(paperless_variables(args.environ))
        pasts = history(decisions, Journal(archive.index), delay)
        if args.json or args.verb == "export":
            for entry in decisions if args.verb == "export" else pasts:
                print(json.dumps(entry.to_json(), ensure_ascii=False))
        else:
            for line in listed(pasts, archive, delay):
                print(line)
    return 0


def listed(pasts: Sequence[Past], archive: Archive, delay: TrashDelay) -> Iterator[str]:
    """A sentence or two for each, with the titles as far as the documents are in the index."""
    for past in pasts:
        decision = past.decision
        pair = f"{_named(archive, decision.a)} and {_named(archive, decision.b)}"
        reported = f"reported as {decision.relation.value}, {percent(decision.confidence)} sure"
        day = f"{decision.decided_at[:10]} " if decision.decided_at else ""
        outcome = f"{decision.kind.value}, {_outcome(past)} ({reported})"
        yield wrapped(f"{day}{pair}: {outcome}{_undo(past, delay)}")
    if not pasts:
        yield "No decisions yet."


def _outcome(past: Past) -> str:
    if past.decision.kind is Kind.DISMISSED:
        return "not reported again"
    outcome = _OUTCOMES.get(past.decision.action, "both are kept")
    return outcome if past.moved is None else outcome.replace("one", f"#{past.moved}", 1)


def _undo(past: Past, delay: TrashDelay) -> str:
    if past.moved is None:
        return ""
    until = f" until {past.undo_until[:10]}" if past.undo_until else ""
    return f"; `paperless-dedupe undo {past.moved}` works{until}, when Paperless empties its trash ({delay})"


def _named(archive: Archive, number: int) -> str:
    known = archive.fingerprint_of(number)
    return f'#{number} "{plain(known.title, TITLE_CHARACTERS)}"' if known and known.title else f"#{number}"


def _lines(name: str) -> list[str]:
    if name == "-":
        return sys.stdin.readlines()
    try:
        return Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadDecisionError(f"{name} cannot be read: use a file written by `decisions export`") from error
