"""Measures the suggestion which of two copies to keep, on pairs whose better side is known.

    python -m scripts.evaluation keeper DOCUMENTS PAIRS [DOCUMENTS PAIRS ...]

DOCUMENTS are JSON lines with `id`, `content` and `noise` (digital, none, light, medium, heavy), PAIRS with `a`, `b` and
`label`. Of a duplicate pair with different noise, the side with less noise is the better one. "files": with what Paperless
knows of the file (born digital or not), "text": with the two texts alone, as if nothing was known of the files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dedupe_core.judge.readability import readability
from dedupe_core.model import Relation
from dedupe_core.text.normalise import printed
from hook.findings.findings import Finding
from hook.findings.keeper import Files, Ours, suggest
from hook.paperless.values import RawDocument
from scripts.subcommands import make_parser

NOISES: Final = ("digital", "none", "light", "medium", "heavy")  # the best first


@dataclass(frozen=True, slots=True)
class Pair:
    better: dict[str, Any]
    worse: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.better['noise']} / {self.worse['noise']}"


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="DOCUMENTS PAIRS")
    files = parser.parse_args().files
    if len(files) % 2:
        parser.error("each file of documents needs a file of pairs")
    read = [[json.loads(line) for line in file.open(encoding="utf-8")] for file in files]
    pairs = [pair for place in range(0, len(read), 2) for pair in known(read[place], read[place + 1])]
    if not pairs:
        print("no duplicate pairs with different noise", file=sys.stderr)
        return 1
    print(f"{'better / worse':18}{'pairs':>6}{'files: right':>14}{'text: right':>13}{'wrong':>7}{'alike':>7}")
    names = sorted(
        {pair.name for pair in pairs}, key=lambda name: [NOISES.index(n) for n in name.split(" / ")]
    )
    for name in names:
        print(row(name, [pair for pair in pairs if pair.name == name]))
    digital = [pair for pair in pairs if pair.better["noise"] == "digital"]
    light = [pair for pair in pairs if pair.name in ("light / heavy", "none / heavy")]
    print(row("digital / scan", digital))
    print(row("light / heavy", light))
    print(row("both of these", [*digital, *light]))
    return 0


def known(documents: Iterable[dict[str, Any]], pairs: Iterable[dict[str, Any]]) -> Iterator[Pair]:
    """The duplicate pairs of which one side has less noise."""
    found = {entry["id"]: entry for entry in documents}
    for entry in pairs:
        both = [found[entry["a"]], found[entry["b"]]]
        noises = [one["noise"] for one in both]
        if entry["label"] == "duplicate" and set(noises) <= set(NOISES) and noises[0] != noises[1]:
            better, worse = sorted(both, key=lambda one: NOISES.index(one["noise"]))
            yield Pair(better, worse)


def row(name: str, pairs: list[Pair]) -> str:
    scores = [score(pair) for pair in pairs]
    right = sum(map(is_right, pairs, scores))
    by_text = [round(score, 2) for score in scores]
    shares = [sum(s > 0 for s in by_text), sum(s < 0 for s in by_text), sum(s == 0 for s in by_text)]
    text = [f"{count / len(pairs):.1%}" for count in shares]
    return f"{name:18}{len(pairs):6}{right / len(pairs):14.1%}{text[0]:>13}{text[1]:>7}{text[2]:>7}"


def score(pair: Pair) -> float:
    """Positive if the better side is the better reading by its text."""
    return readability(*(printed(one["content"]) for one in (pair.better, pair.worse)))


def is_right(pair: Pair, score: float) -> float:
    """1 or 0; one half where only the date of arrival decides, which says nothing about quality."""
    better, worse = RawDocument(1), RawDocument(2)
    digital = (pair.better["noise"] == "digital", pair.worse["noise"] == "digital")
    finding = Finding(2, Relation.RESCAN, 1.0)
    choice = suggest(finding, better, worse, Ours(), Files(digital, score))
    return 0.5 if choice.reason == "added first" else float(choice.keeper == 1)
