"""Measure how scanners misread text, on documents that exist both as a digital text and as scans of it.

    python -m scripts.corpus noise DOCS.jsonl PAIRS.jsonl [DOCS.jsonl PAIRS.jsonl ...] > noise_table.json

DOCS   {"id", "content", "noise"} a line; PAIRS {"a", "b", "label", "sub"} a line.
Used are the duplicate pairs of which one is `digital` and the other light, medium or heavy; what is read for which
character is also taken from scans of different quality, the better one as what was printed. The table holds rates
of characters and of lines, never words, so it can be kept where the documents cannot.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Indel, Levenshtein

LEVELS = ("light", "medium", "heavy")
RANKS = {"digital": 0, "light": 1, "medium": 2, "heavy": 3}
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
WORDS_LOST = 6  # a longer span that is missing is a lost or garbled line, not single misread words
WORDS_ALIGNED = 25  # longer spans are moved text more often than misread text
LEAST_LIKENESS = 0.5  # less alike than this, two spans are different text
OUTCOMES = 8  # kept a character
LEAST_COUNT = 2  # an outcome seen once is as likely an accident of the alignment
LEAST_PAIRS = 4  # the same for two characters read as one or two others
PUNCTUATION = " .,:;-/()'\"!?&%$€£§+*_=#@\u2013\u2019\u201c\u201d\u201e\u00b7\u00b0"
ABOUT = (
    "Rates of characters are relative to the mean character; what they are read as sums to 1. "
    "Word errors, lost words and the rest are quantiles: 0, 10, 25, 50, 75, 90 and 100% of the scans."
)

Row = dict[str, Any]
Pair = tuple[str, str, str]  # the better text, the worse one, the noise of that if the better one is digital


def rows(path: str) -> list[Row]:
    with Path(path).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def scans(docs_path: str, pairs_path: str) -> Iterator[Pair]:
    """Pairs of a digital document and a scan of it."""
    docs = {row["id"]: row for row in rows(docs_path)}
    for pair in rows(pairs_path):
        one, other = docs[pair["a"]], docs[pair["b"]]
        if RANKS.get(other["noise"], 9) < RANKS.get(one["noise"], 9):
            one, other = other, one
        if pair["label"] == "duplicate" and RANKS.get(one["noise"], 9) < RANKS.get(other["noise"], -1):
            yield one["content"], other["content"], other["noise"] if one["noise"] == "digital" else ""


def misread(clean: str, read: str) -> Iterator[tuple[str, str]]:
    """What was read for what, in two aligned spans: adjacent edits are one, an insertion takes its left neighbour."""
    spans: list[list[int]] = []
    for op in Levenshtein.opcodes(clean, read):
        i1, i2, j1, j2 = op.src_start, op.src_end, op.dest_start, op.dest_end
        if op.tag == "equal":
            spans.append([])
        elif spans and spans[-1]:
            spans[-1] = [spans[-1][0], i2, spans[-1][2], j2]
        else:
            spans.append([i1, i2, j1, j2])
    for i1, i2, j1, j2 in filter(None, spans):
        left, right = int(i1 == i2 and i1 > 0), int(i1 == i2 == 0)
        yield clean[i1 - left : i2 + right], clean[i1 - left : i1] + read[j1:j2] + clean[i2 : i2 + right]


def lines_of(text: str) -> list[int]:
    """The line number of each word."""
    return [number for number, line in enumerate(text.splitlines()) for _ in line.split()]


class Measured:
    """What is counted over all pairs."""

    def __init__(self) -> None:
        self.printed: Counter[str] = Counter()
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.documents: dict[str, list[Row]] = defaultdict(list)

    def add(self, clean: str, read: str, noise: str) -> None:
        source, target = clean.split(), read.split()
        if len(source) < 10 or not target:
            return
        line_of, wrong, lost = lines_of(clean), Counter[int](), 0
        bag = Counter(source) - Counter(target)
        for op in Indel.opcodes(source, target):
            i1, i2 = op.src_start, op.src_end
            if op.tag == "equal":
                self._print(" ".join([*source[i1:i2], ""]))
                continue
            wrong.update(line_of[i] for i in range(i1, i2) if bag[source[i]] > 0)
            lost += sum(bag[word] > 0 for word in source[i1:i2]) if i2 - i1 > WORDS_LOST else 0
        self._characters(source, target)
        count = Counter(line_of)
        self.documents[noise].append({
            "words": len(source), "wrong": sum(bag.values()), "lost": lost,
            "extra": sum((Counter(target) - Counter(source)).values()),
            "lines": [(count[number], wrong[number]) for number in count],
        })  # fmt: skip

    def _characters(self, source: list[str], target: list[str]) -> None:
        """Adjacent deletions and insertions of words are one replaced span."""
        ops = [op for op in Indel.opcodes(source, target) if op.tag != "equal"]
        index = 0
        while index < len(ops):
            op = ops[index]
            i1, i2, j1, j2 = op.src_start, op.src_end, op.dest_start, op.dest_end
            while index + 1 < len(ops) and ops[index + 1].src_start == i2 and ops[index + 1].dest_start == j2:
                index += 1
                i2, j2 = ops[index].src_end, ops[index].dest_end
            index += 1
            here, there = " ".join(source[i1:i2]), " ".join(target[j1:j2])
            if max(i2 - i1, j2 - j1) > WORDS_ALIGNED or not here or not there:
                continue
            if Levenshtein.normalized_similarity(here, there) < LEAST_LIKENESS:
                continue
            self._print(here + " ")
            self.outcomes.update(found for found in misread(here, there) if plausible(*found))

    def _print(self, text: str) -> None:
        self.printed.update(text)
        self.printed.update(first + second for first, second in pairwise(text))

    def table(self) -> Row:
        total = sum(self.outcomes.values()) / sum(
            count for one, count in self.printed.items() if len(one) == 1
        )
        by: dict[str, dict[str, int]] = defaultdict(dict)
        for (clean, read), count in self.outcomes.most_common():
            if count >= (LEAST_COUNT if len(clean) == 1 else LEAST_PAIRS) and len(by[clean]) < OUTCOMES:
                by[clean][read] = count
        characters = {
            clean: {
                "rate": round(sum(found.values()) / max(self.printed[clean], 20) / total, 3),
                "to": {read: round(count / sum(found.values()), 3) for read, count in found.items()},
            }
            for clean, found in sorted(by.items())
            if found
        }
        levels = {noise: self._level(noise) for noise in LEVELS}
        pairs = sum(level["documents"] for level in levels.values())
        return {"pairs": pairs, "levels": levels, "characters": characters}

    def _level(self, noise: str) -> Row:
        documents = self.documents[noise]
        return {
            "documents": len(documents),
            "word_error": quantiles([one["wrong"] / one["words"] for one in documents]),
            "lost_words": quantiles([one["lost"] / one["words"] for one in documents]),
            "extra_words": quantiles([one["extra"] / one["words"] for one in documents]),
            "worst_fifth": quantiles([worst_fifth(one["lines"]) for one in documents if one["wrong"] >= 5]),
        }


def plausible(clean: str, read: str) -> bool:
    """A short confusion of characters that a printer prints; private and control characters are faults of a PDF."""
    return len(clean) <= 2 and len(read) <= 3 and all(one.isalnum() or one in PUNCTUATION for one in clean)


def quantiles(values: list[float]) -> list[float]:
    values = sorted(values)
    return [round(values[int(q * (len(values) - 1))], 4) for q in QUANTILES] if values else []


def worst_fifth(lines: list[tuple[int, int]]) -> float:
    """The share of the misread words that are on the worst fifth of the lines: 0.2 if errors fell evenly."""
    lines = sorted(lines, key=lambda line: line[1] / line[0], reverse=True)
    total, reached, wrong = sum(count for count, _ in lines), 0, 0
    for count, bad in lines:
        if reached >= total / 5:
            break
        reached, wrong = reached + count, wrong + bad
    return wrong / max(1, sum(bad for _, bad in lines))


def main(words: list[str] | None = None) -> int:
    paths = sys.argv[1:] if words is None else words
    if len(paths) < 2 or len(paths) % 2:
        print(__doc__, file=sys.stderr)
        return 2
    measured = Measured()
    for docs, pairs in zip(paths[::2], paths[1::2], strict=True):
        for clean, read, noise in scans(docs, pairs):
            measured.add(clean, read, noise)
    print(text_of(measured.table()))
    return 0


def text_of(table: Row) -> str:
    """JSON with one level or character a line, so that a diff of it can be read."""
    parts = []
    for name in ("levels", "characters"):
        rows_of = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table[name].items())
        parts.append(f' "{name}": {{\n' + ",\n".join(rows_of) + "\n }")
    about = json.dumps(
        f"Measured by fit/noise.py on {table['pairs']} digital documents beside a scan of each. {ABOUT}"
    )
    return f'{{\n "about": {about},\n' + ",\n".join(parts) + "\n}"
