"""A paper, a scan of it, and what two scans of one sender are to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from scripts.corpus.locales import LOCALES, Locale
from scripts.corpus.template import Place, Template

RANKS = {"digital": 0, "light": 1, "medium": 2, "heavy": 3}
_SUBS = {
    "page_order": "page_order",
    "mailed": "reprint",
    "browsed": "reprint",
    "portal": "reprint",
    "stamped": "stamped",
}


@dataclass(frozen=True, slots=True)
class Paper:
    """One physical paper. Two scans with the same identity are duplicates."""

    template: Template
    place: Place
    section: str = "paper"
    version: int = 0
    empty: bool = False  # a form before it is filled in
    part: str = "whole"  # or some pages of it
    text: str = ""
    edits: str = ""  # what kinds of edits a version has
    bundle: int = 0  # several papers in one, or a mail that quotes one: its number

    @property
    def identity(self) -> tuple[object, ...]:
        return (self.place, self.section, self.version, self.empty, self.part, self.bundle)

    @property
    def group(self) -> str:
        where = self.place
        name = f"{self.source}-h{where.household}-p{where.paper}-c{where.copy}-{self.section}-v{self.version}"
        return name + ("-blank" if self.empty else "") + ("" if self.part == "whole" else f"-{self.part}")

    @property
    def locale(self) -> Locale:
        return LOCALES[self.section] if self.template.translations else self.template.locale

    @property
    def source(self) -> str:
        return f"bundle:{self.bundle}" if self.bundle else f"{self.template.name}:{self.place.sender}"


@dataclass(frozen=True, slots=True)
class Scan:
    paper: Paper
    noise: str
    how: str  # digital, scan, stamped, mailed, browsed, portal, page_order
    lines: tuple[str, ...]

    @property
    def content(self) -> str:
        return "\n".join(self.lines).strip("\n") + "\n"


def label(a: int, b: int, name: str, sub: str, noise: str) -> dict[str, Any]:
    """What two scans are, by their positions in the corpus; `a` is part of `b` if it is `contained`."""
    return {"a": a, "b": b, "label": name, "sub": sub or None, "noise": noise}


def relation(a: Paper, b: Paper) -> tuple[str, str]:
    """What two papers of one sender are to each other, and which kind of it."""
    if a.identity == b.identity:
        return "duplicate", ""
    if replace(a, part="whole").identity == replace(b, part="whole").identity:
        return "contained", ""
    if a.empty != b.empty:
        return "template_sibling", "blank_vs_filled"
    if a.place == b.place:
        return _at_one_place(a, b)
    if a.template.editions and a.place.household == b.place.household:
        return "version", "edition"
    if (a.place.household, a.place.paper) == (b.place.household, b.place.paper):
        return "template_sibling", "mail_merge"
    series = (
        a.place.household == b.place.household and a.template.kind != "version"
    )  # contracts are with other people
    return "template_sibling", "renewal" if series else "other"


def _at_one_place(a: Paper, b: Paper) -> tuple[str, str]:
    if a.template.translations:
        return "translated", ""
    if a.section != b.section:
        return "template_sibling", "same_deal"
    return "version", a.edits or b.edits


def duplicate_sub(a: Scan, b: Scan) -> str:
    if a.content.split() == b.content.split():
        return "exact_text"
    for how, sub in _SUBS.items():
        if how in (a.how, b.how):
            return sub
    return "digital_vs_scan" if "digital" in (a.noise, b.noise) else "rescan"


def worse(a: Scan, b: Scan) -> str:
    return max((a.noise, b.noise), key=RANKS.__getitem__)


def labels(scans: list[Scan], first: int) -> Iterator[dict[str, Any]]:
    """Every two scans of one sender, whose first one is at this position of the corpus."""
    for (i, a), (j, b) in combinations(enumerate(scans, first), 2):
        name, sub = relation(a.paper, b.paper)
        if name == "duplicate":
            sub = duplicate_sub(a, b)
        if name == "contained" and a.paper.part == "whole":
            i, j = j, i
        yield label(i, j, name, sub, worse(a, b))
