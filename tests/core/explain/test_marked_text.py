"""Two texts as one marked text: what a scanner misread is faint, what somebody changed is strong."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.explain.marked_text import LONGEST_WORD, Mark, MarkedText, marked_text
from tests.core.compare.parts_kit import prose
from tests.core.core_kit import LETTER, print_of


def marked_up(left: str, right: str, **more: int) -> MarkedText:
    return marked_text(print_of(left, 1), print_of(right, 2), **more)


def of(found: MarkedText, mark: Mark) -> list[tuple[str, str]]:
    return [(piece.left, piece.right) for piece in found.pieces if piece.mark is mark]


def test_equal_texts_have_no_mark() -> None:
    found = marked_up(LETTER, LETTER)
    assert {piece.mark for piece in found.pieces} <= {Mark.SAME, Mark.LEFT_OUT}
    assert (found.changes, found.slips) == (0, 0)


def test_a_misread_word_is_a_slip_and_no_change() -> None:
    found = marked_up(LETTER, LETTER.replace("Verbrauch", "Verbrauoh"))
    assert of(found, Mark.SLIP) == [("Verbrauch", "Verbrauoh")]
    assert found.changes == 0


def test_a_changed_amount_is_a_change() -> None:
    found = marked_up(LETTER, LETTER.replace("189,42", "756,80"))
    assert of(found, Mark.CHANGE) == [("189,42", "756,80")]
    assert found.changes == 1


def test_what_is_far_from_a_change_is_counted_not_repeated() -> None:
    text = prose(3, 200)
    found = marked_up(text, text + " und noch ein ganz anderer Satz am Ende davon.")
    left_out = [piece.words for piece in found.pieces if piece.mark is Mark.LEFT_OUT]
    assert sum(left_out) > 150


def test_all_words_of_both_sides_are_accounted_for() -> None:
    """Nothing that differs is left out."""
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
