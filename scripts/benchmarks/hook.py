"""What a hook costs per document: CPU seconds, against bare Python.

    python -m scripts.benchmarks hook [--documents 10000] [--runs 10]

The hook is compared with the import of the six packages it is built on, datasketch loaded as the product loads it
(dedupe_core/fingerprint/minhash.py) and, beside that, by its plain import. The fake Paperless is
a separate process, so its time is not counted. Each figure is a median; the kinds of run alternate, so that a busy
machine affects all of them alike.
"""

from __future__ import annotations

import compileall
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from scripts.benchmarks.processes import ROOT, archive_of, environment, measured, stand_in
from scripts.subcommands import make_parser
from scripts.tables import table

PACKAGES = "import numpy, httpx, rapidfuzz, diskcache, pydantic"
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
    parser = make_parser(__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    show(figures(options.documents, options.runs), options.documents)
    return 0


def figures(documents: int, runs: int) -> dict[str, float]:
    """CPU seconds by what runs."""
    for package in ("dedupe_core", "hook"):  # as an installation does
        compileall.compile_dir(ROOT / package, quiet=2)
    with tempfile.TemporaryDirectory(prefix="bench-hook-") as named:
        place = Path(named)
        # The last ones are in Paperless, but not indexed: they are what has just been consumed.
        archive = archive_of(documents + runs + 1, place)
        with stand_in(archive) as url:
            return medians(environment(place, DEDUPE_URL=url), documents, runs)


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
            "pass": lambda run: cpu_s([sys.executable, "-c", "pass"], environ),
        },
        runs,
    )


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
    ]
    head = ("what runs", "CPU s", "against", "limit")
    print(table(head, [(what, f"{cpu_s[name]:.3f}", *more) for what, name, *more in rows]))
