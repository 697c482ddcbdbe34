"""A ledger of differences in, doubts out: the places that could be content though a scanner could have made them.

Text cannot tell a changed digit from a misread one. So a pair that is called the same paper says where it might not be:
a digit that scanners confuse, a name that is half alike, a word that only one text has inside a clean line.
"""

from __future__ import annotations

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.likelihood import Noise, is_replaced, written
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
    noise = Noise(ledger)
    return [one for one in ledger.differences if _is_doubtful(ledger, one, noise)]


def _is_doubtful(ledger: Ledger, one: Difference, noise: Noise) -> bool:
    if noise.rate(one) >= _BADLY_READ:
        return False
    if (
        one.is_content
        or one.certain
        or one.misread
        or (one.slip and one.clean)
        or _is_lost_sentence(ledger, one)
    ):
        return True
    return is_replaced(one) and written(ledger, one) * noise.nats(one) > _UNLIKELY


def _is_lost_sentence(ledger: Ledger, one: Difference) -> bool:
    """A sentence or a line of words at the end of a text, or between lines: cut off by the scanner, or taken out."""
    side, only = (ledger.left, one.left_only) if one.left_only else (ledger.right, one.right_only)
    is_lost = one.kind is Kind.EDGE or one.kind is Kind.LOST
    words, keys = [side.words[i] for i in only], [side.keys[i] for i in only]
    return is_lost and (is_sentence(words, keys) or (len(words) >= _LINE and are_written(words, keys)))


def doubts_of(ledger: Ledger, *, is_left: bool, in_part: bool = False) -> tuple[Statement, ...]:
    """`is_left`: the subject is the left side. `in_part`: the left text is a part, so what only the right one has is none."""
    found = [one for one in doubtful(ledger) if not in_part or one.span.a < one.span.b]
    return tuple(_doubt(ledger, one, is_left=is_left) for one in found[:_MOST])


def _doubt(ledger: Ledger, one: Difference, *, is_left: bool) -> Statement:
    left, right = (text[:_LONGEST] for text in ledger.sides(one))
    here, there = one.span.a, one.span.c
    if not is_left:
        left, right, here, there = right, left, there, here
    return Statement(StatementKind.DOUBT, _field(one), (left, right), place=(here, there))


def _field(one: Difference) -> Field:
    if one.slip or one.misread or one.word_kind in NUMBERS:
        return Field.NUMBER
    return _FIELDS.get(one.word_kind, Field.WORD)
