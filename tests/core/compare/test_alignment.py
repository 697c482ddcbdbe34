"""Alignment: what was misread, what was replaced, and what only moved."""

from __future__ import annotations

from hypothesis import given

from dedupe_core.compare.alignment import Alignment, align
from tests.core.core_kit import LETTER, NEXT_LETTER, TEXTS, view_of


def aligned(one: str, other: str) -> Alignment:
    return align(view_of(one, 1), view_of(other, 2))


def test_equal_texts_have_nothing_but_equal_words() -> None:
    words = len(LETTER.split())
    assert aligned(LETTER, LETTER) == Alignment(equal=words)


def test_a_misread_word_is_noise_and_another_word_is_content() -> None:
    """`betrag` for `betraq` was misread; `Wasser` for `Strom` was printed."""
    assert aligned("der gesamte betrag heute", "der gesamte betraq heute").noise == 1
    assert aligned("wir liefern wasser heute", "wir liefern strom heute").content == 1


def test_a_slipped_number_is_no_changed_number() -> None:
    """6 for 8 is a slip, 2 for 4 is another number."""
    slipped = aligned("konto 4711688 heute", "konto 4711668 heute")
    changed = aligned("konto 4711288 heute", "konto 4711488 heute")
    assert (slipped.numbers_slipped, slipped.numbers_changed) == (1, 0)
    assert (changed.numbers_slipped, changed.numbers_changed) == (0, 1)


def test_a_number_that_moved_has_not_changed() -> None:
    """Scanners read the columns of a table in another order."""
    found = aligned("brot 111222 milch 333444 ei", "brot 333444 milch 111222 ei")
    assert found.numbers_changed == 0


def test_a_number_that_was_split_has_not_changed() -> None:
    """`4711 2888` for `47112888`: its digits stand there in a row."""
    found = aligned("konto 47112888 am 12.03.2024 heute", "konto 4711 2888 14.05.2024 heute")
    assert found.numbers_changed == 1  # the date


def test_the_next_month_changes_numbers() -> None:
    """Of the same form, every line with a number differs."""
    assert aligned(LETTER, NEXT_LETTER).numbers_changed >= 4


@given(TEXTS, TEXTS)
def test_counts_are_never_more_than_the_words(one: str, other: str) -> None:
    """Whatever the texts, each word is counted at most once."""
    found = aligned(one, other)
    words = max(len(view_of(text).order) for text in (one, other))
    counted = found.equal + found.noise + found.content + found.numbers_slipped + found.numbers_changed
    assert 0 <= counted <= words
