"""Benchmarks: `python -m scripts.benchmarks NAME`. Each prints a table; `all` prints one of everything."""

from __future__ import annotations

from scripts.subcommands import run

MODULES = {
    **dict.fromkeys(("all", "growth", "million", "family", "yardstick"), "scripts.bench"),
    "backfill": "scripts.benchmarks.backfill",
    "find": "scripts.benchmarks.find",
    "first-run": "scripts.benchmarks.first_run",
    "hook": "scripts.benchmarks.hook",
    "semantic": "scripts.benchmarks.semantic",
    "serve": "scripts.benchmarks.serve",
}

raise SystemExit(run("scripts.benchmarks", MODULES))
