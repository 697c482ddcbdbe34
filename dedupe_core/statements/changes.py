"""A ledger of differences in, statements on what differs out: each with its words where it is short, counted where it is long."""

from __future__ import annotations

from collections.abc import Iterable

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.model import Field, Statement, StatementKind
from dedupe_core.text.words import NUMBERS, WordKind

_SECTION = 12  # words in a row that only one text has: a section, else a phrase
_NAMED = 4  # differences that are named; the others are counted
_NAMED_WORDS = 4  # of one side: more is counted
_SIDE_CHARS = 60

_FIELDS = {
    WordKind.LONG_NUMBER: Field.NUMBER,
    WordKind.NUMBER: Field.NUMBER,
    WordKind.CONTACT: Field.ADDRESS,
    WordKind.NAME: Field.NAME,
}


def changes(ledger: Ledger, *, left_is_older: bool = True) -> list[Statement]:
    """What the newer text changed: sections, then single places, the surest first; if there is none, another digit."""
    differing = [one for one in ledger.differences if _is_change(one)]
    found = sorted(
        differing or [one for one in ledger.differences if one.slip and one.certain],
        key=lambda one: (not one.certain, -ledger.surprise(one), one.span),
    )
    sections = [one for one in found if _words(one) >= _SECTION]
    places = [one for one in found if _words(one) < _SECTION]
    return [*_sections(sections, left_is_older), *_places(ledger, places, left_is_older)]


def words_replaced(ledger: Ledger) -> list[Statement]:
    """What a scanner may have misread, but not where all the rest is equal to the letter: `Emmen / Assen`."""
    return _differing(ledger, Field.NAME, [one for one in ledger.differences if one.kind is Kind.NOISE])


def contradictions(ledger: Ledger) -> list[Statement]:
    """Fields that differ between two documents of one template."""
    certain = [one for one in ledger.differences if one.kind is Kind.FIELD and one.certain]
    kinds = ((NUMBERS, Field.NUMBER), ((WordKind.NAME,), Field.NAME), ((WordKind.CONTACT,), Field.ADDRESS))
    return [
        statement
        for word_kinds, field in kinds
        for statement in _differing(ledger, field, [one for one in certain if one.word_kind in word_kinds])
    ]


def noise(ledger: Ledger) -> list[Statement]:
    """How much a scanner misread, moved or lost; nothing of it changes what the paper says."""
    misread = sum(one.kind is Kind.NOISE for one in ledger.differences)
    lost = sum(one.kind in (Kind.LOST, Kind.EDGE) for one in ledger.differences)
    counted = ((StatementKind.OCR_DIFFERENCES, misread), (StatementKind.ONE_READING, lost))
    return [Statement(kind, counts=(count,)) for kind, count in counted if count]


def _differing(ledger: Ledger, field: Field, differing: list[Difference]) -> list[Statement]:
    """The first one with both sides; the others are counted."""
    if not differing:
        return []
    return [Statement(StatementKind.DIFFERS, field, _sides(ledger, differing[0]), (len(differing),))]


def _sides(ledger: Ledger, one: Difference) -> tuple[str, ...]:
    return tuple(side[:_SIDE_CHARS] for side in ledger.sides(one))


def _is_change(one: Difference) -> bool:
    if one.kind in (Kind.LOST, Kind.EDGE):
        return one.certain or (_words(one) >= _SECTION and one.weight >= 1)
    return one.is_content


def _words(one: Difference) -> int:
    return abs(_balance(one))


def _balance(one: Difference) -> int:
    """Words that the right text has more."""
    return (one.span.d - one.span.c) - (one.span.b - one.span.a)


def _sections(found: list[Difference], left_is_older: bool) -> list[Statement]:
    added = [_words(one) for one in found if (_balance(one) > 0) == left_is_older]
    removed = [_words(one) for one in found if (_balance(one) > 0) != left_is_older]
    return [
        Statement(kind, counts=(len(sizes), sum(sizes)))
        for kind, sizes in ((StatementKind.SECTION_ADDED, added), (StatementKind.SECTION_REMOVED, removed))
        if sizes
    ]


def _places(ledger: Ledger, found: list[Difference], left_is_older: bool) -> list[Statement]:
    statements = [_place(ledger, one, left_is_older) for one in found[:_NAMED]]
    if len(found) > _NAMED:
        statements.append(Statement(StatementKind.MORE_DIFFERENCES, counts=(len(found) - _NAMED,)))
    return statements


def _place(ledger: Ledger, one: Difference, left_is_older: bool) -> Statement:
    step = 1 if left_is_older else -1
    sides, place = _sides(ledger, one)[::step], (one.span.a, one.span.c)
    gone, come = (one.left_only, one.right_only)[::step]
    if one.slip:
        return Statement(StatementKind.CHANGED, Field.NUMBER, sides, place=place)
    if not come or not gone:
        kind, side = (StatementKind.ADDED, sides[1:]) if come else (StatementKind.REMOVED, sides[:1])
        return Statement(kind, "", side if _is_short(side) else (), (len(come or gone),), place)
    if not _is_short(sides):
        return Statement(StatementKind.REWORDED, counts=(len(gone),), place=place)
    return Statement(StatementKind.CHANGED, _FIELDS.get(one.word_kind, Field.WORD), sides, place=place)


def _is_short(sides: Iterable[str]) -> bool:
    return all(len(side.split()) <= _NAMED_WORDS for side in sides)
