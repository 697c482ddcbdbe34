"""References: what numbers a document, by its label or by its shape; prose has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.facts.facts import near_reference, read_facts

LABELLED = [
    ("Rechnungsnummer: 12345", "12345"),
    ("Rechnungs-Nr. 4711", "4711"),
    ("Rg.-Nr 881", "881"),
    ("RE-Nr. 9912", "9912"),
    ("Kundennummer\n80266", "80266"),
    ("Kd.-Nr.: K 5521", "K5521"),
    ("Vertragskonto 20031", "20031"),
    ("Zählernummer 1 234 567", "1234567"),
    ("Aktenzeichen: 3 C 345/20", "3C34520"),
    ("Az. 12 O 99/21", "12O9921"),
    ("Policennummer 77-881", "77881"),
    ("Steuernummer 12/345/67890", "1234567890"),
    ("USt-IdNr. DE 123 456 780", "DE123456780"),
    ("Unser Zeichen: 4490/B", "4490B"),
    ("invoice no 500", "500"),
    ("Invoice #: 77123", "77123"),
    ("INVOICE NUMBER 0091", "0091"),
    ("DocNo. : 5521", "5521"),
    ("Customer ID 34-11", "3411"),
    ("Account no. 55.120", "55120"),
    ("Order: 14906", "14906"),
    ("Reference 14906", "14906"),
    ("Meter no: A7", ""),
    ("Invoice No.  Date\n12345 15.01.2024", "12345"),
    ("VAT no. GB\n371018101", "GB371018101"),
    ("Facture n° 8812", "8812"),
    ("N° client : 99881", "99881"),
    ("Dossier nº 4415", "4415"),
    ("Factura nº 2201", "2201"),
    ("Número de cliente 5520", "5520"),
    ("Fattura n. 123/A", "123A"),
    ("Factuurnummer 20231", "20231"),
    ("Klantnummer 3312", "3312"),
    ("Payment: 500", ""),
    ("Reference: 2019", ""),
    ("Kundennummer unbekannt", ""),
    ("Tax code 19 %", ""),
    ("Tax code 12345%", ""),
    ("Invoice no. " + "12345678" * 6, ""),
]

SHAPED = [
    ("RE-2023-45588", "RE202345588"),
    ("INV/2024/0012", "INV20240012"),
    ("CS00012345", "CS00012345"),
    ("KL4455", "KL4455"),
    ("(867388-U)", "867388U"),
    ("4470012", "4470012"),
    ("2024-0012345", "20240012345"),
    ("DE02 1203 0000 0000 2020 51 BIC", "DE02120300000000202051"),
    ("DE02120300000000202051", "DE02120300000000202051"),
    ("GB29NWBK60161331926819", "GB29NWBK60161331926819"),
    ("FR76 3000 6000 0112 3456 7890 189", "FR7630006000011234567890189"),
]

PROSE = [
    """Im Jahr 2019 lebten rund 83,2 Millionen Menschen im Land, 4,5 Prozent mehr als 1990. Die 1990er Jahre
    waren davon geprägt, dass jeder 3. Haushalt ein Auto kaufte; 100000 Besucher kamen zur Messe, in der
    Saison 2019/20 noch 45.000. COVID-19 änderte das. Die 37-jährige Ärztin las die Seiten 451-457 auf A4,
    hörte MP3 und fuhr am 2. Tag nach einer 15a-Regelung 120 km/h. Nach ISO 9001 und ISO-27001 prüfte man
    24/7, nach der Verordnung (EG) Nr. 761/2001 erst am 15. Mai 2003. Es kamen Kunden. Der 25-jährige
    Vertreter kam 2001 dazu. Die EM-2024 und die Agenda2030 kosteten 1,5 Mio. Euro, das waren 12,5 % mehr.""",
    """In the 1980s every 2nd household had a radio, and by 1995 some 40% owned 3 or more. The 52,000 tonne
    shipment left in 1966. No order came before 1970; in any case no policy lasted. Around 200000 people
    moved between 1914-18 and 1939-45, roughly 1 in 10. Chapter 12 of Windows2000 describes UTF-8, the
    Boeing-747, B12 and CO2. The member states met on 9/11/2001 at 10:30, the account of 2019 is on page
    345, and 1,000,000 copies cost $US100 each at a ratio of 3.14159265. See www.example.org/archive/123456
    or mail office123456@example.org for the 100th time.""",
]


@pytest.mark.parametrize(("printed", "reference"), LABELLED)
def test_a_label_makes_a_reference(printed: str, reference: str) -> None:
    """A label in six languages makes even a short number a reference; a year or a payment it does not."""
    assert read_facts(f"{printed}\n").references == ((reference,) if reference else ())


@pytest.mark.parametrize(("printed", "reference"), SHAPED)
def test_a_shape_makes_a_reference(printed: str, reference: str) -> None:
    """Mixed letters and digits, long digit runs and account numbers need no label."""
    assert read_facts(f"siehe {printed} oben").references == (reference,)


@pytest.mark.parametrize("prose", PROSE)
def test_prose_yields_no_reference(prose: str) -> None:
    """Years, shares, ordinals, counts, ranges, standards, names and addresses number no document."""
    assert read_facts(prose).references == ()


def test_dates_and_amounts_are_no_references() -> None:
    """What was read as a date or an amount is not read again; an impossible date is nothing at all."""
    facts = read_facts("15/01/2024 2024-01-15 31/02/2024 123456,78 €")
    assert (facts.dates, facts.amounts, facts.references) == (("2024-01-15",), (12345678,), ())


NEAR = [
    ("RE202345588", "RE202345588", True),
    ("RE202345588", "RE2O2345588", True),
    ("RE202345588", "RE20234S5BB", True),
    ("INV1001", "1NV1001", True),
    ("RE202345588", "RE20234558", True),
    ("RE202345588", "RE2023455808", True),
    ("RE202345588", "RE202345589", False),
    ("RE202345588", "RE202345538", False),
    ("KL4455", "KL445", False),
    ("20230117", "20230111", False),
    ("RE20234558", "RE2023455881", False),
]


@pytest.mark.parametrize(("a", "b", "near"), NEAR)
def test_near_references(a: str, b: str, near: bool) -> None:
    """Letters for digits and one lost character are OCR; another digit is another document."""
    assert near_reference(a, b) is near


references = st.text("0123456789ABDGILOQSZX", min_size=3, max_size=24)


@given(references, references)
def test_nearness_is_symmetric(a: str, b: str) -> None:
    """Which of two scans was read worse does not matter."""
    assert near_reference(a, b) == near_reference(b, a)
    assert near_reference(a, a)
