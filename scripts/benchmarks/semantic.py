"""What the semantic tier costs and finds, with the local model.

    python -m scripts.benchmarks semantic cost                     CPU and memory of a cold process, and of a document
    python -m scripts.benchmarks semantic vectors [--count N]      look-up among N vectors: time, and recall of the sign bits
    python -m scripts.benchmarks semantic nearest DOCS PAIRS       how many translations are among the nearest 3 and 8
    python -m scripts.benchmarks semantic find INDEX PAIRS         the same by `find --semantic`, among all documents of an index
                                                              that `DEDUPE_SEMANTIC=local paperless-dedupe scan --index` made

DOCS and PAIRS are as `python -m scripts.evaluation accuracy` reads them. Kinds of run alternate, so that a busy machine affects all alike.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.deadline import Deadline
from hook.examination.archive import Archive
from hook.semantic.embedder import embed_document, normalised
from hook.semantic.local import LocalEmbedder
from hook.semantic.tier import SemanticTier
from hook.semantic.vectors import Vectors
from scripts.benchmarks.processes import PROGRAM, measured

SENTENCE = "the letter of the town about water heating and the bill for your flat in March is due on Friday please pay"
WORDS = SENTENCE.split()


def cost(runs: int = 5) -> None:
    """A cold `scan` of one letter stands for the hook: the same imports and the same index, without the network."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "docs.jsonl")
        file.write_text(json.dumps({"id": 1, "content": " ".join(WORDS * 6)}) + "\n", encoding="utf-8")
        used: dict[str, list[float]] = {"off": [], "local": []}
        for _ in range(runs):
            for mode, times in used.items():
                environ = {**os.environ, "DEDUPE_SEMANTIC": mode, "OPENBLAS_NUM_THREADS": "1"}
                times.append(measured([*PROGRAM, "scan", str(file)], environ).cpu_s)
    off, on = (statistics.median(used[mode]) for mode in ("off", "local"))
    print(f"cold process: {off:.2f} CPU s without, {on:.2f} with the tier: {on / off:.1f}x")
    model = LocalEmbedder()
    for count in (120, 400, 2000, 20_000):
        text = " ".join((WORDS * (count // len(WORDS) + 1))[:count])
        embed_document(model, text, Deadline.never())
        began = time.process_time()
        embed_document(model, text, Deadline.never())
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{count:>6} words: {time.process_time() - began:.2f} CPU s, peak {peak_mb} MB")


def vectors(count: int, asked: int = 50) -> None:
    random = np.random.default_rng(1)
    made = normalised(random.standard_normal((count, 60)) @ random.standard_normal((60, 512)))
    with (
        tempfile.TemporaryDirectory() as place,
        Archive.open(Path(place) / "index", RECIPE, POLICY) as archive,
    ):
        stored = Vectors(archive.index, "bench")
        for first in range(0, count, 1000):
            with archive.batch():
                for number in range(first, min(first + 1000, count)):
                    stored.put(number, b"12345678", made[number])
        times, hits = [], 0
        for number in range(asked):
            near = normalised(made[[number]] + 0.02 * random.standard_normal((1, 512)))[0]
            exact = set(np.argsort(-(made @ near))[:10].tolist())
            began = time.process_time()
            hits += len(exact & {one.id for one in stored.nearest(near, 10)})
            times.append(time.process_time() - began)
    print(
        f"{count} vectors: {1000 * statistics.median(times):.0f} ms CPU a look-up, recall of 10 {hits / asked / 10:.3f}"
    )


def nearest(docs: Path, pairs: Path) -> None:
    """Each translated document and a tenth of the others, to be done in minutes."""
    rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
    labels = [json.loads(line) for line in pairs.read_text(encoding="utf-8").splitlines()]
    wanted = [(pair["a"], pair["b"]) for pair in labels if pair["label"] == "translated"]
    named = {number for pair in wanted for number in pair}
    kept = [row for place, row in enumerate(rows) if row["id"] in named or place % 10 == 0]
    model = LocalEmbedder()
    embedded = [(row["id"], embed_document(model, row["content"], Deadline.never())) for row in kept]
    found = {number: vector for number, vector in embedded if vector is not None}
    ids, matrix = list(found), np.stack(list(found.values()))
    ranks = []
    for a, b in wanted:
        if a in found and b in found:
            scores = matrix @ found[a]
            ranks.append(int((scores > found[a] @ found[b]).sum()) - 1)  # without the document itself
    near = {most: sum(rank < most for rank in ranks) / len(ranks) for most in (3, 8)}
    print(
        f"{len(ranks)} translated pairs among {len(ids)} documents: {near[3]:.2f} among the nearest 3, {near[8]:.2f} among 8"
    )


def find(index: Path, pairs: Path) -> None:
    """Both directions of each translated pair, after their missing vectors were made as by `backfill --embeddings`."""
    labels = [json.loads(line) for line in pairs.read_text(encoding="utf-8").splitlines()]
    wanted = [(pair["a"], pair["b"]) for pair in labels if pair["label"] == "translated"]
    with Archive.open(index, RECIPE, POLICY, create=False) as archive:
        tier = SemanticTier(archive, LocalEmbedder(), POLICY, Deadline.never())
        for number in {number for pair in wanted for number in pair}:
            tier.vector_of(archive.known(number))
        ranks = []
        for one, other in [*wanted, *((b, a) for a, b in wanted)]:
            near = [found.id for _, found in tier.nearest(archive.known(one), 8)]
            ranks.append(near.index(other) if other in near else 8)
        count = len(archive.index)
    near_3, near_8 = (sum(rank < most for rank in ranks) / len(ranks) for most in (3, 8))
    print(
        f"{len(ranks)} questions among {count} documents: the translation is among the first 3 for {near_3:.2f}, 8 for {near_8:.2f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("cost")
    commands.add_parser("vectors").add_argument("--count", type=int, default=100_000)
    asked = commands.add_parser("nearest")
    asked.add_argument("docs", type=Path)
    asked.add_argument("pairs", type=Path)
    found = commands.add_parser("find")
    found.add_argument("index", type=Path)
    found.add_argument("pairs", type=Path)
    args = parser.parse_args()
    given = {name: value for name, value in vars(args).items() if name != "command"}
    actions: dict[str, Callable[..., None]] = {
        "find": find,
        "cost": cost,
        "vectors": vectors,
        "nearest": nearest,
    }
    actions[args.command](**given)
    return 0
