"""Facts as a whole: order, bounds, and any text whatsoever."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.facts.facts import read_facts
from dedupe_core.model import Facts

LETTER = """
Stadtwerke Beispielheim · Am Wasserturm 3 · 12345 Beispielheim

Frau Erika Muster                                   Datum: 03.02.2023
Lindenweg 8                                         Kundennummer: 4410982
                                                    Rechnung Nr. RE-2023-00417

Abrechnungszeitraum 01.01.2022 - 31.12.2022, Zähler-Nr. 1EMH0012345678

Verbrauch 2.310 kWh zu 0,3512 €                      811,27 €
Grundpreis                                           120,00 €
Umsatzsteuer 19 %                                    176,94 €
Gesamtbetrag                                       1.108,21 €

Bitte überweisen Sie bis zum 17. Februar 2023 auf das Konto DE02 1203 0000 0000 2020 51.
"""


def test_a_letter_in_reading_order() -> None:
    assert read_facts(LETTER) == Facts(
        dates=("2023-02-03", "2022-01-01", "2022-12-31", "2023-02-17"),
        amounts=(81127, 12000, 17694, 110821),
        references=("4410982", "RE202300417", "1EMH0012345678", "DE02120300000000202051"),
    )


def test_facts_far_apart_are_found() -> None:
    """Long stretches without a digit separate facts, they do not hide them."""
    prose = "ohne jede Zahl und sehr lang " * 500
    facts = read_facts(f"Kundennummer 5512 {prose} Rechnung vom 15. Januar 2024 {prose} über 50 Euro")
    assert facts == Facts(dates=("2024-01-15",), amounts=(5000,), references=("5512",))


def test_facts_are_bounded() -> None:
    """A table of figures keeps its first facts."""
    days = " ".join(f"{day:02}.{month:02}.2020" for month in range(1, 13) for day in range(1, 29))
    prices = " ".join(f"{price},50" for price in range(1000))
    numbers = " ".join(f"AB-{number:06}" for number in range(500))
    facts = read_facts(f"{days}\n{prices}\n{numbers}")
    assert (len(facts.dates), len(facts.amounts), len(facts.references)) == (64, 256, 64)
    assert (facts.dates[0], facts.amounts[0], facts.references[0]) == ("2020-01-01", 50, "AB000000")


alphabet = st.sampled_from(
    [*"0123456789OIl.,:;/-'# \n€$%()@\0", "mar", "Mai", "EUR", "Nr.", "Rechnung", "DE02"]
)
texts = st.one_of(st.text(), st.lists(alphabet, max_size=80).map("".join))


@given(texts)
def test_any_text_is_read(content: str) -> None:
    facts = read_facts(content)
    assert facts == read_facts(content)
    for kind in (facts.dates, facts.amounts, facts.references):
        assert len(set(kind)) == len(kind)
    assert all(re.fullmatch(r"(19|20)\d\d-[01]\d(-[0-3]\d)?", date) for date in facts.dates)
    assert all(0 <= amount < 10**12 for amount in facts.amounts)
    assert all(re.fullmatch(r"[A-Z0-9]{3,60}", reference) for reference in facts.references)


HOSTILE = {
    "empty": "",
    "digits": "1234567890",
    "one digit": "0",
    "NULs": "\0",
    "lone surrogates": "\ud800 1 \udfff",
    "right to left": "\u200f\u05e9\u05dc 12.03.2024 ",
    "combining marks": "a\u0301\u0323\u0308",
    "marks and digits": "1\u0301\u0323",
    "dotted capital I": "İ1",
    "spaced digits": "1 ",
    "grouped digits": "123.",
    "grouped by spaces": "EUR 123 456 ",
    "dates that are none": "31.02.2024-",
    "day after day": "1.1.1.",
    "letters read as digits": "O1.lI.",
    "month names": "januar ",
    "names glued": "jan1",
    "labels": "Rechnung Nr. ",
    "labels without end": "rechnungsrechnungs",
    "account numbers that are none": "DE12 ",
    "joined tokens": "A1-",
    "joints": "-/",
    "addresses": "http:1",
    "mails": "a1@",
    "currencies": "€$1",
    "lines": "1\n",
}
SIZE = 300_000


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_linear_time(name: str) -> None:
    """Eight times the text takes about eight times as long; 24 leaves room for noise, a square has 64."""
    piece = HOSTILE[name] or " "
    assert _cpu_s(piece, SIZE) < 24 * max(_cpu_s(piece, SIZE // 8), 0.004)


def _cpu_s(piece: str, characters: int) -> float:
    content = (piece * (characters // len(piece) + 1))[:characters]
    start = time.process_time()
    read_facts(content)
    return time.process_time() - start
