"""Where two texts differ, a first time: each place is noise, or not known yet; judged at the error rate of the pair."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import Span, differing, is_one_word
from dedupe_core.facts.accounts import accounts_at, are_two_accounts, is_misread_account
from dedupe_core.facts.dates import is_misread_day
from dedupe_core.text.tokens import is_slip
from dedupe_core.text.vocabulary import are_number_words, is_page_word
from dedupe_core.text.words import NUMBERS, WordKind, well_formed, word_kind

_SAME_WORD = 0.5  # of the letters differ at most: one word, misread
_PAGE_DIGITS = 3
_BURST, _FEW_ERRORS = 5, 0.002  # misread letters come together: a word beside one has five times as many
_IMPROBABLE = 1e-3
_HALF_ALIKE, _NAME_WORDS = 0.4, 3  # of the letters differ; words beside it
_OTHER_WORD = 0.45  # of the letters differ: a word that was cut off or misread keeps more
_REPLACED, _TIMES = 3, 3  # letters that differ, and how often the same word became the same other one
_ADDRESS = re.compile(r"[/?=&#@]+")
_ADDRESS_PART, _SAME_PART = 4, 0.45
_RUN_TOGETHER = 4  # words without a space between them, in which a letter in eight may be misread
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
    slip: bool = False
    misread: bool = False  # one side is no account, or no day: it is a bad reading of the other


def places_of(left: Printed, right: Printed) -> tuple[list[Place], float]:
    """The places, and the characters misread of those that were read twice; from words alone."""
    places = [_first_look(left, right, span) for span in differing(left, right)]
    places = _without_replaced(places)
    error_rate = _error_rate(left, places)
    places = [_second_look(left, right, place, error_rate) for place in places]
    places = _joined(_torn(places) if error_rate <= FAIR_RATE else places)
    return places, _error_rate(left, places)


def _first_look(left: Printed, right: Printed, span: Span) -> Place:
    x, y = "".join(left.keys[span.a : span.b]), "".join(right.keys[span.c : span.d])
    if x == y or is_one_word(left, right, span) or _differs_by_page_number(left, right, span):
        return Place(span, x, y, Kind.NOISE, 1)
    if not x or not y or span.b - span.a > 2 or span.d - span.c > 2:
        edits = _run_together(left, right, span, x, y)
        return Place(span, x, y, Kind.NOISE if edits else None, edits or max(len(x), len(y)))
    edits = Levenshtein.distance(x, y)
    if _has_number(left, span.a, span.b) and _has_number(right, span.c, span.d):
        return _numbers(left, right, span, Place(span, x, y, None, edits))
    is_misread = edits <= 1 or edits <= _SAME_WORD * max(len(x), len(y))
    is_noise = is_misread and not is_other_address(left.words[span.a], right.words[span.c])
    return Place(span, x, y, Kind.NOISE if is_noise else None, edits)


def _numbers(left: Printed, right: Printed, span: Span, place: Place) -> Place:
    """Noise if scanners take the one for the other, or if check digits or the calendar tell which of two readings is wrong."""
    accounts = accounts_at(left.words, span.a, right.words, span.c)
    if (accounts and is_misread_account(*accounts)) or is_misread_day(
        left.words[span.a], right.words[span.c]
    ):
        return place._replace(kind=Kind.NOISE, misread=True)
    slip = is_slip(place.x, place.y) and not (accounts and are_two_accounts(*accounts))
    return place._replace(kind=Kind.NOISE if slip else None, slip=slip)


def is_other_address(a: str, b: str) -> bool:
    """The same server and another page or user: what identifies is behind the last slash, or before the `@`."""
    if word_kind(a) is not WordKind.CONTACT or word_kind(b) is not WordKind.CONTACT:
        return False
    parts = list(zip(_ADDRESS.split(a.lower()), _ADDRESS.split(b.lower()), strict=False))
    return any(
        min(len(x), len(y)) >= _ADDRESS_PART and Levenshtein.normalized_similarity(x, y) < _SAME_PART
        for x, y in parts
    )


def _run_together(left: Printed, right: Printed, span: Span, x: str, y: str) -> int:
    """Letters that were misread, if one side is the other one without its spaces; else 0."""
    sides = span.b - span.a, span.d - span.c
    if min(sides) != 1 or max(sides) > _RUN_TOGETHER:
        return 0
    if _has_number(left, span.a, span.b) or _has_number(right, span.c, span.d):
        return 0
    most = max(len(x), len(y)) // 8
    edits = Levenshtein.distance(x, y, score_cutoff=most)
    return edits if edits <= most else 0


def _differs_by_page_number(left: Printed, right: Printed, span: Span) -> bool:
    if (
        span.b - span.a < 2 and span.d - span.c < 2
    ):  # neither a page word nor its number are beside another word
        return False
    return _without_page_number(left, span.a, span.b) == _without_page_number(right, span.c, span.d)


def _without_page_number(side: Printed, start: int, end: int) -> str:
    """`Verfah- Seite 2 rensdauern`: the number of a page, between the halves of a word or by itself."""
    keys = list(side.keys[start:end])
    for place in range(len(keys) - 1):
        if is_page_word(keys[place]) and keys[place + 1].isdigit() and len(keys[place + 1]) <= _PAGE_DIGITS:
            keys[place : place + 2] = ["", ""]
    return "".join(keys)


def _without_replaced(places: list[Place]) -> list[Place]:
    """`Chairman` became `Chair`, each time: noise does not misread three letters the same way again and again."""
    misread = [
        (place.x, place.y) for place in places if place.kind is Kind.NOISE and place.edits >= _REPLACED
    ]
    if len(misread) < _TIMES:
        return places
    replaced = {sides for sides, count in Counter(misread).items() if count >= _TIMES}
    return [place._replace(kind=None) if (place.x, place.y) in replaced else place for place in places]


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
    is_other = place.edits >= _OTHER_WORD * longer and not is_likely(place.edits, longer, others)
    is_written = min(well_formed(left.words[a]), well_formed(right.words[c])) >= WELL_FORMED
    return place._replace(kind=None) if _are_number_words(place) or (is_written and is_other) else place


def is_likely(edits: int, letters: int, error_rate: float) -> bool:
    """True if noise of this pair misreads so many letters of a word now and then."""
    return poisson_tail(edits, (_BURST * error_rate + _FEW_ERRORS) * letters) > _IMPROBABLE


def _torn(places: list[Place]) -> list[Place]:
    """`Matthias Kaiser` became `Ilse Reinhardt`: two words that are half alike by chance, between words that are not, are
    no reading of each other."""
    return [
        place._replace(kind=None)
        if place.kind is Kind.NOISE and _is_half_alike(place) and _is_beside_other(places, number)
        else place
        for number, place in enumerate(places)
    ]


def _is_half_alike(place: Place) -> bool:
    return not place.slip and place.edits > 1 and place.edits >= _HALF_ALIKE * max(len(place.x), len(place.y))


def _is_beside_other(places: Sequence[Place], number: int) -> bool:
    a, b, c, d = places[number].span
    beside = (
        [place for place in places[max(0, number - 1) : number] if (place.span.b, place.span.d) == (a, c)],
        [place for place in places[number + 1 : number + 2] if (place.span.a, place.span.c) == (b, d)],
    )
    others = [place for side in beside for place in side if place.kind is None]
    return bool(others) and all(place.span.is_short(_NAME_WORDS) for place in others)


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
