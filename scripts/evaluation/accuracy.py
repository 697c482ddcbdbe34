"""How often the product is right on labelled documents, beside the classical recipe: a table for docs/accuracy.md.

    python -m scripts.evaluation accuracy DOCS.jsonl PAIRS.jsonl [--errors FILE]

DOCS   {"id", "content"[, "kind", "title"]} a line.
PAIRS  {"a", "b", "label"[, "sub", "noise"]} a line, label one of duplicate, version, contained (a is part of b),
       translated, template_sibling. A pair that is not listed is unrelated.

A duplicate is found if it is reported as identical or as a rescan. A document is linked if at least one of its
duplicates is reported. A false alarm is a reported pair of siblings or unrelated documents; precision is the share
of reported pairs that are not false alarms.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.subcommands import make_parser
from scripts.tables import table as markdown

ROOT = Path(__file__).resolve().parents[2]
Pair = frozenset[int]
Row = dict[str, Any]

SAME_PAPER = ("identical", "rescan")
# The relation that names a label right; any report of such a pair helps, whatever it is called.
RIGHT_NAME = {"version": "revision", "contained": "contained", "translated": "translated"}
CLASSES = ("exact text", "clean", "light", "medium", "heavy", "short")


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else 0.0

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.part}/{self.whole})" if self.whole else "-"


@dataclass(slots=True)
class Score:
    recall: dict[str, Share] = field(default_factory=dict)
    linked: Share = Share(0, 0)
    found: dict[str, Share] = field(default_factory=dict)
    named: dict[str, Share] = field(default_factory=dict)
    sibling_alarms: Share = Share(0, 0)
    unrelated_alarms: int = 0
    precision: Share = Share(0, 0)
    errors: list[str] = field(default_factory=list)


def score(docs: Iterable[Row], pairs: Iterable[Row], verdicts: Iterable[Row]) -> Score:
    """Compare what was reported with the labels."""
    by_id = {int(doc["id"]): doc for doc in docs}
    truth = {frozenset((int(row["a"]), int(row["b"]))): row for row in pairs}
    reported = {
        frozenset((int(row["subject"]), int(row["other"]))): row["relation"]
        for row in verdicts
        if row["flagged"]
    }
    result = Score()
    _count_duplicates(result, by_id, truth, reported)
    for label, right in RIGHT_NAME.items():
        wanted = [pair for pair, row in truth.items() if row["label"] == label]
        result.found[label] = _share(wanted, lambda pair: pair in reported)
        names = [reported[pair] for pair in wanted if pair in reported]
        result.named[label] = Share(names.count(right), len(names))
    siblings = [pair for pair, row in truth.items() if row["label"] == "template_sibling"]
    result.sibling_alarms = _share(siblings, lambda pair: pair in reported)
    result.unrelated_alarms = sum(pair not in truth for pair in reported)
    result.precision = _share(
        list(reported), lambda pair: pair in truth and truth[pair]["label"] != "template_sibling"
    )
    result.errors = sorted(_errors(by_id, truth, reported))
    return result


def _count_duplicates(
    result: Score, by_id: dict[int, Row], truth: dict[Pair, Row], reported: dict[Pair, str]
) -> None:
    duplicates = [pair for pair, row in truth.items() if row["label"] == "duplicate"]

    def is_found(pair: Pair) -> bool:
        return reported.get(pair) in SAME_PAPER

    result.recall["all"] = _share(duplicates, is_found)
    for name in CLASSES:
        result.recall[name] = _share(
            [pair for pair in duplicates if _class(pair, truth[pair], by_id) == name], is_found
        )
    having = set().union(*duplicates) if duplicates else set()
    linked = set().union(*(pair for pair in duplicates if pair in reported))
    result.linked = Share(len(linked), len(having))


def _class(pair: Pair, row: Row, by_id: dict[int, Row]) -> str:
    if any(by_id[one].get("kind") == "short" for one in pair):
        return "short"
    if row.get("sub") == "exact_text":
        return "exact text"
    noise = row.get("noise", "clean")
    return noise if noise in CLASSES else "clean"


def _share(pairs: list[Pair], is_part: Callable[[Pair], bool]) -> Share:
    return Share(sum(map(is_part, pairs)), len(pairs))


def _errors(by_id: dict[int, Row], truth: dict[Pair, Row], reported: dict[Pair, str]) -> Iterable[str]:
    """Each wrong verdict in a line: what it is, what was said, and the two documents by title."""
    for pair in truth.keys() | reported.keys():
        label = truth[pair]["label"] if pair in truth else "unrelated"
        said = reported.get(pair, "not reported")
        right = SAME_PAPER if label == "duplicate" else (RIGHT_NAME.get(label, "not reported"),)
        if said not in right:
            names = [f"#{one} {by_id[one].get('title', '')}".strip() for one in sorted(pair)]
            yield f"{label}, but {said}: {' / '.join(names)}"


def table(columns: dict[str, Score]) -> str:
    """One line a measure, one column a recipe."""
    cells = [dict(_cells(one)) for one in columns.values()]
    names = dict.fromkeys(name for column in cells for name in column)
    return markdown(("", *columns), [(name, *(column.get(name, "-") for column in cells)) for name in names])


def _cells(one: Score) -> Iterable[tuple[str, object]]:
    """The same names for every recipe: what there is none of in the corpus is left out."""
    for name, share in one.recall.items():
        if share.whole:
            yield f"duplicates found, {name}", share
    yield "documents linked to a duplicate", one.linked
    for label, share in one.found.items():
        if share.whole:
            yield f"{label} found", share
            yield f"{label} named right", one.named[label]
    yield "sibling false alarms", one.sibling_alarms
    yield "unrelated pairs reported", one.unrelated_alarms
    yield "precision", one.precision


def lines_of(text: str) -> list[Row]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def scanned(docs: str, recipe: str) -> list[Row]:
    """What `scan` says, as a user would run it."""
    command = [sys.executable, "-m", "hook.cli", "scan", str(Path(docs).resolve()), "--recipe", recipe]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return lines_of(done.stdout)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("docs", metavar="DOCS.jsonl")
    parser.add_argument("pairs", metavar="PAIRS.jsonl")
    parser.add_argument(
        "--errors", metavar="FILE", type=Path, help="write each wrong verdict of the default recipe here"
    )
    args = parser.parse_args()
    docs, pairs = (lines_of(Path(path).read_text(encoding="utf-8")) for path in (args.docs, args.pairs))
    columns = {recipe: score(docs, pairs, scanned(args.docs, recipe)) for recipe in ("default", "classical")}
    print(table(columns))
    if args.errors:
        args.errors.write_text("".join(f"{line}\n" for line in columns["default"].errors), encoding="utf-8")
    return 0
