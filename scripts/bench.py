#!/usr/bin/env python3
"""What the core and its index cost. A benchmark prints a table; it is not a test.

    bench.py [growth] [--sizes 1000,10000,100000] [--measured 400]
    bench.py million [--sizes 10000,100000,1000000] [--store directory|redis] [--measured 400]
    bench.py yardstick DOCS.jsonl
    bench.py all [--sizes 500,1500,4500] [--picture docs/performance.svg]
    bench.py family [--sizes 3000,30000]

growth     CPU a document for opening the index, reading, looking up, judging and storing, as a hook does it for each
           document anew, and index bytes a document, at each size.
           The index bytes are those of the files less the compressed texts that the records keep.
million    the same index as it grows, in a directory or on a Redis server: CPU of insert and query, cold open, bytes
           a document, memory, and the exponent with which a query grows.
yardstick  CPU and peak memory of `paperless-dedupe scan` on a file, against datasketch's MinHash(256) with one
           `update` per word 3-gram of the same texts: no index, no comparison, imports not counted.
all        signature, insert, query, verdict, whole examination, cold hook, forwarder, service and shared store in one table,
           beside datasketch, rapidfuzz and rensa (where installed); growth exponents, and a picture of them.
family     one template filled in thousands of times: what a query costs then, and whether a second scan of one of the
           oldest still finds it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from dedupe_core.model import Document
    from scripts.benchmarks import documents as made

FILL_BATCH = 200  # documents a transaction while the index is filled
SAMPLED = 20  # of so many documents the compressed text of one is measured
LIMITS = {"cost": 2.0, "index_bytes": 2600, "yardstick": 2.0, "rss_mb": 300}


class Stopwatch:
    """CPU milliseconds by name."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.spent[name] = self.spent.get(name, 0.0) + 1000 * (time.process_time() - start)


@dataclass(frozen=True, slots=True)
class Line:
    """One size of archive: milliseconds a document by step, and bytes a document."""

    documents: int
    steps: dict[str, float]
    index_bytes: float
    total_bytes: float

    @property
    def total_ms(self) -> float:
        return sum(self.steps.values())


def growth(sizes: list[int], measured: int) -> list[Line]:
    """Grow one index through all sizes; at each of them examine some more documents one by one."""
    from scripts.benchmarks import documents as made

    source, lines = made.Archive(), []
    done, text_bytes = 0, 0.0
    with tempfile.TemporaryDirectory() as directory:
        index = Path(directory) / "index"
        for size in sizes:
            text_bytes += _fill(index, source, done, size - done)
            files = sum(path.stat().st_size for path in index.iterdir())
            steps = _examine(index, source.documents(size, measured))
            lines.append(Line(size, steps, (files - text_bytes) / size, files / size))
            _forget(index, size, measured)
            done = size
    return lines


def _fill(index: Path, source: made.Archive, first: int, count: int) -> float:
    """Store without judging; returns the bytes of the compressed texts, from a sample."""
    from dedupe_core.fingerprint.fingerprint import fingerprint
    from dedupe_core.policy import DEFAULT as POLICY
    from dedupe_core.recipe import DEFAULT as RECIPE
    from hook.examination.archive import Archive

    sampled = 0
    with Archive.open(index, RECIPE, POLICY) as archive:
        for start in range(first, first + count, FILL_BATCH):
            with archive.batch():
                for document in source.documents(start, min(FILL_BATCH, first + count - start)):
                    found = fingerprint(document, RECIPE)
                    archive.remember(found)
                    if document.id % SAMPLED == 0:
                        sampled += len(zlib.compress(found.text.encode("utf-8", "surrogatepass"), 6))
            _progress(start + FILL_BATCH)
    return float(sampled * SAMPLED)


def _examine(index: Path, documents: Iterator[Document]) -> dict[str, float]:
    """As the hook does it, step by step, each document for itself: nothing is open from the one before."""
    from dedupe_core.compare.view import view
    from dedupe_core.fingerprint.fingerprint import fingerprint
    from dedupe_core.judge.judge import judge
    from dedupe_core.policy import DEFAULT as POLICY
    from dedupe_core.recipe import DEFAULT as RECIPE
    from hook.examination.archive import Archive

    watch, count = Stopwatch(), 0
    for document in documents:
        with ExitStack() as stack:
            with watch.on("open"):
                archive = stack.enter_context(Archive.open(index, RECIPE, POLICY))
            with watch.on("read"):
                found = fingerprint(document, RECIPE)
            with watch.on("look up"):
                others = archive.neighbours(found)
            with watch.on("judge"):
                judge(view(found), others, POLICY)
            with watch.on("store"):
                archive.remember(found)
        count += 1
    return {name: spent / count for name, spent in watch.spent.items()}


def _forget(index: Path, first: int, count: int) -> None:
    from dedupe_core.policy import DEFAULT as POLICY
    from dedupe_core.recipe import DEFAULT as RECIPE
    from hook.examination.archive import Archive

    with Archive.open(index, RECIPE, POLICY) as archive, archive.batch():
        for number in range(first, first + count):
            archive.forget(number)


def _progress(documents: int) -> None:
    if documents % 10_000 == 0:
        print(f"... {documents} documents stored", file=sys.stderr, flush=True)


def growth_table(lines: list[Line]) -> str:
    names = list(lines[0].steps)
    head = [
        "documents",
        *(f"{name} ms" for name in names),
        "total ms",
        "ratio",
        "index B/doc",
        "with text B/doc",
    ]
    rows = [
        [
            f"{line.documents:,}",
            *(f"{line.steps[name]:.2f}" for name in names),
            f"{line.total_ms:.2f}",
            f"{line.total_ms / lines[0].total_ms:.2f}",
            f"{line.index_bytes:.0f}",
            f"{line.total_bytes:.0f}",
        ]
        for line in lines
    ]
    ratio, index_bytes = lines[-1].total_ms / lines[0].total_ms, lines[-1].index_bytes
    verdict = (
        f"cost at {lines[-1].documents:,} against {lines[0].documents:,}: {ratio:.2f}x (at most {LIMITS['cost']:g}x); "
        f"index {index_bytes:.0f} B a document (under {LIMITS['index_bytes']:g})"
    )
    return f"{_markdown(head, rows)}\n\n{verdict}"


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---:"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def yardstick(file: str) -> str:
    """Each in a process of its own, on one core; the scan is charged for its imports, the yardstick is not."""
    plain_s = float(_run([sys.executable, __file__, "minhash", file])[0])
    with tempfile.TemporaryDirectory() as home:
        _, scan_s, rss_mb = _run(
            [sys.executable, "-m", "hook.cli", "scan", "--jobs", "1", str(Path(file).resolve())], HOME=home
        )
    head = ["", "CPU s", "ratio", "peak MB"]
    rows = [
        ["MinHash(256), update per word 3-gram", f"{plain_s:.1f}", "1.00", ""],
        ["paperless-dedupe scan", f"{scan_s:.1f}", f"{scan_s / plain_s:.2f}", f"{rss_mb:.0f}"],
    ]
    return f"{_markdown(head, rows)}\n\nat most {LIMITS['yardstick']:g}x, under {LIMITS['rss_mb']:g} MB"


def _run(command: list[str], **environ: str) -> tuple[str, float, float]:
    """What it printed, its CPU seconds and its peak memory in MB."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | environ, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
        out.seek(0)
        per_mb = 1024 * 1024 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kilobytes
        return out.read().decode(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / per_mb


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what",
        nargs="?",
        default="growth",
        choices=("growth", "million", "yardstick", "minhash", "all", "family"),
    )
    parser.add_argument("file", nargs="?", metavar="DOCS.jsonl")
    parser.add_argument(
        "--sizes", help="rising, with commas (default: 1000,10000,100000; of million: 10000,100000,1000000)"
    )
    parser.add_argument("--store", default="directory", choices=("directory", "redis"), help="of million")
    parser.add_argument(
        "--measured", type=int, default=400, help="documents examined at each size (default: %(default)s)"
    )
    parser.add_argument(
        "--picture",
        type=Path,
        default=ROOT / "docs" / "performance.svg",
        help="of all (default: %(default)s)",
    )
    args = parser.parse_args()
    if args.what == "growth":
        sizes = args.sizes or "1000,10000,100000"
        print(growth_table(growth([int(size) for size in sizes.split(",")], args.measured)))
        return 0
    if args.what == "million":
        from scripts.benchmarks import stores as bench_stores

        sizes = [int(size) for size in (args.sizes or "10000,100000,1000000").split(",")]
        print(bench_stores.table(args.store, bench_stores.measure(args.store, sizes, args.measured)))
        return 0
    if args.what == "all":
        from scripts.benchmarks import together

        print(together.run([int(size) for size in (args.sizes or "500,1500,4500").split(",")], args.picture))
        return 0
    if args.what == "family":
        from scripts.benchmarks import family

        print(family.table([int(size) for size in (args.sizes or "3000,30000").split(",")]))
        return 0
    if args.file is None:
        parser.error(f"{args.what} needs DOCS.jsonl")
    print(yardstick(args.file) if args.what == "yardstick" else minhash(args.file))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
