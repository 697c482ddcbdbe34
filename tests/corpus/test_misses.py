"""Verdicts that a person would not understand, by class: pairs of our own making, each among its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from dedupe_core.model import Document, Relation, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive
from tests.corpus.noise import scanned

SAME = {Relation.IDENTICAL, Relation.RESCAN}


@dataclass(frozen=True, slots=True)
class Case:
    """A document, what is in the archive beside it, and the copy or neighbour that arrives."""

    first: str
    later: str
    around: tuple[str, ...]
    is_same: bool


INVOICE = """Malerbetrieb Ohlsen GmbH · Deichstraße 9 · 26721 Emden
Herrn Tjark Behrends, Große Straße 31, 26721 Emden
Rechnung {number}                     Emden, den {date}
Bauvorhaben: {site}
Vorarbeiten und Abdecken       {first} Euro
Wände zweimal gestrichen       {second} Euro
Anfahrt und Kleinmaterial      38,50 Euro
Zwischensumme                  {net} Euro
Umsatzsteuer 19 Prozent        {tax} Euro
Rechnungsbetrag                {total} Euro
Zahlbar innerhalb von vierzehn Tagen ohne Abzug auf unser Konto bei der Sparkasse Emden.
Vielen Dank für Ihren Auftrag. Wir freuen uns, wenn Sie uns weiterempfehlen."""


def invoice(number: int) -> str:
    first, second = 212.4 + 17 * number, 640 + 31.5 * number
    net = first + second + 38.5
    values = {"first": first, "second": second, "net": net, "tax": 0.19 * net, "total": 1.19 * net}
    amounts = {name: f"{value:.2f}".replace(".", ",") for name, value in values.items()}
    site = ("Treppenhaus", "Küche und Flur", "Schlafzimmer", "Fassade Hofseite", "Keller")[number]
    return INVOICE.format(
        number=f"2024-{118 + 7 * number}", date=f"{4 + number}.06.2024", site=site, **amounts
    )


GARBLED = invoice(1).replace("Bauvorhaben: Küche und Flur", "Bauv rhbn: ~Kiic#e unc l'lur |")

FORM = """Turnverein Rosenfeld 1908 e.V. - Antrag auf Mitgliedschaft
Name, Vorname: ______________________________
Straße und Hausnummer: ______________________
Postleitzahl und Ort: _______________________
Geburtsdatum: _______________________________
Abteilung (bitte ankreuzen): Turnen / Handball / Wandern / Tischtennis
Ich erkenne die Satzung des Vereins an. Der Beitrag wird halbjährlich vom Konto abgebucht.
Die Mitgliedschaft kann zum Jahresende mit einer Frist von sechs Wochen gekündigt werden.
Ort, Datum: _______________   Unterschrift: _______________________"""
FILLED = (
    FORM.replace("Vorname: ____", "Vorname: Jentsch, Malte ").replace(
        "Geburtsdatum: ____", "Geburtsdatum: 12.07.1988 "
    ),
    FORM.replace("Vorname: ____", "Vorname: Ostrowski, Ida ").replace(
        "Geburtsdatum: ____", "Geburtsdatum: 30.01.1994 "
    ),
)

SERIAL = """Wasserverband Untere Aue · Am Pegel 2 · 29308 Winsen
{name}
{street}
29308 Winsen
Kundennummer {customer}                       21. Oktober 2024
Ablesung Ihres Wasserzählers
Sehr geehrte Kundin, sehr geehrter Kunde,
in der Woche vom 4. bis 8. November lesen wir die Wasserzähler in Ihrem Ortsteil ab. Unser Mitarbeiter kommt am {day} zu Ihnen
und zeigt Ihnen gern seinen Ausweis. Bitte sorgen Sie dafür, dass der Zähler frei zugänglich ist. Wenn Sie an diesem Tag
nicht zu Hause sind, lesen Sie den Stand bitte selbst ab und teilen ihn uns mit. Ihr Zähler hat die Nummer {meter}.
Mit freundlichen Grüßen
Wasserverband Untere Aue"""
PEOPLE = (
    ("Frau Gesine Alpers", "Mühlenweg 14", "300417", "Dienstag, dem 5. November,", "WZ 4410 882"),
    ("Herrn Bodo Reinking", "Schulstraße 3", "300982", "Mittwoch, dem 6. November,", "WZ 4410 907"),
    ("Frau Almut Czerny", "Kirchring 27", "301266", "Montag, dem 4. November,", "WZ 4411 035"),
    ("Herrn Lüder Hoops", "Am Brink 8", "301540", "Freitag, dem 8. November,", "WZ 4411 210"),
)
LETTERS = tuple(
    SERIAL.format(name=name, street=street, customer=customer, day=day, meter=meter)
    for name, street, customer, day, meter in PEOPLE
)
HEADER = "\n".join(LETTERS[0].split("\n")[1:5])
MISREAD_HEADER = LETTERS[0].replace(
    HEADER, "F au Ge,ine A pcrs\nM~lenw g 1\n2930 Wmsen\nKunden um er 3O04 7      2 . Okt ber 2024"
)

BOILERPLATE = """Bürgerstiftung Hollerbek - Ihre Anfrage an unseren Förderausschuss
Sehr geehrte Damen und Herren,
vielen Dank für Ihr Schreiben und Ihr Vertrauen in unsere Stiftung. Der Förderausschuss tagt viermal im Jahr und prüft jeden
Antrag nach den Richtlinien, die Sie auf unserer Seite finden. Gefördert werden Vorhaben, die dem Gemeinwohl im Stadtgebiet
dienen, die ohne unsere Hilfe nicht zustande kämen und die spätestens ein Jahr nach der Bewilligung beginnen. Laufende Kosten,
Gehälter und Vorhaben, die bereits begonnen haben, können wir nicht fördern.
{own}
Über die Auszahlung entscheidet der Vorstand, sobald die Nachweise vorliegen. Bitte heben Sie alle Belege auf und schicken Sie
uns nach dem Ende des Vorhabens einen kurzen Bericht mit einigen Bildern, die wir auf unserer Seite zeigen dürfen. Nicht
verbrauchte Mittel sind zurückzuzahlen. Wenn sich etwas ändert, geben Sie uns bitte rechtzeitig Bescheid, damit wir gemeinsam
eine Lösung finden. Wir wünschen Ihnen gutes Gelingen und freuen uns, von Ihnen zu hören.
Mit freundlichen Grüßen
für den Förderausschuss"""
OWN = (
    "Der Ausschuss bewilligt dem Kleingartenverein die Anschaffung zweier Bienenstöcke samt Schutzkleidung für die Kinder der Gruppe.",
    "Der Ausschuss lehnt den Wunsch des Ruderclubs nach einem neuen Steg ab, weil das Ufer unter Naturschutz steht und niemand bauen darf.",
    "Der Ausschuss vertagt die Entscheidung über das Theaterstück der Gesamtschule, bis ein Plan für Bühne und Probenräume vorliegt.",
)

CASES = {
    "one line of an invoice garbled": Case(invoice(1), GARBLED, tuple(map(invoice, (0, 2, 3, 4))), True),
    "a blank form scanned twice": Case(FORM, scanned(FORM, "light", 3), FILLED, True),
    "a serial letter with a misread header": Case(LETTERS[0], MISREAD_HEADER, LETTERS[1:], True),
    "an own block in boilerplate": Case(
        BOILERPLATE.format(own=OWN[0]),
        BOILERPLATE.format(own=OWN[1]),
        (BOILERPLATE.format(own=OWN[2]),),
        False,
    ),
}


def verdict_on(case: Case, directory: Path) -> Verdict | None:
    with Archive.open(directory / "index", RECIPE, POLICY) as archive:
        for number, text in enumerate((case.first, *case.around), 1):
            archive.take(Document(number, text))
        found = archive.examine(Document(100, case.later)).verdicts
    return next((one for one in found if one.other == 1), None)


@pytest.mark.parametrize("name", CASES)
def test_a_person_would_say_the_same(name: str, tmp_path: Path) -> None:
    """The same paper is reported as such; another one is not called the same without a doubt."""
    case, verdict = CASES[name], verdict_on(CASES[name], tmp_path)
    is_same = verdict is not None and verdict.flagged and verdict.relation in SAME
    if case.is_same:
        assert is_same, verdict
    else:
        assert not (is_same and verdict is not None and not verdict.doubts), verdict
