"""What a backfill costs: CPU against `scan` on the same texts, memory at two sizes of archive, and how much faster all cores
are than one, by the clock.

    python -m scripts.benchmarks backfill [--documents 10000] [--small 1000]
    python -m scripts.benchmarks backfill --archive DOCS.jsonl

The stand-in Paperless is a process of its own, so its time and memory are not ours; it needs its share of the cores. The
figures by the clock mean something on an idle machine only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from hook.parallel.pool import cores
from scripts.benchmarks.processes import (
    PROGRAM,
    Cost,
    archive_of,
    environment,
    first,
    measured,
    stand_in,
    written,
)
from scripts.subcommands import make_parser
from scripts.tables import table

HEAD = ("command", "documents", "CPU s", "CPU ms/document", "wall s", "peak RSS MB")
KNOWN = ("id", "content", "title", "created")  # what the stand-in knows of a document


def bench(archive: Path, place: Path, documents: int) -> Iterator[tuple[str, Cost]]:
    """Scan and backfill, each on one core and on all, every time with an index of its own."""
    for command in ("scan", "backfill"):
        for jobs in (1, max(2, cores())):
            index = str(place / f"{command}-{documents}-{jobs}")
            words = ["--jobs", str(jobs), "--quiet"]
            if command == "scan":
                cost = measured(
                    [*PROGRAM, "scan", str(archive), "--index", index, *words], environment(place)
                )
            else:
                with stand_in(archive) as url:
                    environ = environment(place, DEDUPE_URL=url, DEDUPE_INDEX_DIR=index)
                    cost = measured([*PROGRAM, "backfill", *words], environ)
            yield f"{command} --jobs {jobs}", cost


def show(archive: Path, place: Path, documents: int) -> None:
    costs = dict(bench(archive, place, documents))
    rows: list[tuple[object, ...]] = []
    for name, cost in costs.items():
        each_ms = f"{1000 * cost.cpu_s / documents:.2f}"
        rows.append(
            (name, documents, f"{cost.cpu_s:.1f}", each_ms, f"{cost.wall_s:.1f}", f"{cost.rss_mb:.0f}")
        )
    scan, scan_all, backfill, backfill_all = costs.values()
    rows += [
        ("backfill : scan, one core", documents, f"{backfill.cpu_s / scan.cpu_s:.2f} x", "", "", ""),
        ("scan: all cores faster by", documents, "", "", f"{scan.wall_s / scan_all.wall_s:.2f} x", ""),
        ("backfill: all cores faster by", documents, "", "", f"{backfill.wall_s / backfill_all.wall_s:.2f} x", ""),
    ]  # fmt: skip
    print(table(HEAD, rows), end="\n\n", flush=True)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--archive", type=Path, metavar="DOCS.jsonl", help="instead of made-up letters")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-backfill-") as directory:
        place = Path(directory)
        if options.archive is not None:
            rows = [
                {name: row[name] for name in KNOWN if name in row} for row in first(options.archive, 10**9)
            ]
            show(written(place / "archive.jsonl", rows), place, len(rows))
            return 0
        for documents in (options.small, options.documents):
            show(archive_of(documents, place), place, documents)
    return 0
