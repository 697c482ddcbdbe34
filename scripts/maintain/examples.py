"""Prints a worked example for each relation, made of the demo's papers; docs/how-it-decides.md quotes it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Final

from dedupe_core.explain.words import reason
from dedupe_core.model import Document, Relation, Verdict
from scripts.archives import stored

TEXTS: Final = Path(__file__).resolve().parents[1] / "demo"
WIDTH: Final = 100
GERMAN: Final = TEXTS / "dental-bill-german.txt"  # beside the papers of the demo, not one of them
# A bundle is what a scanner makes of several papers in its feeder: one text, with a form feed between pages.
BUNDLE: Final = ("04-telephone-february", "06-dental-bill", "10-school-letter")
PAIRS: Final = {
    Relation.IDENTICAL: ("07-household-insurance", "3-insurance-again"),
    Relation.RESCAN: ("01-rent-adjustment", "02-scan-0217"),
    Relation.REVISION: ("08-choir-statutes-2023", "09-choir-statutes-2025"),
    Relation.CONTAINED: ("06-dental-bill", "bundle"),
    Relation.TRANSLATED: ("06-dental-bill", "dental-bill-german"),
    Relation.SIBLING: ("03-telephone-january", "04-telephone-february"),
    Relation.UNRELATED: ("06-dental-bill", "10-school-letter"),
}


def texts() -> dict[str, str]:
    """The demo's papers by name, without their two header lines, and the bundle."""
    paths = sorted(TEXTS.glob("*/*.txt"))
    found = {path.stem: path.read_text(encoding="utf-8").partition("\n\n")[2] for path in paths}
    return {
        **found,
        "bundle": "\f".join(found[name] for name in BUNDLE),
        "dental-bill-german": GERMAN.read_text(encoding="utf-8"),
    }


def verdicts() -> dict[tuple[str, str], Verdict]:
    papers = texts()
    numbers = {name: number for number, name in enumerate(papers, start=1)}
    with stored(Document(numbers[name], content) for name, content in papers.items()) as archive:
        return {(a, b): archive.explain(numbers[a], numbers[b]) for a, b in PAIRS.values()}


def shown(names: tuple[str, str], verdict: Verdict) -> str:
    reported = "reported" if verdict.flagged else "not reported"
    head = f"{' / '.join(names)}: {verdict.relation.value} ({verdict.confidence:.2f}, {reported})"
    words = textwrap.fill(reason(verdict.statements), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"{head}\n{words}"


def main() -> int:
    print("\n\n".join(shown(names, verdict) for names, verdict in verdicts().items()))
    return 0
