"""What an index costs as it grows, in a directory or on a Redis server.

    python -m scripts.benchmarks million [--sizes 10000,100000,1000000] [--store directory|redis] [--measured 400]

CPU of fingerprint, insert, query and verdict, cold open, bytes a document, memory, and the exponent with which a query grows.

The texts are made (documents.py): Zipf words, forms of issuers, rescans; 1.9 kB on average. Their number and family
structure are like those of an archive, their words are not. In a directory, what is beyond 100,000 documents are no texts: each has
keys of random documents before it, as many new ones as the last documents had, and the record of another. They are stored
in the order of their keys, so that a million takes minutes. What is timed are texts, whatever the size.
"""

from __future__ import annotations

import math
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dedupe_core.compare.view import view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.judge import judge
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive
from hook.examination.codec import encode
from hook.examination.judging import keys_for
from hook.index import postings
from hook.index.index import Index
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK, Keys
from hook.index.store import Store
from scripts.benchmarks.documents import Archive as Source
from scripts.subcommands import make_parser
from scripts.tables import table
from tests.hook.index.shared.servers import free_port, server

if TYPE_CHECKING:
    from dedupe_core.model import Document
    from hook.settings.address import Address

BACKFILL_BATCH, TIMED = 100, 2_000
FILL_BATCH = {"directory": 20_000, "redis": 2_000}
MOST_TEXTS, KEYS_A_DOCUMENT = 100_000, 104
DRAWN_BATCH, ROWS_AT_ONCE = 50_000, 500
KEPT_BYTES = 4 * (BUCKET_CAP + BUCKET_SLACK // 2)  # of a full bucket, on average
FILL_CACHE = (
    "PRAGMA cache_size = -2000000"  # kB: a batch that fits writes each page once, not once a document
)


@dataclass(frozen=True, slots=True)
class Size:
    """CPU milliseconds a document of this process; bytes are those of the files, or of the server's memory."""

    documents: int
    fingerprint_ms: float
    insert_ms: float
    query_ms: float
    judge_ms: float
    open_ms: float
    bytes_a_document: float
    peak_mb: float


def measure(store: str, sizes: list[int], measured: int) -> list[Size]:
    source, hashes, lines, done = Source(), np.empty(0, np.uint32), list[Size](), 0
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        address = stack.enter_context(server_of(Path(place) / "redis")) if store == "redis" else None
        index = Path(place) / "index"
        for size in sizes:
            timed = min(TIMED, size - done)
            texts = size - timed if address else min(size - timed, max(done, MOST_TEXTS))
            with ProcessPoolExecutor(1) as other:  # its memory is not that of the benchmark
                source, more = other.submit(_fill, index, address, source, done, texts).result()
                hashes = np.concatenate([hashes, more])
                if texts < size - timed:
                    other.submit(_fill_without_texts, index, hashes, texts, size - timed).result()
            documents = source.documents(
                min(size - timed, MOST_TEXTS) if address is None else size - timed, timed
            )
            numbered = (replace(one, id=size - timed + place) for place, one in enumerate(documents))
            insert_ms = _timed(index, address, numbered, timed)
            lines.append(_measured(index, address, source, size, measured, insert_ms))
            print(lines[-1], file=sys.stderr, flush=True)
            done = size
    return lines


def shown(store: str, lines: list[Size]) -> str:
    head = [
        "store",
        "documents",
        "fingerprint ms",
        "insert ms",
        "query ms",
        "verdict ms",
        "cold open and query ms",
    ]
    rows = [
        [store, f"{one.documents:,}", f"{one.fingerprint_ms:.2f}", f"{one.insert_ms:.2f}", f"{one.query_ms:.2f}",
         f"{one.judge_ms:.2f}", f"{one.open_ms:.1f}",
         f"{one.bytes_a_document:,.0f}", f"{one.peak_mb:.0f}"]
        for one in lines
    ]  # fmt: skip
    power = exponent([(one.documents, one.query_ms) for one in lines])
    return (
        f"{table([*head, 'bytes a document', 'peak MB'], rows)}\n\n{store}: query CPU grows as n^{power:.2f}"
    )


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the line through the logarithms: 0 does not grow, 1 grows with the archive."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((one - x) ** 2 for one in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread if spread else 0.0


def _fill(
    index: Path, address: Address | None, source: Source, first: int, end: int
) -> tuple[Source, NDArray[np.uint32]]:
    """Fingerprints on all cores, and large batches; the source, which continues after these documents, and their hashes."""
    batch, hashes = FILL_BATCH["redis" if address else "directory"], [np.empty(0, np.uint32)]
    with opened(index, address) as archive, ProcessPoolExecutor() as cores:
        if isinstance(archive.index, Index):
            archive.index._store.sql(FILL_CACHE)
        for start in range(first, end, batch):
            documents = source.documents(start, min(batch, end - start))
            with archive.batch():
                for number, keys, record in cores.map(_prepared, documents, chunksize=250):
                    archive.index.lookup_and_put(number, keys, record)
                    hashes.append(postings.distinct(keys).astype(np.uint32))
            print(f"... {min(start + batch, end):,} documents stored", file=sys.stderr, flush=True)
    return source, np.concatenate(hashes)


def _fill_without_texts(index: Path, hashes: NDArray[np.uint32], first: int, end: int) -> None:
    random, last = np.random.default_rng(first), len(hashes) // 10
    with opened(index, None) as archive:
        assert isinstance(archive.index, Index)
        store = archive.index._store
        store.sql(FILL_CACHE)
        new = np.isin(hashes[-last:], hashes[:-last], invert=True).mean()
        records = list(archive.index.get_many(range(1000)).values())
        for start in range(first, end, DRAWN_BATCH):
            count = min(DRAWN_BATCH, end - start)
            drawn = random.choice(hashes, KEYS_A_DOCUMENT * count)
            is_new = random.random(len(drawn)) < new
            drawn[is_new] = random.integers(0, 2**32, int(is_new.sum()), np.uint32)
            with archive.batch():
                _add_sorted(
                    store, drawn, np.sort(random.integers(start, start + count, len(drawn), np.uint32))
                )
                for number in range(start, start + count):
                    store.set(number, records[number % len(records)])
            print(f"... {start + count:,} documents stored", file=sys.stderr, flush=True)


def _add_sorted(store: Store, hashes: NDArray[np.uint32], documents: NDArray[np.uint32]) -> None:
    order = np.argsort(hashes, kind="stable")
    keys, starts = np.unique(hashes[order], return_index=True)
    entries, ends = documents[order].tobytes(), [*starts[1:].tolist(), len(order)]
    rows = list(zip(keys.tolist(), starts.tolist(), ends, strict=True))
    for begun in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[begun : begun + ROWS_AT_ONCE]
        known = postings.read(store, np.array([key for key, _, _ in some]))
        joined = [(key, known.get(key, b"") + entries[4 * start : 4 * end]) for key, start, end in some]
        store.sql_each(postings.REPLACE, [(key, bucket[-KEPT_BYTES:]) for key, bucket in joined])


def _prepared(document: Document) -> tuple[int, Keys, bytes]:
    found = fingerprint(document, RECIPE)
    return document.id, np.concatenate(keys_for(found, RECIPE)), encode(found)


def _timed(index: Path, address: Address | None, documents: Iterator[Document], count: int) -> float:
    """CPU milliseconds of an insert, in batches as large as those of a backfill."""
    spent = 0.0
    with opened(index, address) as archive:
        while found := [archive.fingerprint(document) for document in islice(documents, BACKFILL_BATCH)]:
            begun = time.process_time()
            keys = [keys_for(one, RECIPE) for one in found]
            with archive.batch():
                for one, of_one in zip(found, keys, strict=True):
                    archive.index.lookup_and_put(one.id, np.concatenate(of_one), encode(one))
            spent += time.process_time() - begun
    return 1000 * spent / max(1, count)


def _measured(
    index: Path, address: Address | None, source: Source, size: int, measured: int, insert_ms: float
) -> Size:
    """Verdicts are on documents of the same archive; queries are of another one, which finds less."""
    asked, spent_ms = list(Source(seed=2).documents(0, measured)), list[float]()

    @contextmanager
    def timed(count: int = measured) -> Iterator[None]:
        began = time.process_time()
        yield
        spent_ms.append(1000 * (time.process_time() - began) / count)

    with ExitStack() as stack:
        with timed(1):
            archive = stack.enter_context(opened(index, address))
            archive.candidates(archive.fingerprint(asked[0]))
        with timed():
            prints = [archive.fingerprint(one) for one in asked]
        with timed():
            for one in prints:
                archive.candidates(one)
        pairs = [
            (one, archive.neighbours(one))
            for one in map(archive.fingerprint, source.documents(size, measured))
        ]
        with timed():
            for one, others in pairs:
                judge(view(one), others, POLICY)
        stored = _bytes(archive, index, address)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    open_ms, fingerprint_ms, query_ms, judge_ms = spent_ms
    return Size(size, fingerprint_ms, insert_ms, query_ms, judge_ms, open_ms, stored / size, peak_mb)


def opened(index: Path, address: Address | None) -> Archive:
    return Archive.open(index, RECIPE, POLICY, address=address)


def _bytes(archive: Archive, index: Path, address: Address | None) -> float:
    if address is None:
        return sum(path.stat().st_size for path in index.iterdir())
    from hook.index.shared.index import SharedIndex

    assert isinstance(archive.index, SharedIndex)
    return float(archive.index.server.one("INFO", "memory")["used_memory"])


@contextmanager
def server_of(place: Path) -> Iterator[Address]:
    """A Redis server that keeps everything in memory."""
    from hook.settings.address import parse_address

    with server(place, port := free_port()):
        yield parse_address(f"redis://127.0.0.1:{port}")


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument(
        "--sizes", default="10000,100000,1000000", help="rising, with commas (default: %(default)s)"
    )
    parser.add_argument("--store", default="directory", choices=("directory", "redis"))
    parser.add_argument(
        "--measured", type=int, default=400, help="queries at each size (default: %(default)s)"
    )
    args = parser.parse_args()
    sizes = [int(size) for size in args.sizes.split(",")]
    print(shown(args.store, measure(args.store, sizes, args.measured)))
    return 0
