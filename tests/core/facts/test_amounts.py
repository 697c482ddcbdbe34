"""Amounts: hundredths from either locale, and nothing from what only looks like money."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.facts.facts import describe_amount, read_facts

AMOUNTS = [
    ("1.234,56 €", 123456),
    ("1,234.56", 123456),
    ("1,234.56 USD", 123456),
    ("EUR 1 234,56", 123456),
    ("1 234,56 €", 123456),
    ("1\u202f234,56 €", 123456),
    ("1\u00a0234,56", 123456),
    ("1'234.56", 123456),
    ("1\u2019234.56", 123456),
    ("CHF 1'234.56", 123456),
    ("1.234.567,89", 123456789),
    ("$89.90", 8990),
    ("89,90", 8990),
    ("-12,00", 1200),
    ("12,00-", 1200),
    ("12,00- €", 1200),
    ("€ 50", 5000),
    ("50 EUR", 5000),
    ("50€", 5000),
    ("50,- €", 5000),
    ("RM 12", 1200),
    ("RM5.18", 518),
    ("-RM0.02", 2),
    ("RM 37. 55", 3755),
    ("$1,234", 123400),
    ("1.234 €", 123400),
    ("Total.....12.50", 1250),
    ("TOTAL:12.50", 1250),
    ("3,49 A", 349),
    ("3.18SR", 318),
    ("0,00", 0),
]

NO_AMOUNTS = [
    "15.01.24",
    "2024-01-15",
    "01/2024",
    "10:30",
    "18.30 Uhr",
    "9.15 am",
    "1.2.3",
    "12.34.56",
    "192.168.10.25",
    "19,00 %",
    "19,00%",
    "6.00 percent",
    "1,234",
    "12.345",
    "3.14159",
    "0,75 l",
    "1,50m",
    "12,50 kg",
    "$50 million",
    "4711",
    "form 12",
    "12345678901.99",
    "abc12.50",
    "$ 84 Abs. 1",
]


@pytest.mark.parametrize(("printed", "hundredths"), AMOUNTS)
def test_money_is_read_in_hundredths(printed: str, hundredths: int) -> None:
    """Comma or point, grouped or not, with the currency on either side; the sign is left out."""
    assert read_facts(f"Summe {printed}\n").amounts == (hundredths,)


@pytest.mark.parametrize("printed", NO_AMOUNTS)
def test_other_numbers_are_no_money(printed: str) -> None:
    """Dates, times, versions, shares, measures and bare whole numbers are no amounts."""
    assert read_facts(f"Wert {printed}\n").amounts == ()


@pytest.mark.parametrize(
    ("printed", "amounts"),
    [("Schraube 2 150.00 300.00", (15000, 30000)), ("Adapter 1 € 14,99\nCable 6 RM 2.25", (1499, 225))],
)
def test_a_quantity_before_a_price_is_not_part_of_it(printed: str, amounts: tuple[int, ...]) -> None:
    """A space groups digits only where a currency claims the whole, and a currency belongs to the number behind it."""
    assert read_facts(printed).amounts == amounts


@given(st.integers(0, 10**12 - 1))
def test_every_locale_prints_the_same_amount(hundredths: int) -> None:
    units, rest = divmod(hundredths, 100)
    english = f"{units:,}.{rest:02}"
    german = english.translate(str.maketrans(".,", ",."))
    printings = [
        english,
        f"$ {english}",
        german,
        f"{german} €",
        english.replace(",", "'"),
        f"EUR {german.replace('.', ' ')}",
        f"{german.replace('.', chr(0x202F))} EUR",
        describe_amount(hundredths),
    ]
    assert {read_facts(f"Total {printed}").amounts for printed in printings} == {(hundredths,)}
