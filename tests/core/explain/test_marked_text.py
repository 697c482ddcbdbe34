"""Two texts as one marked text: what a scanner misread is faint, what somebody changed is strong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.explain.marked_text import LONGEST_WORD, Mark, MarkedText, marked_text
from tests.core.compare.parts_kit import prose
from tests.core.core_kit import LETTER, print_of


def marked_up(left: str, right: str, **more: int) -> MarkedText:
    return marked_text(print_of(left, 1), print_of(right, 2), **more)


def of(found: MarkedText, mark: Mark) -> list[tuple[str, str]]:
    return [(piece.left, piece.right) for piece in found.pieces if piece.mark is mark]


@pytest.mark.parametrize(
    ("old", "new", "slips", "changes"),
    [
        ("", "", [], []),
        ("Verbrauch", "Verbrauoh", [("Verbrauch", "Verbrauoh")], []),
        ("189,42", "756,80", [], [("189,42", "756,80")]),
    ],
    ids=["equal", "misread", "changed"],
)
def test_what_was_misread_and_what_was_changed(
    old: str, new: str, slips: list[tuple[str, str]], changes: list[tuple[str, str]]
) -> None:
    found = marked_up(LETTER, LETTER.replace(old, new))
    assert (of(found, Mark.SLIP), of(found, Mark.CHANGE)) == (slips, changes)
    assert (found.slips, found.changes) == (len(slips), len(changes))


def test_what_is_far_from_a_change_is_counted_not_repeated() -> None:
    text = prose(3, 200)
    found = marked_up(text, text + " und noch ein ganz anderer Satz am Ende davon.")
    left_out = [piece.words for piece in found.pieces if piece.mark is Mark.LEFT_OUT]
    assert sum(left_out) > 150


def test_all_words_of_both_sides_are_accounted_for() -> None:
    left, right = prose(1, 60), prose(2, 60)
    found = marked_up(left, right)
    kept = [piece for piece in found.pieces if piece.mark is not Mark.SAME]
    assert sum(len(piece.left.split()) for piece in kept) > 30
    assert sum(len(piece.right.split()) for piece in kept) > 30


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_text_is_bounded(left: str, right: str) -> None:
    found = marked_up(left, right, most_pieces=5)
    assert len(found.pieces) <= 5
    words = [word for piece in found.pieces for word in (piece.left + " " + piece.right).split()]
    assert all(len(word) <= LONGEST_WORD + 1 for word in words)


def test_more_pieces_than_allowed_are_cut_and_that_is_said() -> None:
    found = marked_up(LETTER, LETTER.replace("189,42", "756,80").replace("88,15", "12,99"), most_pieces=2)
    assert (len(found.pieces), found.is_cut) == (2, True)
