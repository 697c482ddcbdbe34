"""Print the table of docs/accuracy.md for the public corpora: generated papers, and pages that were printed and read.

    python -m scripts.corpus table [--seed N] [--size N]

The trees are fitted on papers of the same templates with seed 3: of other templates and senders, less is found. `fit`
prints figures with whole templates left out.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from scripts.corpus.generate import TEMPLATES, corpus, write
from scripts.corpus.template import load
from scripts.evaluation import accuracy
from scripts.subcommands import make_parser

READ = Path(__file__).with_name("read")


def scored(directory: Path) -> accuracy.Score:
    docs, pairs = (
        accuracy.lines_of((directory / name).read_text(encoding="utf-8"))
        for name in ("docs.jsonl", "pairs.jsonl")
    )
    return accuracy.score(docs, pairs, accuracy.scanned(str(directory / "docs.jsonl"), "default"))


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=101, help="of the generated papers; 3 is fitted to")
    parser.add_argument("--size", type=int, default=1500)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        docs, pairs = corpus(load(TEMPLATES), args.size, args.seed)
        write(Path(place), docs, pairs)
        columns = {f"{len(docs)} generated, seed {args.seed}": scored(Path(place))}
    columns["printed and read"] = scored(READ)
    print(accuracy.table(columns))
    return 0
