"""What the semantic tier costs and finds, with the local model.

    python -m scripts.benchmarks semantic cost                     CPU and memory of a cold process, and of a document
    python -m scripts.benchmarks semantic vectors [--count N]      look-up among N vectors: time, and recall of the sign bits

Kinds of run alternate, so that a busy machine affects all alike.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from hook.deadline import Deadline
from hook.semantic.embedder import embed_document, normalised
from hook.semantic.local import LocalEmbedder
from hook.semantic.vectors import Vectors
from scripts.archives import stored
from scripts.benchmarks.processes import PROGRAM, measured
from scripts.subcommands import make_parser

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
    with stored() as archive:
        kept = Vectors(archive.index, "bench")
        for first in range(0, count, 1000):
            with archive.batch():
                for number in range(first, min(first + 1000, count)):
                    kept.put(number, b"12345678", made[number])
        times, hits = [], 0
        for number in range(asked):
            near = normalised(made[[number]] + 0.02 * random.standard_normal((1, 512)))[0]
            exact = set(np.argsort(-(made @ near))[:10].tolist())
            began = time.process_time()
            hits += len(exact & {one.id for one in kept.nearest(near, 10)})
            times.append(time.process_time() - began)
    print(
        f"{count} vectors: {1000 * statistics.median(times):.0f} ms CPU a look-up, recall of 10 {hits / asked / 10:.3f}"
    )


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("what", choices=("cost", "vectors"))
    parser.add_argument("--count", type=int, default=100_000)
    args = parser.parse_args()
    if args.what == "cost":
        cost()
    else:
        vectors(args.count)
    return 0
