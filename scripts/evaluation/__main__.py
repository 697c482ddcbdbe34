"""How good the product is, on labelled papers: `python -m scripts.evaluation NAME`."""

from __future__ import annotations

from scripts.subcommands import run

MODULES = {
    "edits": "scripts.evaluation.edits",
    "fuzzy-match": "scripts.evaluation.fuzzy_match",
    "keeper": "scripts.evaluation.keeper",
}

raise SystemExit(run("scripts.evaluation", MODULES))
