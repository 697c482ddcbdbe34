"""Which of two readings of one paper is the better one, judged by how much of each the other confirms. Pure.

A misread word is seldom found in the other reading, and a right one often is, at another place if not at the same. What
neither confirms is judged by its form. Postcodes, IBANs and signs that are printed are in both, so they do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dedupe_core.compare.printed import Printed, read_printed
from dedupe_core.compare.spans import Span, differing
from dedupe_core.text.words import well_formed

_CACHED = 16_384  # words: each is asked for once a text that has it
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_FEWEST_WORDS = (
    20  # of a text that a difference is related to: one word more or less in a short text says little
)


def readability(left: str, right: str) -> float:
    """Of two printed texts; positive if the left one is the better reading, 0 if they cannot be told apart.

    About the share of words by which it is better. scripts/evaluation/keeper.py measures how often it is right.
    """
    if right < left:  # the alignment of two texts depends a little on which comes first
        return -readability(right, left) if left != right else 0.0
    one, two = read_printed(left), read_printed(right)
    bare_one, bare_two = list(map(_bare, one.words)), list(map(_bare, two.words))
    known_one, known_two = frozenset(bare_one) - {""}, frozenset(bare_two) - {""}
    places = _places(one, two, bare_one, bare_two)
    points: float = sum(map(known_two.__contains__, bare_one)) - sum(map(known_one.__contains__, bare_two))
    points += sum(_vote(one, two, place, known_one, known_two) for place in places)
    points += _formed(one.words[place.a : place.b] for place in places)
    points -= _formed(two.words[place.c : place.d] for place in places)
    return round(points / max(_FEWEST_WORDS, (len(one) + len(two)) / 2), 3)


def _places(one: Printed, two: Printed, bare_one: Sequence[str], bare_two: Sequence[str]) -> list[Span]:
    """Where the readings differ, also by a letter that scanners confuse: `h0use` has the key of `house`."""
    places: list[Span] = []
    at, beside = 0, 0
    for place in [*differing(one, two), Span(len(one), len(one), len(two), len(two))]:
        equal = zip(bare_one[at : place.a], bare_two[beside : place.c], strict=False)
        places += [
            Span(at + i, at + i + 1, beside + i, beside + i + 1) for i, (x, y) in enumerate(equal) if x != y
        ]
        places += [place] if place.a < place.b or place.c < place.d else []
        at, beside = place.b, place.d
    return places


@lru_cache(maxsize=_CACHED)
def _bare(word: str) -> str:
    return word.casefold() if word.isalnum() else _EDGES.sub("", word).casefold()


def _vote(
    one: Printed, two: Printed, place: Span, known_one: frozenset[str], known_two: frozenset[str]
) -> float:
    """Where both read something and it differs: 1 for the left side, -1 for the right one."""
    left, right = one.words[place.a : place.b], two.words[place.c : place.d]
    if not left or not right:
        return 0.0
    here, there = _quality(left, known_two), _quality(right, known_one)
    return float(here > there) - float(here < there)


def _quality(words: Sequence[str], known: frozenset[str]) -> float:
    good = sum(len(word) * (1.0 if _bare(word) in known else well_formed(word)) for word in words)
    return good / sum(map(len, words))


def _formed(places: Iterable[Sequence[str]]) -> float:
    return sum(well_formed(word) for words in places for word in words)
