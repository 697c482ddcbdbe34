"""Lists the findings that wait for your decision: pairs of similar documents, the strongest first.

Findings of `backfill --examine-only`, which are not in Paperless yet, are listed too.

With --json each line is an object with "schema": 1, "subject", "other", "relation", "confidence", "reason",
"subject_title", "other_title", "keeper", "keeper_reason" (null and "" if both are to be kept) and "written" (false if
the finding is not in Paperless yet; the suggestion is made when it is written). --csv has the same as a table for a spreadsheet, with the
addresses of both; a title that a spreadsheet would take for a formula begins with an apostrophe there.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from hook.backfill.pending_work import all_records
from hook.commands.options import LINES, add_json
from hook.commands.terminal import wrapped
from hook.findings.wording import percent
from hook.log import TITLE_CHARACTERS, plain
from hook.paperless.values import RawDocument
from hook.review_page.lists.undecided import Undecided, undecided
from hook.session import opened, settings_of
from hook.settings.model import Settings

_COLUMNS: Final = (
    *("subject", "other", "relation", "confidence", "subject_title", "other_title"),
    *("keeper", "keeper_reason", "written", "reason"),
)
_FORMULA: Final = ("=", "+", "-", "@")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    add_json(form, LINES)
    form.add_argument("--csv", action="store_true", help="a table with a header, for a spreadsheet")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings, create=False) as session:
        found = undecided(session, all_records)
    if args.csv:
        _write_csv(found, settings)
        return 0
    lines = (
        (json.dumps(entry.to_json(), ensure_ascii=False) for entry in found)
        if args.json
        else shown(found, settings)
    )
    for line in lines:
        print(line)
    return 0


def _write_csv(found: Iterable[Undecided], settings: Settings) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow([*_COLUMNS, "subject_url", "other_url"])
    for entry in found:
        row = entry.to_json()
        urls = [settings.document_url(one.id) for one in (entry.subject, entry.other)]
        table.writerow([*(_cell(row[name]) for name in _COLUMNS), *urls])


def _cell(value: Any) -> Any:
    """Text of a document is no formula: a spreadsheet would compute `=1+1`, or open an address."""
    if not isinstance(value, str):
        return value
    text = plain(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def shown(found: Iterable[Undecided], settings: Settings) -> Iterator[str]:
    """A paragraph for each, wrapped to the terminal."""
    found = list(found)
    if not found:
        yield "Nothing waits for a decision."
    for entry in found:
        yield from _paragraph(entry, settings)
    if unwritten := sum(not entry.written for entry in found):
        words = (
            f"{unwritten} of {len(found)} are not in Paperless yet: `paperless-dedupe backfill` writes them."
        )
        yield wrapped(words)


def _paragraph(entry: Undecided, settings: Settings) -> Iterator[str]:
    finding = entry.finding
    yield wrapped(f"{_named(entry.subject)} and {_named(entry.other)}")
    yield wrapped(f"{finding.relation.value}, {percent(finding.confidence)} sure; {_next_step(entry)}", "  ")
    yield wrapped(plain(finding.reason), "  ")
    for document in (entry.subject, entry.other):
        yield f"  {settings.document_url(document.id)}"


def _next_step(entry: Undecided) -> str:
    finding = entry.finding
    if not entry.written:  # the suggestion may need the files: it is made when the note is
        return "not in Paperless yet"
    if finding.keeper is None:
        return "suggestion: keep both"
    return f"suggestion: keep #{finding.keeper} ({finding.keeper_reason})"


def _named(document: RawDocument) -> str:
    return f'#{document.id} "{plain(document.title, TITLE_CHARACTERS)}"'
