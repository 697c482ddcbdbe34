#!/usr/bin/env python3
"""Generate labelled documents: papers of invented senders, scanned well and badly, and what each pair of them is.

    generate.py OUT_DIR [--seed N] [--size N]

Writes OUT_DIR/docs.jsonl {"id", "content", "lang", "source", "kind", "group", "family", "noise", "title"} and
OUT_DIR/pairs.jsonl {"a", "b", "label", "sub", "noise"}; label is duplicate, version, contained (a is part of b),
translated or template_sibling. A pair that is not listed is unrelated. `source` is TEMPLATE:SENDER: leave out all of a
template to see how a paper is judged whose like was never seen. The same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from scripts.corpus.papers import Scan, Sender, pairs
from scripts.corpus.template import Template, load

TEMPLATES = Path(__file__).with_name("templates")
SHORT_WORDS = 25
FIRST_ID = 500_000

Row = dict[str, Any]


def senders(templates: list[Template], size: int, seed: int) -> list[Sender]:
    """As many senders of each template in turn as give about `size` documents."""
    found: list[Sender] = []
    count = number = 0
    while count < size and number < 50:
        for template in templates:
            if not template.scopes and number:
                continue  # a text without blanks is one paper, whoever sent it
            found.append(Sender(template, number, seed))
            count += 13 if template.scopes else 2
            if count >= size:
                break
        number += 1
    return found


def document(scan: Scan, number: int) -> Row:
    paper = scan.paper
    short = len(scan.content.split()) < SHORT_WORDS
    return {
        "id": number, "content": scan.content, "lang": paper.template.lang, "source": paper.source,
        "kind": "short" if short else paper.template.kind, "group": paper.group, "family": paper.source,
        "noise": scan.noise, "title": f"{paper.template.name} {number}",
    }  # fmt: skip


def corpus(templates: list[Template], size: int, seed: int) -> tuple[list[Row], list[Row]]:
    docs: list[Row] = []
    labelled: list[Row] = []
    for sender in senders(templates, size, seed):
        scans = [scan for scan in sender.scans() if scan.content.strip()]
        first = FIRST_ID + len(docs)
        docs += [document(scan, first + at) for at, scan in enumerate(scans)]
        labelled += [
            {"a": first + i, "b": first + j, "label": label, "sub": sub or None, "noise": noise}
            for i, j, label, sub, noise in pairs(scans)
        ]
    return _shuffled(docs, labelled, seed)


def _shuffled(docs: list[Row], labelled: list[Row], seed: int) -> tuple[list[Row], list[Row]]:
    """Papers arrive in no order: ids are given after mixing."""
    order = list(range(len(docs)))
    random.Random(seed).shuffle(order)
    number = {docs[old]["id"]: FIRST_ID + new for new, old in enumerate(order)}
    mixed = [docs[old] | {"id": FIRST_ID + new} for new, old in enumerate(order)]
    return mixed, [pair | {"a": number[pair["a"]], "b": number[pair["b"]]} for pair in labelled]


def write(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=2500, help="documents, about")
    args = parser.parse_args()
    docs, labelled = corpus(load(TEMPLATES), args.size, args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    write(args.out / "docs.jsonl", docs)
    write(args.out / "pairs.jsonl", labelled)
    print(
        f"{len(docs)} documents of {len({doc['source'] for doc in docs})} senders, {len(labelled)} pairs",
        file=sys.stderr,
    )
    for (label, sub), count in sorted(
        Counter((pair["label"], pair["sub"] or "") for pair in labelled).items()
    ):
        print(f"  {label:17} {sub:16} {count:6}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
