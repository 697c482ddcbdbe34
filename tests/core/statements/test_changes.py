"""What changed from one edition to the next, and which edition is the latest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.differences import differences
from dedupe_core.compare.printed import read_printed
from dedupe_core.explain.words import brief, reason, sentences
from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Facts, Fingerprint
from dedupe_core.statements.changes import changes, contradictions
from tests.core.compare.parts_kit import prose
from tests.core.core_kit import print_of

SECTIONS = [prose(seed, 60) for seed in range(6)]


def edition(number: int, *dates: str, created: str = "", added: str = "2030-01-01T08:00:00Z") -> Fingerprint:
    return replace(print_of("text of the contract", number), facts=Facts(dates), created=created, added=added)


def said(older: str, newer: str, *, left_is_older: bool = True) -> list[str]:
    ledger = differences(read_printed(older), read_printed(newer))
    return [words for _, words in sentences(changes(ledger, left_is_older=left_is_older))]


RENT = "Die Miete beträgt 880,00 Euro im Monat und ist am dritten Werktag fällig."
PETS = "Haustiere dürfen in der Wohnung gehalten werden, wenn der Vermieter zustimmt."
ALL, FOUR = "\n".join(SECTIONS), "\n".join(SECTIONS[i] for i in (0, 2, 3, 5))
SAID = [
    ("\n".join(SECTIONS[:5]), ALL, ["a section added (60 words)"]),
    (ALL, FOUR, ["2 sections removed (120 words)"]),
    (RENT, RENT.replace("880,00", "970,00").replace("dritten", "fünften"), ['"880,00" became "970,00"', '"dritten" became "fünften"']),
    (PETS, PETS.replace("dürfen", "dürfen nicht"), ['"nicht" added']),
    (PETS.replace("dürfen", "dürfen nicht"), PETS, ['"nicht" removed']),
    (RENT, RENT, []),
]  # fmt: skip


@pytest.mark.parametrize(("older", "newer", "words"), SAID)
def test_what_changed_in_words(older: str, newer: str, words: list[str]) -> None:
    """Short changes with both sides, sections counted in words."""
    assert sorted(said(older, newer)) == words


def test_the_older_one_may_be_on_the_right() -> None:
    assert said(ALL, FOUR, left_is_older=False) == ["2 sections added (120 words)"]


def test_many_changes_are_counted() -> None:
    """Four are named; the others are counted, so that none is hidden."""
    words = "\n".join(SECTIONS).split()
    others = ["Ersatzteil", "Wohnung", "Kalender", "Fenster", "Garten", "Lampe", "Brücke", "Sommer"]
    words[20:320:40] = others
    found = said("\n".join(SECTIONS), " ".join(words))
    assert len(found) == 5
    assert found[-1].endswith("more differences")


def test_fields_that_differ_are_named_by_kind() -> None:
    older = "Ausweis für Bianca Morandi, Klasse drei, Nummer 75951586 vom Schuljahr, gültig bis auf Widerruf"
    newer = older.replace("Bianca", "Matteo").replace("75951586", "26467219")
    found = contradictions(differences(read_printed(older), read_printed(newer)))
    assert reason(found) == (
        'different numbers: "75951586" / "26467219"; different names or words: "Bianca" / "Matteo"'
    )
    assert brief(found) == "different numbers; different names or words"


@given(st.lists(st.text(), max_size=40), st.lists(st.text(), max_size=40))
def test_the_brief_form_holds_no_word_of_the_documents(older: list[str], newer: list[str]) -> None:
    """It goes into logs. And it is short."""
    secret = "Xylophonqz"
    ledger = differences(
        read_printed(" ".join([*older, secret])), read_printed(" ".join([secret, secret, *newer]))
    )
    words = brief([*changes(ledger), *contradictions(ledger)])
    assert secret not in words
    assert len(words) <= 400


@pytest.mark.parametrize(
    ("editions", "latest"),
    [
        ([edition(1, "2024-05-01"), edition(2, "2023-05-01")], 1),
        (
            [edition(1, "2024-05-01", "2031-01-01"), edition(2, "2024-06-01")],
            2,
        ),  # a deadline is no date of it
        ([edition(1, "2024-05-01"), edition(2, created="2023-01-01")], 2),  # "" before 2023
        ([edition(1, created="2024-01-01"), edition(2, created="2023-01-01")], 1),
        ([edition(1, added="2029-01-02"), edition(2, added="2029-01-01")], 1),
        ([edition(1), edition(2)], 2),
    ],
)
def test_editions_are_ordered_by_printed_dates_then_by_those_of_paperless(
    editions: list[Fingerprint], latest: int
) -> None:
    assert by_age(editions)[-1].id == latest
    assert by_age(reversed(editions))[-1].id == latest
