"""What a hook costs per document: CPU seconds, against bare Python.

    python -m scripts.benchmarks hook [--documents 10000] [--runs 10]

The hook is compared with the import of the six packages it is built on, datasketch loaded as the product loads it
(dedupe_core/fingerprint/minhash.py) and, beside that, by its plain import. The fake Paperless is
a separate process, so its time is not counted. Each figure is a median; the kinds of run alternate, so that a busy
machine affects all of them alike.
"""

from __future__ import annotations

import argparse
import compileall
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scripts.benchmarks.processes import ROOT, archive_of, environment, measured, stand_in, table

PACKAGES = "import numpy, httpx, rapidfuzz, diskcache, pydantic"
MARK = "import os; os.close(os.open(os.environ['DEDUPE_INDEX_DIR'] + '/queue/started', os.O_CREAT | os.O_WRONLY))"
AS_THE_PRODUCT = "import dedupe_core.fingerprint.minhash"
PLAIN = "import datasketch"
HOOK_LIMIT, TIER_LIMIT = 1.3, 3.0


def cpu_s(command: list[str], environ: dict[str, str]) -> float:
    return measured(command, environ, Path("/")).cpu_s


def measure(kinds: dict[str, Callable[[int], float]], runs: int) -> dict[str, float]:
    """A round to warm the disk's cache, then the median of each."""
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for run in range(runs + 1):
        for name, once in kinds.items():
            seconds = once(run)
            if run:
                times[name].append(seconds)
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    for package in ("dedupe_core", "hook"):  # as an installation does
        compileall.compile_dir(ROOT / package, quiet=2)
    with tempfile.TemporaryDirectory(prefix="bench-hook-") as named:
        place = Path(named)
        # The last ones are in Paperless, but not indexed: they are what has just been consumed.
        archive = archive_of(options.documents + options.runs + 1, place)
        with stand_in(archive) as url:
            environ = environment(place, DEDUPE_URL=url)
            show(medians(environ, options.documents, options.runs), options.documents)
    return 0


def medians(environ: dict[str, str], documents: int, runs: int) -> dict[str, float]:
    fill = ["backfill", "--index-only", "--quiet", "--limit", str(documents)]
    subprocess.run([sys.executable, "-m", "hook.cli", *fill], cwd=ROOT, env=environ, check=True)
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.start import entry; entry()"
    hook = [sys.executable, "-P", "-c", start, str(ROOT)]
    return measure(
        {
            "packages": lambda run: cpu_s(importing(AS_THE_PRODUCT), environ),
            "plain": lambda run: cpu_s(importing(PLAIN), environ),
            "hook": lambda run: cpu_s(hook, {**environ, "DOCUMENT_ID": str(documents + 1 + run)}),
            "semantic": lambda run: cpu_s(
                hook, {**environ, "DOCUMENT_ID": str(documents + 1 + run), "DEDUPE_SEMANTIC": "local"}
            ),
            "event": lambda run: event_s(hook, {**environ, "DOCUMENT_ID": str(documents + 1 + run)}),
            "started": lambda run: event_s([sys.executable, "-P", "-c", MARK], environ),
            "pass": lambda run: cpu_s([sys.executable, "-c", "pass"], environ),
        },
        runs,
    )


def event_s(command: list[str], environ: dict[str, str]) -> float:
    """Wall time from the start of the program until the file of its event is there."""
    number = environ.get("DOCUMENT_ID", "started")
    path = Path(environ["DEDUPE_INDEX_DIR"]) / "queue" / number
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.unlink(missing_ok=True)
    began_s = time.monotonic()
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.0005)
        return time.monotonic() - began_s


def importing(datasketch: str) -> list[str]:
    """Five of the six packages, and datasketch as this line imports it."""
    code = f"import sys; sys.path.insert(0, sys.argv[1]); {PACKAGES}; {datasketch}"
    return [sys.executable, "-P", "-c", code, str(ROOT)]


def show(cpu_s: dict[str, float], documents: int) -> None:
    def ratio(name: str, against: str) -> str:
        return f"{cpu_s[name] / cpu_s[against]:.2f} x"

    rows = [
        ("`python -c pass`", "pass", "", ""),
        ("the six packages, datasketch as the product loads it", "packages", "", ""),
        (f"the six packages, `{PLAIN}`", "plain", "", ""),
        (f"hook, {documents} documents indexed", "hook", ratio("hook", "packages"), f"{HOOK_LIMIT} x"),
        ("the same against the plain import", "hook", ratio("hook", "plain"), ""),
        ("hook with DEDUPE_SEMANTIC=local", "semantic", ratio("semantic", "hook"), f"{TIER_LIMIT} x"),
        ("until a bare Python has made a file (wall)", "started", "", ""),
        ("until the event is on disk (wall)", "event", ratio("event", "started"), ""),
    ]
    head = ("what runs", "CPU s", "against", "limit")
    print(table(head, [(what, f"{cpu_s[name]:.3f}", *more) for what, name, *more in rows]))
