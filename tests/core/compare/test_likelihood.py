"""The likelihood of differences: own values that were replaced contradict; misread words of the template do not."""

from __future__ import annotations

from dedupe_core.compare.differences import differences
from dedupe_core.compare.printed import read_printed
from tests.core.core_kit import LETTER, NEXT_LETTER, evidence_on


def test_what_the_neighbours_have_belongs_to_the_template() -> None:
    """A word of the template that differs is misread; a name that only this letter has is another name."""
    people = ("Iversen", "Malinowski", "Ferreira", "Dubois", "Kaltenbrunner", "Osterloh")
    siblings = [
        NEXT_LETTER.replace("RE-2023-51207", f"RE-2023-6{n:04}").replace("Brandt", name)
        for n, name in enumerate(people)
    ]
    template = evidence_on(LETTER, LETTER.replace("Verbrauch", "Gebrauch"), *siblings).measures
    own = evidence_on(LETTER, LETTER.replace("Brandt", "Stettner"), *siblings).measures
    assert template["contradiction"] < own["contradiction"]


def test_a_difference_amid_noise_says_less() -> None:
    """By the errors of its region, not only of the pair."""
    lines = [f"Zeile {'abcdefghij'[n]} mit ruhigen Worten und ohne jeden Fehler darin." for n in range(10)]
    clean = "\n".join([*lines, "Der Name lautet Brandt heute.", *lines])
    here = clean.replace("Brandt", "Konrad")
    noisy = here[: here.index("Der Name")] + here[here.index("Der Name") :].replace("ruhigen", "rvbigcn", 5)
    nats = []
    for text in (here, noisy):
        ledger = differences(read_printed(clean), read_printed(text))
        (place,) = [
            difference for difference in ledger.differences if "Konrad" in ledger.sides(difference)[1]
        ]
        nats.append(place.nats)
    assert nats[1] < nats[0]
