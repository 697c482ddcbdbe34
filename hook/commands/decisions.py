"""Lists, exports or imports your decisions on pairs of documents.

`decisions` lists them in words, the newest first. `decisions export` writes them to standard output as JSON lines,
`decisions import FILE` reads them (- for standard input). A pair that is decided already stays as it is. Each line has "schema": 1, "a" and "b" (document ids, the smaller first),
"kind" (dismissed or confirmed), "relation", "confidence", "reason", "evidence", "action" and "decided_at".
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hook.commands.terminal import wrapped
from hook.findings.decisions import BadDecisionError, Decisions, Kind, import_decisions, read_lines
from hook.findings.wording import many, percent
from hook.log import TITLE_CHARACTERS, plain
from hook.session import open_archive, settings_of

if TYPE_CHECKING:
    from hook.examination.archive import Archive

_OUTCOMES: Final = {
    "trash": "one was moved to the trash",
    "version": "one is a file version of the other",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="export|import")
    verbs.add_parser("export", help="write all decisions to standard output")
    reading = verbs.add_parser("import", help="add decisions that were exported")
    reading.add_argument("file", metavar="FILE", help="JSON lines; - for standard input")


def run(args: argparse.Namespace, out: Callable[[str], None] = print) -> int:
    settings = settings_of(args.environ)
    with open_archive(settings, create=args.verb == "import") as archive:
        decisions = Decisions(archive.index)
        if args.verb is None:
            for line in listed(decisions, archive):
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


def listed(decisions: Decisions, archive: Archive) -> Iterator[str]:
    """A sentence for each, with the titles as far as the documents are in the index."""
    found = sorted(decisions, key=lambda one: one.decided_at, reverse=True)
    for one in found:
        what = (
            _OUTCOMES.get(one.action, "both are kept") if one.kind is Kind.CONFIRMED else "not reported again"
        )
        pair = f"{_named(archive, one.a)} and {_named(archive, one.b)}"
        reported = f"reported as {one.relation.value}, {percent(one.confidence)} sure"
        day = f"{one.decided_at[:10]} " if one.decided_at else ""
        yield wrapped(f"{day}{pair}: {one.kind.value}, {what} ({reported})")
    if not found:
        yield "No decisions yet."


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
