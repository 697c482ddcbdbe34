"""Fit the trees on the public corpora alone: `sh scripts/venv.sh calibrate` first.

    python -m scripts.corpus fit [--write] [--size N] [more corpora and options of scripts/corpus/fit/trees.py]

Generates the papers with seed 3, as the shipped trees were fitted on, adds the pages that were printed and read, and runs
scripts/corpus/fit/trees.py, which prints what is found on templates that were left out. Without --write nothing is changed. The
shipped trees were also fitted on corpora that may not be redistributed: name yours as DOCS.jsonl:PAIRS.jsonl.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from scripts.corpus.generate import TEMPLATES, corpus, write
from scripts.corpus.table import READ
from scripts.corpus.template import load

SEED, SIZE = 3, 4500


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=SIZE)
    args, others = parser.parse_known_args()
    from scripts.corpus.fit import trees  # needs scikit-learn; the list of commands and their help do not

    with tempfile.TemporaryDirectory() as place:
        docs, pairs = corpus(load(TEMPLATES), args.size, SEED)
        generated, labelled = Path(place) / "generated.jsonl", Path(place) / "generated_pairs.jsonl"
        write(generated, docs)
        write(labelled, pairs)
        names = [f"{generated}:{labelled}", f"{READ / 'docs.jsonl'}:{READ / 'pairs.jsonl'}"]
        return trees.main([*names, *others])
