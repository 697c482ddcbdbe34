"""Fit the shipped trees again from the evidence that is in the repository, and say whether they come out.

    python -m scripts.corpus refit [--write]

For who changes how trees are fitted (the questions in scripts/corpus/fit/trees.py): prints how they do on sources left out, pair by
pair. Who changes what is measured needs `python -m scripts.corpus fit`. Takes some minutes; needs scikit-learn of the locked release.
"""

from __future__ import annotations

import argparse
import json

from dedupe_core.judge.fitted import dump
from dedupe_core.judge.fitted import stored as shipped
from scripts.corpus.fit import evidence
from scripts.corpus.fit.trees import TREES, ablation, fit

FOLDS = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write dedupe_core/judge/fitted.json")
    args = parser.parse_args()
    table = evidence.stored()
    print(f"{len(table.labels)} pairs", flush=True)
    result = fit(table, FOLDS)
    print('\nthe question "same" on what was left out')
    print("\n".join(ablation(table, result)), flush=True)
    text = dump(result.final, json.loads(shipped())["about"])
    is_same = text == shipped()
    print(f"\nThe trees are {'the shipped ones' if is_same else 'other ones than the shipped'}.")
    if args.write and not is_same:
        TREES.write_text(text, encoding="ascii")
        print(f"wrote {TREES.name}")
    return int(not (is_same or args.write))
