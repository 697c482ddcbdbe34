"""A ledger of differences in, doubts out: the places that could be content though a scanner could have made them.

Text cannot tell a changed digit from a misread one. So a pair that is called the same paper says where it might not be:
a digit that scanners confuse, a name that is half alike, a word that only one text has inside a clean line.
"""

from __future__ import annotations

from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.compare.written import are_written, is_sentence
from dedupe_core.model import Field, Statement, StatementKind
from dedupe_core.text.words import NUMBERS, WordKind

# Misread letters around a place: above one in 25 every line differs, and only a person who looks at the page can tell.
# Of 902 labelled duplicates 38% have a doubt, of 240 papers with one edit all.
_BADLY_READ = 0.04
_UNLIKELY = 4.0  # nats, times how well formed both sides are: noise that looks like another word
_LINE = 8  # words
_MOST = 20  # doubts of a pair
_LONGEST = 60  # characters of a side

_FIELDS = {WordKind.CONTACT: Field.ADDRESS, WordKind.NAME: Field.NAME}


def doubtful(ledger: Ledger) -> list[Difference]:
    return [difference for difference in ledger.differences if _is_doubtful(ledger, difference)]


def _is_doubtful(ledger: Ledger, difference: Difference) -> bool:
    if ledger.noise.rate(difference) >= _BADLY_READ:
        return False
    return (
        difference.is_content
        or difference.certain
        or (difference.slip and difference.clean)
        or difference.nats > _UNLIKELY
        or _is_lost_sentence(ledger, difference)
    )


def _is_lost_sentence(ledger: Ledger, difference: Difference) -> bool:
    """A sentence or a line of words at the end of a text, or between lines: cut off by the scanner, or taken out."""
    side, only = (
        (ledger.left, difference.left_only) if difference.left_only else (ledger.right, difference.right_only)
    )
    is_lost = difference.kind is Kind.EDGE or difference.kind is Kind.LOST
    words, keys = [side.words[i] for i in only], [side.keys[i] for i in only]
    return is_lost and (is_sentence(words, keys) or (len(words) >= _LINE and are_written(words, keys)))


def doubts_of(ledger: Ledger, *, is_left: bool, in_part: bool = False) -> tuple[Statement, ...]:
    """`is_left`: the subject is the left side. `in_part`: the left text is a part, so what only the right one has is none."""
    differences = [
        difference for difference in doubtful(ledger) if not in_part or difference.span.a < difference.span.b
    ]
    return tuple(_doubt(ledger, difference, is_left=is_left) for difference in differences[:_MOST])


def _doubt(ledger: Ledger, difference: Difference, *, is_left: bool) -> Statement:
    left, right = (text[:_LONGEST] for text in ledger.sides(difference))
    here, there = difference.span.a, difference.span.c
    if not is_left:
        left, right, here, there = right, left, there, here
    return Statement(StatementKind.DOUBT, _field(difference), (left, right), place=(here, there))


def _field(difference: Difference) -> Field:
    if difference.slip or difference.word_kind in NUMBERS:
        return Field.NUMBER
    return _FIELDS.get(difference.word_kind, Field.WORD)
