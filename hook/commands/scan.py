"""Finds similar documents in a file, without Paperless."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dedupe_core import recipe as recipes
from dedupe_core.explain.words import reason
from dedupe_core.model import Document, Statement, Verdict
from hook.batching import of_bounded_length
from hook.commands.terminal import width
from hook.deadline import Deadline
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.judging import Examination
from hook.findings.wording import many, percent
from hook.index.ids import MAX_ID
from hook.log import plain
from hook.parallel.pool import Pool, WorkerError, collect_seldom, cores, pool
from hook.semantic.factory import leaves_machine, semantic_tier
from hook.settings.loading import load_settings
from hook.settings.policy_file import Parameters, load_parameters

if TYPE_CHECKING:
    from hook.semantic.tier import SemanticTier

SCHEMA = 1
Workers = Callable[[Archive, int], AbstractContextManager[Pool]]
TABLE_HEAD = "DOCUMENT   OTHER      RELATION    SURE  REASON"
# Documents per transaction: a kill loses at most these, and a second run examines them again. Two batches are in memory.
_BATCH, _BATCH_CHARS = 400, 4_000_000
_FIRST = 50  # documents that are examined without workers, which take half a second to start


class BadInput(DedupeError):
    """The file cannot be read as documents. The batches before the error are complete."""

    exit_code = 2


def run(args: argparse.Namespace) -> int:
    collect_seldom()
    with ExitStack() as stack:
        directory = args.index or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "index"
        values = _parameters(args)
        file = stack.enter_context(_opened(args.documents))
        archive = Archive.open(directory, values.recipe, values.policy, classical=values.classical)
        stack.enter_context(archive)
        tier = _semantic(args.environ, archive)
        is_table = sys.stdout.isatty() and not args.json
        if is_table:
            print(TABLE_HEAD)
        counts = scan(
            *(archive, documents(file, args.documents), sys.stdout),
            everything=args.all,
            tier=tier,
            shown=table_line if is_table else verdict_line,
            jobs=args.jobs or cores(),
        )
    examined, pairs = many(counts["documents"], "document"), many(counts["flagged"], "pair")
    words = f"{examined} examined, {pairs} to review"
    if not args.quiet:
        print(json.dumps({"schema": SCHEMA, "summary": counts}) if args.json else words, file=sys.stderr)
    return 0


def _parameters(args: argparse.Namespace) -> Parameters:
    """From --policy, else from DEDUPE_POLICY_FILE."""
    try:
        recipe = recipes.by_name(args.recipe or args.environ.get("DEDUPE_RECIPE") or "default")
    except recipes.RecipeError as error:
        raise BadInput(f"--recipe: {error}") from error
    named = args.policy or args.environ.get("DEDUPE_POLICY_FILE")
    return load_parameters(Path(named) if named else None, recipe)


def _semantic(environ: Mapping[str, str], archive: Archive) -> SemanticTier | None:
    """The semantic tier, if DEDUPE_SEMANTIC names one; the other settings are not needed here."""
    if environ.get("DEDUPE_SEMANTIC", "off").strip().lower() in ("", "off"):
        return None
    settings = load_settings(environ)
    if host := leaves_machine(settings):
        words = f"DEDUPE_SEMANTIC={settings.semantic}: the text of documents is sent to {host}"
        print(words, file=sys.stderr)
    return semantic_tier(settings, archive, Deadline.never())


def scan(
    archive: Archive,
    source: Iterator[Document],
    out: TextIO,
    *,
    everything: bool = False,
    tier: SemanticTier | None = None,
    shown: Callable[[Verdict], str] | None = None,
    jobs: int = 1,
    workers: Workers = pool,
    size: int = _BATCH,
) -> dict[str, int]:
    """Examines documents in order; returns the counts. A small file is done before workers would have started."""
    line, counts = shown or verdict_line, {"documents": 0, "pairs": 0, "flagged": 0}

    def store(examinations: Iterable[Examination]) -> None:
        """One transaction; nothing is printed of a batch that is rolled back."""
        with archive.batch():
            for examination in list(examinations):
                counts["documents"] += 1
                for verdict in _verdicts(examination, tier):
                    counts["flagged"] += verdict.flagged
                    if verdict.flagged or everything:
                        counts["pairs"] += 1
                        out.write(line(verdict) + "\n")

    with ExitStack() as stack:
        started: Pool | None = None
        for number, batch in enumerate(_batches(source, size)):
            if number == 1 and jobs > 1:
                started = stack.enter_context(workers(archive, jobs))
            if started is not None:
                try:
                    store(started.examine(batch, everything=everything))
                    continue
                except WorkerError:  # it was killed, or failed on a document: this process goes on alone
                    started, jobs = None, 1
            store(archive.examine_and_store(document, everything=everything) for document in batch)
    return counts


def _batches(source: Iterator[Document], size: int) -> Iterator[list[Document]]:
    """A small one first: this process examines it alone."""
    if some := list(islice(source, min(size, _FIRST))):
        yield some
    yield from of_bounded_length(source, _BATCH_CHARS, size)


def _verdicts(examination: Examination, tier: SemanticTier | None) -> list[Verdict]:
    """One for each pair: the semantic tier replaces what was not reported."""
    by_meaning = tier.verdicts(examination.fingerprint, examination.verdicts) if tier else []
    replaced = {verdict.other for verdict in by_meaning}
    return [*(verdict for verdict in examination.verdicts if verdict.other not in replaced), *by_meaning]


def table_line(verdict: Verdict) -> str:
    """For a person at a terminal: a row, cut at its width."""
    row = f"#{verdict.subject:<9} #{verdict.other:<9} {verdict.relation.value:<11} {percent(verdict.confidence):>4}  "
    return row + plain(reason(verdict.statements), max(20, width() - len(row)))


def verdict_line(verdict: Verdict) -> str:
    """The public JSON of a verdict."""
    evidence = [
        {"name": observation.name, "value": observation.value, "words": observation.words}
        for observation in verdict.evidence
    ]
    return json.dumps(
        {
            "schema": SCHEMA, "subject": verdict.subject, "other": verdict.other,
            "relation": verdict.relation.value, "confidence": verdict.confidence, "flagged": verdict.flagged,
            "reason": reason(verdict.statements), "doubts": list(map(_doubt, verdict.doubts)), "evidence": evidence,
        }
    )  # fmt: skip


def doubt_kind(doubt: Statement) -> str:
    """`missing`: only one of the two has it."""
    return doubt.field if all(doubt.sides) else "missing"


def _doubt(doubt: Statement) -> dict[str, Any]:
    left, right = doubt.sides
    return {"left": left, "right": right, "kind": doubt_kind(doubt), "place": doubt.place}


def documents(file: TextIO, name: str) -> Iterator[Document]:
    """The documents of a file; the error for a bad line names its number."""
    for number, line in enumerate(file, 1):
        if line.strip():
            yield _document(line, f"{name}, line {number}")


def _document(line: str, where: str) -> Document:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: not JSON ({error}): each line must be one JSON object") from error
    if not isinstance(fields, dict):
        raise BadInput(f"{where}: not an object: each line must be one JSON object")
    document_id = fields.get("id")
    if isinstance(document_id, str) and document_id.isascii() and document_id.isdigit():
        document_id = int(document_id)
    if not isinstance(document_id, int) or isinstance(document_id, bool) or not 0 <= document_id <= MAX_ID:
        raise BadInput(f'{where}: "id" must be a whole number from 0 to {MAX_ID}')
    if not isinstance(fields.get("content"), str):
        raise BadInput(f'{where}: "content" must be the text of the document')
    return Document(
        document_id,
        fields["content"],
        title=_text(fields, "title"),
        checksum=_text(fields, "checksum"),
        created=_text(fields, "created"),
        owner=fields.get("owner") if isinstance(fields.get("owner"), int) else None,
    )


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _opened(name: str) -> TextIO:
    if name == "-":
        return open(sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", closefd=False)
    try:
        return Path(name).open(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror}: use a file of JSON lines") from error
