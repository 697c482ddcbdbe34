"""Accounts: check digits tell a misread IBAN from another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.facts.accounts import is_account, is_misread_account
from dedupe_core.facts.facts import near_reference
from scripts.corpus.values import with_check_digits

GERMAN, BRITISH = "DE89370400440532013000", "GB82WEST12345698765432"
OTHER = "DE75512108001245126199"


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


def test_another_account_is_no_reading_of_this_one() -> None:
    """Nor is anything that has nothing to do with it, nor are two readings that are both wrong."""
    assert not is_misread_account(GERMAN, OTHER)
    assert not is_misread_account(GERMAN, "DE00000000000000000000")
    assert not is_misread_account(GERMAN[:-1] + "1", GERMAN[:-1] + "2")
    near = with_check_digits("DE", GERMAN[4:-1] + "7").replace(" ", "")
    assert not near_reference(GERMAN, near)
