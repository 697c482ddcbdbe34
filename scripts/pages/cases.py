"""Pairs of scans whose papers are known: rescans, one edit, copies of a mail merge, and the one-character trap.

A case's pages are made once and kept in a directory, so that a second measurement costs no OCR.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from scripts.corpus.edited import EDITS, negated
from scripts.corpus.generate import TEMPLATES, corpus
from scripts.corpus.render import LANGUAGES
from scripts.corpus.template import load
from scripts.pages.printing import Style, printed_pdf
from scripts.pages.scanning import LEVELS, Fault, Matrix, drawn, read, scanned

READ_LANGUAGES = ("en", "de", "fr")
LEAST_WORDS, MOST_WORDS = 40, 420
TRAPS = 5  # characters changed on a page of the trap, each in a word of its own
_ALIKE = {"0": "8", "1": "7", "2": "7", "3": "8", "4": "1", "5": "6", "6": "5", "7": "1", "8": "3", "9": "0"}
_LETTERS = "abcdefghiklmnoprstuvwxyz"


@dataclass(frozen=True, slots=True)
class Scan:
    """A paper, and what a device and tesseract made of it."""

    paper: bytes  # the PDF that was printed
    pdf: bytes
    content: str
    matrices: tuple[Matrix, ...]  # from the paper's points to the scan's, a page


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    kind: str  # rescan, edit, merge, trap
    noise: str
    left: Scan
    right: Scan


def one_character_off(text: str, rng: random.Random) -> str:
    """Five words with one character replaced; every second one is a digit, by one of a like shape half of the time."""
    words = text.split(" ")
    places = [n for n, word in enumerate(words) if len(word.strip()) >= 3 and "\n" not in word]
    with_digit = [n for n in places if sum(map(str.isdigit, words[n])) >= 2]
    with_letters = [n for n in places if words[n].isalpha() and words[n].isascii() and len(words[n]) >= 4]
    chosen = rng.sample(with_digit, min(3, len(with_digit))) + rng.sample(
        with_letters, min(TRAPS - 3, len(with_letters))
    )
    for place in chosen:
        words[place] = _off(words[place], rng)
    return " ".join(words)


def _off(word: str, rng: random.Random) -> str:
    digits = [n for n, character in enumerate(word) if character in _ALIKE]
    place = rng.choice(digits) if digits else rng.randrange(1, len(word))
    old = word[place]
    if digits:
        new = _ALIKE[old] if rng.random() < 0.5 else rng.choice([one for one in "0123456789" if one != old])
    else:
        new = rng.choice([one for one in _LETTERS if one != old.lower()])
    return word[:place] + new + word[place + 1 :]


def texts(seed: int, size: int) -> Iterator[dict[str, Any]]:
    """A paper, an edit of it, another copy of its mail merge if there is one, and the trap."""
    docs, labelled = corpus(load(TEMPLATES), 1500, seed)
    clean = {
        doc["id"]: doc
        for doc in docs
        if doc["noise"] == "digital"
        and doc["lang"] in READ_LANGUAGES
        and LEAST_WORDS <= len(doc["content"].split()) <= MOST_WORDS
    }
    merges = {
        pair["a"]: clean[pair["b"]]["content"]
        for pair in labelled
        if pair["sub"] == "mail_merge" and pair["a"] in clean and pair["b"] in clean
    }
    rng = random.Random(f"{seed}/pages")
    ids = rng.sample(sorted(merges), min(len(merges), size // 2))
    ids += rng.sample(sorted(set(clean) - set(ids)), size - len(ids))
    for number in ids:
        text, lang = clean[number]["content"], clean[number]["lang"]
        other = clean[rng.choice(sorted(clean))]["content"]
        yield {
            "lang": lang, "paper": text, "edit": _edit(text, lang, other, rng), "merge": merges.get(number, ""),
            "trap": one_character_off(text, rng),
        }  # fmt: skip


def _edit(text: str, lang: str, other: str, rng: random.Random) -> str:
    for kind in rng.sample([*EDITS, "not"], len(EDITS) + 1):
        found = negated(text, lang, rng) if kind == "not" else EDITS[kind](text, other, rng)
        if found != text:
            return found
    return ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A paper on its way to a device; what the device does to it follows from `chance`."""

    text: str
    style: Style
    lang: str
    level: str
    chance: float


@dataclass(frozen=True, slots=True)
class Pair:
    name: str
    kind: str
    noise: str
    left: Sheet
    right: Sheet


def pairs(seed: int, size: int) -> Iterator[Pair]:
    for number, row in enumerate(texts(seed, size)):
        rng = random.Random(f"{seed}/{number}/scans")
        noise = LEVELS[1 + number % (len(LEVELS) - 1)]
        style = Style.draw(rng)
        first = "digital" if rng.random() < 0.25 else noise
        left = Sheet(row["paper"], style, row["lang"], first, rng.random())
        for kind in ("paper-2", "edit", "merge", "trap"):
            text = row[kind.removesuffix("-2")]
            right = Sheet(text, style, row["lang"], noise, rng.random())
            if text:
                shown = "rescan" if kind == "paper-2" else kind
                yield Pair(f"{seed}-{number}/{kind}", shown, noise, left, right)


def case_of(pair: Pair, directory: Path) -> Case:
    left, right = scan(directory, pair.left), scan(directory, pair.right)
    return Case(pair.name, pair.kind, pair.noise, left, right)


def pictures(sheet: Sheet) -> tuple[bytes, Fault | None, list[tuple[Any, Matrix]]]:
    """The printed paper, and what a device makes of its pages: nothing of one that was never printed."""
    paper = printed_pdf(sheet.text, sheet.style)
    if sheet.level == "digital":
        return paper, None, []
    rng = random.Random(sheet.chance)
    fault = drawn(sheet.level, rng)
    return paper, fault, scanned(paper, fault, rng)


@lru_cache(maxsize=2)
def scan(directory: Path, sheet: Sheet) -> Scan:
    paper, fault, images = pictures(sheet)
    if fault is None:
        return Scan(paper, paper, sheet.text, ())
    known = f"{sheet.lang}/{sheet.style}/{fault}/{sheet.chance}/{sheet.text}"
    target = directory / hashlib.sha256(known.encode()).hexdigest()[:24]
    if not target.with_suffix(".read").exists():
        directory.mkdir(parents=True, exist_ok=True)
        read([image for image, _ in images], LANGUAGES[sheet.lang], fault.dpi, target)
        target.with_suffix(".read").touch()
    pdf = target.with_suffix(".pdf").read_bytes()
    content = target.with_suffix(".txt").read_text(encoding="utf-8")
    return Scan(paper, pdf, content, tuple(matrix for _, matrix in images))
