"""Fit the trees of dedupe_core/judge/fitted.json on the public corpora, and print how they do on unseen documents.

    python -m scripts.corpus fit [--write] [--also CORPUS ...] [--test CORPUS ...] [--folds 5]

The public corpora are the pages in scripts/corpus/read, which were printed, scanned and read, and papers that are generated
here. --also trains on a corpus of yours, which is DOCS.jsonl:PAIRS.jsonl: DOCS {"id", "content", "source"} a line; PAIRS {"a",
"b", "label"} a line with label duplicate, version, contained, translated, template_sibling. A pair that is not listed is
unrelated. The ids of the corpora must not overlap. What is named is tested, or the pages if nothing is; all else is only trained
on, as is what is made of the tested: papers with one edit, misread copies, pairs without their third copies, and pairs that are
compared as if the archive held nothing else. --test examines the documents of one more corpus with the result. Needs
scikit-learn (requirements-calibrate.lock).

Each document that is tested is examined by the whole product with trees that were fitted without its source: the part of
"source" before a colon or slash, which is a template, or whole sources where that part is one corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from dedupe_core import policy, recipe
from dedupe_core.compare.measures import ALL, DIRECTIONS, GLANCE, OF_THE_PAIR
from dedupe_core.compare.view import view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.fitted import FILE, dump
from dedupe_core.judge.judge import judge
from dedupe_core.judge.trees import Ensemble, Ensembles
from dedupe_core.model import Document
from hook.commands.scan import verdict_line
from hook.examination.archive import Archive
from scripts.corpus.fit.corpora import (
    PUBLIC,
    Corpus,
    Row,
    collected_all,
    examine_all,
    folds,
    generated,
    load,
    sources,
    table_of,
)
from scripts.corpus.fit.evidence import Floats, Table, save
from scripts.evaluation import accuracy

TREES = Path(__file__).resolve().parents[3] / "dedupe_core" / "judge" / FILE
NEGATIVE = ("template_sibling", "unrelated")


@dataclass(frozen=True)
class Question:
    """What it tells from what. `directed`: agreement can only raise it and contradiction only lower it."""

    positive: tuple[str, ...]
    negative: tuple[str, ...]
    measures: tuple[str, ...] = ALL
    directed: bool = False
    trees: int = 50
    leaves: int = 6
    rate: float = 0.12
    share: float = 0.4  # of the measures that each split may choose from
    seeds: int = 3  # of the fit on everything, whose trees are averaged; one is enough for what is left out
    least: int = 10  # pairs in a leaf
    real: float = (
        1.0  # weight of duplicates: real noise against the even noise of copies that were made for this
    )
    # Weights of what is only trained on, of which there is more: generated papers; copies and edits of other papers.
    made: float = 0.36
    altered: float = 1.0


RELATED = ("duplicate", "version", "contained")
QUESTIONS = {
    "worth": Question(RELATED, NEGATIVE, GLANCE, trees=60, leaves=8, rate=0.15, least=20, seeds=1, altered=0.3),
    "same": Question(("duplicate", "reread", "copy"), NEGATIVE, directed=True, trees=200, leaves=4, rate=0.1, share=0.25, least=20, made=0.2, altered=0.2),
    "revision": Question(("version", "rewording"), NEGATIVE, trees=80, share=0.3, least=15, made=0.1, altered=0.2),
    "contained": Question(("contained",), NEGATIVE, trees=60, share=0.3, least=15, altered=0.1),
    "edited": Question(("version", "rewording"), ("duplicate", "copy", "reread"), OF_THE_PAIR, trees=100, leaves=8, rate=0.1, least=20, real=10.0),
    "part": Question(("contained",), ("duplicate", "version", "reread"), trees=80, share=0.3, altered=0.2),
}  # fmt: skip
GROUPS = {
    "facts": tuple(one for one in ALL if one.startswith(("dates", "amounts", "references", "first_date", "identity"))),
    "numbers": tuple(one for one in ALL if one.startswith(("numbers", "digit_runs"))),
    "passages": tuple(one for one in ALL if one.startswith(("passages", "contained", "resemblance", "above_best"))),
    "contradictions": tuple(one for one in ALL if one.startswith("contradiction")),
    "sure edits": tuple(one for one in ALL if one.startswith(("certain", "surprise", "inserted", "number_words", "largest"))),
    "left over": tuple(one for one in ALL if one.startswith("left_over")),
    "reading": ("ledger_error_rate", "noise_share", "in_order", "in_order_high", "edge_words"),
}  # fmt: skip
BOUNDS = (0.5, 0.6, 0.7, 0.8, 0.9)


def fitted(table: Table, question: Question, used: np.ndarray[Any, Any], seeds: int) -> Ensemble:
    """Not calibrated yet."""
    columns = [ALL.index(name) for name in question.measures]
    truth = np.isin(table.labels, question.positive)
    weights = np.where(table.labels == "duplicate", question.real, 1.0)
    directions = [int(DIRECTIONS[name]) for name in question.measures] if question.directed else None
    weights *= np.select([table.made, table.altered], [question.made, question.altered], 1.0)
    models = [
        HistGradientBoostingClassifier(
            max_iter=question.trees, learning_rate=question.rate, max_leaf_nodes=question.leaves,
            min_samples_leaf=question.least, l2_regularization=5.0, max_features=question.share,
            monotonic_cst=directions, random_state=seed, early_stopping=False,
        ).fit(table.values[used][:, columns], truth[used], sample_weight=weights[used])
        for seed in range(seeds)
    ]  # fmt: skip
    trees = tuple(_tree(one[0].nodes, 0, 1 / len(models)) for model in models for one in model._predictors)
    start = sum(float(model._baseline_prediction.ravel()[0]) for model in models) / len(models)
    return Ensemble(question.measures, round(start, 5), trees)


def _tree(nodes: Any, index: int, scale: float) -> Any:
    node = nodes[index]
    if node["is_leaf"]:
        return round(float(node["value"]) * scale, 4)
    return [
        int(node["feature_idx"]), float(f"{float(node['num_threshold']):.6g}"),
        _tree(nodes, node["left"], scale), _tree(nodes, node["right"], scale),
    ]  # fmt: skip


def scores(ensemble: Ensemble, values: Floats) -> Floats:
    """The sums of the trees, for every row at once."""
    columns = [ALL.index(name) for name in ensemble.measures]
    total = np.full(len(values), ensemble.start)
    for tree in ensemble.trees:
        total += _evaluated(tree, values[:, columns])
    return total


def _evaluated(tree: Any, values: Floats) -> Floats:
    if not isinstance(tree, list):
        return np.full(len(values), tree)
    feature, bound, low, high = tree
    below = values[:, feature] <= bound
    result = np.empty(len(values))
    result[below], result[~below] = _evaluated(low, values[below]), _evaluated(high, values[~below])
    return result


@dataclass(frozen=True)
class Fit:
    """The ensembles fitted without each fold, with one calibration for all of them, and the final ones."""

    final: dict[str, Ensemble]
    by_fold: dict[int, dict[str, Ensemble]]
    held_out: dict[str, Floats]  # probabilities, each by the trees that have not seen it


def fit(table: Table, count: int) -> Fit:
    by_fold: dict[int, dict[str, Ensemble]] = {number: {} for number in range(count)}
    final, held_out = {}, {}
    every = fitted_everywhere(table, count)
    for name, question in QUESTIONS.items():
        asked = np.isin(table.labels, question.positive + question.negative)
        total = np.zeros(len(table.labels))
        for number in range(count):
            by_fold[number][name] = every[name, number]
            inside = table.fold_a == number
            total[inside] = scores(by_fold[number][name], table.values[inside])
        is_edit = np.isin(table.labels, ("copy", "rewording")) & (name == "edited")
        judged = asked & (table.fold_a >= 0) & (table.tested | is_edit)
        truth = np.isin(table.labels, question.positive)
        scale = calibration(total[judged], truth[judged])
        for one in by_fold.values():
            one[name] = replace(one[name], **asdict(scale))
        final[name] = replace(every[name, None], **asdict(scale))
        held_out[name] = scale.probabilities(total)
        print(
            f"\n{name}: {'+'.join(question.positive)} against {'+'.join(question.negative)}, on what was left out",
            flush=True,
        )
        print("\n".join(reliability(held_out[name][judged], truth[judged])), flush=True)
    return Fit(final, by_fold, held_out)


@dataclass(frozen=True)
class Calibration:
    """From the sums of trees to probabilities, as `Ensemble` has it."""

    slope: float
    shift: float

    def probabilities(self, total: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-(self.slope * total + self.shift))))


def calibration(total: Floats, truth: np.ndarray[Any, Any]) -> Calibration:
    """A line through the log odds."""
    line = LogisticRegression(C=1e6).fit(total[:, None], truth)
    return Calibration(round(float(line.coef_[0, 0]), 4), round(float(line.intercept_[0]), 4))


def fitted_everywhere(table: Table, count: int) -> dict[tuple[str, int | None], Ensemble]:
    """Every question without each fold, and on everything (None); each fit on one core."""
    with ProcessPoolExecutor(initializer=threadpool_limits, initargs=(1,)) as pool:
        work = {}
        for name, question in QUESTIONS.items():
            asked = np.isin(table.labels, question.positive + question.negative)
            for number in (None, *range(count)):
                seeds = question.seeds if number is None else 1
                used = asked & table.without(number)
                work[name, number] = pool.submit(fitted, table, question, used, seeds)
        return {asked_of: done.result() for asked_of, done in work.items()}


def reliability(probability: Floats, truth: np.ndarray[Any, Any]) -> Iterable[str]:
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            yield f"  {low:.1f}-{min(high, 1):.1f}  {inside.sum():6}  said {probability[inside].mean():.3f}  was {truth[inside].mean():.3f}"


def ablation(table: Table, result: Fit, seed: int = 3) -> Iterable[str]:
    """What each group of measures is worth on left-out sources: its values are shuffled among all pairs."""
    order = np.random.default_rng(seed).permutation(len(table.labels))
    duplicate, other = (np.isin(table.labels, one) & table.tested for one in (("duplicate",), NEGATIVE))
    for name, measures in {"nothing": (), **GROUPS}.items():
        values = table.values.copy()
        columns = [ALL.index(one) for one in measures]
        values[:, columns] = values[order][:, columns]
        said = np.zeros(len(values))
        for number, ensembles in result.by_fold.items():
            inside = table.tested & (table.fold_a == number)
            one = ensembles["same"]
            scale = Calibration(one.slope, one.shift)
            said[inside] = scale.probabilities(scores(one, values[inside]))
        found, alarms = (said[duplicate] >= 0.5).mean(), (said[other] >= 0.5).sum()
        yield f"  without {name:14} duplicates found {found:.3f}, false alarms {alarms}"


def examined(corpus: Corpus, trees_of: Callable[[int], Ensembles]) -> list[Row]:
    """What the product says of each document, with the trees for it."""
    said: list[Row] = []

    def judged(archive: Archive, doc: Row) -> None:
        found = fingerprint(Document(doc["id"], doc["content"]), recipe.DEFAULT)
        verdicts = judge(view(found), archive.neighbours(found), policy.DEFAULT, trees=trees_of(doc["id"]))
        said.extend(json.loads(verdict_line(verdict)) for verdict in verdicts)

    examine_all(corpus, judged)
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--also", action="append", default=[], metavar="CORPUS")
    parser.add_argument("--test", action="append", default=[], metavar="CORPUS")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--write", action="store_true", help="write dedupe_core/judge/fitted.json and the evidence"
    )
    args = parser.parse_args()
    public = load(PUBLIC, tested=not args.also)
    corpora = collected_all([*map(load, args.also), generated(), public])
    for corpus in corpora:
        print(
            f"{corpus.name}: {len(corpus.rows)} pairs, {dict(Counter(row[2] for row in corpus.rows))}",
            flush=True,
        )
    groups = sources(corpora)
    sizes = Counter(groups[row[0]] for corpus in corpora if corpus.tested for row in corpus.rows)
    fold_of = folds(groups, sizes, args.folds)
    table = table_of(corpora, fold_of)
    result = fit(table, args.folds)
    print('\nthe question "same" on what was left out')
    print("\n".join(ablation(table, result)), flush=True)
    if args.write:
        write(result.final, table, corpora, [f"--also {re.sub(r'[^:]*/', '', name)}" for name in args.also])
    left_out = {number: Ensembles(**one) for number, one in result.by_fold.items()}
    final = Ensembles(**result.final)
    for corpus in corpora:
        if corpus.tested:
            print(f"\n{corpus.name}, unseen sources, by the confidence from which a pair is reported")
            print(
                by_threshold(corpus, examined(corpus, lambda number: left_out[fold_of[number]])), flush=True
            )
    for corpus in map(load, args.test):
        print(f"\n{corpus.name}, of which nothing was fitted to")
        print(by_threshold(corpus, examined(corpus, lambda _: final)), flush=True)
    return 0


def by_threshold(corpus: Corpus, said: list[Row]) -> str:
    columns = {
        f"{bound}": accuracy.score(
            corpus.docs, corpus.pairs, [one for one in said if one["flagged"] and one["confidence"] >= bound]
        )
        for bound in BOUNDS
    }
    return str(accuracy.table(columns))


def write(final: dict[str, Ensemble], table: Table, corpora: list[Corpus], also: list[str]) -> None:
    digest = hashlib.sha256()
    for corpus in corpora:
        digest.update(json.dumps([corpus.docs, corpus.pairs], sort_keys=True).encode())
    about = {
        "fitted on": {corpus.name: f"{len(corpus.rows)} pairs" for corpus in corpora},
        "by": " ".join(["python -m scripts.corpus fit --write", *also]),
        "SHA-256 of documents and labels": digest.hexdigest(),
        "scikit-learn": sklearn.__version__,
    }
    TREES.write_text(dump(final, about), encoding="ascii")
    save(table)
    print(f"wrote {FILE} and the evidence that it was fitted on")
