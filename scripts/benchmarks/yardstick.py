"""CPU and peak memory of `paperless-dedupe scan` on a file, against datasketch's MinHash(256).

    python -m scripts.benchmarks yardstick DOCS.jsonl

The yardstick is one `update` per word 3-gram of the same texts: no index, no comparison, imports not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.benchmarks.growth import markdown

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {"yardstick": 2.0, "rss_mb": 300}


def yardstick(file: str) -> str:
    """Each in a process of its own, on one core; the scan is charged for its imports, the yardstick is not."""
    plain_s = float(
        _run([sys.executable, "-m", "scripts.benchmarks", "yardstick", "--plain", str(Path(file).resolve())])[
            0
        ]
    )
    with tempfile.TemporaryDirectory() as home:
        _, scan_s, rss_mb = _run(
            [sys.executable, "-m", "hook.cli", "scan", "--jobs", "1", str(Path(file).resolve())], HOME=home
        )
    head = ["", "CPU s", "ratio", "peak MB"]
    rows = [
        ["MinHash(256), update per word 3-gram", f"{plain_s:.1f}", "1.00", ""],
        ["paperless-dedupe scan", f"{scan_s:.1f}", f"{scan_s / plain_s:.2f}", f"{rss_mb:.0f}"],
    ]
    return f"{markdown(head, rows)}\n\nat most {LIMITS['yardstick']:g}x, under {LIMITS['rss_mb']:g} MB"


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
    parser.add_argument("file", metavar="DOCS.jsonl")
    parser.add_argument("--plain", action="store_true", help="only the yardstick, in CPU seconds")
    args = parser.parse_args()
    print(minhash(args.file) if args.plain else yardstick(args.file))
    return 0
