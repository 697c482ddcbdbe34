"""What keeps the repository in order: `python -m scripts.maintain NAME`."""

from __future__ import annotations

from scripts.subcommands import run

raise SystemExit(
    run(
        "scripts.maintain",
        "examples",
        "imports",
        "messages",
        "mutate",
        "readme",
        "screenshots",
        "shell",
        "size",
    )
)
