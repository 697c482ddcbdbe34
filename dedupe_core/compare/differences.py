"""The ledger of differences: every place where two texts differ, what it is, and how sure that is.

Verdict, reason, note and review are made from it. A difference is *noise* if a scanner could have made it, *moved* if it
is elsewhere in the other text, *lost* or *edge* if one reading lacks a line or has a margin more, *field* if a name, number
or address was replaced, and *prose* if words were inserted, deleted or replaced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.places import (
    CLEAN_RATE,
    FAIR_RATE,
    WELL_FORMED,
    Kind,
    Place,
    is_likely,
    is_other_address,
    places_of,
)
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import ELSEWHERE, LeftOver, Span
from dedupe_core.compare.written import (
    are_written,
    are_written_alike,
    common_kind,
    count_written,
    formed,
    is_sentence,
)
from dedupe_core.facts.accounts import accounts_at, are_two_accounts
from dedupe_core.text.tokens import is_slip
from dedupe_core.text.vocabulary import are_number_words, is_negation, is_number_word
from dedupe_core.text.words import NUMBERS, WordKind, number_pattern, well_formed

_CONTEXT = 5  # equal words on a side that are counted
_MISREAD_ALIKE = 0.45  # a misread word keeps this much; what keeps less was replaced
# Less well formed than this on a side, or on the only one: what a scanner makes of a stain or a rule.
_STAIN, _LONE_STAIN = 0.25, 0.35
# Digits of a short number, equal words around one, its words ("2nd left"); and of a long one, the digits equal.
_SHORT_NUMBER, _SURE_CONTEXT, _FLAT_WORDS, _OTHER_DIGITS = 2, 8, 2, 0.5
_LONG_NAME = 10  # letters
_MISREAD_NUMBER = 2  # letters of a paragraph's number
_SPECK = 3  # letters that only one side has: whatever it is, the words around it are in their place
_SURPRISING = 8  # characters of a replaced word that count; more do not make it surer


class Difference(NamedTuple):
    """One place. `word_kind` is what both sides are made of, if they are of one kind.

    `context` counts equal or misread words around it (0..10), the shorter side of the two texts. `clean`: enough of them on
    both sides. `weight` 0..1 is how well formed both sides are: a stain has none. `certain`: two well-formed words of one
    kind where the other text has another one, or a word that only one text has inside a line; no scanner does that.
    """

    kind: Kind
    span: Span
    word_kind: WordKind = WordKind.MARK
    edits: int = 0  # characters that differ
    context: int = 0
    clean: bool = False
    inline: bool = False
    weight: float = 0.0
    certain: bool = False
    slip: bool = False  # a digit for one that scanners take for it
    misread: bool = False  # one side is no account, or no day, and the other is
    number_word: bool = False
    left_only: tuple[int, ...] = ()  # words that are nowhere in the other text
    right_only: tuple[int, ...] = ()

    @property
    def is_content(self) -> bool:
        return self.kind is Kind.FIELD or self.kind is Kind.PROSE

    @property
    def is_two_sided(self) -> bool:
        return bool(self.left_only and self.right_only)


@dataclass(frozen=True, slots=True)
class Ledger:
    left: Printed
    right: Printed
    equal: int  # words that are equal and in order
    error_rate: float  # characters misread, of those that were read twice; from words alone
    differences: tuple[Difference, ...]
    changed: bytes  # for each word of the left text: 0 equal, 1 noise, 2 anything else

    def sides(self, difference: Difference) -> tuple[str, str]:
        span = difference.span
        return self.left.text(span.a, span.b), self.right.text(span.c, span.d)

    def surprise(self, difference: Difference) -> float:
        """How unlikely noise of this pair would have made it, in powers of e; 0 for noise."""
        return (
            difference.weight * min(difference.edits, _SURPRISING) / 4 * self.rarity_of_noise
            if difference.is_content
            else 0.0
        )

    @property
    def rarity_of_noise(self) -> float:
        return -math.log(min(0.3, self.error_rate + 0.001))


def differences(left: Printed, right: Printed) -> Ledger:
    places, error_rate = places_of(left, right)
    reader = _Reader(left, right, places, error_rate)
    found = tuple(reader.read(place) for place in places)
    marks = bytes(reader.left_marks)
    return Ledger(left, right, marks.count(_EQUAL), error_rate, found, marks)


_EQUAL, _NOISE, _OTHER = 0, 1, 2


class _Reader:
    """Reads each place with what is around it and what is left over elsewhere."""

    def __init__(self, left: Printed, right: Printed, places: Sequence[Place], error_rate: float) -> None:
        self._left, self._right, self._error_rate = left, right, error_rate
        self.left_marks, self._right_marks = bytearray(len(left)), bytearray(len(right))
        left_over: list[str] = []
        right_over: list[str] = []
        for place in places:
            a, b, c, d = place.span
            is_speck = len(place.x) + len(place.y) <= _SPECK and (a == b or c == d)
            mark = _NOISE if place.kind is Kind.NOISE or is_speck else _OTHER
            self.left_marks[a:b] = bytes([mark]) * (b - a)
            self._right_marks[c:d] = bytes([mark]) * (d - c)
            if place.kind is not Kind.NOISE:
                left_over += left.keys[a:b]
                right_over += right.keys[c:d]
        self._left_over, self._right_over = LeftOver.both(left_over, right_over)

    def read(self, place: Place) -> Difference:
        before, after = self._context(place.span)
        clean = before >= 2 and after >= 2 and before + after >= 5
        if place.kind is Kind.NOISE:
            return Difference(
                Kind.NOISE, place.span, edits=place.edits, context=before + after, clean=clean, slip=place.slip,
                misread=place.misread, certain=place.slip and self._is_clear_slip(place, before + after),
            )  # fmt: skip
        a, b, c, d = place.span
        left = self._left_over.places_only(self._left.keys[a:b], a)
        right = self._right_over.places_only(self._right.keys[c:d], c)
        if not left and not right:
            return Difference(Kind.MOVED, place.span, context=before + after, clean=clean)
        if left and right and self._error_rate <= CLEAN_RATE:
            left, right = self._without_speck(left, right)
        if left and right:
            return self._replaced(place, left, right, (before, after), clean)
        return self._one_sided(place, left, right, (before, after), clean)

    def _without_speck(
        self, left: tuple[int, ...], right: tuple[int, ...]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A sentence beside a misread "4.": it was added, and the number is where it was."""
        a, b = ([side.keys[i] for i in only] for side, only in ((self._left, left), (self._right, right)))
        if sum(map(len, a)) <= _MISREAD_NUMBER and is_sentence([self._right.words[i] for i in right], b):
            return (), right
        if sum(map(len, b)) <= _MISREAD_NUMBER and is_sentence([self._left.words[i] for i in left], a):
            return left, ()
        return left, right

    def _context(self, span: Span) -> tuple[int, int]:
        """Words before and after that are equal or merely misread, the shorter of the two sides."""
        a, b, c, d = span
        left, right = self.left_marks, self._right_marks
        return (
            min(_run_before(left, a), _run_before(right, c)),
            min(_run_after(left, b), _run_after(right, d)),
        )

    def _is_clear_slip(self, place: Place, context: int) -> bool:
        """A digit for a digit in two well-formed numbers."""
        left, right = self._left.words[place.span.a], self._right.words[place.span.c]
        is_digits = len(place.x) == len(place.y) and place.x.isdigit() and place.y.isdigit()
        is_formed = min(well_formed(left), well_formed(right)) == 1
        return context >= 3 and is_digits and is_formed and number_pattern(left) == number_pattern(right)

    def _replaced(
        self,
        place: Place,
        left: tuple[int, ...],
        right: tuple[int, ...],
        context: tuple[int, int],
        clean: bool,
    ) -> Difference:
        words_left, words_right = [self._left.words[i] for i in left], [self._right.words[i] for i in right]
        kind = common_kind(words_left, words_right)
        x, y = (
            "".join(side.keys[i] for i in places)
            for side, places in ((self._left, left), (self._right, right))
        )
        edits = Levenshtein.distance(x, y)
        is_other = clean and (
            self._is_other_number(place.span, words_left, words_right, sum(context))
            if kind in NUMBERS
            else self._is_other_address(kind, words_left, words_right)
        )
        weight = 1.0 if is_other else _weight(kind, words_left, words_right)
        keys = ({self._left.keys[i] for i in left}, {self._right.keys[i] for i in right})
        is_field = kind in (*NUMBERS, WordKind.CONTACT, WordKind.NAME)
        number_word = clean and are_number_words(*keys)
        return Difference(
            Kind.NOISE if weight < _STAIN and not number_word else Kind.FIELD if is_field else Kind.PROSE,
            place.span,
            kind,
            edits,
            sum(context),
            clean,
            inline=not self._left.begins_line(place.span.a),
            weight=weight,
            certain=is_other or self._is_certain(place, kind, context, weight),
            number_word=number_word,
            left_only=left,
            right_only=right,
        )  # fmt: skip

    def _is_other_number(self, span: Span, left: Sequence[str], right: Sequence[str], context: int) -> bool:
        """Another account; or another flat, seat, class, time or serial number, where little else was misread."""
        accounts = accounts_at(self._left.words, span.a, self._right.words, span.c)
        if accounts and are_two_accounts(*accounts):
            return True
        x, y = _digits(left), _digits(right)
        if self._error_rate > FAIR_RATE or not (x and y) or is_slip(x, y):
            return False
        if max(len(x), len(y)) > _SHORT_NUMBER:
            is_torn = x in y or y in x
            is_read = span.is_short(1) and min(len(x), len(y)) > _SHORT_NUMBER and not is_torn
            return is_read and Levenshtein.normalized_similarity(x, y) <= _OTHER_DIGITS
        is_sure = context >= _SURE_CONTEXT and self._error_rate <= CLEAN_RATE and span.is_short(_FLAT_WORDS)
        return is_sure and Levenshtein.distance(x, y, weights=(1, 1, 2)) > abs(len(x) - len(y))

    def _is_other_address(self, kind: WordKind, left: Sequence[str], right: Sequence[str]) -> bool:
        """The same server, and another page or user, where little else was misread."""
        is_one = kind is WordKind.CONTACT and len(left) == len(right) == 1
        return is_one and self._error_rate <= FAIR_RATE and is_other_address(left[0], right[0])

    def _is_certain(self, place: Place, kind: WordKind, context: tuple[int, int], weight: float) -> bool:
        """Both sides well formed, of one kind and quite unlike, in their place: something else is printed there."""
        span, (before, after) = place.span, context
        at_ends = (before >= 1 or span.a == 0) and (after >= 1 or span.b == len(self._left))
        if sum(context) < 3 or not at_ends or kind is WordKind.MARK:
            return False
        shorter = min(len(place.x), len(place.y))
        if kind not in NUMBERS and shorter < 3:
            return False
        if shorter >= 3 and (place.x in self._right_over.compact or place.y in self._left_over.compact):
            return False
        is_held = (before >= 2 or span.a == 0) and (after >= 2 or span.b == len(self._left))
        most_errors = FAIR_RATE if shorter >= _LONG_NAME else CLEAN_RATE
        is_clean = self._error_rate <= most_errors and is_held and shorter >= 5
        is_unlike = Levenshtein.normalized_similarity(place.x, place.y) < _MISREAD_ALIKE
        if kind not in NUMBERS and is_likely(shorter, max(len(place.x), len(place.y)), self._error_rate):
            return False
        return is_unlike and (weight >= WELL_FORMED or (is_clean and weight >= 0.3))

    def _one_sided(
        self,
        place: Place,
        left: tuple[int, ...],
        right: tuple[int, ...],
        context: tuple[int, int],
        clean: bool,
    ) -> Difference:
        side, only = (self._left, left) if left else (self._right, right)
        start, end = (place.span.a, place.span.b) if left else (place.span.c, place.span.d)
        words, keys = [side.words[i] for i in only], [side.keys[i] for i in only]
        inline = not side.begins_line(start) and not side.begins_line(end)
        over = self._right_over if left else self._left_over
        together = "".join(side.keys[start:end])
        has_moved = len(together) >= ELSEWHERE and together in over.compact
        is_negated = inline and min(context) >= 1 and all(map(is_negation, keys))
        certain = not has_moved and (is_negated or (min(context) >= 2 and are_written(words, keys)))
        weight = min(1.0, count_written(words, keys))
        kind = Kind.PROSE
        if not inline and not certain:
            kind = Kind.EDGE if start == 0 or end == len(side) else Kind.LOST
        elif weight < _LONE_STAIN and not certain:
            kind = Kind.NOISE
        elif not clean:
            kind = Kind.LOST
        return Difference(
            kind,
            place.span,
            common_kind(words, words),
            sum(map(len, keys)),
            sum(context),
            clean,
            inline=inline,
            weight=weight,
            certain=certain,
            number_word=clean and any(map(is_number_word, keys)),
            left_only=left,
            right_only=right,
        )  # fmt: skip


def _weight(kind: WordKind, left: Sequence[str], right: Sequence[str]) -> float:
    """How well formed both sides are; of numbers, whether they are of one form, too."""
    weight = min(formed(left), formed(right))
    if kind in NUMBERS and not are_written_alike(left, right):
        return 0.4 * weight
    return 0.3 * weight if kind is WordKind.MARK else weight


def _digits(words: Sequence[str]) -> str:
    return "".join(filter(str.isdigit, "".join(words)))


def _run_before(marks: bytearray, end: int) -> int:
    start = end - _CONTEXT if end > _CONTEXT else 0
    found = marks.rfind(_OTHER, start, end)
    return end - (start if found < 0 else found + 1)


def _run_after(marks: bytearray, start: int) -> int:
    found = marks.find(_OTHER, start, start + _CONTEXT)
    return (found if found >= 0 else min(start + _CONTEXT, len(marks))) - start
