"""Lists, exports or imports your decisions on pairs of documents.

`decisions` lists them in words, the newest first. `decisions export` writes them to standard output as JSON lines,
`decisions import FILE` reads them (- for standard input). A pair that is decided already stays as it is. Each line has "schema": 1, "a" and "b" (document ids, the smaller first),
"kind" (dismissed or confirmed), "relation", "confidence", "reason", "evidence", "action" and "decided_at".

`decisions --json` lists them as such lines, with "by" (person, or setting if nobody asked), "kept" and "moved" (the ids, if one is in the
trash) and "undo_until" (when Paperless empties its trash; null: no limit).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from hook.commands.options import LINES, add_json
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser, LINES)
    verbs = parser.add_subparsers(dest="verb", metavar="export|import")
    verbs.add_parser("export", help="write all decisions to standard output")
    reading = verbs.add_parser("import", help="add decisions that were exported")
    reading.add_argument("file", metavar="FILE", help="JSON lines; - for standard input")


def run(args: argparse.Namespace, out: Callable[[str], None] = print) -> int:
    settings = settings_of(args.environ)
    with open_archive(settings, create=args.verb == "import") as archive:
        decisions = Decisions(archive.index)
        if args.verb is None:
            delay = TrashDelay.of(paperless_variables(args.environ))
            found = history(decisions, Journal(archive.index), delay)
            as_json = (json.dumps(past.to_json(), ensure_ascii=False) for past in found)
            for line in as_json if args.json else listed(found, archive, delay):
                out(line)
            return 0
        if args.verb == "export":
            for decision in decisions:
                out(json.dumps(decision.to_json(), ensure_ascii=False))
            return 0
        new, known = import_decisions(decisions, read_lines(_lines(args.file), args.file))
    print(
        f"{many(new, 'decision')} imported, {known} skipped because the pair is decided already",
        file=sys.stderr,
    )
    return 0


def listed(found: Sequence[Past], archive: Archive, delay: TrashDelay) -> Iterator[str]:
    """A sentence or two for each, with the titles as far as the documents are in the index."""
    for past in found:
        one = past.decision
        pair = f"{_named(archive, one.a)} and {_named(archive, one.b)}"
        reported = f"reported as {one.relation.value}, {percent(one.confidence)} sure"
        day = f"{one.decided_at[:10]} " if one.decided_at else ""
        yield wrapped(f"{day}{pair}: {one.kind.value}, {_outcome(past)} ({reported}){_undo(past, delay)}")
    if not found:
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
