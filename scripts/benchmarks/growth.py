"""What the core and its index cost as the archive grows, step by step, as a hook does it for each document anew.

    python -m scripts.benchmarks growth [--sizes 1000,10000,100000] [--measured 400]

CPU a document for opening the index, reading, looking up, judging and storing, and index bytes a document, at each size.
The index bytes are those of the files less the compressed texts that the records keep.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dedupe_core.compare.view import view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.judge import judge
from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive
from scripts.benchmarks.documents import Archive as Source
from scripts.benchmarks.processes import table

FILL_BATCH = 200  # documents a transaction while the index is filled
SAMPLED = 20  # of so many documents the compressed text of one is measured
LIMITS = {"cost": 2.0, "index_bytes": 2600}


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
    source, lines = Source(), []
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


def _fill(index: Path, source: Source, first: int, count: int) -> float:
    """Store without judging; returns the bytes of the compressed texts, from a sample."""
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
    limits = (
        f"at most {LIMITS['cost']:g} times the cost, under {LIMITS['index_bytes']:g} index bytes a document"
    )
    return f"{table(head, rows)}\n\n{limits}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sizes", default="1000,10000,100000", help="rising, with commas (default: %(default)s)"
    )
    parser.add_argument(
        "--measured", type=int, default=400, help="documents examined at each size (default: %(default)s)"
    )
    args = parser.parse_args()
    print(growth_table(growth([int(size) for size in args.sizes.split(",")], args.measured)))
    return 0
