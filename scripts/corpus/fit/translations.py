"""Fit the weights of what two texts in two languages have in common, and write dedupe_core/judge/translated.json.

    python -m scripts.corpus translations DOCS.jsonl PAIRS.jsonl [DOCS.jsonl PAIRS.jsonl ...] [--dry-run]

A logistic model on the pairs in two languages that a look-up finds. The chance from which a pair is reported is a step
beyond the lowest one above which there was no alarm, each source being judged by a fit without it. Prints what is found by noise.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dedupe_core.compare.view import Neighbourhood, view
from dedupe_core.judge.common_facts import NAMES, common_facts
from dedupe_core.judge.translated import FEWEST, SHARED_WORDS, may_be, shared_words, two_languages
from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive

TARGET = Path(__file__).resolve().parents[3] / "dedupe_core" / "judge" / "translated.json"
LEASTS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)
STRENGTH = 1.0  # of the pull towards 0, on measures of variance 1
ROUNDS = 40
LEFT_OUT = (
    "contained",
    "duplicate",
)  # neither a translation nor an alarm

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    measures: tuple[float, ...]
    label: str
    noise: str
    source: str
    is_bundled: bool  # papers in several languages in one document: no alarm is counted


def pairs_of(docs: list[dict[str, Any]], labels: dict[frozenset[int], dict[str, Any]]) -> Iterator[Pair]:
    """The pairs in two languages that may be translations, once for each side that finds the other."""
    bundles = {doc["id"] for doc in docs if doc["kind"] == "bundle"}
    with (
        tempfile.TemporaryDirectory() as place,
        Archive.open(Path(place, "index"), RECIPE, POLICY) as archive,
    ):
        with archive.batch():
            for doc in docs:
                archive.remember(archive.fingerprint(Document(doc["id"], doc["content"])))
        for doc in docs:
            found = archive.known(doc["id"])
            subject, others = view(found), archive.neighbours(found)
            around = Neighbourhood(others)
            for other in others:
                label = labels.get(frozenset((subject.id, other.id)), {"label": "unrelated", "noise": ""})
                if label["label"] in LEFT_OUT or not may_be(subject, other, around):
                    continue
                if two_languages(subject, other) and shared_words(subject, other) < SHARED_WORDS:
                    source = re.split("[:/]| section", doc["source"])[0]
                    facts = common_facts(subject, other, around)
                    yield Pair(
                        facts.measures,
                        label["label"],
                        label["noise"],
                        source,
                        bool(bundles & {subject.id, other.id}),
                    )


def fit(measures: Array, is_one: Array) -> Array:
    """The weights and, last, the bias: Newton's method."""
    mean, deviation = measures.mean(0), measures.std(0) + 1e-9
    rows = np.c_[(measures - mean) / deviation, np.ones(len(measures))]
    pull = np.diag([*[STRENGTH] * len(mean), 1e-6])
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        chance = chances(rows, weights)
        bend = (rows * (chance * (1 - chance) + 1e-9)[:, None]).T @ rows + pull
        weights -= np.linalg.solve(bend, rows.T @ (chance - is_one) + pull @ weights)
    plain = weights[:-1] / deviation
    return np.append(plain, weights[-1] - plain @ mean)


def chances(rows: Array, weights: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30))), np.float64)


def left_out(pairs: list[Pair], measures: Array, is_one: Array) -> Array:
    """The chance of each pair by a fit without the pairs of its source."""
    sources = np.array([pair.source for pair in pairs])
    found = np.zeros(len(pairs))
    rows = np.c_[measures, np.ones(len(measures))]
    for source in np.unique(sources):
        here = sources == source
        found[here] = chances(rows[here], fit(measures[~here], is_one[~here]))
    return found


def read(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--dry-run", action="store_true", help="print, and write nothing")
    args = parser.parse_args()
    pairs: list[Pair] = []
    for docs, labels in zip(args.files[::2], args.files[1::2], strict=True):
        known = {frozenset((row["a"], row["b"])): row for row in read(labels)}
        pairs += pairs_of(read(docs), known)
    measures = np.array([pair.measures for pair in pairs])
    is_one = np.array([pair.label == "translated" for pair in pairs], np.float64)
    enough = measures[:, NAMES.index("count")] >= np.log1p(FEWEST)
    chance = left_out(pairs, measures, is_one) * enough
    alarms = chance[(is_one == 0) & ~np.array([pair.is_bundled for pair in pairs])]
    for least in LEASTS:
        print(
            f"{least:.2f}: {(chance[is_one == 1] >= least).mean():.3f} found, {(alarms >= least).sum()} alarms"
        )
    least = next((beyond for one, beyond in pairwise(LEASTS) if not (alarms >= one).any()), LEASTS[-1])
    for noise in ("digital", "light", "medium", "heavy"):
        here = chance[np.array([pair.noise == noise for pair in pairs]) & (is_one == 1)]
        print(f"{noise}: {(here >= least).mean():.3f} of {len(here)} found at {least}")
    weights = fit(measures, is_one)
    about = f"Of {int(is_one.sum())} translations and {int((1 - is_one).sum())} other pairs in two languages."
    data = {
        "about": f"Written by scripts/corpus/fit/translations.py. {about}", "least": least, "bias": round(weights[-1], 3),
        "weights": {name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=False)},
    }  # fmt: skip
    print(json.dumps(data, indent=1))
    if not args.dry_run:
        TARGET.write_text(json.dumps(data, indent=1) + "\n", encoding="ascii")
    return 0
