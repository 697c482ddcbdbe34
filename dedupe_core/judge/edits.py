"""Edits in a text that was read well, which the trees may overlook because they are small."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.moved import moved_in
from dedupe_core.compare.places import CLEAN_RATE, Kind
from dedupe_core.compare.spans import Span
from dedupe_core.compare.written import formed, is_sentence
from dedupe_core.text.vocabulary import (
    are_counting_words,
    is_correction,
    is_edition_word,
    is_negated,
    is_page_word,
)
from dedupe_core.text.words import NUMBERS, WordKind, number_pattern, well_formed, word_key, word_kind

_WORDS_READ: Final = 60  # without an error: shorter texts are read so by chance
_MOST_PLACES: Final = 6  # that one edit changes: a name is on a letter several times
_NAME_WORDS, _FEW_WORDS, _TITLE_WORDS = 4, 2, 3
_EDITION_MARK: Final = 4  # words
_NUMBER_GROUPS: Final = 6  # of an account number
_READABLE: Final = 0.4  # how well formed a replaced word is; a stain is not
_UNLIKE: Final = 0.6  # of the letters equal at most: a name that was misread keeps more
_SENTENCE_RATE: Final = 0.002  # errors a letter
_NO_NAMES: Final = (*NUMBERS, WordKind.CONTACT)
Words = tuple[str, ...]


def has_edit(ledger: Ledger) -> bool:
    return (
        is_meant_otherwise(ledger)
        or is_called_corrected(ledger)
        or has_other_sentence(ledger)
        or is_lone_change(ledger)
        or is_renumbered(ledger)
        or bool(moved_in(ledger))
    )


def is_meant_otherwise(ledger: Ledger) -> bool:
    """A negation came or went, or a number written out became another one, among words that are equal."""
    return any(map(partial(_changes_meaning, ledger), ledger.differences))


def _changes_meaning(ledger: Ledger, one: Difference) -> bool:
    """Only short differences count: "no" in "Invoice no. 428" is not a negation."""
    a, b, c, d = one.span
    if one.kind is Kind.NOISE:
        is_lost_letter = ledger.error_rate > CLEAN_RATE or not one.span.is_short(1)
        return not is_lost_letter and is_negated(
            "".join(ledger.left.keys[a:b]), "".join(ledger.right.keys[c:d])
        )
    if max(len(one.left_only), len(one.right_only)) > _FEW_WORDS:
        return False
    left, right = set(ledger.left.keys[a:b]), set(ledger.right.keys[c:d])
    is_replaced = one.clean and one.span.is_short(_FEW_WORDS) and one.kind is not Kind.MOVED
    return (is_replaced and are_counting_words(left - right, right - left)) or (one.negation and one.certain)


def is_called_corrected(ledger: Ledger) -> bool:
    """Only one of the two says that it is a correction, or which edition it is: "Rev. 2". No labelled duplicate does."""
    return any(_is_mark(_one_sided(ledger, one)[1], is_sure=one.certain) for one in ledger.differences)


def _is_mark(keys: Words, *, is_sure: bool) -> bool:
    if len(keys) > _TITLE_WORDS and not is_sure:
        return False
    is_numbered = any(is_edition_word(a) and b.isdecimal() for a, b in pairwise(keys[:_EDITION_MARK]))
    return is_numbered or any(map(is_correction, keys))


def has_other_sentence(ledger: Ledger) -> bool:
    """Only one of the two has a whole sentence, between words that are equal, and hardly a letter was misread: a scanner that
    loses a line misreads more than that."""
    return (
        len(ledger.left) >= _WORDS_READ
        and ledger.error_rate <= _SENTENCE_RATE
        and any(
            one.certain and one.clean and is_sentence(*_one_sided(ledger, one)) for one in ledger.differences
        )
    )


def _one_sided(ledger: Ledger, one: Difference) -> tuple[Words, Words]:
    """The words, and their keys, that one text has and the other lacks; none if each has some."""
    if one.is_two_sided or one.kind is Kind.MOVED:
        return (), ()
    side, only = (ledger.left, one.left_only) if one.left_only else (ledger.right, one.right_only)
    return tuple(side.words[i] for i in only), tuple(side.keys[i] for i in only)


def is_renumbered(ledger: Ledger) -> bool:
    """A number became another one of the same form, among words that are equal, and by no digit that scanners confuse."""
    return ledger.error_rate <= CLEAN_RATE and any(
        one.kind is Kind.FIELD and one.clean and _is_other_number(*_words(ledger, one.span))
        for one in ledger.differences
    )


def _words(ledger: Ledger, span: Span) -> tuple[Words, Words]:
    return ledger.left.words[span.a : span.b], ledger.right.words[span.c : span.d]


def is_lone_change(ledger: Ledger) -> bool:
    """Numbers, or names and words, became others, and all the rest is equal to the letter.

    A scanner that misread digits, or half of a word, misreads letters somewhere else, too.
    """
    groups = _groups(ledger)
    if len(ledger.left) < _WORDS_READ or not 0 < len(groups) <= _MOST_PLACES:
        return False
    replaced = [_words(ledger, span) for span in groups]
    return all(_is_other_number(*sides) or _is_other_name(*sides) for sides in replaced)


def _groups(ledger: Ledger) -> list[Span]:
    """The places that differ and are not known to be misread, neighbouring ones as one: a first and a last name."""
    found: list[Span] = []
    for one in (one for one in ledger.differences if not one.misread):
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
