"""Benchmarks: `python -m scripts.benchmarks NAME`. Each prints a table; `all` prints one of everything."""

from __future__ import annotations

from scripts.subcommands import run

NAMES = ("backfill", "family", "find", "hook", "semantic", "serve", "yardstick")

raise SystemExit(run("scripts.benchmarks", *NAMES, all="together", million="stores"))
