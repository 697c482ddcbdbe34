"""Pairs that facts alone get wrong: a corrected paper under its old number, a form that was filled in, and a web page or
mail printed again."""

from __future__ import annotations

import re
from itertools import chain
from typing import Final

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.evidence import Evidence
from dedupe_core.compare.places import CLEAN_RATE, Kind
from dedupe_core.compare.printed import Printed
from dedupe_core.text.vocabulary import is_correction
from dedupe_core.text.words import NUMBERS, WordKind, word_kind

SURE: Final = 0.8
_COVERED, _IN_ORDER = 0.9, 0.85
_FRAME_LINES: Final = 2  # at the top and at the foot: where browsers and mail programs print their own lines
_FEWEST_WORDS: Final = 40
_FIELDS = 3  # of a form that are filled in
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
