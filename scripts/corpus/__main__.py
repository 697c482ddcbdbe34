"""The public corpus: `python -m scripts.corpus NAME`."""

from __future__ import annotations

from scripts.subcommands import run

FITTED = {
    "fit": "fit.trees",
    "likelihood": "fit.likelihood",
    "noise": "fit.noise",
    "refit": "fit.refit",
    "translations": "fit.translations",
    "trigrams": "fit.trigrams",
}

raise SystemExit(run("scripts.corpus", "generate", "table", read="read_pages", **FITTED))
