"""Finds similar documents in a file, without Paperless: one JSON line for each pair; on a terminal, a table.

The file has one JSON object per line: {"id", "content"} and, where known, "title", "checksum", "created", "owner".
Documents are examined in the order of the file, as the hook does it: each is compared with those before it, then
indexed. Pairs go to standard output, errors and the summary to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dedupe_core import recipe as recipes
from dedupe_core.explain.words import reason
from dedupe_core.model import Document, Statement, Verdict
from dedupe_core.policy import Policy
from hook.batching import of_bounded_length, with_next
from hook.commands.options import add_jobs, add_json, add_quiet
from hook.commands.terminal import width
from hook.deadline import Deadline
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.examination import Examination
from hook.findings.wording import many, percent
from hook.index.ids import MAX_ID
from hook.log import plain
from hook.parallel.pool import Pool, WorkerError, collect_seldom, cores, pool
from hook.semantic.factory import leaves_machine, semantic_tier
from hook.settings.loading import load_settings
from hook.settings.policy_file import Parameters, load_parameters, policy_in

if TYPE_CHECKING:
    from hook.semantic.tier import SemanticTier

SCHEMA = 1
Examine = Callable[..., Iterator[Examination]]
Workers = Callable[[Archive, int], AbstractContextManager[Pool]]
TABLE_HEAD = "DOCUMENT   OTHER      RELATION    SURE  REASON"
# Documents per transaction: a kill loses at most these, and a second run examines them again. Two batches are in memory.
_BATCH, _BATCH_CHARS = 400, 4_000_000

_FIRST, _ALONE = (
    50,
    2,
)  # documents of a batch that is examined without workers, which take half a second to start


class BadInput(DedupeError):
    """The file cannot be read as documents. The batches before the error are complete."""

    exit_code = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "documents", metavar="DOCS.jsonl", help="the documents, one JSON object per line; - for stdin"
    )
    parser.add_argument(
        "--index", metavar="DIR", type=Path, help="keep the index here (default: a temporary one)"
    )
    parser.add_argument("--recipe", default="", help=f"one of {', '.join(recipes.NAMED)} (default: default)")
    parser.add_argument(
        "--policy", metavar="FILE", type=Path, help="TOML file with [recipe], [policy] and [classical] values"
    )
    parser.add_argument("--all", action="store_true", help="also print pairs that would not be reported")
    add_json(parser, "print the summary as JSON, too")
    add_jobs(parser)
    add_quiet(parser, "print no summary")


def run(args: argparse.Namespace) -> int:
    collect_seldom()
    with ExitStack() as stack:
        directory = args.index or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "index"
        found = _parameters(args, directory)
        file = stack.enter_context(_opened(args.documents))
        archive = stack.enter_context(
            Archive.open(directory, found.recipe, found.policy, classical=found.classical)
        )
        tier = _semantic(args.environ, archive, found.policy)
        shown = table_line if sys.stdout.isatty() and not args.json else verdict_line
        if shown is table_line:
            print(TABLE_HEAD)
        counts = scan(
            *(archive, documents(file, args.documents), sys.stdout),
            everything=args.all,
            tier=tier,
            shown=shown,
            jobs=args.jobs or cores(),
        )
    if not args.quiet:
        _print_summary(counts, as_json=args.json)
    return 0


def _parameters(args: argparse.Namespace, directory: Path) -> Parameters:
    """From --policy, else from DEDUPE_POLICY_FILE, else from the file in the index directory."""
    try:
        recipe = recipes.by_name(args.recipe or args.environ.get("DEDUPE_RECIPE") or "default")
    except recipes.RecipeError as error:
        raise BadInput(f"--recipe: {error}") from error
    named = args.policy or args.environ.get("DEDUPE_POLICY_FILE")
    return load_parameters(Path(named) if named else policy_in(directory), recipe)


def _semantic(environ: Mapping[str, str], archive: Archive, policy: Policy) -> SemanticTier | None:
    """The semantic tier, if DEDUPE_SEMANTIC names one; the other settings are not needed here."""
    if environ.get("DEDUPE_SEMANTIC", "off").strip().lower() in ("", "off"):
        return None

    settings = load_settings(environ)
    if host := leaves_machine(settings):
        print(
            f"DEDUPE_SEMANTIC={settings.semantic}: the text of documents is sent to {host}", file=sys.stderr
        )
    return semantic_tier(settings, archive, policy, Deadline.never())


def scan(
    archive: Archive,
    found: Iterator[Document],
    out: TextIO,
    *,
    everything: bool = False,
    tier: SemanticTier | None = None,
    shown: Callable[[Verdict], str] | None = None,
    jobs: int = 1,
    workers: Workers = pool,
    size: int = 0,
) -> dict[str, int]:
    """Examines documents in order; returns the counts. A small file is done before workers would have started."""
    counts = {"documents": 0, "pairs": 0, "flagged": 0}
    shown = shown or verdict_line
    counted = partial(_scan, archive, partial(_write, out, counts, shown, everything), tier)
    with ExitStack() as stack:
        examine: Examine = partial(_examined, archive)
        started: Pool | None = None
        for number, (batch, following) in enumerate(with_next(_batches(found, size or _BATCH))):
            if number == 1 and jobs > 1:
                started = stack.enter_context(workers(archive, jobs))
            if number == _ALONE and started is not None:
                examine = started.examine
            try:
                counted(examine(batch, everything=everything, following=following))
            except WorkerError:  # it was killed, or failed on a document: this process goes on alone
                examine, jobs = partial(_examined, archive), 1
                counted(examine(batch, everything=everything))
    return counts


def _batches(found: Iterator[Document], size: int) -> Iterator[list[Document]]:
    """Small ones first: this process examines them alone, the second one while its workers start."""
    for _ in range(_ALONE):
        if some := list(islice(found, min(size, _FIRST))):
            yield some
    yield from of_bounded_length(found, _BATCH_CHARS, size)


def _scan(
    archive: Archive,
    write: Callable[[Iterable[Verdict]], None],
    tier: SemanticTier | None,
    found: Iterator[Examination],
) -> None:
    """One transaction; nothing is printed of a batch that is rolled back."""
    with archive.batch():
        for examination in list(found):
            by_meaning = tier.verdicts(examination.fingerprint, examination.verdicts) if tier else []
            write(_joined(examination.verdicts, by_meaning))


def _examined(
    archive: Archive, batch: Sequence[Document], *, everything: bool, following: Sequence[Document] = ()
) -> Iterator[Examination]:
    """By this process alone, which reads nothing ahead."""
    return (archive.examine_and_store(document, everything=everything) for document in batch)


def _write(
    out: TextIO,
    counts: dict[str, int],
    shown: Callable[[Verdict], str],
    everything: bool,
    verdicts: Iterable[Verdict],
) -> None:
    for verdict in verdicts:
        if verdict.flagged or everything:
            counts["pairs"] += 1
            out.write(shown(verdict) + "\n")
        counts["flagged"] += verdict.flagged
    counts["documents"] += 1


def _joined(verdicts: Iterable[Verdict], by_meaning: Sequence[Verdict]) -> list[Verdict]:
    """One verdict for each pair: the semantic tier replaces what was not reported."""
    replaced = {verdict.other for verdict in by_meaning}
    return [*(verdict for verdict in verdicts if verdict.other not in replaced), *by_meaning]


def table_line(verdict: Verdict) -> str:
    """For a person at a terminal: a row, cut at its width."""
    row = f"#{verdict.subject:<9} #{verdict.other:<9} {verdict.relation.value:<11} {percent(verdict.confidence):>4}  "
    return row + plain(reason(verdict.statements), max(20, width() - len(row)))


def verdict_line(verdict: Verdict) -> str:
    """The public JSON of a verdict."""
    evidence = [{"name": one.name, "value": one.value, "words": one.words} for one in verdict.evidence]
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


def _print_summary(counts: dict[str, int], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"schema": SCHEMA, "summary": counts}), file=sys.stderr)
        return
    documents, pairs = many(counts["documents"], "document"), many(counts["flagged"], "pair")
    print(f"{documents} examined, {pairs} to review", file=sys.stderr)
