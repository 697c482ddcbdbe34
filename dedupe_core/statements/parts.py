"""A part and its whole in, where it is out: its pages, or how far into the whole it begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dedupe_core.fingerprint.overlap import overlap
from dedupe_core.fingerprint.shingles import Hashes, shingle_hashes
from dedupe_core.model import Fingerprint, Statement, StatementKind
from dedupe_core.recipe import DEFAULT, Recipe
from dedupe_core.text.normalise import KEPT_CHARS, KEPT_HEAD_CHARS

_FINE = Recipe(size=10)  # ten letters: a page shares few of them with a page of another letter
_PAGE_BREAK = "\f"
_FOUND = 0.25  # of the part's passages must be in one place: less is a phrase here and there
_PAGE_SHARE = 0.12  # of what was found is on a page of its own; less is the edge of the next
_FILLED = 0.5  # or of the page: a last page of three lines is all of it
_ROUND = 0.05


@dataclass(frozen=True, slots=True)
class Place:
    """Pages count from 1, or there are none to count; `share` is how far into the whole it begins, 0..1."""

    first_page: int = 0
    last_page: int = 0
    share: float | None = None


NOWHERE = Place()


def place_of(part: Fingerprint, whole: Fingerprint) -> Place:
    """Where the part is in the whole; NOWHERE if the index does not keep that section of a long text."""
    wanted = np.unique(shingle_hashes(part.text, _FINE))
    if not len(wanted):
        return NOWHERE
    total_chars = _length(whole)
    stretches = _stretches(whole.text)
    found = [_densest(wanted, text) for text, _ in stretches]
    best = max(range(len(found)), key=lambda number: found[number].count)
    if found[best].count < _FOUND * len(wanted):
        return NOWHERE
    text, is_tail = stretches[best]
    before = total_chars - len(text) if is_tail else 0
    if _PAGE_BREAK in text and not is_tail:
        return Place(*found[best].pages)
    return Place(share=min(1.0, (before + found[best].start * len(text)) / max(1, total_chars)))


def _length(whole: Fingerprint) -> float:
    """Of a long text only the number of its words is known, and how long those are that were kept."""
    return len(whole.text) * max(1.0, whole.words / max(1, len(whole.text.split())))


def _stretches(text: str) -> list[tuple[str, bool]]:
    """Pieces without a gap, and whether the number of pages before them is unknown."""
    if len(text) <= KEPT_CHARS:
        return [(text, False)]
    return [(text[:KEPT_HEAD_CHARS], False), (text[KEPT_HEAD_CHARS:], True)]


@dataclass(frozen=True, slots=True)
class _Stretch:
    count: int = 0
    start: float = 0.0  # share of the stretch before it
    pages: tuple[int, int] = (0, 0)


def _densest(wanted: Hashes, text: str) -> _Stretch:
    """The window as long as the part that has most of it: a letterhead on each page does not widen it."""
    pages = [shingle_hashes(page, _FINE) for page in text.split(_PAGE_BREAK)]
    sizes = np.array([len(page) for page in pages])
    matched = np.isin(np.concatenate(pages), wanted)
    if not matched.any():
        return _Stretch()
    sums = np.concatenate([[0], np.cumsum(matched)])
    width = min(len(matched), round(1.1 * len(wanted)))
    first = int(np.argmax(sums[width:] - sums[: len(sums) - width]))
    inside = np.flatnonzero(matched[first : first + width]) + first
    return _Stretch(len(inside), float(inside[0]) / len(matched), _pages(inside, sizes))


def _pages(inside: NDArray[np.intp], sizes: NDArray[np.int64]) -> tuple[int, int]:
    page_of = np.searchsorted(np.cumsum(sizes), inside, side="right")
    counts = np.bincount(page_of, minlength=len(sizes))
    taken = np.flatnonzero(
        (counts >= _PAGE_SHARE * len(inside)) | ((counts > 0) & (counts >= _FILLED * sizes))
    )
    return int(taken[0]) + 1, int(taken[-1]) + 1


_FEWEST_WORDS = 5  # of a shorter text, a place or a share is chance


def part(subject: Fingerprint, other: Fingerprint, direction: int) -> Statement:
    """Which of the two is part of the other, where it is, how much of it appears there, and how much of the whole that is."""
    small, whole = (subject, other) if direction < 0 else (other, subject)
    shares = overlap(small, whole, DEFAULT)
    place = place_of(small, whole) if small.words >= _FEWEST_WORDS else NOWHERE
    counts = [_percent(shares.of_given), _percent(shares.of_other)]
    if place.share is not None:
        counts.append(round(100 * round(place.share / _ROUND) * _ROUND))
    pages = (place.first_page, place.last_page) if place.first_page else ()
    return Statement(StatementKind.PART, counts=tuple(counts), place=pages, documents=(small.id, whole.id))


def _percent(share: float) -> int:
    """Rounded down: 99.6% is not all of it."""
    return int(100 * share + 1e-9)
