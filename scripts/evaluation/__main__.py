"""How good the product is, on labelled papers: `python -m scripts.evaluation NAME`."""

from __future__ import annotations

from scripts.subcommands import run

raise SystemExit(
    run("scripts.evaluation", "accuracy", "edits", "fuzzy-match", "ink", "keeper", "pictures", "trash")
)
