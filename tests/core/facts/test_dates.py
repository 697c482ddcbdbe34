"""Dates: one canonical form for every locale, and none for what the calendar does not have."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.facts.facts import read_facts

FIFTEENTH_OF_JANUARY = """
15/01/2024
15.01.2024
15-01-2024
2024-01-15
2024/01/15
2024.01.15
15-01-24
15.1.24
15/01/24
15 January 2024
15th January 2024
15th of January, 2024
January 15, 2024
January 15th, 2024
Jan 15 2024
Jan. 15, 2024
15. Januar 2024
15.Jan.2024
15. Jänner 2024
15 janvier 2024
15 janv. 2024
15 de enero de 2024
15 enero 2024
15 gennaio 2024
15 januari 2024
15 stycznia 2024 r.
15 de janeiro de 2024
15-JAN-2024
15-Jan-24
15JAN2024
15 Jan 24
15/01/2024 18:22:31
2024-01-15T10:00
15.01.2024, 10:00 Uhr
15. 01. 2024
15 / 01 / 2024
l5.01.2O24
15,01.2024
Date: 20240115
Datum 1501/2024
"""

OTHER_DAYS = [
    ("3 września 2024", "2024-09-03"),
    ("październik 2022", "2022-10"),
    ("1 de março de 2024", "2024-03-01"),
    ("1er mars 2024", "2024-03-01"),
    ("1° marzo 2024", "2024-03-01"),
    ("1º de marzo de 2024", "2024-03-01"),
    ("3. März 2024", "2024-03-03"),
    ("3. Maerz 2024", "2024-03-03"),
    ("3. Ma\u0308rz 2024", "2024-03-03"),
    ("3 maart 2024", "2024-03-03"),
    ("2 août 2023", "2023-08-02"),
    ("2 AOUT 2023", "2023-08-02"),
    ("31 décembre 1999", "1999-12-31"),
    ("7 juillet 2021", "2021-07-07"),
    ("9 mei 2021", "2021-05-09"),
    ("9 maggio 2021", "2021-05-09"),
    ("9 mayo 2021", "2021-05-09"),
    ("9 settembre 2021", "2021-09-09"),
    ("9 septiembre 2021", "2021-09-09"),
    ("12. Dez. 2020", "2020-12-12"),
    ("4. Septem-\nber 2022", "2022-09-04"),
    ("29.02.2024", "2024-02-29"),
    ("\uff11\uff15/\uff10\uff11/\uff12\uff10\uff12\uff14", "2024-01-15"),
    ("\u0661\u0665/\u0660\u0661/\u0662\u0660\u0662\u0664", "2024-01-15"),
    ("15.01.70", "1970-01-15"),
    ("15.01.69", "2069-01-15"),
]

NO_DATES = [
    "Marco 2020",
    "31.02.2024",
    "29.02.2023",
    "13.13.2024",
    "00.01.2024",
    "15.01.1899",
    "15.01.2100",
    "2024-13-01",
    "32/01/2024",
    "01.15.2024",  # dots are never month first
    "10.12.20.1",
    "1.2.3",
    "RE-2024-01-15",
    "20240115",  # nothing says that it is a date
    "il 3 oil/lo/il",
    "15 Jun 18:34",
    "am 15. August 20 Leute",
    "three years ago 2019",
    "10:30",
]


@pytest.mark.parametrize("printed", FIFTEENTH_OF_JANUARY.strip().splitlines())
def test_one_day_has_one_form(printed: str) -> None:
    assert read_facts(f"Musterstadt, {printed}\n").dates == ("2024-01-15",)


@pytest.mark.parametrize(("printed", "date"), OTHER_DAYS)
def test_month_names_and_years(printed: str, date: str) -> None:
    """Six languages, with and without diacritics; two digits reach from 1970 to 2069."""
    assert read_facts(printed).dates == (date,)


@pytest.mark.parametrize("printed", NO_DATES)
def test_impossible_is_no_date(printed: str) -> None:
    """What the calendar does not have, or what is a piece of something else, is no date."""
    assert read_facts(printed).dates == ()


@pytest.mark.parametrize(
    "printed", ["January 2024", "Januar 2024", "janvier 2024", "enero de 2024", "01/2024", "01.2024"]
)
def test_a_billing_month_is_a_partial_date(printed: str) -> None:
    assert read_facts(f"Period {printed}").dates == ("2024-01",)


@pytest.mark.parametrize(
    ("elsewhere", "date"),
    [
        ("", "2024-04-03"),
        ("Due 25/04/2024", "2024-04-03"),
        ("Due 04/25/2024", "2024-03-04"),
        ("Due 04-25-2024", "2024-03-04"),
        ("Format: MM/DD/YYYY", "2024-03-04"),
        ("Due April 25, 2024", "2024-03-04"),
        ("Due April 25, 2024, paid 26/04/2024", "2024-04-03"),
    ],
)
def test_the_document_decides_what_comes_first(elsewhere: str, date: str) -> None:
    """03/04/2024 is the 3rd of April, unless another date or a format in the document proves otherwise."""
    assert read_facts(f"Date 03/04/2024\n{elsewhere}").dates[0] == date


BESIDE = {
    "with dots nobody writes the month first": ("04/25/2024 and 03.04.2024", ("2024-04-25", "2024-04-03")),
    "a dash between two dates belongs to neither": ("01.01.2023-31.12.2023", ("2023-01-01", "2023-12-31")),
    "after a failed reading the next one may start inside it": ("3 mar 20.01.2024", ("2024-01-20",)),
}


@pytest.mark.parametrize(("printed", "dates"), BESIDE.values(), ids=BESIDE)
def test_dates_beside_each_other(printed: str, dates: tuple[str, ...]) -> None:
    assert read_facts(printed).dates == dates


MONTHS = """
January February March April May June July August September October November December
Januar Februar März April Mai Juni Juli August September Oktober November Dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
januari februari maart april mei juni juli augustus september oktober november december
"""


@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)))
def test_every_locale_prints_the_same_day(day: datetime.date) -> None:
    months = [line.split()[day.month - 1] for line in MONTHS.strip().splitlines()]
    english, german, french, spanish, italian, dutch = months
    printings = [
        f"{day:%d.%m.}{day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day:%d.} {day:%m.} {day.year}",
        day.isoformat(),
        f"{day.year}/{day:%m/%d}",
        f"{day.day} {english} {day.year}",
        f"{english} {day.day}, {day.year}",
        f"{day.day:02}-{english[:3].upper()}-{day.year}",
        f"{day.day}. {german} {day.year}",
        f"{day.day} {french} {day.year}",
        f"{day.day} de {spanish} de {day.year}",
        f"{day.day} {italian} {day.year}",
        f"{day.day} {dutch} {day.year}",
    ]
    assert {read_facts(f"x {printed} y").dates for printed in printings} == {(day.isoformat(),)}
