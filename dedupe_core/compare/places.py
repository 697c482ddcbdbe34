"""Where two texts differ, a first time: each place is noise, or not known yet; judged at the error rate of the pair."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import Span, differing, is_one_word
from dedupe_core.text.tokens import is_slip
from dedupe_core.text.vocabulary import are_number_words
from dedupe_core.text.words import NUMBERS, WordKind, well_formed, word_kind

_SAME_WORD = 0.5  # of the letters differ at most: one word, misread
_BURST, _FEW_ERRORS = 5, 0.002  # misread letters come together: a word beside one has five times as many
_IMPROBABLE = 1e-3
_OTHER_WORD = 0.45  # of the letters differ: a word that was cut off or misread keeps more
_ADDRESS = re.compile(r"[/?=&#@]+")
_ADDRESS_PART, _SAME_PART = 4, 0.45
WELL_FORMED = 0.7
# Errors a letter, one in 80: up to it, names and numbers that differ are mostly other ones.
FAIR_RATE = 0.012
CLEAN_RATE = 0.006  # errors a letter: there, a strange word is a strange word and not a stain


class Kind(StrEnum):
    NOISE = "noise"
    MOVED = "moved"
    LOST = "lost"
    EDGE = "edge"
    FIELD = "field"
    PROSE = "prose"


class Place(NamedTuple):
    """A span with the keys of its sides, before it is known what it is."""

    span: Span
    x: str
    y: str
    kind: Kind | None  # noise, or not known yet
    edits: int
    slip: bool = False  # a digit for one that scanners take for it


def places_of(left: Printed, right: Printed) -> tuple[list[Place], float]:
    """The places, and the characters misread of those that were read twice; from words alone."""
    places = [_first_look(left, right, span) for span in differing(left, right)]
    error_rate = _error_rate(left, places)
    places = [_second_look(left, right, place, error_rate) for place in places]
    places = _joined(places)
    return places, _error_rate(left, places)


def _first_look(left: Printed, right: Printed, span: Span) -> Place:
    x, y = "".join(left.keys[span.a : span.b]), "".join(right.keys[span.c : span.d])
    if x == y or is_one_word(left, right, span):
        return Place(span, x, y, Kind.NOISE, 1)
    if not x or not y or span.b - span.a > 2 or span.d - span.c > 2:
        return Place(span, x, y, None, max(len(x), len(y)))
    edits = Levenshtein.distance(x, y)
    if _has_number(left, span.a, span.b) and _has_number(right, span.c, span.d):
        slip = is_slip(x, y)
        return Place(span, x, y, Kind.NOISE if slip else None, edits, slip)
    is_misread = edits <= 1 or edits <= _SAME_WORD * max(len(x), len(y))
    is_noise = is_misread and not _is_other_address(left.words[span.a], right.words[span.c])
    return Place(span, x, y, Kind.NOISE if is_noise else None, edits)


def _is_other_address(a: str, b: str) -> bool:
    """The same server and another page or user: what identifies is behind the last slash, or before the `@`."""
    if word_kind(a) is not WordKind.CONTACT or word_kind(b) is not WordKind.CONTACT:
        return False
    parts = list(zip(_ADDRESS.split(a.lower()), _ADDRESS.split(b.lower()), strict=False))
    return any(
        min(len(x), len(y)) >= _ADDRESS_PART and Levenshtein.normalized_similarity(x, y) < _SAME_PART
        for x, y in parts
    )


def _error_rate(left: Printed, places: Sequence[Place]) -> float:
    misread = sum(place.edits for place in places if place.kind is Kind.NOISE and not place.slip)
    return (misread + 0.3) / (len(left.compact) + 60)


def _second_look(left: Printed, right: Printed, place: Place, error_rate: float) -> Place:
    """Two words of which each is spelled well are one word misread only where as much is misread elsewhere."""
    a, b, c, d = place.span
    if place.kind is not Kind.NOISE or place.slip or place.edits < 2 or (b - a, d - c) != (1, 1):
        is_other_number = place.kind is Kind.NOISE and _are_number_words(place) and error_rate <= CLEAN_RATE
        return place._replace(kind=None) if is_other_number else place
    others = max(0.0, error_rate - place.edits / (len(left.compact) + 60))
    longer = max(len(place.x), len(place.y))
    is_other = place.edits >= _OTHER_WORD * longer and not _is_likely(place.edits, longer, others)
    is_written = min(well_formed(left.words[a]), well_formed(right.words[c])) >= WELL_FORMED
    return place._replace(kind=None) if _are_number_words(place) or (is_written and is_other) else place


def _is_likely(edits: int, letters: int, error_rate: float) -> bool:
    """True if noise of this pair misreads so many letters of a word now and then."""
    return poisson_tail(edits, (_BURST * error_rate + _FEW_ERRORS) * letters) > _IMPROBABLE


def _joined(places: Sequence[Place]) -> list[Place]:
    """Neighbouring places that are not noise as one: a first and a last name, the groups of an account number."""
    joined: list[Place] = []
    for place in places:
        last = joined[-1] if joined else None
        if (
            last
            and last.kind is place.kind is None
            and (last.span.b, last.span.d) == (place.span.a, place.span.c)
        ):
            span = Span(last.span.a, place.span.b, last.span.c, place.span.d)
            joined[-1] = Place(span, last.x + place.x, last.y + place.y, None, last.edits + place.edits)
        else:
            joined.append(place)
    return joined


def _are_number_words(place: Place) -> bool:
    """`zwei` and `drei`: two numbers written out, as alike as two readings of one word."""
    return are_number_words([place.x], [place.y])


def poisson_tail(count: int, expected: float) -> float:
    """How likely at least so many are where so many are expected."""
    term, below = math.exp(-expected), 0.0
    for number in range(min(count, 60)):
        below += term
        term *= expected / (number + 1)
    return max(1 - below, term, 1e-30)


def _has_number(side: Printed, start: int, end: int) -> bool:
    return any(word_kind(word) in NUMBERS for word in side.words[start:end])
