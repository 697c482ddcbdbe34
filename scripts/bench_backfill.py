"""What a backfill costs: CPU against `scan` on the same texts, and memory at two sizes of archive.

    python scripts/bench_backfill.py [--documents 10000] [--small 1000]

The stand-in Paperless is a process of its own, so its time and memory are not ours.
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

ROOT = Path(__file__).resolve().parents[1]
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


def bench(place: Path, documents: int) -> tuple[Cost, Cost]:
    archive = place / f"{documents}.jsonl"
    with archive.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in texts(documents))
    program = [sys.executable, "-m", "hook.cli"]
    environ = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(place), "DEDUPE_TOKEN": TOKEN}
    scan_index, index = place / f"scan-{documents}", place / f"backfill-{documents}"
    scan = measured("scan", documents, [*program, "scan", str(archive), "--index", str(scan_index)], environ)
    with stand_in(archive) as url:
        environ |= {"DEDUPE_URL": url, "DEDUPE_INDEX_DIR": str(index)}
        backfill = measured("backfill", documents, [*program, "backfill", "--quiet"], environ)
    return scan, backfill


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--small", type=int, default=1_000)
    sizes = parser.parse_args()
    print("| command | documents | CPU s | CPU ms/document | wall s | peak RSS MB |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="bench-backfill-") as place:
        for documents in (sizes.small, sizes.documents):
            pair = bench(Path(place), documents)
            for cost in pair:
                print(
                    f"| {cost.name} | {cost.documents} | {cost.cpu_s:.1f} "
                    f"| {1000 * cost.cpu_s / cost.documents:.2f} | {cost.wall_s:.1f} | {cost.rss_mb:.0f} |",
                    flush=True,
                )
            print(
                f"| backfill : scan | {documents} | {pair[1].cpu_s / pair[0].cpu_s:.2f} x | | | |", flush=True
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
