"""What a backfill costs: CPU against `scan` on the same texts, memory at two sizes of archive, and how much faster all cores
are than one, by the clock.

    python -m scripts.benchmarks backfill [--documents 10000] [--small 1000]
    python -m scripts.benchmarks backfill --archive DOCS.jsonl

The stand-in Paperless is a process of its own, so its time and memory are not ours; it needs its share of the cores. The
figures by the clock mean something on an idle machine only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hook.parallel.pool import cores

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "0123456789abcdef0123456789abcdef01234567"
SYLLABLES = re.findall(
    r"\w+", "ka lo mi ren tas vor ne bul di sar pho ge ul wen ti mor ase lin dra que ho fer"
)


@dataclass(frozen=True, slots=True)
class Cost:
    name: str
    documents: int
    cpu_s: float
    wall_s: float
    rss_mb: float


def texts(count: int, *, seed: int = 7) -> Iterator[dict[str, object]]:
    """Letters, serial letters of one form, and some that were scanned twice: about what an archive holds."""
    chance = random.Random(seed)
    words = sorted({"".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(9000)})
    forms = [chance.choices(words, k=160) for _ in range(max(count // 100, 1))]
    earlier: list[str] = []
    for number in range(1, count + 1):
        kind = chance.random()
        if kind < 0.04 and earlier:
            content = _noisy(chance.choice(earlier[-500:]), chance)
        elif kind < 0.4:
            content = _filled(" ".join(chance.choice(forms)), number, chance)
        else:
            content = _filled(" ".join(chance.choices(words, k=chance.randint(80, 400))), number, chance)
            earlier.append(content)
        day = f"{2015 + number % 10}-{1 + number % 12:02}-{1 + number % 28:02}"
        yield {"id": number, "content": content, "title": f"Document {number}", "created": day}


def _filled(body: str, number: int, chance: random.Random) -> str:
    date = f"{chance.randint(1, 28):02}.{chance.randint(1, 12):02}.{chance.randint(2015, 2025)}"
    amount = f"{chance.randint(1, 999)},{chance.randint(0, 99):02}"
    return f"Invoice no. R{chance.randint(10**6, 10**7)}-{number}\nDate {date}\n{body}\nTotal {amount} EUR\n"


def _noisy(text: str, chance: random.Random) -> str:
    confused = {"o": "0", "l": "1", "i": "l", "e": "c", "s": "5"}
    return "".join(confused.get(c, c) if chance.random() < 0.03 else c for c in text)


def measured(name: str, documents: int, command: list[str], environ: dict[str, str]) -> Cost:
    started = os.times().elapsed
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with exit code {process.returncode}")
    wall_s = os.times().elapsed - started
    return Cost(name, documents, used.ru_utime + used.ru_stime, wall_s, used.ru_maxrss / 1024)


@contextmanager
def stand_in(archive: Path) -> Iterator[str]:
    """A Paperless with these documents; yields its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.fakes", "--archive", str(archive), "--token", TOKEN],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


def bench(archive: Path, place: Path, documents: int) -> Iterator[Cost]:
    """Scan and backfill, each on one core and on all, every time with an index of its own."""
    program = [sys.executable, "-m", "hook.cli"]
    environ = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(place), "DEDUPE_TOKEN": TOKEN}
    for jobs in (1, max(2, cores())):
        index = place / f"scan-{documents}-{jobs}"
        command = [*program, "scan", str(archive), "--index", str(index), "--jobs", str(jobs)]
        yield measured(f"scan --jobs {jobs}", documents, command, environ)
    for jobs in (1, max(2, cores())):
        with stand_in(archive) as url:
            index = place / f"backfill-{documents}-{jobs}"
            environ |= {"DEDUPE_URL": url, "DEDUPE_INDEX_DIR": str(index)}
            command = [*program, "backfill", "--quiet", "--jobs", str(jobs)]
            yield measured(f"backfill --jobs {jobs}", documents, command, environ)


def made(place: Path, documents: int) -> Path:
    archive = place / f"{documents}.jsonl"
    with archive.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in texts(documents))
    return archive


def taken(file: Path, place: Path) -> tuple[Path, int]:
    """The documents of a file, with what the stand-in knows of a document."""
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    known = [
        {name: row[name] for name in ("id", "content", "title", "created") if name in row} for row in rows
    ]
    archive = place / "archive.jsonl"
    archive.write_text("".join(json.dumps(row) + "\n" for row in known), encoding="utf-8")
    return archive, len(rows)


def show(archive: Path, place: Path, documents: int) -> None:
    costs = []
    for cost in bench(archive, place, documents):
        costs.append(cost)
        print(
            f"| {cost.name} | {cost.documents} | {cost.cpu_s:.1f} "
            f"| {1000 * cost.cpu_s / cost.documents:.2f} | {cost.wall_s:.1f} | {cost.rss_mb:.0f} |",
            flush=True,
        )
    scan, scan_all, backfill, backfill_all = costs
    print(f"| backfill : scan, one core | {documents} | {backfill.cpu_s / scan.cpu_s:.2f} x | | | |")
    print(f"| scan: all cores faster by | {documents} | | | {scan.wall_s / scan_all.wall_s:.2f} x | |")
    print(
        f"| backfill: all cores faster by | {documents} | | | {backfill.wall_s / backfill_all.wall_s:.2f} x | |",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--archive", type=Path, metavar="DOCS.jsonl", help="instead of made-up letters")
    options = parser.parse_args()
    print("| command | documents | CPU s | CPU ms/document | wall s | peak RSS MB |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="bench-backfill-") as directory:
        place = Path(directory)
        if options.archive is not None:
            archive, count = taken(options.archive, place)
            show(archive, place, count)
            return 0
        for documents in (options.small, options.documents):
            show(made(place, documents), place, documents)
    return 0
