"""Generate labelled documents: papers of invented senders, scanned well and badly, and what each pair of them is.

    python -m scripts.corpus generate OUT_DIR [--seed N] [--size N]

Writes OUT_DIR/docs.jsonl {"id", "content", "lang", "source", "kind", "group", "family", "noise", "title"} and
OUT_DIR/pairs.jsonl {"a", "b", "label", "sub", "noise"}; label is duplicate, version, contained (a is part of b),
translated or template_sibling. A pair that is not listed is unrelated. `source` is TEMPLATE:SENDER: leave out all of a
template to see how a paper is judged whose like was never seen. The same seed gives the same bytes.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from scripts.corpus.bundles import bundle_labels, bundles
from scripts.corpus.papers import Scan, labels
from scripts.corpus.sender import Sender
from scripts.corpus.template import Template, load
from scripts.subcommands import make_parser

TEMPLATES = Path(__file__).with_name("templates")
SHORT_WORDS = 25
MOST_SENDERS = 50  # of one template
FIRST_ID = 500_000

Row = dict[str, Any]


def senders(templates: list[Template], size: int, seed: int) -> list[tuple[Sender, list[Scan]]]:
    """As many senders of each template in turn as give `size` documents; the last one is not cut short."""
    found: list[tuple[Sender, list[Scan]]] = []
    count = 0
    templates = random.Random(f"{seed}/templates").sample(
        templates, len(templates)
    )  # the last round is a part of them
    for number in range(MOST_SENDERS):
        # A text without blanks is one paper, whoever sent it.
        for template in (one for one in templates if one.scopes or not number):
            if count >= size:
                return found
            sender = Sender(template, number, seed)
            found.append((sender, sender.scans()))
            count += len(found[-1][1])
    return found


def document(scan: Scan, number: int) -> Row:
    paper = scan.paper
    short = len(scan.content.split()) < SHORT_WORDS
    return {
        "id": number, "content": scan.content, "lang": paper.locale.lang, "source": paper.source,
        "kind": "short" if short else "bundle" if paper.bundle else paper.template.kind, "group": paper.group, "family": paper.source,
        "noise": scan.noise, "title": f"{paper.template.name} {number}",
    }  # fmt: skip


def corpus(templates: list[Template], size: int, seed: int) -> tuple[list[Row], list[Row]]:
    return labelled(senders(templates, size, seed), seed)


def labelled(
    found: list[tuple[Sender, list[Scan]]],
    seed: int,
    first_id: int = FIRST_ID,
    read: Callable[[list[Scan]], list[Scan]] = list,
) -> tuple[list[Row], list[Row]]:
    """The documents of these senders and bundles of them, mixed, and what each pair is; the bundles as they are read."""
    scans = [scan for _, part in found for scan in part]
    marks: list[Row] = []
    first = 0
    for _, part in found:
        marks += labels(part, first)
        first += len(part)
    joined = list(bundles(found, random.Random(f"{seed}/bundles")))
    for bundle, (_, parts, siblings) in zip(read([one for one, _, _ in joined]), joined, strict=True):
        marks += bundle_labels(len(scans), bundle, parts, siblings, scans)
        scans.append(bundle)
    docs = [document(scan, number) for number, scan in enumerate(scans)]
    return _shuffled(docs, marks, seed, first_id)


def _shuffled(docs: list[Row], pairs: list[Row], seed: int, first_id: int) -> tuple[list[Row], list[Row]]:
    """Papers arrive in no order: ids are given after mixing."""
    order = list(range(len(docs)))
    random.Random(seed).shuffle(order)
    number = {docs[old]["id"]: first_id + new for new, old in enumerate(order)}
    mixed = [docs[old] | {"id": first_id + new} for new, old in enumerate(order)]
    return mixed, [pair | {"a": number[pair["a"]], "b": number[pair["b"]]} for pair in pairs]


def write(directory: Path, docs: Iterable[Row], pairs: Iterable[Row]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for name, rows in (("docs", docs), ("pairs", pairs)):
        with (directory / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=2500, help="documents, about")
    args = parser.parse_args()
    docs, pairs = corpus(load(TEMPLATES), args.size, args.seed)
    write(args.out, docs, pairs)
    print(
        f"{len(docs)} documents of {len({doc['source'] for doc in docs})} senders, {len(pairs)} pairs",
        file=sys.stderr,
    )
    kinds = Counter(
        (pair["label"], "" if pair["label"] == "version" else pair["sub"] or "") for pair in pairs
    )
    for (label, sub), count in sorted(kinds.items()):
        print(f"  {label:17} {sub:16} {count:6}", file=sys.stderr)
    return 0
