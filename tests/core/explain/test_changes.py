"""What changed from one edition to the next, and which edition is the latest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.explain.changes import Changes, by_age, changes, in_words
from dedupe_core.explain.story import edition_in_words
from dedupe_core.model import Facts, Fingerprint, Relation
from hook.findings.chains import chain_in_words, with_chain
from hook.findings.findings import Finding
from tests.core.compare.parts_kit import prose
from tests.core.core_kit import print_of

SECTIONS = [prose(seed, 60) for seed in range(6)]


def edition(number: int, *dates: str, created: str = "", added: str = "2030-01-01T08:00:00Z") -> Fingerprint:
    return replace(print_of("text of the contract", number), facts=Facts(dates), created=created, added=added)


def told(older: str, newer: str) -> list[str]:
    return in_words(changes(print_of(older, 1), print_of(newer, 2)))


def test_a_section_that_was_added_is_counted_in_words() -> None:
    assert told("\n".join(SECTIONS[:5]), "\n".join(SECTIONS)) == ["a section added (60 words)"]


def test_sections_that_were_removed() -> None:
    assert told("\n".join(SECTIONS), "\n".join(SECTIONS[i] for i in (0, 2, 3, 5))) == [
        "2 sections removed (120 words)"
    ]


def test_a_few_other_words_are_a_passage_reworded() -> None:
    words = "\n".join(SECTIONS).split()
    words[100:103] = ["with", "other", "words"]
    assert told("\n".join(SECTIONS), " ".join(words)) == ["1 passage reworded"]


def test_changed_dates_and_amounts_are_named() -> None:
    """One for one is said as such; more are listed, and not all of them."""
    older, newer = "Stand 01.02.2023, Gebühr 12,50 €", "Stand 01.03.2024, Gebühr 14,00 €"
    assert told(older, newer)[-2:] == ["date 2023-02-01 became 2024-03-01", "amount 12.50 became 14.00"]
    many = in_words(Changes(amounts=((), (100, 200, 300, 400))))
    assert many == ["amounts 1.00, 2.00 and 2 more added"]


def test_nothing_changed_says_nothing() -> None:
    assert told(SECTIONS[0], SECTIONS[0]) == []


def test_the_words_are_the_same_whichever_document_is_asked_about() -> None:
    one, two = edition(1, "2023-01-01"), replace(edition(2, "2024-01-01"), text="text of the new contract")
    assert edition_in_words(one, two) == edition_in_words(two, one)


@given(st.lists(st.text(), max_size=40), st.lists(st.text(), max_size=40))
def test_no_word_of_the_text_is_in_the_words(older: list[str], newer: list[str]) -> None:
    """They go into logs. And they are short."""
    secret = "xylophonqz"
    said = "; ".join(told(" ".join([*older, secret]), " ".join([secret, secret, *newer])))
    assert secret not in said
    assert len(said) <= 400


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


def test_a_chain_says_which_is_the_latest() -> None:
    chain = [edition(n, f"20{n:02}-01-01") for n in (12, 20, 15)]
    assert chain_in_words(chain[0], chain[1:]) == "#20 is the latest of 3"
    assert chain_in_words(chain[0], chain[1:2]) == "#20 is the newer one"
    assert chain_in_words(chain[0], []) == ""


def test_a_note_says_it_once() -> None:
    """With the first edition; findings of other kinds are left as they are."""
    findings = [
        Finding(n, relation, 0.9, "why")
        for n, relation in enumerate((Relation.RESCAN, *2 * (Relation.REVISION,)))
    ]
    made = with_chain(
        findings, edition(8, "2024-01-01"), [edition(1, "2023-01-01"), edition(2, "2022-01-01")]
    )
    assert [finding.reason for finding in made] == ["why", "#8 is the latest of 3; why", "why"]
