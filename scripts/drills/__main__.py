"""Drills, which disturb the product for a while and count what was lost: `python -m scripts.drills NAME`."""

from __future__ import annotations

from scripts.subcommands import run

raise SystemExit(run("scripts.drills", "hosts", "together"))
