"""Finds the documents that overlap with a given one, by their passages or by their meaning."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from dedupe_core.fingerprint.query import Ask
from hook.commands.terminal import print_json, wrapped
from hook.deadline import Deadline
from hook.findings.find import BadQuestion, asked, find, find_by_meaning
from hook.findings.wording import many
from hook.index.ids import MAX_ID, parse_id
from hook.log import TITLE_CHARACTERS, plain
from hook.semantic.factory import semantic_tier
from hook.session import open_archive, settings_of
from hook.settings.model import Settings

_MAX_TEXT_BYTES: Final = 64_000_000


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    if args.index:
        settings = settings.model_copy(update={"index_dir": args.index.absolute()})
    number, question = _number(args.document), asked(args.overlap, Ask(args.ask))
    if (number is None) == (args.text is None):
        raise BadQuestion("give either a document id or --text FILE")
    text = None if args.text is None else _read(args.text)
    if args.semantic:
        lines, summary = _by_meaning(settings, number, text, limit=max(1, args.limit))
        words = f"the nearest {summary['shown']} of {summary['vectors']} documents with a vector; nothing is marked because of it"
    else:
        with open_archive(settings, create=False) as archive:
            answer = find(archive, settings, number, question, text=text, limit=max(0, args.limit))
        lines, summary = answer["found"], answer["summary"]
        more = f" (the first {summary['shown']} shown)" if summary["shown"] < summary["found"] else ""
        words = f"{many(summary['found'], 'document')} found{more}"
    given = "the text" if number is None else f"#{number}"
    for line in lines:
        if args.json:
            print_json(line)
        else:
            print(_near(line) if args.semantic else _shown(line, given))
    if args.json:
        print_json({"summary": summary})
    else:
        print(words, file=sys.stderr)
    return 0


def _by_meaning(
    settings: Settings, number: int | None, text: str | None, *, limit: int
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A text that is not in Paperless is embedded; nothing is stored."""
    with open_archive(settings, create=False) as archive:
        tier = semantic_tier(settings, archive, Deadline.never())
        if tier is None:
            advice = "DEDUPE_SEMANTIC=local, openai or ollama: see docs/semantic.md"
            raise BadQuestion(f"--semantic needs {advice}")
        lines = find_by_meaning(archive, settings, tier, number, text=text, limit=limit)
        return lines, {"document": number, "shown": len(lines), "vectors": len(tier.vectors)}


def _near(line: dict[str, Any]) -> str:
    title = plain(line["title"], TITLE_CHARACTERS)
    return (
        f"#{line['id']:<7} cosine {line['cosine']:.2f}  {line['relation'] or '-':<10} {title}  {line['url']}"
    )


def _shown(line: dict[str, Any], given: str) -> str:
    """A paragraph: the document with its title, how much overlaps in each direction, and its address."""
    shares = f"{line['contained']:.0%} of {given} is in it, {line['contains']:.0%} of it is in {given}"
    relation = f"{line['relation']}, " if line["relation"] else ""
    head = wrapped(f'#{line["id"]} "{plain(line["title"], TITLE_CHARACTERS)}"')
    return f"{head}\n{wrapped(relation + shares, '  ')}\n  {line['url']}"


def _number(document: str | None) -> int | None:
    if document is None:
        return None
    number = parse_id(document)
    if number is None:
        raise BadQuestion(f"not a document id: write a number from 1 to {MAX_ID}")
    return number


def _read(name: str) -> str:
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            text = file.read(_MAX_TEXT_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise BadQuestion(f"{name}: {error.strerror}: use a plain text file") from error
    if "\x00" in text[:4096]:
        raise BadQuestion(f"{name}: not plain text: use the output of pdftotext or OCR")
    return text
