"""Accounts: check digits tell a misread IBAN from another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.facts.accounts import accounts_at, are_two_accounts, is_account, is_misread_account
from dedupe_core.facts.facts import near_reference
from scripts.corpus.values import with_check_digits

GERMAN, BRITISH = "DE89370400440532013000", "GB82WEST12345698765432"
OTHER = "DE75512108001245126199"
BEFORE, AFTER = ["pay", "to", "account"], ["until", "Friday"]


def printed(iban: str) -> list[str]:
    return [iban[at : at + 4] for at in range(0, len(iban), 4)]


@pytest.mark.parametrize(
    "iban", [GERMAN, OTHER, BRITISH, "NL91ABNA0417164300", "FR1420041010050500013M02606"]
)
def test_an_account_has_the_length_of_its_country_and_right_check_digits(iban: str) -> None:
    assert is_account(iban)
    assert not is_account(iban + "0")
    assert not is_account(iban[:-1])
    assert not is_account("XX" + iban[2:])


@given(st.integers(0, 10**18 - 1), st.integers(4, 21), st.integers(1, 9))
def test_one_misread_digit_is_always_found(account: int, place: int, more: int) -> None:
    """And it is a reading of the account, not another one, whichever of the two comes first."""
    iban = with_check_digits("DE", f"{account:018}").replace(" ", "")
    misread = f"{iban[:place]}{(int(iban[place]) + more) % 10}{iban[place + 1 :]}"
    assert is_account(iban)
    assert not is_account(misread)
    assert is_misread_account(iban, misread)
    assert near_reference(misread, iban)
    assert not are_two_accounts(iban, misread)


def test_another_account_is_no_reading_of_this_one() -> None:
    """Nor is anything that has nothing to do with it, nor are two readings that are both wrong."""
    assert are_two_accounts(GERMAN, OTHER)
    assert not is_misread_account(GERMAN, OTHER)
    assert not are_two_accounts(GERMAN, GERMAN)
    assert not is_misread_account(GERMAN, "DE00000000000000000000")
    assert not is_misread_account(GERMAN[:-1] + "1", GERMAN[:-1] + "2")
    near = with_check_digits("DE", GERMAN[4:-1] + "7").replace(" ", "")
    assert are_two_accounts(GERMAN, near)
    assert not near_reference(GERMAN, near)


@pytest.mark.parametrize("group", range(6))
def test_the_account_around_a_word_is_found(group: int) -> None:
    """From any of its groups; of the other text, what is in its place."""
    other = printed(GERMAN)
    other[2] = "OO44"
    left, right = [*BEFORE, *printed(GERMAN), *AFTER], ["please", *BEFORE, *other, *AFTER]
    place = len(BEFORE) + group
    assert accounts_at(left, place, right, place + 1) == (GERMAN, "".join(other))


def test_an_account_is_found_by_the_text_that_has_its_beginning() -> None:
    """In the other one, the country itself is misread."""
    misread = ["0E89", *printed(GERMAN)[1:]]
    assert accounts_at(misread, 0, printed(GERMAN), 0) == ("0E89" + GERMAN[4:], GERMAN)
    assert accounts_at(printed(GERMAN), 3, misread, 3) == (GERMAN, "0E89" + GERMAN[4:])


def test_a_group_that_was_split_is_read_with_its_rest() -> None:
    split = ["DE89", "3704", "0044", "0532", "01", "30", "00"]
    assert accounts_at([*printed(GERMAN), *AFTER], 4, [*split, *AFTER], 4) == (GERMAN, GERMAN)


@pytest.mark.parametrize("place", [0, len(BEFORE) - 1, len(BEFORE) + 6])
def test_words_beside_an_account_are_not_in_it(place: int) -> None:
    text = [*BEFORE, *printed(GERMAN), *AFTER]
    assert accounts_at(text, place, text, place) is None


def test_nothing_is_found_where_the_other_text_begins_later() -> None:
    assert accounts_at(printed(GERMAN), 4, ["0130"], 0) is None


@given(st.lists(st.text(max_size=12), min_size=1, max_size=12), st.data())
def test_any_words_are_looked_at(words: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    found = accounts_at(words, place, words, place)
    assert found is None or found[0] == found[1]
