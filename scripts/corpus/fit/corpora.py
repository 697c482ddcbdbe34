"""The corpora that the judge is fitted on, what is made of them, and the evidence on every pair that the product compares.

Documents are examined in their order, as the hook does it, so that the evidence is what the product will see.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dedupe_core import policy, recipe
from dedupe_core.compare.evidence import compare
from dedupe_core.compare.measures import ALL
from dedupe_core.compare.view import Neighbourhood, View, view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.judge import exact_verdict, rank_candidates
from dedupe_core.model import Document
from hook.examination.archive import Archive
from scripts.corpus import template as templates
from scripts.corpus.edited import edited_pairs
from scripts.corpus.fit.evidence import Table, rounded
from scripts.corpus.generate import TEMPLATES
from scripts.corpus.generate import corpus as generate
from scripts.corpus.noise import Channel, in_columns
from scripts.corpus.table import READ

SEED, SIZE = 3, 4500  # of the generated papers
PUBLIC = f"{READ / 'docs.jsonl'}:{READ / 'pairs.jsonl'}"
Row = dict[str, Any]
PROSE = (
    "add",
    "remove",
    "not",
    "number",
)  # edits of the words; the others are of fields, as from one document to the next
EDITED_TEXTS = 800  # documents that are edited to train the question "edited?"
ALONE = 700  # labelled pairs of a corpus that are compared as if the archive had no other document
LEVELS = ("light", "medium", "medium", "heavy", "heavy")  # of the noise of copies
LONGEST_COPIED = 40_000  # characters
COLUMNS = 0.25  # of the copies, in which some lines are read as two columns
COPIED = 10_000_000  # is added to the id of a copy


@dataclass
class Corpus:
    name: str
    docs: list[Row]
    pairs: list[Row]
    tested: bool
    real: bool = True  # documents as they are, not copies or edits that were made of them
    rows: list[tuple[int, int, str, dict[str, float]]] = field(default_factory=list)

    def labels(self) -> dict[tuple[int, int], str]:
        return {(min(p["a"], p["b"]), max(p["a"], p["b"])): p["label"] for p in self.pairs}


def lines(path: str) -> list[Row]:
    """With ids that are numbers: the public corpus has them as text."""
    with Path(path).open(encoding="utf-8") as file:
        found = [json.loads(line) for line in file if line.strip()]
    return [row | {name: int(row[name]) for name in ("id", "a", "b") if name in row} for row in found]


def load(name: str, *, tested: bool = True) -> Corpus:
    docs, _, pairs = name.partition(":")
    stem = Path(docs).stem
    return Corpus(Path(docs).parent.name if stem == "docs" else stem, lines(docs), lines(pairs), tested)


def generated() -> Corpus:
    return Corpus("generated", *generate(templates.load(TEMPLATES), SIZE, SEED), tested=False)


def examine_all(corpus: Corpus, each: Callable[[Archive, Row], None]) -> None:
    """Every document in its order, as the hook does it: looked at first, then indexed."""
    with (
        tempfile.TemporaryDirectory() as directory,
        Archive.open(Path(directory) / "index", recipe.DEFAULT, policy.DEFAULT) as archive,
    ):
        for start in range(0, len(corpus.docs), 200):
            with archive.batch():
                for doc in corpus.docs[start : start + 200]:
                    each(archive, doc)
                    archive.remember(fingerprint(Document(doc["id"], doc["content"]), recipe.DEFAULT))


@dataclass(frozen=True, slots=True)
class Compared:
    """A document beside one that the product compares it with in full, among its neighbours."""

    subject: View
    other: View
    others: list[View]
    around: Neighbourhood

    @property
    def pair(self) -> tuple[int, int]:
        return min(self.subject.id, self.other.id), max(self.subject.id, self.other.id)


def compared(archive: Archive, doc: Row) -> Iterator[Compared]:
    found = fingerprint(Document(doc["id"], doc["content"]), recipe.DEFAULT)
    others, subject = archive.neighbours(found), view(found)
    around = Neighbourhood(others)
    inexact = [other for other in others if not exact_verdict(found, other.fingerprint)]
    for other in rank_candidates(subject, inexact, around, policy.DEFAULT.compared):
        yield Compared(subject, other, others, around)


def collected(corpus: Corpus) -> Corpus:
    """For a process of its own."""
    collect(corpus)
    return corpus


def collected_all(corpora: list[Corpus]) -> list[Corpus]:
    """And what is made of them; on all cores."""
    tested = [corpus for corpus in corpora if corpus.tested]
    with ProcessPoolExecutor() as pool:
        work = [
            *(pool.submit(collected, corpus) for corpus in corpora),
            *(pool.submit(copies, corpus) for corpus in tested),
            *(pool.submit(without_thirds, corpus) for corpus in tested),
            pool.submit(alone, tested),
            pool.submit(edits, tested),
        ]
        return [done.result() for done in work]


def collect(corpus: Corpus, is_asked: Callable[[int, int], bool] = lambda _a, _b: True) -> None:
    """The evidence on every pair that the product compares and that is asked for, in the order of arrival."""
    labels = corpus.labels()

    def measured(archive: Archive, doc: Row) -> None:
        for one in compared(archive, doc):
            if is_asked(*one.pair):
                measures = compare(one.subject, one.other, one.around).measures
                label = labels.get(one.pair, "unrelated")
                corpus.rows.append((one.subject.id, one.other.id, label, measures))

    examine_all(corpus, measured)


def without_thirds(corpus: Corpus) -> Corpus:
    """Pairs of papers of which the archive has a third copy, as if it had not: so the judge asks again when in doubt."""
    labels = corpus.labels()
    copies_of: dict[int, set[int]] = {}
    for (a, b), label in labels.items():
        if label == "duplicate":
            copies_of.setdefault(a, set()).add(b)
            copies_of.setdefault(b, set()).add(a)
    made = Corpus(f"without thirds of {corpus.name}", [], [], tested=False)

    def measured(archive: Archive, doc: Row) -> None:
        for one in compared(archive, doc):
            a, b = one.subject.id, one.other.id
            thirds = (copies_of.get(a, set()) | copies_of.get(b, set())) - {b}
            fewer = [document for document in one.others if document.id not in thirds]
            if len(fewer) < len(one.others):
                measures = compare(one.subject, one.other, Neighbourhood(fewer)).measures
                made.rows.append((a, b, labels.get(one.pair, "unrelated"), measures))

    examine_all(corpus, measured)
    return made


def edits(corpora: list[Corpus], seed: int = 11) -> Corpus:
    """Papers of all corpora with one edit, and merely misread copies; each belongs to the document it was made of."""
    rng, made = random.Random(seed), Corpus("edits", [], [], tested=False, real=False)
    docs = [doc for corpus in corpora for doc in corpus.docs if is_editable(doc)]
    docs = rng.sample(docs, min(EDITED_TEXTS, len(docs)))
    for doc in docs:
        other = rng.choice(docs)["content"]
        for original, copy, kind in edited_pairs(doc["content"], doc.get("lang", "en"), other, rng):
            a, b = (
                view(fingerprint(Document(n, text), recipe.DEFAULT)) for n, text in ((1, original), (2, copy))
            )
            measures = compare(a, b, Neighbourhood([b])).measures
            label = "copy" if kind == "copy" else "rewording" if kind in PROSE else "edit"
            made.rows.append((doc["id"], doc["id"], label, measures))
    return made


def copies(corpus: Corpus, seed: int = 5) -> Corpus:
    """Each labelled document misread once more, compared with all others; each copy belongs to its document."""
    rng, labels = random.Random(seed), corpus.labels()
    labelled = {one for pair in labels for one in pair}
    more = [
        doc | {"id": doc["id"] + COPIED, "content": reread(doc["content"], rng)}
        for doc in corpus.docs
        if doc["id"] in labelled and len(doc["content"]) <= LONGEST_COPIED
    ]
    mixed = Corpus(f"copies of {corpus.name}", [*corpus.docs, *more], corpus.pairs, tested=False)
    rng.shuffle(mixed.docs)
    collect(mixed, lambda a, b: max(a, b) >= COPIED)
    return Corpus(
        mixed.name,
        [],
        [],
        tested=False,
        real=False,
        rows=[
            (a % COPIED, b % COPIED, copied_label(a % COPIED, b % COPIED, labels), found)
            for a, b, _, found in mixed.rows
        ],
    )


def reread(text: str, rng: random.Random) -> str:
    lines_read = Channel.draw(rng.choice(LEVELS), rng).read(text.split("\n"), rng)
    return "\n".join(in_columns(lines_read, rng) if rng.random() < COLUMNS else lines_read)


def copied_label(a: int, b: int, labels: dict[tuple[int, int], str]) -> str:
    label = "duplicate" if a == b else labels.get((min(a, b), max(a, b)), "unrelated")
    return "reread" if label == "duplicate" else label


def alone(corpora: list[Corpus], seed: int = 11) -> Corpus:
    """Labelled pairs in an archive of nothing else: there, nothing tells what belongs to the template."""
    rng, made = random.Random(seed), Corpus("alone", [], [], tested=False, real=False)
    for corpus in corpora:
        docs = {doc["id"]: doc for doc in corpus.docs}
        pairs = [pair for pair in corpus.pairs if pair["label"] != "translated"]
        for pair in rng.sample(pairs, min(ALONE, len(pairs))):
            a, b = (
                view(fingerprint(Document(one, docs[one]["content"]), recipe.DEFAULT))
                for one in (pair["a"], pair["b"])
            )
            if not exact_verdict(a.fingerprint, b.fingerprint):
                made.rows.append((a.id, b.id, pair["label"], compare(a, b, Neighbourhood([b])).measures))
    return made


def is_editable(doc: Row) -> bool:
    return doc.get("noise") == "digital" and 40 <= len(doc["content"].split()) <= 900


def sources(corpora: list[Corpus]) -> dict[int, str]:
    """Documents to where they come from, a template being one source in all corpora; of a corpus with one source, to their templates."""
    found = {}
    for corpus in corpora:
        heads = {doc["id"]: re.split("[:/]| section", doc["source"])[0] for doc in corpus.docs}
        one = len(set(heads.values())) == 1
        for doc in corpus.docs:
            found[doc["id"]] = doc["source"] if one else heads[doc["id"]]
    return found


def folds(groups: dict[int, str], sizes: Counter[str], count: int) -> dict[int, int]:
    """Groups to folds, the largest first into the emptiest."""
    filled, fold = [0] * count, {}
    for name in sorted(set(groups.values()), key=lambda one: (-sizes[one], one)):
        fold[name] = filled.index(min(filled))
        filled[fold[name]] += sizes[name] + 1
    return {number: fold[name] for number, name in groups.items()}


def table_of(corpora: list[Corpus], fold_of: dict[int, int]) -> Table:
    rows = [(row, corpus.tested) for corpus in corpora for row in corpus.rows]
    return Table(
        rounded([[row[3][name] for name in ALL] for row, _ in rows]),
        np.array([row[2] for row, _ in rows]),
        np.array([fold_of.get(row[0], -1) for row, _ in rows]),
        np.array([fold_of.get(row[1], -1) for row, _ in rows]),
        np.array([tested for _, tested in rows]),
        np.array([not corpus.real for corpus in corpora for _ in corpus.rows]),
        np.array([not corpus.tested and bool(corpus.docs) for corpus in corpora for _ in corpus.rows]),
    )
