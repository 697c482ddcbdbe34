"""Two printed texts in, the ledger of their differences out: each place with what is around it and what is left over elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.ledger import Difference, Ledger, Noise
from dedupe_core.compare.places import FAIR_RATE, Kind, Place, places_of
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import ELSEWHERE, LeftOver, Span
from dedupe_core.compare.written import (
    are_written,
    are_written_alike,
    common_kind,
    count_written,
    formed,
)
from dedupe_core.text.tokens import is_slip
from dedupe_core.text.vocabulary import are_number_words, is_negation, is_number_word
from dedupe_core.text.words import NUMBERS, WordKind, number_pattern, well_formed

_CONTEXT = 5  # equal words on a side that are counted
# Less well formed than this on a side, or on the only one: what a scanner makes of a stain or a rule.
_STAIN, _LONE_STAIN = 0.25, 0.35
_SPECK = 3  # letters that only one side has: whatever it is, the words around it are in their place


def differences(left: Printed, right: Printed) -> Ledger:
    places, error_rate = places_of(left, right)
    reader = _Reader(left, right, places, error_rate)
    read = [reader.read(place) for place in places]
    weighed = tuple(map(Noise(left, right, read, error_rate).weighed, read))
    marks = bytes(reader.left_marks)
    return Ledger(left, right, marks.count(_EQUAL), error_rate, weighed, marks)


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
                certain=place.slip and self._is_clear_slip(place, before + after),
            )  # fmt: skip
        a, b, c, d = place.span
        left = self._left_over.places_only(self._left.keys[a:b], a)
        right = self._right_over.places_only(self._right.keys[c:d], c)
        if not left and not right:
            return Difference(Kind.MOVED, place.span, context=before + after, clean=clean)
        if left and right:
            return self._replaced(place, left, right, (before, after), clean)
        return self._one_sided(place, left, right, (before, after), clean)

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
        is_read = kind in NUMBERS and clean and self._error_rate <= FAIR_RATE and _are_two_numbers(x, y)
        weight = 1.0 if is_read else _weight(kind, words_left, words_right)
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
            number_word=number_word,
            left_only=left,
            right_only=right,
        )  # fmt: skip

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


def _are_two_numbers(x: str, y: str) -> bool:
    """Not a reading of each other, and neither is what is left of the other one."""
    return not (is_slip(x, y) or x in y or y in x)


def _weight(kind: WordKind, left: Sequence[str], right: Sequence[str]) -> float:
    """How well formed both sides are; of numbers, whether they are of one form, too."""
    weight = min(formed(left), formed(right))
    if kind in NUMBERS and not are_written_alike(left, right):
        return 0.4 * weight
    return 0.3 * weight if kind is WordKind.MARK else weight


def _run_before(marks: bytearray, end: int) -> int:
    start = end - _CONTEXT if end > _CONTEXT else 0
    found = marks.rfind(_OTHER, start, end)
    return end - (start if found < 0 else found + 1)


def _run_after(marks: bytearray, start: int) -> int:
    found = marks.find(_OTHER, start, start + _CONTEXT)
    return (found if found >= 0 else min(start + _CONTEXT, len(marks))) - start
