"""Prints the findings that wait for a decision."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hook.backfill.pending_work import all_records
from hook.commands.terminal import wrapped
from hook.findings.wording import percent
from hook.log import TITLE_CHARACTERS, plain
from hook.paperless.values import RawDocument
from hook.review_page.overview import Undecided, undecided
from hook.session import opened, settings_of
from hook.settings.model import Settings

_COLUMNS: Final = (
    *("subject", "other", "relation", "confidence", "subject_title", "other_title"),
    *("keeper", "keeper_reason", "written", "reason"),
)
_FORMULA: Final = ("=", "+", "-", "@")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings, create=False) as session:
        entries = undecided(session, all_records)
    if args.csv:
        _write_csv(entries, settings)
    elif args.json:
        for entry in entries:
            print(json.dumps(entry.to_json(), ensure_ascii=False))
    else:
        print("\n".join(shown(entries, settings)))
    return 0


def _write_csv(entries: Sequence[Undecided], settings: Settings) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow([*_COLUMNS, "subject_url", "other_url"])
    for entry in entries:
        row = entry.to_json()
        urls = [settings.document_url(document.id) for document in (entry.subject, entry.other)]
        table.writerow([*(_cell(row[name]) for name in _COLUMNS), *urls])


def _cell(value: Any) -> Any:
    """Text of a document is no formula: a spreadsheet would compute `=1+1`, or open an address."""
    if not isinstance(value, str):
        return value
    text = plain(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def shown(entries: Sequence[Undecided], settings: Settings) -> Iterator[str]:
    """A paragraph for each, wrapped to the terminal."""
    if not entries:
        yield "Nothing waits for a decision."
    for entry in entries:
        finding, both = entry.finding, (entry.subject, entry.other)
        yield wrapped(" and ".join(map(_named, both)))
        sure = f"{finding.relation.value}, {percent(finding.confidence)} sure"
        yield wrapped(f"{sure}; {_next_step(entry)}", "  ")
        yield wrapped(plain(finding.reason), "  ")
        yield from (f"  {settings.document_url(document.id)}" for document in both)
    if unwritten := sum(not entry.written for entry in entries):
        count = f"{unwritten} of {len(entries)}"
        yield wrapped(f"{count} are not in Paperless yet: `paperless-dedupe backfill` writes them.")


def _next_step(entry: Undecided) -> str:
    if not entry.written:  # the suggestion may need the files: it is made when the note is
        return "not in Paperless yet"
    keeper, why = entry.finding.keeper, entry.finding.keeper_reason
    return "suggestion: keep both" if keeper is None else f"suggestion: keep #{keeper} ({why})"


def _named(document: RawDocument) -> str:
    return f'#{document.id} "{plain(document.title, TITLE_CHARACTERS)}"'
