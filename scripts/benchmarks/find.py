"""How complete `find` is, and what it reads: against a count of every pair.

    python -m scripts.benchmarks find DOCS.jsonl [--documents 2000] [--overlap 20]

The truth is counted over all pairs from the raw texts, without the index: the share of what truly overlaps that was returned.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from dedupe_core import recipe as recipes
from dedupe_core.fingerprint.shingles import text_hashes
from dedupe_core.model import Document
from dedupe_core.text.normalise import normalise
from hook.commands.scan import documents
from hook.examination.archive import Archive
from hook.examination.overlap import Question
from scripts.archives import stored
from scripts.subcommands import make_parser

FLOOR = 0.99
WHOLE = replace(recipes.DEFAULT, part_rate=1, part_limit=1 << 31)


def true_overlaps(texts: list[Document], share: float) -> Iterator[tuple[int, set[int]]]:
    """Each document, and those in which at least that share of its passages stand."""
    shingles = [text_hashes(normalise(text.content), WHOLE)[1] for text in texts]
    lengths = [len(one) for one in shingles]
    hashes = np.concatenate(shingles)
    owner = np.repeat(np.arange(len(texts)), lengths)
    order = np.argsort(hashes, kind="stable")
    hashes, owner = hashes[order], owner[order]
    for place, own in enumerate(shingles):
        first, last = np.searchsorted(hashes, own, "left"), np.searchsorted(hashes, own, "right")
        counts = last - first
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        shared = np.bincount(owner[np.repeat(first, counts) + within], minlength=len(texts))
        shared[place] = 0
        enough = np.flatnonzero(shared >= share * max(1, len(own)))
        yield texts[place].id, {texts[other].id for other in enough}


def measure(archive: Archive, truth: dict[int, set[int]], share: float) -> Counter[str]:
    """Sums over all questions."""
    row = Counter[str]()
    began = time.process_time()
    for number, expected in truth.items():
        given = archive.fingerprint_of(number)
        assert given is not None
        returned = {match.fingerprint.id for match in archive.overlapping(given, Question(share))}
        row.update(truth=len(expected), found=len(expected & returned), wrong=len(returned - expected))
    row["us"] = int(1e6 * (time.process_time() - began))
    return row


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("file", metavar="DOCS.jsonl")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--overlap", type=int, default=20)
    args = parser.parse_args()
    with Path(args.file).open(encoding="utf-8") as file:
        texts = list(islice(documents(file, args.file), args.documents))
    share = args.overlap / 100
    truth = dict(true_overlaps(texts, share))
    with stored(texts) as archive:
        return report(archive, truth, share)


def report(archive: Archive, truth: dict[int, set[int]], share: float) -> int:
    print(f"{len(truth)} documents; {sum(map(len, truth.values()))} overlap another by {share:.0%} or more")
    row = measure(archive, truth, share)
    recall, each_ms = row["found"] / max(1, row["truth"]), row["us"] / len(truth) / 1000
    print(f"recall {recall:.4f} (at least {FLOOR}), wrong {row['wrong']}, {each_ms:.1f} ms each")
    return int(recall < FLOOR)
