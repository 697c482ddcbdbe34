"""A ledger of differences in, statements on what differs out: each with its words where it is short, counted where it is long."""

from __future__ import annotations

from collections.abc import Iterable

from dedupe_core.compare.ledger import Difference, Ledger
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
    differing = [difference for difference in ledger.differences if _is_change(difference)]
    differing = sorted(
        differing
        or [difference for difference in ledger.differences if difference.slip and difference.certain],
        key=lambda difference: (not difference.certain, -difference.nats, difference.span),
    )
    sections = [difference for difference in differing if _words(difference) >= _SECTION]
    places = [difference for difference in differing if _words(difference) < _SECTION]
    return [*_sections(sections, left_is_older), *_places(ledger, places, left_is_older)]


def words_replaced(ledger: Ledger) -> list[Statement]:
    """What a scanner may have misread, but not where all the rest is equal to the letter: `Emmen / Assen`."""
    return _differing(
        ledger, Field.NAME, [difference for difference in ledger.differences if difference.kind is Kind.NOISE]
    )


def contradictions(ledger: Ledger) -> list[Statement]:
    """Fields that differ between two documents of one template."""
    certain = [
        difference
        for difference in ledger.differences
        if difference.kind is Kind.FIELD and difference.certain
    ]
    kinds = ((NUMBERS, Field.NUMBER), ((WordKind.NAME,), Field.NAME), ((WordKind.CONTACT,), Field.ADDRESS))
    return [
        statement
        for word_kinds, field in kinds
        for statement in _differing(
            ledger, field, [difference for difference in certain if difference.word_kind in word_kinds]
        )
    ]


def noise(ledger: Ledger) -> list[Statement]:
    """How much a scanner misread, moved or lost; nothing of it changes what the paper says."""
    misread = sum(difference.kind is Kind.NOISE for difference in ledger.differences)
    lost = sum(difference.kind in (Kind.LOST, Kind.EDGE) for difference in ledger.differences)
    counted = ((StatementKind.OCR_DIFFERENCES, misread), (StatementKind.ONE_READING, lost))
    return [Statement(kind, counts=(count,)) for kind, count in counted if count]


def _differing(ledger: Ledger, field: Field, differing: list[Difference]) -> list[Statement]:
    """The first one with both sides; the others are counted."""
    if not differing:
        return []
    return [Statement(StatementKind.DIFFERS, field, _sides(ledger, differing[0]), (len(differing),))]


def _sides(ledger: Ledger, difference: Difference) -> tuple[str, ...]:
    return tuple(side[:_SIDE_CHARS] for side in ledger.sides(difference))


def _is_change(difference: Difference) -> bool:
    if difference.kind in (Kind.LOST, Kind.EDGE):
        return difference.certain or (_words(difference) >= _SECTION and difference.weight >= 1)
    return difference.is_content


def _words(difference: Difference) -> int:
    return abs(_balance(difference))


def _balance(difference: Difference) -> int:
    """Words that the right text has more."""
    return (difference.span.d - difference.span.c) - (difference.span.b - difference.span.a)


def _sections(differing: list[Difference], left_is_older: bool) -> list[Statement]:
    added = [_words(difference) for difference in differing if (_balance(difference) > 0) == left_is_older]
    removed = [_words(difference) for difference in differing if (_balance(difference) > 0) != left_is_older]
    return [
        Statement(kind, counts=(len(sizes), sum(sizes)))
        for kind, sizes in ((StatementKind.SECTION_ADDED, added), (StatementKind.SECTION_REMOVED, removed))
        if sizes
    ]


def _places(ledger: Ledger, differing: list[Difference], left_is_older: bool) -> list[Statement]:
    statements = [_place(ledger, difference, left_is_older) for difference in differing[:_NAMED]]
    if len(differing) > _NAMED:
        statements.append(Statement(StatementKind.MORE_DIFFERENCES, counts=(len(differing) - _NAMED,)))
    return statements


def _place(ledger: Ledger, difference: Difference, left_is_older: bool) -> Statement:
    step = 1 if left_is_older else -1
    sides, place = _sides(ledger, difference)[::step], (difference.span.a, difference.span.c)
    gone, come = (difference.left_only, difference.right_only)[::step]
    if difference.slip:
        return Statement(StatementKind.CHANGED, Field.NUMBER, sides, place=place)
    if not come or not gone:
        kind, side = (StatementKind.ADDED, sides[1:]) if come else (StatementKind.REMOVED, sides[:1])
        return Statement(kind, "", side if _is_short(side) else (), (len(come or gone),), place)
    if not _is_short(sides):
        return Statement(StatementKind.REWORDED, counts=(len(gone),), place=place)
    return Statement(StatementKind.CHANGED, _FIELDS.get(difference.word_kind, Field.WORD), sides, place=place)


def _is_short(sides: Iterable[str]) -> bool:
    return all(len(side.split()) <= _NAMED_WORDS for side in sides)
