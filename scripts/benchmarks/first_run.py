"""What the first run on a large archive costs, and the first sync after it: time, memory, disk.

    python -m scripts.benchmarks first-run [--documents 40000]

Three commands, as a new user would run them, on one core: `backfill --examine-only`, which writes nothing to
Paperless, `backfill`, which writes what was found, and `backfill --sync` on the next day. The stand-in Paperless is a
process of its own, so its time and memory are not ours. The texts are made (backfill.py).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from scripts.benchmarks.backfill import TOKEN, measured, stand_in, texts

COMMANDS = ("backfill --examine-only", "backfill", "backfill --sync")


def write_archive(path: Path, documents: int) -> float:
    """Returns the average length of a text, in kB."""
    size = 0
    with path.open("w", encoding="utf-8") as out:
        for row in texts(documents):
            size += len(str(row["content"]).encode())
            out.write(json.dumps(row) + "\n")
    return size / documents / 1000


def size_mb(directory: Path) -> float:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file()) / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=40_000)
    documents = parser.parse_args().documents
    with tempfile.TemporaryDirectory(prefix="first-run-") as place:
        archive, index = Path(place, "archive.jsonl"), Path(place, "index")
        average_kb = write_archive(archive, documents)
        print(f"{documents:,} documents, {average_kb:.1f} kB of text each\n")
        print("| command | CPU min | wall min | CPU ms a document | peak memory MB | index MB |")
        print("|---|---:|---:|---:|---:|---:|", flush=True)
        with stand_in(archive) as url:
            environ = {
                "PATH": os.environ.get("PATH", os.defpath),
                "HOME": place,
                "DEDUPE_TOKEN": TOKEN,
                "DEDUPE_URL": url,
                "DEDUPE_INDEX_DIR": str(index),
            }
            for command in COMMANDS:
                program = [sys.executable, "-m", "hook.cli", *command.split(), "--jobs", "1", "--quiet"]
                cost = measured(command, documents, program, environ)
                print(
                    f"| `{command}` | {cost.cpu_s / 60:.1f} | {cost.wall_s / 60:.1f} "
                    f"| {1000 * cost.cpu_s / documents:.1f} | {cost.rss_mb:.0f} | {size_mb(index):.0f} |",
                    flush=True,
                )
    return 0
