"""A ledger of differences in, what differs in words out: named where it is short, counted where it is long.

Each sentence comes in two forms: with the words of the documents, for a note, and without them, for a log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.model import Fingerprint
from dedupe_core.text.words import NUMBERS, WordKind

_SECTION = 12  # words in a row that only one text has: a section, else a phrase
_SHOWN = 4  # differences that are named; the others are counted
_SHOWN_CHARS = 40
_NAMED_WORDS = 4  # of one side: more is counted

_NOUNS = {
    WordKind.LONG_NUMBER: "number",
    WordKind.NUMBER: "number",
    WordKind.CONTACT: "address",
    WordKind.NAME: "name or word",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """`brief` says the same without a word of the documents."""

    text: str
    brief: str


def age(found: Fingerprint) -> tuple[str, str, str, int]:
    """What orders editions: the latest date printed, then Paperless's dates. A date after the day on which it
    was added is a deadline, not its date."""
    day = found.added[:10] or "9999"
    latest = max((date for date in found.facts.dates if date <= day), default="")
    return latest, found.created, found.added, found.id


def by_age(editions: Iterable[Fingerprint]) -> list[Fingerprint]:
    """The oldest first; by printed dates only if each has one."""
    found = list(editions)
    start = 0 if all(age(one)[0] for one in found) else 1
    return sorted(found, key=lambda one: age(one)[start:])


def changes(ledger: Ledger, *, left_is_older: bool = True) -> list[Sentence]:
    """What the newer text changed: sections, then single places, the surest first; if there is none, another digit."""
    differing = [one for one in ledger.differences if _is_change(one)]
    found = sorted(
        differing or [one for one in ledger.differences if one.slip and one.certain],
        key=lambda one: (not one.certain, -ledger.surprise(one), one.span),
    )
    sections = [one for one in found if _words(one) >= _SECTION]
    places = [one for one in found if _words(one) < _SECTION]
    return [*_sections(sections, left_is_older), *_places(ledger, places, left_is_older)]


def words_replaced(ledger: Ledger) -> list[Sentence]:
    """What a scanner may have misread, but not where all the rest is equal to the letter: `Emmen / Assen`."""
    sides = [ledger.sides(one) for one in ledger.differences if one.kind is Kind.NOISE]
    if not sides:
        return []
    shown = f"{quoted(sides[0][0])} / {quoted(sides[0][1])}"
    more = f" and {len(sides) - 1} more" if len(sides) > 1 else ""
    return [Sentence(f"different names or words: {shown}{more}", "a word changed")]


def contradictions(ledger: Ledger) -> list[Sentence]:
    """Fields that differ between two documents of one template: `different names: A / B`."""
    found = [one for one in ledger.differences if one.kind is Kind.FIELD and one.certain]
    kinds = ((NUMBERS, "numbers"), ((WordKind.NAME,), "names or words"), ((WordKind.CONTACT,), "addresses"))
    sentences = []
    for kinds_of_word, noun in kinds:
        differing = [one for one in found if one.word_kind in kinds_of_word]
        if differing:
            left, right = (quoted(side) for side in ledger.sides(differing[0]))
            more = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
            brief = f"{len(differing)} different {noun if len(differing) > 1 else noun.replace('s', '', 1)}"
            sentences.append(Sentence(f"different {noun}: {left} / {right}{more}", brief))
    return sentences


def noise(ledger: Ledger) -> list[Sentence]:
    """How much a scanner misread, moved or lost; nothing of it changes what the paper says."""
    misread = sum(one.kind is Kind.NOISE for one in ledger.differences)
    lost = sum(one.kind in (Kind.LOST, Kind.EDGE) for one in ledger.differences)
    parts = [_counted(misread, "OCR difference")] if misread else []
    parts += [f"{_counted(lost, 'place')} that only one reading has"] if lost else []
    return [Sentence(part, part) for part in parts]


def _is_change(one: Difference) -> bool:
    if one.kind in (Kind.LOST, Kind.EDGE):
        return one.certain or (_words(one) >= _SECTION and one.weight >= 1)
    return one.is_content


def _words(one: Difference) -> int:
    return abs(_balance(one))


def _balance(one: Difference) -> int:
    """Words that the right text has more."""
    return (one.span.d - one.span.c) - (one.span.b - one.span.a)


def _sections(found: list[Difference], left_is_older: bool) -> list[Sentence]:
    added = [_words(one) for one in found if (_balance(one) > 0) == left_is_older]
    removed = [_words(one) for one in found if (_balance(one) > 0) != left_is_older]
    texts = [
        f"{'a section' if len(sizes) == 1 else f'{len(sizes)} sections'} {what} ({sum(sizes)} words)"
        for what, sizes in (("added", added), ("removed", removed))
        if sizes
    ]
    return [Sentence(text, text) for text in texts]


def _places(ledger: Ledger, found: list[Difference], left_is_older: bool) -> list[Sentence]:
    sentences = [_place(ledger, one, left_is_older) for one in found[:_SHOWN]]
    if len(found) > _SHOWN:
        more = f"{_counted(len(found) - _SHOWN, 'more difference')}"
        sentences.append(Sentence(more, more))
    return sentences


def _place(ledger: Ledger, one: Difference, left_is_older: bool) -> Sentence:
    left, right = ledger.sides(one)
    before, after = (left, right) if left_is_older else (right, left)
    gone, come = (one.left_only, one.right_only) if left_is_older else (one.right_only, one.left_only)
    if one.slip:
        return Sentence(f"{quoted(before)} became {quoted(after)}", "a number changed")
    noun = _NOUNS.get(one.word_kind, "word")
    if not come or not gone:
        what, text = ("added", after) if come else ("removed", before)
        brief = f"{_counted(len(come or gone), 'word')} {what}"
        return Sentence(f"{quoted(text)} {what}" if len(text.split()) <= _NAMED_WORDS else brief, brief)
    brief = f"{'an' if noun[0] in 'aeiou' else 'a'} {noun} changed"
    if max(len(before.split()), len(after.split())) > _NAMED_WORDS:
        brief = f"a passage of {len(gone)} words reworded"
        return Sentence(brief, brief)
    return Sentence(f"{quoted(before)} became {quoted(after)}", brief)


def quoted(text: str) -> str:
    text = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}\N{HORIZONTAL ELLIPSIS}"
    return f'"{text}"'


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"
