"""The likelihood of differences: values of one form that were replaced speak for two papers; misread words and garbled lines do not."""

from __future__ import annotations

import pytest

from dedupe_core.compare.differences import differences
from dedupe_core.compare.likelihood import likelihood_measures
from dedupe_core.compare.printed import read_printed
from tests.core.core_kit import LETTER


def contradiction(old: str, new: str) -> float:
    assert old in LETTER
    ledger = differences(read_printed(LETTER), read_printed(LETTER.replace(old, new)))
    return likelihood_measures(ledger)["contradiction"]


@pytest.mark.parametrize(
    ("old", "other_value", "misread"),
    [
        ("Brandt", "Stettner", "Brarndl"),
        ("RE-2023-45588", "RE-2023-51207", "RE-2023-45538"),
        ("RE-2023-45588", "RE-2023-51207", "| iE ee 2G 4 ~"),
    ],
)
def test_a_value_in_place_of_another_says_more_than_noise(old: str, other_value: str, misread: str) -> None:
    """Another value of the same form; letters that were misread; a stain or a garbled line."""
    assert contradiction(old, other_value) > 0 > contradiction(old, misread)


def test_without_differences_nothing_speaks_for_two_papers() -> None:
    measures = likelihood_measures(differences(read_printed(LETTER), read_printed(LETTER)))
    assert measures["contradiction"] < -5
    assert measures["contradiction_sum"] == 0


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
