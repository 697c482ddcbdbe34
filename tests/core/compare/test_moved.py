"""Clauses in another place are found through misread letters; pages, margins and tables in another order are not clauses."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.compare.differences import differences
from dedupe_core.compare.moved import moved_clauses, moved_in
from dedupe_core.compare.printed import Printed, read_printed
from dedupe_core.text.normalise import printed
from tests.core.core_kit import PAIRS

LEASE = [
    "Lease of the boathouse at Mill Pond",
    "The tenant pays the rent of 340.00 pounds on the first working day of each month.",
    "The tenant keeps the slipway clear and repairs damage to the doors at his own expense.",
    "The landlord may enter the boathouse after giving notice of at least three working days.",
    "Boats longer than seven metres need the written consent of the landlord before they are moored.",
    "Either side may end this lease with notice of six months to the end of a quarter.",
    "Signed at Ely by both sides in two copies of which each keeps one",
]


def side(*lines: str) -> Printed:
    return read_printed(printed("\n".join(lines)))


def with_moved(start: int, end: int) -> list[str]:
    rest = LEASE[:start] + LEASE[start + 1 :]
    return [*rest[:end], LEASE[start], *rest[end:]]


@pytest.mark.parametrize(("start", "end"), [(2, 4), (4, 2), (1, 3), (3, 1)])
def test_a_clause_in_another_place(start: int, end: int) -> None:
    """Whichever way it moved; two clauses that changed places are one that moved past the other."""
    (clause,) = moved_clauses(side(*LEASE), side(*with_moved(start, end)))
    words = side(*LEASE).text(clause.a, clause.b)
    assert any(line.startswith(words[:40]) for line in LEASE[1:-1])
    assert clause.b - clause.a == clause.d - clause.c


def test_misread_letters_do_not_hide_it() -> None:
    moved = with_moved(2, 4)
    noisy = [line.replace("slipway", "s1ipwav").replace("expense.", "expcnse.") for line in moved]
    assert moved_clauses(side(*LEASE), side(*noisy))


def test_misread_and_joined_words_at_its_end_do_not_hide_it() -> None:
    noisy = [line.replace("his own expense.", "his ownexpense.") for line in with_moved(2, 4)]
    assert moved_clauses(side(*LEASE), side(*noisy))


def test_nothing_moved() -> None:
    edited = [line.replace("six months", "four months") for line in LEASE]
    assert moved_clauses(side(*LEASE), side(*LEASE)) == []
    assert moved_clauses(side(*LEASE), side(*edited)) == []


def test_pages_in_another_order_are_not_clauses() -> None:
    assert moved_clauses(side(*LEASE), side(*LEASE[3:], *LEASE[:3])) == []


def test_a_line_of_the_margin_is_not_a_clause() -> None:
    """Read first by one scanner and last by the other."""
    margin = "Mill Pond Estates Ltd registered in England under number 4471 at Bridge Street in Ely."
    assert moved_clauses(side(margin, *LEASE), side(*LEASE, margin)) == []


def test_the_rows_of_a_table_are_not_clauses() -> None:
    rows = [f"Berth {n} {n * 13}.50 {n * 17}.20 Pier {n % 3} Meter {n * 7919}" for n in range(2, 9)]
    other = [rows[1], rows[0], rows[3], rows[2], rows[5], rows[4], rows[6]]
    assert moved_clauses(side(*LEASE, *rows, *LEASE[::-1]), side(*LEASE, *other, *LEASE[::-1])) == []


def test_short_and_empty_texts() -> None:
    assert moved_clauses(side(""), side("")) == []
    assert moved_clauses(side("one two three"), side("three two one")) == []


@given(PAIRS)
def test_any_two_texts_have_an_answer(texts: tuple[str, str]) -> None:
    left, right = (read_printed(printed(text)) for text in texts)
    for clause in moved_clauses(left, right):
        assert 0 <= clause.a < clause.b <= len(left)
        assert 0 <= clause.c < clause.d <= len(right)


@given(pair=PAIRS)
def test_the_differences_tell_when_nothing_can_have_moved(pair: tuple[str, str]) -> None:
    """The short cut gives what a search of the whole texts gives."""
    left, right = (read_printed(printed(text)) for text in pair)
    assert moved_in(differences(left, right)) == moved_clauses(left, right)


@pytest.mark.parametrize(("start", "end"), [(2, 4), (4, 2), (1, 3), (3, 1)])
def test_what_moved_is_found_from_the_differences(start: int, end: int) -> None:
    left, right = side(*LEASE), side(*with_moved(start, end))
    assert len(moved_in(differences(left, right))) == 1
