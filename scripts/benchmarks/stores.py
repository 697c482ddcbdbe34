"""What an index costs as it grows, in a directory or on a Redis server: called by `bench.py million`.

The texts are made (documents.py): Zipf words, forms of issuers, rescans; 1.9 kB on average. Their number and family
structure are like those of an archive, their words are not.
"""

from __future__ import annotations

import math
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dedupe_core.model import Document
    from hook.examination.archive import Archive
    from hook.settings.address import Address

FILL_BATCH, BACKFILL_BATCH, TIMED = 2_000, 100, 2_000


@dataclass(frozen=True, slots=True)
class Size:
    """CPU milliseconds a document of this process; bytes are those of the files, or of the server's memory."""

    documents: int
    insert_ms: float
    query_ms: float
    open_ms: float
    bytes_a_document: float
    peak_mb: float


def measure(store: str, sizes: list[int], measured: int) -> list[Size]:
    from scripts.benchmarks import documents as made

    source, lines, done = made.Archive(), list[Size](), 0
    with tempfile.TemporaryDirectory() as place, _address(store, Path(place)) as address:
        for size in sizes:
            documents = source.documents(done, size - done)
            insert_ms = _fill(Path(place) / "index", address, documents, size - done)
            lines.append(_measured(Path(place) / "index", address, source, size, measured, insert_ms))
            print(lines[-1], file=sys.stderr, flush=True)
            done = size
    return lines


def table(store: str, lines: list[Size]) -> str:
    head = [
        "store",
        "documents",
        "insert ms",
        "query ms",
        "cold open and query ms",
        "bytes a document",
        "peak MB",
    ]
    rows = [
        [store, f"{one.documents:,}", f"{one.insert_ms:.2f}", f"{one.query_ms:.2f}", f"{one.open_ms:.1f}",
         f"{one.bytes_a_document:,.0f}", f"{one.peak_mb:.0f}"]
        for one in lines
    ]  # fmt: skip
    shown = "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---:"] * len(head), *rows])
    return f"{shown}\n\n{store}: query CPU grows as n^{exponent([(one.documents, one.query_ms) for one in lines]):.2f}"


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the line through the logarithms: 0 does not grow, 1 grows with the archive."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((one - x) ** 2 for one in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread if spread else 0.0


def _fill(index: Path, address: Address | None, documents: Iterator[Document], count: int) -> float:
    """CPU milliseconds of an insert; only the last ones are timed, in batches as large as those of a backfill."""
    timed = min(TIMED, count)
    with opened(index, address) as archive:
        _insert(archive, documents, count - timed, FILL_BATCH)
        return 1000 * _insert(archive, documents, timed, BACKFILL_BATCH) / max(1, timed)


def _insert(archive: Archive, documents: Iterator[Document], count: int, batch: int) -> float:
    from hook.examination.codec import encode

    spent = 0.0
    for start in range(0, count, batch):
        found = [archive.fingerprint(document) for document in islice(documents, min(batch, count - start))]
        begun = time.process_time()
        keys = [archive.keys_by_kind(one) for one in found]
        with archive.batch():
            for one, of_one in zip(found, keys, strict=True):
                archive.index.put(one.id, np.concatenate(of_one), encode(one))
        archive.index.maintain()
        spent += time.process_time() - begun
    return spent


def _measured(
    index: Path, address: Address | None, source: object, size: int, measured: int, insert_ms: float
) -> Size:
    from scripts.benchmarks import documents as made

    asked = list(made.Archive(seed=2).documents(0, measured))
    begun = time.process_time()
    with opened(index, address) as archive:
        archive.candidates(archive.fingerprint(asked[0]))
        open_ms = 1000 * (time.process_time() - begun)
        prints = [archive.fingerprint(one) for one in asked]
        begun = time.process_time()
        for found in prints:
            archive.candidates(found)
        query_ms = 1000 * (time.process_time() - begun) / measured
        stored = _bytes(archive, index, address)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Size(size, insert_ms, query_ms, open_ms, stored / size, peak_mb)


def opened(index: Path, address: Address | None) -> Archive:
    from dedupe_core.policy import DEFAULT as POLICY
    from dedupe_core.recipe import DEFAULT as RECIPE
    from hook.examination.archive import Archive

    return Archive.open(index, RECIPE, POLICY, address=address)


def _bytes(archive: Archive, index: Path, address: Address | None) -> float:
    if address is None:
        return sum(path.stat().st_size for path in index.iterdir())
    from hook.index.shared.index import SharedIndex

    assert isinstance(archive.index, SharedIndex)
    return float(sum(int(info["used_memory"]) for info in archive.index.server.on_each("INFO", "memory")))


@contextmanager
def _address(store: str, place: Path) -> Iterator[Address | None]:
    """Of a server of our own, if the store is one."""
    if store == "directory":
        yield None
        return
    with server_of(place) as address:
        yield address


@contextmanager
def server_of(place: Path) -> Iterator[Address]:
    """A Redis server that keeps everything in memory."""
    from hook.settings.address import parse_address

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["redis-server", "--port", str(port), "--save", "", "--dir", str(place), "--loglevel", "warning"],
        stdout=subprocess.DEVNULL,
    )
    try:
        time.sleep(1.0)
        yield parse_address(f"redis://127.0.0.1:{port}")
    finally:
        process.kill()
        process.wait()
