"""Words and numbers, and when two numbers can be one that was misread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.text.tokens import SLIPS, is_date_slip, is_slip, number_in, number_key, tokens_of

NUMBERS = st.text("0123456789ab", min_size=1, max_size=12)


def test_words_have_three_letters_at_least() -> None:
    """Digits part words, as do marks; scripts without spaces give runs."""
    assert tokens_of("der kunde2023 ab re-nr. 发票号码 12").words == {"der", "kunde", "发票号码"}


@pytest.mark.parametrize("written", ["1.234,56", "1,234.56", "1'234.56", "1.234,s6", "l.234,56", "€1.234,56"])
def test_a_number_is_one_however_it_is_written(written: str) -> None:
    """Separators go, and letters that scanners read for digits are digits."""
    assert tokens_of(f"total {written}").numbers == {"123456"}


@pytest.mark.parametrize("text", ["", "a few words", "7", "no. 5a", "x" * 81 + "12345", "12"])
def test_what_is_no_number(text: str) -> None:
    """Fewer than three characters are everywhere; more than eighty are bar codes glued together."""
    assert tokens_of(text).numbers == frozenset()


def test_mostly_letters_is_no_number() -> None:
    assert tokens_of("abcdef12 ab123").numbers == {number_key("ab123")}


@pytest.mark.parametrize(
    ("token", "expected"), [("12", True), ("a1b2", True), ("word", False), ("r2d", False)]
)
def test_two_digits_make_a_number(token: str, expected: bool) -> None:
    assert bool(number_in(token)) is expected


@given(NUMBERS, NUMBERS)
def test_slips_are_symmetric(one: str, other: str) -> None:
    assert is_slip(one, other) == is_slip(other, one)
    assert is_date_slip(one, other) == is_date_slip(other, one)
    assert is_slip(one, one)


@pytest.mark.parametrize("pair", sorted(SLIPS))
def test_digits_that_scanners_confuse_are_slips(pair: str) -> None:
    """One such digit in a number: the same paper may have given both."""
    assert is_slip(f"47{pair[0]}11", f"47{pair[1]}11")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("47211", "47311"),
        ("47111", "47911"),
        ("4711", "471"),
        ("1234567", "12345"),
        ("12345", "98765"),
        ("66666", "00000"),
    ],
)
def test_other_digits_are_other_numbers(one: str, other: str) -> None:
    """Digits that look nothing alike, two digits lost, or too many slips at once: content, not noise."""
    assert not is_slip(one, other)


def test_one_digit_may_be_lost_from_a_long_number() -> None:
    """From five digits on a lost one is noise."""
    assert is_slip("455881", "45588")
    assert not is_slip("4558", "455")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2024-03-15", "2024-08-15", True),
        ("2024-03-15", "2024-04-15", False),
        ("2023-01-02", "2023-02-01", False),
        ("2024-03-15", "2024-03", False),
    ],
)
def test_dates_slip_by_confusable_digits_only(one: str, other: str, expected: bool) -> None:
    """March read as August is a slip; the next month is another date."""
    assert is_date_slip(one, other) is expected
