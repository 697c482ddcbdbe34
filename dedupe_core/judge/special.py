"""Pairs that counting gets wrong: a corrected paper under its old number, one change in a text that is equal to the
letter, a negation, a form that was filled in, and a web page or mail printed again."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain
from typing import Final

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.differences import Difference, Ledger, formed
from dedupe_core.compare.evidence import Evidence
from dedupe_core.compare.places import CLEAN_RATE, Kind
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import Span
from dedupe_core.text.vocabulary import is_correction, is_counting_word, is_page_word
from dedupe_core.text.words import NUMBERS, WordKind, number_pattern, well_formed, word_key, word_kind

SURE: Final = 0.8
_COVERED, _IN_ORDER = 0.9, 0.85
_FRAME_LINES: Final = 2  # at the top and at the foot: where browsers and mail programs print their own lines
_FEWEST_WORDS: Final = 40
_WORDS_READ: Final = 60  # without an error: shorter texts are read so by chance
_MOST_PLACES: Final = 6  # that one edit changes: a name is on a letter several times
_NAME_WORDS, _FEW_WORDS = 4, 2
_NUMBER_GROUPS = 6  # of an account number
_FIELDS = 3  # of a form that are filled in
_READABLE = 0.4  # how well formed a replaced word is; a stain is not
_UNLIKE = 0.6  # of the letters equal at most: a name that was misread keeps more
_NO_NAMES = (*NUMBERS, WordKind.CONTACT)
Words = tuple[str, ...]
_TIME: Final = re.compile(r"\d{1,2}[:.]\d{2}(?::\d{2})?,?")


def is_corrected(evidence: Evidence) -> bool:
    """The same date and number, other amounts, and one of the two says that it is a correction."""
    measures = evidence.measures
    is_alike = measures["coverage_high"] >= _COVERED and measures["in_order"] >= _IN_ORDER
    if not is_alike or measures["certain_names"] or measures["certain_contacts"]:
        return False
    dates, amounts, references = evidence.dates, evidence.amounts, evidence.references
    is_same_number = bool(references.shared) and not (references.only_a and references.only_b)
    is_same_day = bool(dates.shared) and not (dates.only_a and dates.only_b)
    return (
        is_same_number
        and is_same_day
        and bool(amounts.only_a and amounts.only_b)
        and _says_so(evidence.ledger)
    )


def _says_so(ledger: Ledger) -> bool:
    return any(map(is_correction, set(ledger.left.keys) ^ set(ledger.right.keys)))


def is_meant_otherwise(ledger: Ledger) -> bool:
    """A negation came or went, or a number written out became another one, among words that are equal."""
    return any(map(partial(_changes_meaning, ledger), ledger.differences))


def _changes_meaning(ledger: Ledger, one: Difference) -> bool:
    """Only short differences count: "no" in "Invoice no. 428" is not a negation."""
    left, right = (
        [side.keys[i] for i in only]
        for side, only in ((ledger.left, one.left_only), (ledger.right, one.right_only))
    )
    if max(len(left), len(right)) > _FEW_WORDS:
        return False
    is_other_number = one.clean and any(map(is_counting_word, left)) and any(map(is_counting_word, right))
    return is_other_number or (one.negation and one.certain)


def is_lone_change(ledger: Ledger) -> bool:
    """One number, or names and words, became others, and all the rest is equal to the letter.

    A scanner that misread a digit, or half of a word, misreads something somewhere else, too.
    """
    groups = _groups(ledger)
    if len(ledger.left) < _WORDS_READ or not 0 < len(groups) <= _MOST_PLACES:
        return False
    replaced = [(ledger.left.words[span.a : span.b], ledger.right.words[span.c : span.d]) for span in groups]
    numbers = {sides for sides in replaced if _is_other_number(*sides)}
    return len(numbers) <= 1 and all(sides in numbers or _is_other_name(*sides) for sides in replaced)


def _groups(ledger: Ledger) -> list[Span]:
    """The places that differ, neighbouring ones as one: a first and a last name."""
    found: list[Span] = []
    for one in ledger.differences:
        if found and (found[-1].b, found[-1].d) == (one.span.a, one.span.c):
            found[-1] = Span(found[-1].a, one.span.b, found[-1].c, one.span.d)
        else:
            found.append(one.span)
    return found


def _is_other_number(left: Words, right: Words) -> bool:
    """Printed alike, digit for digit or group for group."""
    return 0 < len(left) == len(right) <= _NUMBER_GROUPS and all(
        word_kind(x) in NUMBERS
        and number_pattern(x) == number_pattern(y)
        and well_formed(x) == well_formed(y) == 1
        for x, y in zip(left, right, strict=True)
    )


def _is_other_name(left: Words, right: Words) -> bool:
    if not (left and right) or max(len(left), len(right)) > _NAME_WORDS:
        return False
    if any(word_kind(word) in _NO_NAMES or is_page_word(word_key(word)) for word in left + right):
        return False
    x, y = "".join(map(word_key, left)), "".join(map(word_key, right))
    is_written = min(formed(left), formed(right)) >= _READABLE
    return is_written and Levenshtein.normalized_similarity(x, y) <= _UNLIKE


def is_filled_in(ledger: Ledger) -> bool:
    """A form and the same form with names and numbers behind its labels: all that differs is on one side."""
    if ledger.error_rate > CLEAN_RATE:
        return False
    found = [one for one in ledger.differences if one.kind is not Kind.NOISE]
    is_left = bool(found) and bool(found[0].left_only)
    if any(one.kind is Kind.MOVED or bool(one.left_only) != is_left or one.is_two_sided for one in found):
        return False
    side, spans = (
        (ledger.left, [one.span[:2] for one in found])
        if is_left
        else (ledger.right, [one.span[2:] for one in found])
    )
    filled = [side.words[start:end] for start, end in spans if start and side.words[start - 1][-1] in ":_."]
    kinds = set(map(word_kind, chain.from_iterable(filled)))
    return len(filled) >= _FIELDS and WordKind.NAME in kinds and not kinds.isdisjoint(NUMBERS)


def is_reprint(evidence: Evidence) -> bool:
    """All that differs is in lines that a browser added: the day and time of printing, the address, a page number.

    Another reference or amount is never explained by printing.
    """
    ledger, measures = evidence.ledger, evidence.measures
    if (
        measures["length"] < _FEWEST_WORDS
        or measures["coverage_high"] < _COVERED
        or measures["in_order"] < _IN_ORDER
    ):
        return False
    if any(facts.only_a or facts.only_b for facts in (evidence.references, evidence.amounts)):
        return False
    left, right = _frame(ledger.left), _frame(ledger.right)
    changes = [one for one in ledger.differences if one.is_content or one.slip or one.certain]
    return bool(left and right and changes) and all(_is_inside(ledger, one, left, right) for one in changes)


def _frame(side: Printed) -> frozenset[int]:
    """The first and last lines that have a full address; none if no time of printing is among them.

    A letterhead has `www.firm.example` and a date; a browser prints `https://` and a time.
    """
    lines = sorted(set(side.lines))
    outer = {*lines[:_FRAME_LINES], *lines[-_FRAME_LINES:]}
    found = list(zip(side.words, side.lines, strict=True))
    framed = {line for word, line in found if line in outer and "://" in word}
    is_timed = any(line in framed and _TIME.fullmatch(word) for word, line in found)
    return frozenset(framed) if is_timed else frozenset()


def _is_inside(ledger: Ledger, one: Difference, left: frozenset[int], right: frozenset[int]) -> bool:
    a, b, c, d = one.span
    return set(ledger.left.lines[a:b]) <= left and set(ledger.right.lines[c:d]) <= right
