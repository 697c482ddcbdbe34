"""Finds clauses that were moved: runs of three words that occur once in each text, but in another order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.differences import Ledger
from dedupe_core.compare.printed import Printed
from dedupe_core.compare.spans import Span
from dedupe_core.text.words import WordKind, word_kind

_RUN = 3  # words: three in a row survive 1% of misread letters four times of five
_GAP, _DRIFT = 6, 2  # misread words between two runs of one clause, and words that were split or joined there
_FEWEST_WORDS, _FEWEST_RUNS = 7, 3
_MOST_CLAUSES = 4  # more are columns or the cells of a table, read in another order
_LARGEST = 0.45  # of the text: half of it is a page
_AT_THE_END = 2  # words: what moved to or from an end of the text is a page, a stamp or a margin
_NEAR = range(-2, 3)  # words: misread or joined ones at the end of a clause are not counted with it
_WRITTEN = 0.25  # of the words of a clause begin with a small letter; addresses and tables have fewer
_ALIKE = 0.6  # of the letters of a word that was misread
_FURTHER = 4  # misread words at either end of a clause


class Clause(NamedTuple):
    """Words a..b of the left text, which are words c..d of the right one."""

    a: int
    b: int
    c: int
    d: int


def moved_in(ledger: Ledger) -> list[Clause]:
    """`moved_clauses` of a pair whose differences are known: most pairs need no closer look."""
    places = [one.span for one in ledger.differences]
    may_have_moved = _may_have_moved(ledger.left.keys, ledger.right.keys, places)
    return moved_clauses(ledger.left, ledger.right) if may_have_moved else []


def moved_clauses(left: Printed, right: Printed) -> list[Clause]:
    """None if pages, columns or tables moved: only clauses of running text are moved by a person."""
    found = [_widened(left, right, one) for one in _moved_blocks(left.keys, right.keys)]
    if len(found) > _MOST_CLAUSES or not all(_is_clause(left, right, one) for one in found):
        return []
    return found


def _may_have_moved(left: Sequence[str], right: Sequence[str], places: Sequence[Span]) -> bool:
    """Runs between two differences are in the same order in both texts. So what is out of order are runs that a difference
    is part of, on both sides."""
    here = {left[start : start + _RUN] for a, b, _, _ in places for start in range(max(0, a - _RUN + 1), b)}
    there = {right[start : start + _RUN] for _, _, c, d in places for start in range(max(0, c - _RUN + 1), d)}
    return len(here & there) >= _FEWEST_RUNS


def _moved_blocks(left: Sequence[str], right: Sequence[str]) -> list[Clause]:
    """Blocks of runs that are out of the common order of the two texts."""
    runs = _common_runs(left, right)
    in_order = _longest_in_order([there for _, there in runs])
    blocks: list[list[int]] = []  # first and last run here, first and last run there, how many
    for place, (here, there) in enumerate(runs):
        if place in in_order:
            continue
        if blocks and _continues(blocks[-1], here, there):
            blocks[-1] = [blocks[-1][0], here, blocks[-1][2], there, blocks[-1][4] + 1]
        else:
            blocks.append([here, here, there, there, 1])
    return [
        Clause(first, last + _RUN, first_there, last_there + _RUN)
        for first, last, first_there, last_there, count in blocks
        if count >= _FEWEST_RUNS and last + _RUN - first >= _FEWEST_WORDS
    ]


def _continues(block: Sequence[int], here: int, there: int) -> bool:
    is_near = 0 < here - block[1] <= _GAP and there > block[3]
    return is_near and abs((there - here) - (block[3] - block[1])) <= _DRIFT


def _common_runs(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Where the runs are that each text has exactly once, in the order of the left one."""
    here, there = _once(left), _once(right)
    return [(place, there[run]) for run, place in here.items() if run in there]


def _once(keys: Sequence[str]) -> dict[tuple[str, ...], int]:
    places: dict[tuple[str, ...], int] = {}
    twice = set()
    for place, run in enumerate(zip(keys, keys[1:], keys[2:], strict=False)):
        if places.setdefault(run, place) != place:
            twice.add(run)
    for run in twice:
        del places[run]
    return places


def _longest_in_order(numbers: Sequence[int]) -> set[int]:
    """The places of a longest rising subsequence."""
    ends: list[int] = []  # the smallest last number of a subsequence of each length, and its place
    at: list[int] = []
    before = [-1] * len(numbers)
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before[place] = at[length - 1] if length else -1
        ends[length : length + 1], at[length : length + 1] = [number], [place]
    found, place = set(), at[-1] if at else -1
    while place >= 0:
        found.add(place)
        place = before[place]
    return found


def _widened(left: Printed, right: Printed, one: Clause) -> Clause:
    """With the misread words at its ends."""
    a, b, c, d = one
    for _ in range(_FURTHER):
        if a > 0 and c > 0 and not _begins(left, a) and _are_alike(left.keys[a - 1], right.keys[c - 1]):
            a, c = a - 1, c - 1
        if (
            b < len(left)
            and d < len(right)
            and not _ends(left, b)
            and _are_alike(left.keys[b], right.keys[d])
        ):
            b, d = b + 1, d + 1
    return Clause(a, b, c, d)


def _are_alike(x: str, y: str) -> bool:
    return x == y or Levenshtein.normalized_similarity(x, y) >= _ALIKE


def _is_clause(left: Printed, right: Printed, one: Clause) -> bool:
    a, b, c, d = one
    if min(a, c) <= _AT_THE_END or b >= len(left) - _AT_THE_END or d >= len(right) - _AT_THE_END:
        return False
    if b - a > _LARGEST * len(left):
        return False
    return _is_written(left, a, b) and _is_written(right, c, d)


def _is_written(side: Printed, start: int, end: int) -> bool:
    """Running text from one full stop, or line, to another."""
    written = sum(word_kind(word) is WordKind.WORD for word in side.words[start:end])
    is_begun = any(_begins(side, start + far) for far in _NEAR)
    is_ended = any(_ends(side, end + far) for far in _NEAR)
    return is_begun and is_ended and written >= _WRITTEN * (end - start)


def _begins(side: Printed, place: int) -> bool:
    return side.begins_line(place) or _ends(side, place)


def _ends(side: Printed, place: int) -> bool:
    """True if the word before this place ends a sentence."""
    return 0 < place <= len(side) and side.words[place - 1][-1] in ".!?;:"
