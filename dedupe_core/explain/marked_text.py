"""A ledger of differences in, both texts as one marked text out: OCR slips faint, real changes strong. Pure and bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from dedupe_core.compare.differences import differences
from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.compare.printed import Printed, read_printed
from dedupe_core.model import Fingerprint

CONTEXT_WORDS = 12  # equal words kept on either side of a real change; the rest of the equal text is counted
LONGEST_WORD = 60  # characters; text without spaces must not fill a page
MOST_WORDS = 150  # of one side of a piece: a section that only one text has may be a whole contract
MOST_PIECES = 400  # about four screens; what follows is counted


class Mark(StrEnum):
    SAME = "same"
    LEFT_OUT = "left out"  # equal words that are not repeated; `words` says how many
    SLIP = "slip"  # a scanner could have made it
    MOVED = "moved"
    ONE_READING = "one reading"  # a line or a margin that only one scan has
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of both texts. Of equal text only `left` is set; lines are separated by a line break."""

    mark: Mark
    left: str = ""
    right: str = ""
    words: int = 0


@dataclass(frozen=True, slots=True)
class MarkedText:
    pieces: tuple[Piece, ...]
    changes: int
    slips: int
    is_cut: bool = False  # there are more pieces than are shown, or a text is longer than is compared


_MARKS = {
    Kind.NOISE: Mark.SLIP,
    Kind.MOVED: Mark.MOVED,
    Kind.LOST: Mark.ONE_READING,
    Kind.EDGE: Mark.ONE_READING,
    Kind.FIELD: Mark.CHANGE,
    Kind.PROSE: Mark.CHANGE,
}


def marked_text(left: Fingerprint, right: Fingerprint, *, most_pieces: int = MOST_PIECES) -> MarkedText:
    """The texts of two documents as the index has them."""
    ledger = differences(*(read_printed(one.printed or one.text) for one in (left, right)))
    pieces = tuple(islice(_pieces(ledger), most_pieces + 1))
    marks = [mark_of(one) for one in ledger.differences]
    is_cut = len(pieces) > most_pieces
    return MarkedText(pieces[:most_pieces], marks.count(Mark.CHANGE), marks.count(Mark.SLIP), is_cut)


def mark_of(one: Difference) -> Mark:
    """A digit read as another one by both scans clearly is shown as a change: a person has to look at it."""
    return Mark.CHANGE if one.certain else _MARKS[one.kind]


def _pieces(ledger: Ledger) -> Iterator[Piece]:
    at, before = 0, False
    for one in ledger.differences:
        mark = mark_of(one)
        yield from _equal(ledger.left, at, one.span.a, after=before, before=mark is not Mark.SLIP)
        left, right = (
            _text(side, *ends)
            for side, ends in (
                (ledger.left, (one.span.a, one.span.b)),
                (ledger.right, (one.span.c, one.span.d)),
            )
        )
        yield Piece(mark, left, right, max(one.span.b - one.span.a, one.span.d - one.span.c))
        at, before = one.span.b, mark is not Mark.SLIP
    yield from _equal(ledger.left, at, len(ledger.left), after=before, before=False)


def _equal(side: Printed, start: int, end: int, *, after: bool, before: bool) -> Iterator[Piece]:
    """Equal words: those beside a real change are kept, the others are counted."""
    if start >= end:
        return
    head = start + (CONTEXT_WORDS if after else 3)
    tail = end - (CONTEXT_WORDS if before else 3)
    if tail - head < CONTEXT_WORDS:
        yield Piece(Mark.SAME, _text(side, start, end), words=end - start)
        return
    yield Piece(Mark.SAME, _text(side, start, head), words=head - start)
    yield Piece(Mark.LEFT_OUT, words=tail - head)
    yield Piece(Mark.SAME, _text(side, tail, end), words=end - tail)


def _text(side: Printed, start: int, end: int) -> str:
    parts = []
    for place in range(start, min(end, start + MOST_WORDS)):
        if place > start:
            parts.append("\n" if side.begins_line(place) else " ")
        word = side.words[place]
        parts.append(word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_WORD]}\N{HORIZONTAL ELLIPSIS}")
    if end - start > MOST_WORDS:
        parts.append(f" \N{HORIZONTAL ELLIPSIS} ({end - start - MOST_WORDS})")
    return "".join(parts)
