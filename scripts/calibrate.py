#!/usr/bin/env python3
"""Fit the trees of dedupe_core/judge/fitted.py from labelled documents, and print how they do on unseen families.

    calibrate.py DOCS.jsonl PAIRS.jsonl [--write] [--unseen] [--folds 10]

DOCS  {"id", "content", "family"} a line; PAIRS {"a", "b", "label"} a line with label duplicate, version, contained,
template_sibling. A pair that is not listed is unrelated. Needs scikit-learn (dependency group `calibrate`).

Documents are examined in their order, as the hook does it, so that the evidence is what the product will see.
Families are kept together in a fold: every printed figure is on documents of families that were not trained on.
--unseen examines each document with the whole product, its trees fitted without the families of its fold.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import accuracy

from dedupe_core import policy, recipe
from dedupe_core.compare.evidence import compare
from dedupe_core.compare.view import Neighbourhood, view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge import verdict
from dedupe_core.judge.judge import exact_verdict, most_promising
from dedupe_core.judge.trees import Ensemble
from dedupe_core.model import Document
from hook.commands.scan import verdict_line
from hook.index.archive import Archive

NEGATIVE = ("template_sibling", "unrelated")


@dataclass(frozen=True)
class Question:
    """What it tells from what. `directed`: agreement can only raise it, contradiction only lower it."""

    positive: tuple[str, ...]
    negative: tuple[str, ...]
    directed: bool = False
    at_a_glance: bool = False  # from the measures of a glance alone
    trees: int = 50
    leaves: int = 6
    rate: float = 0.12
    share: float = 0.4  # of the measures that each split may choose from
    seeds: int = 2

    @property
    def measures(self) -> str:
        return "GLANCE" if self.at_a_glance else "MEASURES"


QUESTIONS = {
    "WORTH": Question(("duplicate", "version", "contained"), NEGATIVE, at_a_glance=True, trees=40, leaves=8, rate=0.15, seeds=1),
    "SAME": Question(("duplicate",), NEGATIVE, directed=True, trees=180, rate=0.09, share=0.15),
    "REVISION": Question(("version",), NEGATIVE),
    "CONTAINED": Question(("contained",), NEGATIVE),
    "REVISION_OR_SAME": Question(("version",), ("duplicate",), trees=80, leaves=4, share=0.15),
    "CONTAINED_OR_SAME": Question(("contained",), ("duplicate", "version"), trees=80, leaves=4, share=0.15),
}  # fmt: skip
BOUNDS = (0.5, 0.6, 0.65, 0.7, 0.8)
FREE = {"length", "neighbours", "error_rate", "numbers", "length_ratio", "misread_words", "numbers_slipped",
        "dates_slipped", "aligned_noise", "digits_slipped", "digits_for_letters", "letters_misread", "digits_lost",
        "contained_low", "passages_shared", "passages_own", "disorder"}  # fmt: skip
FALLS = {"words_absent", "words_absent_high", "words_absent_share", "words_content", "long_words_absent",
         "numbers_absent", "numbers_changed", "dates_conflict", "amounts_conflict", "references_conflict",
         "dates_contradict", "aligned_content", "aligned_content_share", "aligned_changed",
         "aligned_changed_share", "content_share", "kinds_lost", "digits_changed",
         "digits_changed_count", "digits_changed_share", "digits_changed_excess",
         "digits_differ_excess", "passages_replaced", "passage_replaced"}  # fmt: skip


def lines(path: str) -> list[dict[str, Any]]:
    with Path(path).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def collect(
    docs: list[dict[str, Any]], labels: dict[tuple[int, int], str]
) -> list[tuple[int, int, str, dict[str, float]]]:
    """The evidence on every pair that the product compares, in the order of arrival."""
    rows = []
    with (
        tempfile.TemporaryDirectory() as directory,
        Archive.open(Path(directory) / "index", recipe.DEFAULT, policy.DEFAULT) as archive,
    ):
        for start in range(0, len(docs), 200):
            with archive.batch():
                for doc in docs[start : start + 200]:
                    found = fingerprint(Document(doc["id"], doc["content"]), recipe.DEFAULT)
                    others = archive.neighbours(found)
                    around = Neighbourhood(others)
                    subject = view(found)
                    inexact = [other for other in others if not exact_verdict(found, other.fingerprint)]
                    for other in most_promising(subject, inexact, around, policy.DEFAULT.compared):
                        pair = (min(found.id, other.id), max(found.id, other.id))
                        measures = compare(subject, other, around).measures
                        rows.append((found.id, other.id, labels.get(pair, "unrelated"), measures))
                    archive.remember(found)
    return rows


def families(docs: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> dict[int, int]:
    """Documents to fold groups: families that a labelled pair joins are one group."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    family = {doc["id"]: str(doc["family"]) for doc in docs}
    for pair in pairs:
        parent[root(family[pair["a"]])] = root(family[pair["b"]])
    numbers: dict[str, int] = {}
    return {doc["id"]: numbers.setdefault(root(family[doc["id"]]), len(numbers)) for doc in docs}


def classifiers(
    question: Question, names: list[str], values: np.ndarray, truth: np.ndarray
) -> list[HistGradientBoostingClassifier]:
    """Small trees, one ensemble a seed."""
    directions = [0 if name in FREE else -1 if name in FALLS else 1 for name in names]
    return [
        HistGradientBoostingClassifier(
            max_iter=question.trees, learning_rate=question.rate, max_leaf_nodes=question.leaves,
            min_samples_leaf=20 if question.directed or question.at_a_glance else 10, l2_regularization=5.0,
            max_features=question.share, monotonic_cst=directions if question.directed else None,
            random_state=seed, early_stopping=False,
        ).fit(values, truth)
        for seed in range(question.seeds)
    ]  # fmt: skip


def logits(models: list[HistGradientBoostingClassifier], values: np.ndarray) -> np.ndarray:
    return np.asarray(np.mean([model.decision_function(values) for model in models], axis=0))


def tree_of(nodes: Any, index: int, scale: float) -> Any:
    node = nodes[index]
    if node["is_leaf"]:
        return round(float(node["value"]) * scale, 5)
    return (
        int(node["feature_idx"]), float(f"{float(node['num_threshold']):.6g}"),
        tree_of(nodes, node["left"], scale), tree_of(nodes, node["right"], scale),
    )  # fmt: skip


def ensemble_text(
    name: str, measures: str, models: list[HistGradientBoostingClassifier], slope: float, shift: float
) -> str:
    trees = [tree_of(one[0].nodes, 0, 1 / len(models)) for model in models for one in model._predictors]
    start = sum(float(model._baseline_prediction.ravel()[0]) for model in models) / len(models)
    body = "\n".join(f"    {tree!r}," for tree in trees)
    return f"{name} = Ensemble(\n    {measures}, {start:.5f}, (\n{body}\n    ), slope={slope:.4f}, shift={shift:.4f},\n)\n"


def reliability(probability: np.ndarray, truth: np.ndarray) -> list[str]:
    rows = []
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            rows.append(
                f"  {low:.1f}-{min(high, 1):.1f}  {inside.sum():6}  said {probability[inside].mean():.3f}  was {truth[inside].mean():.3f}"
            )
    return rows


def print_told(probability: np.ndarray, labels: np.ndarray, bounds: tuple[float, ...]) -> None:
    for bound in bounds:
        told = probability >= bound
        counts = (f"{label} {int((told & (labels == label)).sum())}" for label in sorted(set(labels)))
        print(f"  at {bound}: {', '.join(counts)}")


@dataclass(frozen=True)
class Labelled:
    """The compared pairs as a table: what was measured on each, what it is, and the fold of its subject."""

    names: list[str]
    values: np.ndarray
    labels: np.ndarray
    folds: np.ndarray

    @property
    def glances(self) -> int:
        """How many of the measures are known at a glance."""
        return self.names.index("likeness")  # the first one of the close look

    def fitted(self, question: Question, used: np.ndarray) -> list[HistGradientBoostingClassifier]:
        names = self.names[: self.count(question)]
        truth = np.isin(self.labels, question.positive)
        return classifiers(question, names, self.values[used][:, : len(names)], truth[used])

    def count(self, question: Question) -> int:
        return self.glances if question.at_a_glance else len(self.names)


def examined_unseen(
    docs: list[dict[str, Any]], fold_of: dict[int, int], table: Labelled, texts: dict[str, str]
) -> list[dict[str, Any]]:
    """What the product says of each document with trees that were fitted without its family.

    Calibrated as the final trees are: one slope and shift a question, from all folds.
    """
    said, eager = [], replace(policy.DEFAULT, flag_threshold=BOUNDS[0])
    for number in sorted(set(fold_of.values())):
        for name, question in QUESTIONS.items():
            final = scope_of(texts[name], table)[name]
            used = np.isin(table.labels, question.positive + question.negative) & (table.folds != number)
            text = ensemble_text(
                name, question.measures, table.fitted(question, used), final.slope, final.shift
            )
            setattr(verdict, name, scope_of(text, table)[name])
        with (
            tempfile.TemporaryDirectory() as directory,
            Archive.open(Path(directory) / "index", recipe.DEFAULT, eager) as archive,
        ):
            for start in range(0, len(docs), 200):
                with archive.batch():
                    for doc in docs[start : start + 200]:
                        document = Document(doc["id"], doc["content"])
                        if fold_of[doc["id"]] == number:
                            said += [json.loads(verdict_line(v)) for v in archive.examine(document).verdicts]
                        archive.remember(fingerprint(document, recipe.DEFAULT))
    return said


def scope_of(text: str, table: Labelled) -> dict[str, Any]:
    """An ensemble as it stands in fitted.py."""
    scope: dict[str, Any] = {
        "Ensemble": Ensemble,
        "MEASURES": table.names,
        "GLANCE": table.names[: table.glances],
    }
    exec(text, scope)
    return scope


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("docs")
    parser.add_argument("pairs")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="write dedupe_core/judge/fitted.py")
    parser.add_argument(
        "--unseen", action="store_true", help="print how accurate the product is on unseen families"
    )
    args = parser.parse_args()
    docs, pairs = lines(args.docs), lines(args.pairs)
    rows = collect(docs, {(min(p["a"], p["b"]), max(p["a"], p["b"])): p["label"] for p in pairs})
    fold_of = {number: group % args.folds for number, group in families(docs, pairs).items()}
    names = list(rows[0][3])
    labels = np.array([row[2] for row in rows])
    table = Labelled(
        names,
        np.array([[row[3][name] for name in names] for row in rows]),
        labels,
        np.array([fold_of[row[0]] for row in rows]),
    )
    print(f"{len(rows)} pairs compared: {dict(Counter(labels.tolist()))}")
    texts = {}
    for name, question in QUESTIONS.items():
        truth = np.isin(labels, question.positive)
        used = truth | np.isin(labels, question.negative)
        score = np.zeros(len(rows))
        for number in range(args.folds):
            inside = table.folds == number
            models = table.fitted(question, used & ~inside)
            score[inside] = logits(models, table.values[inside][:, : table.count(question)])
        platt = LogisticRegression(C=1e6).fit(score[used, None], truth[used])
        slope, shift = float(platt.coef_[0, 0]), float(platt.intercept_[0])
        probability = 1 / (1 + np.exp(-(slope * score + shift)))
        told = f"{'+'.join(question.positive)} against {'+'.join(question.negative)}"
        print(f"\n{name}: {told}, on unseen families")
        print("\n".join(reliability(probability[used], truth[used])))
        print_told(probability, labels, (0.002, 0.004, 0.006, 0.01, 0.02) if question.at_a_glance else BOUNDS)
        texts[name] = ensemble_text(name, question.measures, table.fitted(question, used), slope, shift)
    if args.write:
        write(table, list(texts.values()))
    if args.unseen:
        said = examined_unseen(docs, fold_of, table, texts)
        for bound in BOUNDS:
            told_now = [one for one in said if one["confidence"] >= bound]
            print(f"\ntold from {bound}, documents of unseen families")
            print(accuracy.table({"unseen": accuracy.score(docs, pairs, told_now)}))
    return 0


def write(table: Labelled, texts: list[str]) -> None:
    target = Path(__file__).resolve().parent.parent / "dedupe_core" / "fitted.py"
    head = '"""The trees that scripts/calibrate.py fitted: reviewable data, no code. Do not edit by hand."""\n\n# ruff: noqa\n# fmt: off\n\n'
    measures = "MEASURES = (\n" + "".join(f'    "{name}",\n' for name in table.names) + ")\n"
    measures += f"GLANCE = MEASURES[:{table.glances}]  # known at a glance\n\n"
    target.write_text(
        head + "from dedupe_core.judge.trees import Ensemble\n\n" + measures + "\n".join(texts),
        encoding="utf-8",
    )
    print(f"wrote {target.name}")


if __name__ == "__main__":
    raise SystemExit(main())
