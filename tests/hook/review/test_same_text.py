"""What may go to the trash: no paper that differs by one edit, but the same paper read twice by a scanner.

The drill has one edit a pair, in seven languages; each is tried in both directions.
"""

from __future__ import annotations

import random
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dedupe_core.compare.spans import Span
from dedupe_core.model import Relation
from hook.ink.pages.paper import CannotLook
from hook.paperless.values import RawDocument
from hook.review.journal import ImpossibleError
from hook.review.merge_rules import content_differences, refuse_differences, same_print
from hook.review.same_text.differences import Difference, TooLongError, text_differences

GERMAN = """Stadtwerke Auenfeld GmbH
Herrn Max Kettler, Lindenweg 12b, 04711 Auenfeld
Rechnung Nr. 2024-118832 vom 14.03.2024
Abrechnung für Strom, Zähler 88-123-7
Verbrauch 2.480 kWh zu je 0,31 €, zwölf Monate
Grundpreis 9,90 EUR im Monat, 19 % MwSt. enthalten
Guthaben aus dem Vorjahr 132,92 EUR
Zu zahlen bis 28.03.2024: 768,80 EUR
IBAN DE89 3704 0044 0532 0130 00
Der Vertrag verlängert sich nicht von selbst.
☐ Ich widerspreche der Abbuchung
Temperatur im Keller 12 °C
Mit freundlichen Grüßen
Eva Sommer
"""
ENGLISH = """Harbour Letting Agency
Dear Ms Olive Thornton,
Your rent for the flat at 5 Mill Road is 845.00 pounds a month.
It is due on the first Monday of each month, twice a year with the water rates.
You may keep a dog, but the tenant shall not sublet any room.
The deposit of £1,500 is held until 30 June 2025.
Please pay by 17:30 to account 10-22-33, reference HL/4471.
The boiler was found in order.
Signed in duplicate
"""
FRENCH = """Mutuelle des Artisans
Monsieur Paul Lefort, 8 rue des Tilleuls
Votre cotisation de janvier est de 62,40 euros.
Le contrat n'est pas résilié et court jusqu'au 31 décembre 2025.
La franchise est de deux cents euros par sinistre.
Fait à Lyon le 3 mai 2025
"""
SPANISH = """Comunidad de propietarios Calle Olmo 7
La junta aprobó la derrama de 240 euros por piso.
Los vecinos pagarán en tres plazos, sin intereses.
El ascensor no funciona desde el martes.
"""
ITALIAN = """Officina Bruni
Il veicolo targato FK 221 LM è stato riparato.
Totale 318,00 euro, pagamento entro dieci giorni.
Il cliente accetta il preventivo.
"""
DUTCH = """Huisarts De Wit
Mevrouw Jansen krijgt geen nieuwe medicijnen.
Neem twee tabletten van 50 mg per dag.
Controle op 12 april om 9:15 uur.
"""
POLISH = """Spółdzielnia Mieszkaniowa
Czynsz za marzec wynosi 410,50 zł.
Lokal nie jest zadłużony.
Administrator Jan Nowak
"""

EDITS = [
    # Names and places
    (GERMAN, "Max Kettler", "Eva Kettler"),
    (GERMAN, "Kettler", "Kessler"),
    (GERMAN, "Lindenweg", "Lindenhof"),
    (GERMAN, "Auenfeld GmbH", "Auenfeld AG"),
    (ENGLISH, "Ms Olive", "Mr Olive"),
    (ENGLISH, "Thornton", "Thomton"),
    (FRENCH, "Paul Lefort", "Paule Lefort"),
    (DUTCH, "Mevrouw", "Meneer"),
    (POLISH, "Jan Nowak", "Jan Nowaka"),
    # Numbers, signs, separators
    (GERMAN, "132,92", "-132,92"),
    (GERMAN, "132,92", "- 132,92"),
    (GERMAN, "132,92", "(132,92)"),
    (GERMAN, "768,80", "786,80"),
    (GERMAN, "768,80", "768,8"),
    (GERMAN, "2.480", "2,480"),
    (GERMAN, "2024-118832", "2024-118833"),
    (GERMAN, "12b", "128"),
    (GERMAN, "04711", "4711"),
    (ENGLISH, "£1,500", "£1.500"),
    (ENGLISH, "£1,500", "£15,00"),
    (ITALIAN, "318,00", "31800"),
    (ITALIAN, "FK 221 LM", "FK 227 LM"),
    (SPANISH, "240", "2 40"),
    # Units, currencies, symbols
    (GERMAN, "kWh", "MWh"),
    (GERMAN, "0,31 €", "0,31 $"),
    (GERMAN, "19 %", "19 ‰"),
    (GERMAN, "12 °C", "12 °F"),
    (GERMAN, "☐ Ich", "☒ Ich"),
    (DUTCH, "50 mg", "50 g"),
    (DUTCH, "50 mg", "50 µg"),
    # Dates and times
    (GERMAN, "28.03.2024", "28.03.2025"),
    (ENGLISH, "Monday", "Sunday"),
    (ENGLISH, "17:30", "11:30"),
    (FRENCH, "janvier", "février"),
    (SPANISH, "martes", "jueves"),
    # Accounts
    (GERMAN, "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0582 0130 00"),
    (ENGLISH, "10-22-33", "10-22-38"),
    # Numbers in words
    (GERMAN, "zwölf", "zwei"),
    (ENGLISH, "twice", "thrice"),
    (FRENCH, "deux cents", "douze cents"),
    (SPANISH, "tres", "seis"),
    (ITALIAN, "dieci", "dodici"),
    # Negations
    (GERMAN, "nicht von selbst", "von selbst"),
    (GERMAN, "sich nicht", "sich nun"),
    (ENGLISH, "shall not", "shall now"),
    (FRENCH, "n'est pas résilié", "est résilié"),
    (SPANISH, "no funciona", "funciona"),
    (SPANISH, "sin intereses", "con intereses"),
    (DUTCH, "geen", "een"),
    (POLISH, "nie jest", "jest"),
    # Words and lines that were added or dropped
    (GERMAN, "Zu zahlen", "bezahlt Zu zahlen"),
    (GERMAN, "Eva Sommer\n", "Eva Sommer\nbezahlt\n"),
    (GERMAN, "Eva Sommer\n", ""),
    (GERMAN, "Guthaben aus dem Vorjahr 132,92 EUR\n", ""),
    (GERMAN, "Rechnung Nr.", "Mahnung Nr."),
    (GERMAN, "Rechnung Nr.", "Rechnungskopie Nr."),
    (ENGLISH, "Signed in duplicate\n", "Signed in duplicate\nVOID\n"),
    (ENGLISH, "in order.", "in order. x"),
    (ITALIAN, "accetta", "rifiuta"),
    # Words that a scanner could make of each other, and that both exist
    (ENGLISH, "tenant", "tenants"),
    (ENGLISH, "first", "flrst flat"),
    (GERMAN, "Monat,", "Monate,"),
    (GERMAN, "Keller", "Kelter"),
    (ENGLISH, "room", "roof"),
]


def refused(kept: str, loser: str, relation: Relation = Relation.RESCAN) -> str:
    """What the note says; empty if the document may go."""
    try:
        both = RawDocument(1, content=kept), RawDocument(2, content=loser)
        refuse_differences(content_differences(*both, relation, "dedupe:keep"), 1, 2, "dedupe:keep")
    except ImpossibleError as error:
        return str(error)
    return ""


def test_the_drill_is_large_and_each_pair_has_one_edit() -> None:
    assert len(EDITS) >= 60
    assert len(set(EDITS)) == len(EDITS)
    assert all(text.count(old) >= 1 and old != new for text, old, new in EDITS)


@pytest.mark.parametrize(("text", "old", "new"), EDITS)
def test_one_edit_and_nothing_goes(text: str, old: str, new: str) -> None:
    """Whichever of the two is kept; also if it was reported as identical."""
    edited = text.replace(old, new, 1)
    for relation in (Relation.RESCAN, Relation.IDENTICAL):
        assert refused(text, edited, relation)
        assert refused(edited, text, relation)


@pytest.mark.parametrize(("text", "old", "new"), [one for one in EDITS if one[2]])
def test_one_edit_between_misreadings_is_found(text: str, old: str, new: str) -> None:
    """Noise around it hides nothing."""
    edited = text.replace(old, new, 1)
    noisy = edited.replace("Abrechnung", "Abrcchnung").replace("Agency", "Agcncy") + "~ _| =;\n"
    assert refused(text, noisy) and refused(noisy, text)


MISREADINGS = [
    # rn and m, and the like, where only one of the two is a word
    (GERMAN, "Stadtwerke", "Stacltwerke"),
    (GERMAN, "Abrechnung", "Abrcchnung"),
    (ENGLISH, "Dear Ms", "Dear, Ms"),
    (GERMAN, "Temperatur", "Ternperatur"),
    (GERMAN, "Eva Sommer", "Eva Somrner"),
    (ENGLISH, "tenant", "tcnant"),
    (FRENCH, "Tilleuls", "Tllleuls"),
    (POLISH, "wynosi", "vvynosi"),
    # l, 1 and I; O and 0; other digits in words
    (GERMAN, "Zähler", "Zäh1er"),
    (GERMAN, "Monat,", "M0nat,"),
    (GERMAN, "Ich widerspreche", "lch widerspreche"),
    (GERMAN, "Temperatur", "Temperatur."),
    (ENGLISH, "month.", "m0nth."),
    (ENGLISH, "Signed", "5igned"),
    (ENGLISH, "Letting", "LettIng"),
    (SPANISH, "propietarios", "pr0pietari0s"),
    (DUTCH, "tabletten", "ta8letten"),
    # A letter in a number
    (GERMAN, "14.03.2024", "14.O3.2024"),
    (GERMAN, "2.480", "2.48O"),
    # A comma for a point where only one of the two can be meant
    (GERMAN, "132,92", "132.92"),
    (GERMAN, "14.03.2024", "14.03,2024"),
    (ENGLISH, "£1,500 is", "£1,500, is"),
    # Punctuation
    (GERMAN, "Kettler, Lindenweg", "Kettler Lindenweg"),
    (GERMAN, "selbst.", "selbst"),
    (GERMAN, "28.03.2024: 768,80", "28.03.2024 768,80"),
    (FRENCH, "n'est", "n est"),
    # Torn and joined words
    (GERMAN, "Abrechnung", "Abrech nung"),
    (GERMAN, "freundlichen Grüßen", "freundlichenGrüßen"),
    (GERMAN, "DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    (GERMAN, "19 %", "19%"),
    (GERMAN, "2.480 kWh", "2.480kWh"),
    # Lines of garbage
    (GERMAN, "Zu zahlen", "~ . _ | ,;\nZu zahlen"),
    (GERMAN, "Mit freundlichen", "i|l~ _=e {ii|\nMit freundlichen"),
    # Lines broken elsewhere
    (ENGLISH, "You may keep a dog, but", "You may keep a dog,\nbut"),
    (GERMAN, "Verbrauch 2.480", "Ver-\nbrauch 2.480"),
]


@pytest.mark.parametrize(("text", "old", "new"), MISREADINGS)
def test_a_misreading_beyond_doubt_may_go(text: str, old: str, new: str) -> None:
    assert old in text and old != new
    misread = text.replace(old, new, 1)
    assert refused(text, misread) == refused(misread, text) == ""


def test_a_page_full_of_misreadings_may_go() -> None:
    """All kinds at once, as one bad scan has them."""
    for whole in (GERMAN, ENGLISH):
        noisy = whole
        for text, old, new in MISREADINGS:
            noisy = noisy.replace(old, new, 1) if text == whole else noisy
        assert noisy.count("\n") > whole.count("\n")
        assert refused(whole, noisy) == refused(noisy, whole) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("modern", "modem"),
        ("clear", "dear"),
        ("Hornberger", "Homberger"),
        ("Mai", "Mal"),
        ("1m", "im"),
        ("5l", "51"),
        ("B5", "85"),
        ("kein Muster", "keinMuster"),
        ("3 5", "35"),
        ("Sie", "sie"),
        ("max.huber@mail.de", "maxhuber@mail.de"),
        ("Anna", "Arma"),
        ("€5,00", "-€5,00"),
        (",50", "-,50"),
        ("€ 5,00", "- € 5,00"),
        ("5,00 €", "5,00 €-"),
        ("dreht", "droht"),
        ("I.10", "1.10"),
        ("O12", "012"),
        ("Briten", "Hufen"),
        ("wegen", "wogen"),
    ],
)
def test_two_words_that_both_exist_differ(one: str, other: str) -> None:
    assert refused(f"the {one} here", f"the {other} here")


def test_of_a_part_only_whole_lines_may_be_missing() -> None:
    """The part may go for its whole, not the whole for its part; a word more inside a line is an edit."""
    part = "".join(GERMAN.splitlines(keepends=True)[4:9])
    assert refused(GERMAN, part, Relation.CONTAINED) == ""
    assert refused(GERMAN, part.replace("Verbrauch", "Vcrbrauch"), Relation.CONTAINED) == ""
    assert refused(part, GERMAN, Relation.CONTAINED)
    assert refused(GERMAN, part, Relation.RESCAN)
    assert refused(GERMAN, part.replace("19 % ", ""), Relation.CONTAINED)
    assert refused(GERMAN, part + "bezahlt\n", Relation.CONTAINED)


def test_the_note_lists_both_readings() -> None:
    said = refused(GERMAN, GERMAN.replace("kWh", "MWh").replace("Eva Sommer\n", ""))
    assert '"kWh" in #1, "MWh" in #2' in said
    assert '"Eva Sommer" only in #1' in said


def test_the_order_of_words_counts() -> None:
    """Two amounts that change places are an edit, though every word is in both."""
    assert refused("debit 100 credit 200", "debit 200 credit 100")


def test_a_text_that_cannot_be_read_to_its_end_is_refused_unless_it_is_equal() -> None:
    long = "word " * 300_000
    assert refused(long, long) == ""
    assert "too long" in refused(long, long + "more")
    with pytest.raises(TooLongError):
        text_differences("a " * 70_000, "b " * 70_000)


def test_hostile_texts_cost_little() -> None:
    """Nothing alike, all garbage, endless words: bounded work."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefgl1|~", k=6)) for _ in range(20_000)]
    cases = [
        (" ".join(words), " ".join(reversed(words))),
        ("i|l~ " * 5_000, "l|i~ " * 5_000),
        ("a" * 400_000, "b" * 400_000),
        ("1" + "-" * 200_000 + "1", "(" * 200_000 + "1"),
        ("a\n" * 30_000, "b\n" * 50),
    ]
    start = time.process_time()
    for one, other in cases:
        for is_part in (False, True):
            text_differences(one, other, is_part=is_part)
    assert time.process_time() - start < 20


def test_what_differs_is_returned_in_order() -> None:
    assert text_differences("one two three four five", "one three four six") == [
        Difference("two", "", Span(1, 2, 1, 1)),
        Difference("five", "six", Span(4, 5, 3, 4)),
    ]


# Where the limits are: what is just beyond one is a difference, and a person decides

LONG = "a" * 90 + "rn" + "b" * 88  # 180 characters
BEYOND = {
    "four letters in capitals": ("Euro", "EURO"),
    "a digit in three letters": ("von", "v0n"),
    "four letters say too little": ("Dear", "Dcar"),
    "six letters say too little without a word that nobody writes": ("martes", "rnartes"),
    "neither of the two is clearly a word": ("Herrn", "Hcrrn"),
    "eight digits in groups": ("12345678", "1234 5678"),
}
WITHIN = {
    "a letter of ten": ("Abrechnung", "Abrcchnung"),
    "two letters for one": ("Temperatur", "Ternperatur"),
    "ten digits in groups": ("1234567890", "12345 67890"),
    "ten pieces": ("Abrechnung", "A b r e c h n u n g"),
    "a word of 180 characters": (LONG, LONG.replace("rn", "m")),
}


@pytest.mark.parametrize("limit", [*BEYOND, *WITHIN])
def test_just_beyond_a_limit_it_is_a_difference(limit: str) -> None:
    """Within it, a misreading."""
    one, other = (BEYOND | WITHIN)[limit]
    assert bool(refused(f"the {one} here", f"the {other} here")) == (limit in BEYOND)
    assert bool(refused(f"the {other} here", f"the {one} here")) == (limit in BEYOND)


def test_a_text_of_120_dense_pages_is_compared() -> None:
    """60,000 words, and not one more."""
    words = "a b c d e f " * 9_999
    assert len(text_differences(words + "x", words + "y")) == 1
    with pytest.raises(TooLongError):
        text_differences(words + "a b c d e f x", words + "y")


def test_a_note_lists_six_differences_and_60_characters_of_each() -> None:
    words = [f"one{'xyz'[n % 3] * (n + 1)}" for n in range(8)]
    said = refused(" . ".join(f"the {word} here" for word in words), " . ".join(["the other here"] * 8))
    assert said.count(" in #1, ") == 6
    assert "and 2 more" in said
    assert f'"{"x" * 59}…"' in refused("x" * 80, "other")


@pytest.mark.parametrize(("left_s", "asked"), [(59.0, []), (61.0, ["looked"])])
def test_pages_are_looked_at_if_60_seconds_are_left(left_s: float, asked: list[str]) -> None:
    """Two files of 20 s each, 15 s to read places again, and some to compare them."""
    seen: list[str] = []

    def looking(*_: object, **__: object) -> Any:
        seen.append("looked")
        raise CannotLook(cast(Any, "a reason"))

    session = SimpleNamespace(
        inspector=SimpleNamespace(looking=looking),
        client=None,
        deadline=SimpleNamespace(remaining=lambda: left_s),
    )
    documents = RawDocument(1, content="a"), RawDocument(2, content="b")
    found = text_differences("a", "b")
    assert same_print(cast(Any, session), *documents, found) == frozenset()
    assert seen == asked
