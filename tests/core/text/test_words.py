"""Printed words: keys that survive a scanner, kinds, and what a stain is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.text.vocabulary import are_number_words, is_negation, is_number_word
from dedupe_core.text.words import WordKind, number_pattern, well_formed, word_key, word_kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Müller,", "muller"),
        ("Wohl", "WohI"),
        ("1.234,56", "1,234.56"),
        ("RE-2O23", "re-2023"),
        ("café", "cafe"),
    ],
)
def test_two_readings_of_a_word_have_one_key(one: str, other: str) -> None:
    """Case, accents, punctuation and confused characters make no difference."""
    assert word_key(one) == word_key(other)


@pytest.mark.parametrize(("one", "other"), [("46", "49"), ("2024", "2034"), ("drei", "zwei"), ("A17", "E7")])
def test_different_words_have_different_keys(one: str, other: str) -> None:
    """Digits are kept apart: 46 and 49 are two seats."""
    assert word_key(one) != word_key(other)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("24.03.2022", WordKind.LONG_NUMBER),
        ("14", WordKind.NUMBER),
        ("6b", WordKind.NUMBER),
        ("www.example.org/trip/7x", WordKind.CONTACT),
        ("jo@example.org", WordKind.CONTACT),
        ("Bianca", WordKind.NAME),
        ("rechnung", WordKind.WORD),
        ("|", WordKind.MARK),
    ],
)
def test_the_kind_of_a_word(word: str, kind: WordKind) -> None:
    assert word_kind(word) is kind


def test_a_stain_is_not_well_formed() -> None:
    """Names, words and numbers are; what a scanner makes of a smudge or a rule is not."""
    assert all(well_formed(word) >= 0.7 for word in ("Kieran", "möglich.", "1.234,56", "Nowicki", "(Tarif)"))
    assert all(well_formed(word) < 0.7 for word in ("|", "“1,", "ptoouaretqess)", "wydaxvg", "SFkIS", "_l"))


@given(st.text(max_size=300))
def test_any_text_is_a_word_of_some_kind(text: str) -> None:
    assert len(word_key(text)) <= 400
    assert 0 <= well_formed(text) <= 1
    assert word_kind(text) in WordKind
    assert number_pattern(text) == number_pattern(number_pattern(text))


def test_small_words_in_several_languages() -> None:
    """By their keys, as the ledger asks."""
    assert all(is_negation(word_key(word)) for word in ("not", "Nicht", "pas", "niet", "não"))
    assert all(is_number_word(word_key(word)) for word in ("three", "fünf", "six", "ocho", "Montag"))
    assert not is_negation(word_key("note"))


def test_numbers_of_two_languages_are_not_two_numbers() -> None:
    """A scanner that lost a letter of the Spanish seven has not read the Portuguese one."""
    assert are_number_words(["siete"], ["cinco"])
    assert not are_number_words(["siete"], ["sete"])
    assert are_number_words(["monday"], ["friday"])
