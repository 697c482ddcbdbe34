"""Drills, which disturb the product for a while and count what was lost: `python -m scripts.drills NAME`."""

from __future__ import annotations

from scripts.subcommands import run

MODULES = {
    "hosts": "scripts.drills.hosts",
    "kills": "scripts.drills.kills",
    "together": "scripts.drills.together",
}

raise SystemExit(run("scripts.drills", MODULES))
