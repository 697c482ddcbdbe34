"""The papers of one sender, how often each was scanned and how badly, and what each pair of scans is to another."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from scripts.corpus import additions, layout
from scripts.corpus.layout import Layout
from scripts.corpus.noise import Channel
from scripts.corpus.template import Filler, Place, Template, edited, edits_of

RANKS = {"digital": 0, "light": 1, "medium": 2, "heavy": 3}
LEAST_WORDS = 4
NOISES = ("light", "light", "light", "medium", "medium", "heavy", "heavy")


@dataclass(frozen=True, slots=True)
class Paper:
    """One physical paper. Two scans with the same identity are duplicates."""

    template: Template
    place: Place
    section: str = "paper"
    version: int = 0
    empty: bool = False
    part: str = "whole"  # or the pages of it, or the bundle that it is in
    text: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        return (self.place, self.section, self.version, self.empty, self.part)

    @property
    def group(self) -> str:
        where = self.place
        name = f"{self.source}-h{where.household}-p{where.paper}-c{where.copy}-{self.section}-v{self.version}"
        return name + ("-blank" if self.empty else "") + ("" if self.part == "whole" else f"-{self.part}")

    @property
    def source(self) -> str:
        return f"{self.template.name}:{self.place.sender}"


@dataclass(frozen=True, slots=True)
class Scan:
    paper: Paper
    noise: str
    how: str  # digital, scan, stamped, mailed, browsed, page_order
    lines: tuple[str, ...]

    @property
    def content(self) -> str:
        return "\n".join(self.lines).strip("\n") + "\n"


def label_of(a: Paper, b: Paper) -> tuple[str, str]:
    """What two papers of one sender are to each other, and which kind of it."""
    if a.identity == b.identity:
        return "duplicate", ""
    if replace(a, part="whole", text="").identity == replace(b, part="whole", text="").identity:
        return "contained", ""
    if a.empty != b.empty:
        return "template_sibling", "blank_vs_filled"
    if a.place == b.place:
        return ("version", "") if a.section == b.section else ("template_sibling", "same_deal")
    if (a.place.household, a.place.paper) == (b.place.household, b.place.paper):
        return "template_sibling", "mail_merge"
    return "template_sibling", "renewal" if a.place.household == b.place.household else "other"


def duplicate_sub(a: Scan, b: Scan) -> str:
    if a.content.split() == b.content.split():
        return "exact_text"
    for how, sub in (
        ("page_order", "page_order"),
        ("mailed", "reprint"),
        ("browsed", "reprint"),
        ("stamped", "stamped"),
    ):
        if how in (a.how, b.how):
            return sub
    return "digital_vs_scan" if "digital" in (a.noise, b.noise) else "rescan"


class Sender:
    """One sender: a template in its wording and print, its households, papers and copies."""

    def __init__(self, template: Template, number: int, seed: int) -> None:
        self.template = template
        self.place = Place(seed, number)
        self.rng = random.Random(f"{seed}/{template.name}/{number}")
        self.layout = Layout.draw(self.rng)

    def papers(self) -> list[Paper]:
        """All papers, each at its place."""
        found = [paper for place in self._places() for paper in self._at(place)]
        if self.template.forms:
            found.append(self._paper(self.place, next(iter(self.template.sections)), empty=True))
        # Two children of one name, two edits that are one: the same paper by its words, whatever was drawn.
        return list({" ".join(paper.text.split()): paper for paper in reversed(found)}.values())[::-1]

    def _places(self) -> Iterator[Place]:
        scopes, rng = self.template.scopes, self.rng
        households = rng.choice((1, 2, 2, 3)) if "h" in scopes else 1
        for household in range(households):
            papers = rng.choice((2, 3, 3, 4)) if "p" in scopes and len(self.template.sections) == 1 else 1
            if "m" in scopes:
                papers = rng.choice((1, 1, 2)) if "p" in scopes else 1
            for paper in range(papers):
                for copy in range(rng.choice((2, 3, 3, 4)) if "m" in scopes else 1):
                    yield replace(self.place, household=household, paper=paper, copy=copy)

    def _at(self, place: Place) -> Iterator[Paper]:
        for section in self.template.sections:
            yield self._paper(place, section)
            edits = len(edits_of(self._worded(section)))
            if edits and self.rng.random() < 0.55:
                for version in range(1, self.rng.choice((2, 2, 3))):
                    yield self._paper(place, section, version=version)

    def _worded(self, section: str) -> str:
        return Filler(self.template, self.place).wording(self.template.sections[section])

    def _paper(self, place: Place, section: str, *, version: int = 0, empty: bool = False) -> Paper:
        text = self._worded(section)
        if version:
            kinds = edits_of(text)
            count = self.rng.choice((1, 1, 1, 2, 3))
            text = edited(text, frozenset(self.rng.sample(range(len(kinds)), min(count, len(kinds)))))
        else:
            text = edited(text)
        return Paper(
            self.template,
            place,
            section,
            version,
            empty,
            "whole",
            Filler(self.template, place, empty=empty).fill(text),
        )

    def scans(self) -> list[Scan]:
        """Every scan of every paper, except those that lost what tells two papers apart."""
        found: dict[str, Scan] = {}
        kept = []
        for paper in self.papers():
            for scan in self._scans(paper):
                other = found.setdefault(" ".join(scan.content.split()), scan)
                if other.paper.identity == scan.paper.identity and len(scan.content.split()) >= LEAST_WORDS:
                    kept.append(scan)
        return kept

    def _scans(self, paper: Paper) -> Iterator[Scan]:
        rng = self.rng
        several = len(layout.pages(paper.text)) > 1
        hows = ["digital" if rng.random() < 0.4 else "scan"]
        if rng.random() < 0.42:
            hows.append(
                rng.choice(
                    ("scan", "scan", "scan", "scan", "digital", "stamped", "stamped", "mailed", "browsed")
                )
            )
        if rng.random() < 0.12:
            hows.append(rng.choice(("scan", "stamped", "digital")))
        if several and rng.random() < 0.3:
            hows.append("page_order")
        for how in hows:
            yield self.scan(paper, how)
        if several and rng.random() < 0.6:
            yield self.scan(self._pages(paper), "scan")

    def _pages(self, paper: Paper) -> Paper:
        """Some of its pages alone."""
        pages = layout.pages(paper.text)
        first = self.rng.randrange(len(pages))
        kept = pages[first : first + self.rng.randint(1, max(1, len(pages) - 1))]
        return replace(paper, part=f"page{first}", text="\n".join(kept))

    def scan(self, paper: Paper, how: str) -> Scan:
        rng, locale = self.rng, self.template.locale
        text = paper.text
        if how == "page_order":
            pages = layout.pages(text)
            text = "\n".join(pages[1:] + pages[:1]) if rng.random() < 0.5 else "\n".join(reversed(pages))
        text = text.replace(layout.PAGE + "\n", "").replace(layout.PAGE, "")
        reprint = how in ("mailed", "browsed")
        look = replace(self.layout, width=rng.choice((60, 72, 88, 100))) if reprint else self.layout
        rows = layout.printed(text, look, wrap=not reprint or rng.random() < 0.6)
        if how == "digital" or (reprint and rng.random() < 0.5):
            lines = layout.digital(rows, look)
            noise = "digital"
        else:
            lines = layout.read(rows, rng)
            noise = rng.choice(NOISES)
        if reprint:
            lines = (
                additions.mailed(lines, locale, rng)
                if how == "mailed"
                else additions.browsed(lines, locale, rng)
            )
        if noise != "digital":
            lines = Channel.draw(noise, rng).read(lines, rng)
        if how == "stamped":
            lines = additions.stamped(lines, locale, rng)
        return Scan(paper, noise, how, tuple(lines))


def pairs(scans: list[Scan]) -> Iterator[tuple[int, int, str, str, str]]:
    """Every two scans of one sender: their positions (a part first), label, sub and the worse noise."""
    for (i, a), (j, b) in combinations(enumerate(scans), 2):
        label, sub = label_of(a.paper, b.paper)
        if label == "duplicate":
            sub = duplicate_sub(a, b)
        if label == "contained" and a.paper.part == "whole":
            i, j = j, i
        noise = max((a.noise, b.noise), key=RANKS.__getitem__)
        yield i, j, label, sub, noise
