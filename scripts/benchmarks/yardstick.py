"""CPU and peak memory of `paperless-dedupe scan` on a file, against datasketch's MinHash(256).

    python -m scripts.benchmarks yardstick DOCS.jsonl

The yardstick is one `update` per word 3-gram of the same texts: no index, no comparison, imports not counted.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from scripts.benchmarks.processes import PROGRAM, Cost, environment, measured
from scripts.subcommands import make_parser
from scripts.tables import table

LIMITS = {"yardstick": 2.0, "rss_mb": 300}


def figures(file: str) -> tuple[float, Cost]:
    """CPU seconds of the yardstick, and what a scan costs. Each in a process of its own, on one core; the scan is charged for
    its imports, the yardstick is not."""
    documents, own = str(Path(file).resolve()), [sys.executable, "-m", "scripts.benchmarks", "yardstick"]
    plain_s = float(measured([*own, "--plain", documents], dict(os.environ)).out)
    with tempfile.TemporaryDirectory() as home:
        return plain_s, measured([*PROGRAM, "scan", "--jobs", "1", documents], environment(Path(home)))


def yardstick(file: str) -> str:
    plain_s, cost = figures(file)
    rows = [
        ["MinHash(256), update per word 3-gram", f"{plain_s:.1f}", "1.00", ""],
        ["paperless-dedupe scan", f"{cost.cpu_s:.1f}", f"{cost.cpu_s / plain_s:.2f}", f"{cost.rss_mb:.0f}"],
    ]
    limits = f"at most {LIMITS['yardstick']:g}x, under {LIMITS['rss_mb']:g} MB"
    return f"{table(['', 'CPU s', 'ratio', 'peak MB'], rows)}\n\n{limits}"


def minhash(file: str) -> str:
    """The yardstick itself: CPU seconds, without reading the file and without imports."""
    from datasketch import MinHash

    with Path(file).open(encoding="utf-8") as lines:
        texts = [json.loads(line)["content"] for line in lines if line.strip()]
    start = time.process_time()
    for text in texts:
        words = text.lower().split()
        signature = MinHash(num_perm=256)
        for place in range(len(words) - 2):
            signature.update(" ".join(words[place : place + 3]).encode("utf-8", "surrogatepass"))
    return f"{time.process_time() - start:.3f}"


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("file", metavar="DOCS.jsonl")
    parser.add_argument("--plain", action="store_true", help="only the yardstick, in CPU seconds")
    args = parser.parse_args()
    print(minhash(args.file) if args.plain else yardstick(args.file))
    return 0
