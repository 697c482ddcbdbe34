"""Finds the documents that overlap with a given one: by its id, or by a text that is not in Paperless yet.

The overlap is the percentage of the given document that appears in the other one, as in Alfresco's
FINGERPRINT:<id>_<overlap>_<probability>, which is understood here, too. With --probability fewer keys are read, and
each matching document is found with at least that probability; without it the result is as complete as the index
allows. Only the index is read: no Paperless, no network.

With --json each line is an object with "schema": 1, "id", "title", "url", "similarity", "contained" (share of the
given document that appears in the other), "contains" (the reverse), "counted" (false: estimated from a sample),
"relation", "confidence", "reason"; the last line is the "summary": what was found and what was read for it.

With --semantic the documents nearest in meaning are listed, whatever their words, with the cosine of their vectors
("cosine" instead of the shares). It needs DEDUPE_SEMANTIC, and is for information: nothing is marked because of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from dedupe_core.fingerprint.query import Ask
from hook.commands.options import LINES, add_index, add_json, add_verbose
from hook.commands.terminal import wrapped
from hook.deadline import Deadline
from hook.findings.find import OVERLAP, SCHEMA, SHOWN, BadQuestion, asked, find, find_by_meaning
from hook.findings.wording import many
from hook.log import TITLE_CHARACTERS, plain
from hook.semantic.factory import semantic_tier
from hook.session import open_archive, parameters_of, settings_of
from hook.settings.model import Settings

_MAX_TEXT_BYTES: Final = 64_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "document", nargs="?", metavar="ID", help="a document id, or FINGERPRINT:<id>_<overlap>_<probability>"
    )
    parser.add_argument("--text", metavar="FILE", help="a text file instead of a document; - for stdin")
    parser.add_argument(
        "--overlap", metavar="PERCENT", type=int, help=f"at least this much (default: {OVERLAP})"
    )
    parser.add_argument(
        "--probability", metavar="PERCENT", type=int, help="find each with at least this probability"
    )
    which = parser.add_mutually_exclusive_group()
    for ask, words in (
        (Ask.CONTAINED_IN, "only documents that contain it"),
        (Ask.CONTAINS, "only documents that it contains"),
        (Ask.SIMILAR, "measure the overlap as Jaccard similarity"),
    ):
        which.add_argument(f"--{ask}", dest="ask", action="store_const", const=ask, help=words)
    parser.set_defaults(ask=Ask.OVERLAPPING)
    parser.add_argument(
        "--semantic", action="store_true", help="list the documents nearest in meaning, with their cosine"
    )
    parser.add_argument("--limit", type=int, default=SHOWN, help=f"show at most this many (default: {SHOWN})")
    add_index(parser)
    add_json(parser, LINES)
    add_verbose(parser, "also print what of the index was read, and the similarity of each")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    if args.index:
        settings = settings.model_copy(update={"index_dir": args.index.absolute()})
    number, question = asked(args.document, args.overlap, args.probability, args.ask)
    if (number is None) == (args.text is None):
        raise BadQuestion("give either a document id or --text FILE")
    text = None if args.text is None else _read(args.text)
    if args.semantic:
        return _by_meaning(settings, number, text, limit=max(1, args.limit), as_json=args.json)
    with open_archive(settings, create=False) as archive:
        found = find(archive, settings, number, question, text=text, limit=max(0, args.limit))
    given = "the text" if number is None else f"#{number}"
    for line in found["found"]:
        print(
            json.dumps(line, ensure_ascii=False) if args.json else _shown(line, given, verbose=args.verbose)
        )
    if args.json:
        print(json.dumps({"schema": SCHEMA, "summary": found["summary"]}))
    else:
        print(_summary(found["summary"], verbose=args.verbose), file=sys.stderr)
    return 0


def _by_meaning(
    settings: Settings, number: int | None, text: str | None, *, limit: int, as_json: bool
) -> int:
    """A text that is not in Paperless is embedded; nothing is stored."""
    with open_archive(settings, create=False) as archive:
        policy = parameters_of(settings).policy
        tier = semantic_tier(settings, archive, policy, Deadline.never())
        if tier is None:
            raise BadQuestion(
                "--semantic needs DEDUPE_SEMANTIC=local, openai or ollama: see docs/semantic.md"
            )
        found = find_by_meaning(archive, settings, tier, number, text=text, limit=limit)
        compared = len(tier.vectors)
    for line in found:
        title = plain(line["title"], TITLE_CHARACTERS)
        shown = f"#{line['id']:<7} cosine {line['cosine']:.2f}  {line['relation'] or '-':<10} {title}  {line['url']}"
        print(json.dumps(line, ensure_ascii=False) if as_json else shown)
    if as_json:
        print(
            json.dumps(
                {"schema": SCHEMA, "summary": {"document": number, "shown": len(found), "vectors": compared}}
            )
        )
    else:
        print(
            f"the nearest {len(found)} of {compared} documents with a vector; nothing is marked because of it",
            file=sys.stderr,
        )
    return 0


def _shown(line: dict[str, Any], given: str, *, verbose: bool) -> str:
    """A paragraph: the document with its title, how much overlaps in each direction, and its address."""
    shares = f"{line['contained']:.0%} of {given} is in it, {line['contains']:.0%} of it is in {given}"
    relation = f"{line['relation']}, " if line["relation"] else ""
    similarity = f", similarity {line['similarity']:.2f}" if verbose else ""
    return "\n".join(
        [
            wrapped(f'#{line["id"]} "{plain(line["title"], TITLE_CHARACTERS)}"'),
            wrapped(f"{relation}{shares}{similarity}", "  "),
            f"  {line['url']}",
        ]
    )


def _summary(summary: dict[str, Any], *, verbose: bool) -> str:
    more = f" (the first {summary['shown']} shown)" if summary["shown"] < summary["found"] else ""
    text = f"{many(summary['found'], 'document')} found{more}"
    if not verbose:
        return text
    read = summary["read"]
    walked = f", {read['walked']} scanned because of frequent passages" if read["walked"] else ""
    return (
        f"{text}; read: {read['passages']} passages, {read['bands']} bands, {read['facts']} facts"
        f" with {read['rows']} rows; {read['documents']} documents compared{walked}"
    )


def _read(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read(_MAX_TEXT_BYTES) if name == "-" else _bytes(Path(name))
    except OSError as error:
        raise BadQuestion(f"{name}: {error.strerror}: use a plain text file") from error
    text = raw.decode("utf-8", "replace")
    if "\x00" in text[:4096]:
        raise BadQuestion(f"{name}: not plain text: use the output of pdftotext or OCR")
    return text


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_TEXT_BYTES)
