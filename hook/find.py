"""Finds the documents that overlap a given one: by its number, or by a text that is not in Paperless yet.

The overlap is the percentage of the given document's passages that stand in the other one, as in Alfresco's
FINGERPRINT:<id>_<overlap>_<probability>, a spelling that is understood here, too. With --probability fewer
keys are read, and each document that qualifies is found with at least that chance; without it the answer is
as complete as the index allows. Only the index is asked: no Paperless, no network.

With --json each line is an object with "schema": 1, "id", "title", "url", "similarity", "contained" (share of
the given one that stands in the other), "contains" (the reverse), "counted" (false: estimated from a sample),
"relation", "confidence", "reason"; the last line is the "summary": what was found and what was read for it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dedupe_core.fingerprint import fingerprint
from dedupe_core.model import Document, Verdict
from dedupe_core.query import Ask
from hook.errors import DedupeError
from hook.overlapping import Answer, Match, Question
from hook.pages import MAX_ID
from hook.plain_text import plain

if TYPE_CHECKING:
    from hook.archive import Archive
    from hook.settings import Settings

SCHEMA: Final = 1
OVERLAP: Final = 20
SHOWN: Final = 50
NOT_THERE_YET: Final = -1  # the number of a text that is not in Paperless
TITLE_CHARACTERS: Final = 60
_SPELLING: Final = re.compile(r"(?:FINGERPRINT:)?(\d{1,10})(?:_(\d{1,3}))?(?:_(\d{1,3}))?", re.IGNORECASE)
_MAX_TEXT_BYTES: Final = 64_000_000


class BadQuestion(DedupeError):
    """What was asked cannot be understood."""

    exit_code = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "document", nargs="?", metavar="ID", help="a number, or FINGERPRINT:<id>_<overlap>_<probability>"
    )
    parser.add_argument("--text", metavar="FILE", help="a text instead of a document; - for stdin")
    parser.add_argument(
        "--overlap", metavar="PERCENT", type=int, help=f"at least this much (default: {OVERLAP})"
    )
    parser.add_argument("--probability", metavar="PERCENT", type=int, help="found with at least this chance")
    which = parser.add_mutually_exclusive_group()
    for ask, words in (
        (Ask.CONTAINED_IN, "only those of which it is a part"),
        (Ask.CONTAINS, "only those that are a part of it"),
        (Ask.SIMILAR, "the overlap is the Jaccard similarity of the two"),
    ):
        which.add_argument(f"--{ask}", dest="ask", action="store_const", const=ask, help=words)
    parser.set_defaults(ask=Ask.OVERLAPPING)
    parser.add_argument("--limit", type=int, default=SHOWN, help=f"show this many (default: {SHOWN})")
    parser.add_argument("--index", metavar="DIR", type=Path, help="the index (default: that of the settings)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, see above")


def run(args: argparse.Namespace) -> int:
    from hook.session import open_archive, settings_of

    settings = settings_of(args.environ)
    if args.index:
        settings = settings.model_copy(update={"index_dir": args.index.absolute()})
    number, question = asked(args.document, args.overlap, args.probability, args.ask)
    if (number is None) == (args.text is None):
        raise BadQuestion("find what? Give the number of a document, or --text FILE")
    text = None if args.text is None else _read(args.text)
    with open_archive(settings, create=False) as archive:
        found = find(archive, settings, number, question, text=text, limit=max(0, args.limit))
    for line in found["found"]:
        print(json.dumps(line, ensure_ascii=False) if args.json else _shown(line))
    if args.json:
        print(json.dumps({"schema": SCHEMA, "summary": found["summary"]}))
    else:
        print(_summary(found["summary"]), file=sys.stderr)
    return 0


def asked(
    spelling: str | None, overlap: int | None, probability: int | None, ask: Ask = Ask.OVERLAPPING
) -> tuple[int | None, Question]:
    """The number and the question; what the spelling says goes before the options, and 100% means all."""
    number = None
    if spelling is not None:
        match = _SPELLING.fullmatch(spelling.strip())
        if match is None:
            raise BadQuestion("no number of a document: write 12, or FINGERPRINT:12_20_80")
        number = int(match[1])
        if number > MAX_ID:
            raise BadQuestion(f"no number of a document: the highest is {MAX_ID}")
        overlap = int(match[2]) if match[2] else overlap
        probability = int(match[3]) if match[3] else probability
    overlap = OVERLAP if overlap is None else overlap
    for name, value in (("overlap", overlap), ("probability", probability)):
        if value is not None and not 1 <= value <= 100:
            raise BadQuestion(f"the {name} is a percentage from 1 to 100, not {value}")
    return number, Question(overlap / 100, None if probability in (None, 100) else probability / 100, ask)


def find(
    archive: Archive,
    settings: Settings,
    number: int | None,
    question: Question,
    *,
    text: str | None = None,
    limit: int = SHOWN,
) -> dict[str, Any]:
    """What is printed and what the service answers: {"found": [...], "summary": {...}}."""
    from hook.plan import may_show
    from hook.session import recipe_of

    if number is None:
        given = fingerprint(Document(NOT_THERE_YET, text or ""), recipe_of(settings))
        answer = archive.overlapping(given, question)
    else:
        given = archive.known(number)
        owner = given.owner
        answer = archive.overlapping(
            given, question, visible=lambda other: may_show(settings.scope, owner, other)
        )
    shown = answer.matches[:limit]
    verdicts = archive.verdicts_on(given, [match.fingerprint.id for match in shown])
    told = {verdict.other: verdict for verdict in verdicts}
    lines = [_line(match, told.get(match.fingerprint.id), settings) for match in shown]
    return {"found": lines, "summary": _summed(number, question, answer, len(shown))}


def _line(match: Match, verdict: Verdict | None, settings: Settings) -> dict[str, Any]:
    other, overlap = match.fingerprint, match.overlap
    return {
        "schema": SCHEMA,
        "id": other.id,
        "title": other.title,
        "url": f"{settings.url}/documents/{other.id}",
        "similarity": round(overlap.similarity, 4),
        "contained": round(overlap.of_given, 4),
        "contains": round(overlap.of_other, 4),
        "counted": overlap.counted,
        "relation": verdict.relation.value if verdict else None,
        "confidence": verdict.confidence if verdict else None,
        "reason": verdict.reason if verdict else "",
    }


def _summed(number: int | None, question: Question, answer: Answer, shown: int) -> dict[str, Any]:
    read = answer.read
    return {
        "document": number,
        "ask": question.ask.value,
        "overlap": round(100 * question.overlap),
        "probability": None if question.probability is None else round(100 * question.probability),
        "promise": round(answer.promise, 3),
        "found": len(answer.matches),
        "shown": shown,
        "read": {
            "passages": read.passages,
            "bands": read.bands,
            "facts": read.facts,
            "rows": read.rows,
            "documents": read.documents,
            "walked": read.walked,
        },
    }


def _shown(line: dict[str, Any]) -> str:
    shares = f"{line['contained']:>4.0%} of it there, {line['contains']:>4.0%} of that here"
    title = plain(line["title"], TITLE_CHARACTERS)
    return f"#{line['id']:<7} {shares}, similarity {line['similarity']:.2f}  {line['relation'] or '-':<10} {title}  {line['url']}"


def _summary(summary: dict[str, Any]) -> str:
    read = summary["read"]
    more = f" (the first {summary['shown']} shown)" if summary["shown"] < summary["found"] else ""
    walked = f", {read['walked']} looked through because of frequent passages" if read["walked"] else ""
    return (
        f"{summary['found']} found{more}; read: {read['passages']} passages, {read['bands']} bands, {read['facts']} facts"
        f" with {read['rows']} rows; {read['documents']} documents compared{walked}"
    )


def _read(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read(_MAX_TEXT_BYTES) if name == "-" else _bytes(Path(name))
    except OSError as error:
        raise BadQuestion(f"{name}: {error.strerror}: give a file of plain text") from error
    text = raw.decode("utf-8", "replace")
    if "\x00" in text[:4096]:
        raise BadQuestion(f"{name}: no plain text: give what pdftotext or OCR made of it")
    return text


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_TEXT_BYTES)
