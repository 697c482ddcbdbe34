"""Fit how much each trait of a difference speaks for two papers, and write dedupe_core/compare/likelihood.json.

    python -m scripts.corpus likelihood [--also CORPUS ...] [--dry-run]

On duplicates and siblings of the pages in scripts/corpus/read, and of corpora of yours (as `fit` has them). Which differences of two
siblings are their own values is not labelled: they are the three that look most like it, by the weights of the round
before. Prints how well the most telling difference of a pair tells siblings from duplicates, each corpus by the weights
of the others. The trees have to be fitted again afterwards. Needs scikit-learn (requirements-calibrate.lock).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from dedupe_core.compare.evidence import compare
from dedupe_core.compare.likelihood import FILE, NAMES, described, replaced
from hook.examination.archive import Archive
from scripts.corpus.fit.corpora import PUBLIC, Corpus, Row, compared, examine_all, load
from scripts.corpus.fit.evidence import Floats

TARGET = Path(__file__).resolve().parents[3] / "dedupe_core" / "compare" / FILE
LABELS = ("duplicate", "template_sibling")
ROUNDS, TELLING = 4, 3
Pair = tuple[bool, Floats]  # siblings, and a row for each place where something is replaced


def described_pairs(corpus: Corpus) -> list[Pair]:
    labels, pairs = corpus.labels(), []

    def each(archive: Archive, doc: Row) -> None:
        for one in compared(archive, doc):
            label = labels.get(one.pair)
            if label in LABELS:
                ledger = compare(one.subject, one.other, one.around).ledger
                rows = [described(ledger, difference) for difference in replaced(ledger)]
                pairs.append((label != "duplicate", np.array(rows).reshape(-1, len(NAMES))))

    examine_all(corpus, each)
    return pairs


def fit(pairs: Iterable[Pair]) -> Floats:
    """The weights and, last, the bias."""
    differing = [(siblings, rows) for siblings, rows in pairs if len(rows)]
    deviation = np.vstack([rows for _, rows in differing]).std(0)
    weights = np.zeros(len(NAMES) + 1)
    for turn in range(ROUNDS):
        chosen = [
            (siblings, _most_telling(rows, weights) if siblings and turn else rows)
            for siblings, rows in differing
        ]
        values = np.vstack([rows for _, rows in chosen])
        truth = np.repeat([siblings for siblings, _ in chosen], [len(rows) for _, rows in chosen])
        counts = np.concatenate([np.full(len(rows), len(rows) ** -0.5) for _, rows in chosen])
        counts[truth] *= counts[~truth].sum() / counts[truth].sum()
        model = LogisticRegression(max_iter=1000).fit(values / deviation, truth, sample_weight=counts)
        weights = np.append(model.coef_[0] / deviation, model.intercept_)
    return weights


def _most_telling(rows: Floats, weights: Floats) -> Floats:
    return rows[np.argsort(-_odds(rows, weights))[:TELLING]]


def _odds(rows: Floats, weights: Floats) -> Floats:
    return np.asarray(rows @ weights[:-1] + weights[-1])


def told_apart(pairs: list[Pair], weights: Floats) -> float:
    """How often the most telling difference of siblings is more telling than that of duplicates."""
    highest = [max(_odds(rows, weights), default=weights[-1]) for _, rows in pairs]
    return float(roc_auc_score([siblings for siblings, _ in pairs], highest))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--also", action="append", default=[], metavar="CORPUS")
    parser.add_argument("--dry-run", action="store_true", help="print, and write nothing")
    args = parser.parse_args()
    corpora = [load(name) for name in (PUBLIC, *args.also)]
    with ProcessPoolExecutor() as pool:
        described_in = list(pool.map(described_pairs, corpora))
    for place, (corpus, pairs) in enumerate(zip(corpora, described_in, strict=True)):
        others = [one for other in described_in[:place] + described_in[place + 1 :] for one in other]
        told = f", by the others' weights {told_apart(pairs, fit(others)):.3f}" if others else ""
        print(f"{corpus.name}: {len(pairs)} pairs, told apart {told_apart(pairs, fit(pairs)):.3f}{told}")
    pairs = [one for pairs in described_in for one in pairs]
    *weights, bias = map(float, fit(pairs).round(3))
    siblings = sum(is_sibling for is_sibling, _ in pairs)
    about = f"Of {siblings} siblings and {len(pairs) - siblings} duplicates."
    data = {
        "about": f"Written by scripts/corpus/fit/likelihood.py. {about}", "bias": bias,
        "weights": dict(zip(NAMES, weights, strict=True)),
    }  # fmt: skip
    print(json.dumps(data, indent=1))
    if not args.dry_run:
        TARGET.write_text(json.dumps(data, indent=1) + "\n", encoding="ascii")
    return 0
