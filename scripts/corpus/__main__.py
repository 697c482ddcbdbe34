"""The public corpus: `python -m scripts.corpus NAME`."""

from __future__ import annotations

from scripts.subcommands import run

MODULES = {
    "generate": "scripts.corpus.generate",
    "read": "scripts.corpus.read_pages",
    "table": "scripts.corpus.table",
    "fit": "scripts.corpus.fit_trees",
}

raise SystemExit(run("scripts.corpus", MODULES))
