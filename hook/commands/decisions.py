"""Exports or imports your decisions on pairs of documents, one JSON object per line.

`decisions export` writes them to standard output, `decisions import FILE` reads them (- for standard input). A pair
that is decided already stays as it is. Each line has "schema": 1, "a" and "b" (document ids, the smaller first),
"kind" (dismissed or confirmed), "relation", "confidence", "reason", "evidence", "action" and "decided_at".
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from hook.findings.decisions import BadDecisionError, Decisions, import_decisions, read_lines
from hook.session import open_archive, settings_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="export|import")
    verbs.add_parser("export", help="write all decisions to standard output")
    reading = verbs.add_parser("import", help="add decisions that were exported")
    reading.add_argument("file", metavar="FILE", help="JSON lines; - for standard input")


def run(args: argparse.Namespace, out: Callable[[str], None] = print) -> int:
    settings = settings_of(args.environ)
    with open_archive(settings, create=args.verb == "import") as archive:
        decisions = Decisions(archive.index)
        if args.verb == "export":
            for decision in decisions:
                out(json.dumps(decision.to_json(), ensure_ascii=False))
            return 0
        new, known = import_decisions(decisions, read_lines(_lines(args.file), args.file))
    print(f"{new} decisions imported, {known} skipped because the pair is decided already", file=sys.stderr)
    return 0


def _lines(name: str) -> list[str]:
    if name == "-":
        return sys.stdin.readlines()
    try:
        return Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadDecisionError(f"{name} cannot be read: use a file written by `decisions export`") from error
