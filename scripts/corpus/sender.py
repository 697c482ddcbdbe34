"""One sender: a template in its own wording and print, its households, papers and copies, and the scans of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rapidfuzz import process

from scripts.corpus import additions, layout
from scripts.corpus.layout import Layout
from scripts.corpus.locales import LOCALES
from scripts.corpus.noise import Channel, misread_cells
from scripts.corpus.papers import Paper, Scan
from scripts.corpus.template import UNFILLED, Filler, Place, Template, edited, edits_of, with_small_print

SMALL_PRINT = Path(__file__).with_name("small_print")
LEAST_WORDS = 4  # a scan with fewer is not kept
PRINTED_WORDS = 35  # nobody prints a ticket again from a mail or a browser
NOISES = ("light", "light", "light", "medium", "medium", "heavy", "heavy")
AGAIN = ("scan", "scan", "scan", "scan", "digital", "stamped", "stamped", "mailed", "browsed")
SAVED = {"mailed": 0.5, "browsed": 0.5, "portal": 0.75}  # as a file; the others are printed and scanned
CORRECTED = 0.08  # of the papers with amounts are sent again with another amount under the same number
VERSION_EDITS, EDITION_EDITS = (
    (1, 1, 1, 2, 3),
    (1, 2, 3, 4),
)  # how many edits a version, or a new edition, has
MOVED = 0.12  # of the edited versions have a clause in another place


def moved(text: str, rng: random.Random, *, end: str = "") -> str:
    """A paragraph that ends so, in another place; the first and the last ones stay, and so does the page break."""
    mark = "\n\n" if text.count("\n\n") >= 5 else "\n"
    blocks = text.split(mark)
    inner = [
        at
        for at, block in list(enumerate(blocks))[1:-1]
        if len(block) > 60 and layout.PAGE not in block and block.rstrip().endswith(end)
    ]
    if len(inner) < 2:
        return text
    one, other = sorted(rng.sample(inner, 2))
    return mark.join([*blocks[:one], *blocks[one + 1 : other + 1], blocks[one], *blocks[other + 1 :]])


def has_small_print(template: Template) -> bool:
    """Letters and bills have; tickets, cards, prose and translations have not."""
    words = min(len(text.split()) for text in template.sections.values())
    return (
        template.kind not in ("no_facts", "translated", "multipage", "additions")
        and words >= 45
        and "s" in template.scopes
    )


def small_print(template: Template, rng: random.Random) -> list[str]:
    """What this sender prints at the foot: nothing, a line or two, or a paragraph."""
    bank = (SMALL_PRINT / f"{template.lang}.txt").read_text(encoding="utf-8").splitlines()
    chosen = rng.sample(bank, min(rng.choice((0, 1, 2, 3, 4, 6, 8)), len(bank)))
    alone, joined = chosen[: rng.randint(0, 2)], chosen[2:]
    return [*alone, *([" ".join(joined)] if joined else [])]


def tells_apart(scan: Scan, others: Iterable[Paper]) -> bool:
    """True if the scan still shows, however badly, a word that each of the other papers has not."""
    read = scan.content.split()
    known = set(read)
    for other in others:
        own = set(scan.paper.text.split()) - set(other.text.split()) - {layout.CELL, UNFILLED}
        if (
            own
            and not own & known
            and not any(process.extractOne(word, read, score_cutoff=60) for word in own)
        ):
            return False
    return True


def _distinct(scans: list[Scan]) -> list[Scan]:
    """Without those that read like a scan of another paper, word for word."""
    first: dict[str, Scan] = {}
    return [
        scan
        for scan in scans
        if first.setdefault(" ".join(scan.content.split()), scan).paper.identity == scan.paper.identity
    ]


class Sender:
    def __init__(self, template: Template, number: int, seed: int) -> None:
        self.place = Place(seed, number)
        self.rng = random.Random(f"{seed}/{template.name}/{number}")
        self.template = (
            with_small_print(template, small_print(template, self.rng))
            if has_small_print(template)
            else template
        )
        self.layout = Layout.draw(self.rng)

    def papers(self) -> list[Paper]:
        """All papers, each at its place."""
        found = [paper for place in self._places() for paper in self._at(place)]
        if self.template.forms:
            found.append(self._filled(self.place, next(iter(self.template.sections)), empty=True))
        # Two children of one name, two edits that are one: the same paper by its words, whatever was drawn.
        return list({" ".join(paper.text.split()): paper for paper in reversed(found)}.values())[::-1]

    def _places(self) -> Iterator[Place]:
        scopes, rng = self.template.scopes, self.rng
        households = rng.choice((1, 2, 2, 3)) if "h" in scopes else 1
        for household in range(households):
            papers = rng.choice((2, 3, 3, 4)) if "p" in scopes and len(self.template.sections) == 1 else 1
            if "m" in scopes and "p" in scopes:
                papers = rng.choice((1, 1, 2))
            for paper in range(papers):
                for copy in range(rng.choice((2, 3, 3, 4)) if "m" in scopes else 1):
                    yield replace(self.place, household=household, paper=paper, copy=copy)

    def _at(self, place: Place) -> Iterator[Paper]:
        for section in self.template.sections:
            if self.template.editions and place.paper:
                yield self._edited(place, section, place.paper, EDITION_EDITS)
                continue
            yield self._filled(place, section)
            if self.template.translations:
                continue
            if edits_of(self._worded(section)) and self.rng.random() < 0.55:
                for version in range(1, self.rng.choice((2, 2, 3))):
                    yield self._edited(place, section, version)
            elif self._amounts() and self.rng.random() < CORRECTED:
                yield self._corrected(place, section)

    def _amounts(self) -> list[str]:
        """The blanks that hold an amount of this paper, drawn and not computed from others."""
        blanks = self.template.blanks.items()
        return [
            name
            for name, (kind, spec) in blanks
            if kind == "amount" and name[0] in "pm" and not spec[:1].isalpha()
        ]

    def _worded(self, section: str) -> str:
        return Filler(self.template, self.place).wording(self.template.sections[section])

    def _filled(self, place: Place, section: str, *, empty: bool = False) -> Paper:
        printed = LOCALES[section] if self.template.translations else None
        filler = Filler(self.template, place, empty=empty, printed=printed)
        return Paper(
            self.template, place, section, 0, empty, "whole", filler.fill(edited(self._worded(section)))
        )

    def _edited(
        self, place: Place, section: str, version: int, sizes: Sequence[int] = VERSION_EDITS
    ) -> Paper:
        text, rng = self._worded(section), self.rng
        kinds = edits_of(text)
        chosen = frozenset(rng.sample(range(len(kinds)), min(rng.choice(sizes), len(kinds))))
        if rng.random() < MOVED:
            chosen = chosen if rng.random() < 0.5 else frozenset()
            done, names = moved(edited(text, chosen), rng), {kinds[at] for at in chosen} | {"moved"}
        else:
            done, names = edited(text, chosen), {kinds[at] for at in chosen}
        filled = Filler(self.template, place).fill(done)
        return Paper(self.template, place, section, version, False, "whole", filled, "+".join(sorted(names)))

    def _corrected(self, place: Place, section: str) -> Paper:
        name = self.rng.choice(self._amounts())
        filled = Filler(self.template, place, redrawn=name).fill(edited(self._worded(section)))
        return Paper(self.template, place, section, 1, False, "whole", filled, "amount")

    def scans(self) -> list[Scan]:
        """Every scan of every paper, except those that lost what tells two papers apart."""
        papers = self.papers()
        edited_places = {(paper.place, paper.section) for paper in papers if paper.version}
        found: list[Scan] = []
        for paper in papers:
            others = [one for one in papers if one is not paper]
            for scan in self._scans(paper, parts=(paper.place, paper.section) not in edited_places):
                words = scan.content.split()
                if len(words) >= LEAST_WORDS and (scan.paper.part != "whole" or tells_apart(scan, others)):
                    found.append(scan)
        return _distinct(found)

    def _scans(self, paper: Paper, *, parts: bool) -> Iterator[Scan]:
        rng = self.rng
        several = len(layout.pages(paper.text)) > 1
        hows = ["digital" if rng.random() < 0.4 else "scan"]
        # A text of its own, and a blank form, have nobody else to be compared with.
        again = 0.9 if not self.template.scopes or paper.empty else 0.42
        hows += (
            [rng.choice(AGAIN if len(paper.text.split()) >= PRINTED_WORDS else ("scan", "stamped"))]
            if rng.random() < again
            else []
        )
        hows += [rng.choice(("scan", "stamped", "digital"))] if rng.random() < again / 3.5 else []
        hows += ["page_order"] if several and rng.random() < 0.3 else []
        if self.template.portal:
            hows = ["stamped" if how == "stamped" else "portal" for how in hows]
        for how in hows:
            yield scanned(paper, how, self.layout, rng)
        if several and parts and rng.random() < 0.7:
            yield scanned(self._pages(paper), "scan", self.layout, rng)

    def _pages(self, paper: Paper) -> Paper:
        """Some of its pages alone."""
        pages = layout.pages(paper.text)
        first = self.rng.randrange(len(pages))
        kept = pages[first : first + self.rng.randint(1, max(1, len(pages) - 1))]
        return replace(paper, part=f"page{first}", text="\n".join(kept))


def scanned(paper: Paper, how: str, look: Layout, rng: random.Random) -> Scan:
    """A paper as it arrives: from its file, from a scanner, stamped, or printed from a mail, a browser or a portal."""
    reprint = how in ("mailed", "browsed")
    if reprint:
        look = replace(look, width=rng.choice((60, 72, 88, 100)))
    rows = layout.printed(in_order(paper.text, how, rng), look, wrap=not reprint or rng.random() < 0.6)
    plain = how == "digital" or rng.random() < SAVED.get(how, 0.0)
    noise = "digital" if plain else rng.choice(NOISES)
    lines = layout.digital(rows, look) if plain else layout.read(misread_cells(rows, rng), rng)
    if how in SAVED:
        lines = getattr(additions, how)(lines, paper.locale, rng)
    if not plain:
        lines = Channel.draw(noise, rng).read(lines, rng)
    if how == "stamped":
        lines = additions.stamped(lines, paper.locale, rng)
    return Scan(paper, noise, how, tuple(lines))


def in_order(text: str, how: str, rng: random.Random) -> str:
    """The pages in the order of the scanner."""
    pages = layout.pages(text)
    if how == "page_order":
        pages = pages[1:] + pages[:1] if rng.random() < 0.5 else pages[::-1]
    return "\n".join(pages)
