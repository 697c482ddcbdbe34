"""Agreement: shared, nearly shared and alone, and what each is worth among the neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.agreement import (
    Agreement,
    Reading,
    agreement,
    weigh,
    with_joined,
    with_months,
    with_near_words,
    with_slips,
)
from dedupe_core.compare.view import Neighbourhood, View
from tests.core.core_kit import view_of

WORDS = st.frozensets(st.text("abcdeh", min_size=3, max_size=7), max_size=12)
NUMBERS = st.frozensets(st.text("0123456789", min_size=3, max_size=7), max_size=12)


def swapped(found: Agreement[str]) -> Agreement[str]:
    return Agreement(found.kind, found.shared, found.only_b, found.only_a, found.near_b, found.near_a)


@given(NUMBERS, NUMBERS)
def test_every_token_is_shared_or_alone(one: frozenset[str], other: frozenset[str]) -> None:
    """Nothing is lost and nothing is counted twice; what is near is alone on its side."""
    found = with_slips(agreement("numbers", one, other))
    assert found.shared | found.only_a == one
    assert found.shared | found.only_b == other
    assert found.near_a.keys() <= found.only_a
    assert found.near_b.keys() <= found.only_b
    assert found.absent_a == found.only_a - found.near_a.keys()
    assert set(found.near_a.values()) <= found.only_b


@given(NUMBERS, NUMBERS)
def test_numbers_agree_both_ways(one: frozenset[str], other: frozenset[str]) -> None:
    """Which document comes first makes no difference to which numbers are near."""
    there, back = with_slips(agreement("numbers", one, other)), with_slips(agreement("numbers", other, one))
    assert there.near_a.keys() == back.near_b.keys()
    assert there.absent_b == back.absent_a


@given(WORDS, WORDS)
def test_words_agree_both_ways(one: frozenset[str], other: frozenset[str]) -> None:
    """The same for words, near by their letters."""
    there, back = (
        with_near_words(agreement("words", one, other)),
        with_near_words(agreement("words", other, one)),
    )
    assert swapped(back).near_a.keys() == there.near_a.keys()
    assert swapped(back).near_b.keys() == there.near_b.keys()


def test_a_misread_word_is_near_and_another_word_is_not() -> None:
    """`rechnunq` is one slip away from `rechnung`; `zahlung` shares an ending only."""
    found = with_near_words(agreement("words", {"rechnung"}, {"rechnunq"}))
    assert found.near_a == {"rechnung": "rechnunq"}
    assert with_near_words(agreement("words", {"rechnung"}, {"zahlung"})).near_a == {}


def test_what_a_scanner_split_is_near() -> None:
    """A number or a long word that stands in the other text without its spaces is no loss."""
    found = with_joined(agreement("numbers", {"202345588"}, {"2023", "45588"}), "re202345588", "re202345588")
    assert found.near_a == {"202345588": "202345588"}
    assert found.near_b == {"45588": "45588"}
    lost = with_joined(agreement("numbers", {"202345588"}, set()), "re202345588", "re2023")
    assert lost.near_a == {}


def test_the_work_on_a_pair_is_bounded() -> None:
    """Ten thousand numbers against ten thousand others: a bounded part is compared, the same one each time."""
    one, other = ({f"{start + n * 7:07}" for n in range(10_000)} for start in (10**6, 10**6 + 3))
    found = with_slips(agreement("numbers", one, other))
    assert len(found.only_a) == 10_000
    assert found.near_a == with_slips(agreement("numbers", one, other)).near_a


def weight(neighbours: list[View], pair: tuple[View, View], kind: str = "numbers") -> tuple[float, float]:
    found = agreement(kind, getattr(pair[0], kind), getattr(pair[1], kind))
    weighed, _ = weigh(found, Neighbourhood(neighbours), pair, (Reading(0.9, 0.01), Reading(0.9, 0.01)))
    rare = Neighbourhood(neighbours).rarity(kind, found.shared, *pair)
    return weighed.support, rare


def test_what_all_neighbours_have_is_template() -> None:
    """A shared number supports "the same paper" as long as nobody else has it."""
    one, other = view_of("total 47110815 here", 1), view_of("total 47110815 there", 2)
    alone = [other, *(view_of(f"total 9{n:07} here", 10 + n) for n in range(8))]
    family = [other, *(view_of("total 47110815 here", 10 + n) for n in range(8))]
    support_alone, rare_alone = weight(alone, (one, other))
    support_family, rare_family = weight(family, (one, other))
    assert support_alone > 1 > support_family
    assert (rare_alone, rare_family) == (1.0, 1 / 9)


def test_what_stands_on_one_side_only_speaks_against() -> None:
    """A number that is clear on one side and absent from the other lowers the support."""
    other = view_of("total 47110815", 2)
    same, more = view_of("total 47110815", 1), view_of("total 47110815 and 99887766", 1)
    neighbours = [other, *(view_of(f"total 3{n:07}", 10 + n) for n in range(8))]
    assert weight(neighbours, (more, other))[0] < weight(neighbours, (same, other))[0]


def test_bad_reading_excuses_what_is_absent() -> None:
    """If half of the words were lost, a lost number says little."""
    pair = view_of("total 47110815 and 99887766", 1), view_of("total 47110815", 2)
    around = Neighbourhood([pair[1], *(view_of(f"total 3{n:07}", 10 + n) for n in range(8))])
    found = agreement("numbers", pair[0].numbers, pair[1].numbers)
    clean, bad = (
        weigh(found, around, pair, (Reading(coverage, 0.02), Reading(coverage, 0.02)))[0].support
        for coverage in (0.98, 0.5)
    )
    assert clean < bad


DATES = st.frozensets(
    st.sampled_from(["2024-01", "2024-02", "2024-01-05", "2024-01-15", "2024-02-05", "2023-01-05"]),
    max_size=5,
)


@pytest.mark.parametrize(
    ("one", "other", "absent"),
    [
        ({"2024-01"}, {"2024-01-05"}, (set(), set())),
        ({"2024-01-05"}, {"2024-01"}, (set(), set())),
        ({"2024-01"}, {"2024-02-05"}, ({"2024-01"}, {"2024-02-05"})),
        ({"2024-01"}, {"2024-01-05", "2024-01-15"}, (set(), {"2024-01-15"})),
        ({"2024-01", "2024-01-05"}, {"2024-01", "2024-01-15"}, ({"2024-01-05"}, {"2024-01-15"})),
        ({"2024-01"}, {"2024-02"}, ({"2024-01"}, {"2024-02"})),
        (
            {"2024-02", "2024-03-05"},
            {"2024-01", "2024-02-05"},
            ({"2024-02", "2024-03-05"}, {"2024-01", "2024-02-05"}),
        ),
    ],
)
def test_a_month_agrees_with_a_day_of_it(
    one: set[str], other: set[str], absent: tuple[set[str], set[str]]
) -> None:
    """One day for each month that only one side has; a month that both have says nothing of their days.

    A bill's month may be the month in which the last bill was due.
    """
    found = with_months(agreement("dates", one, other))
    assert [set(found.absent_a), set(found.absent_b)] == list(absent)


@given(DATES, DATES)
def test_months_and_days_are_paired_one_to_one(one: frozenset[str], other: frozenset[str]) -> None:
    """The same pairs whichever side is asked first, and slips are looked for among the rest only."""
    found = with_months(agreement("dates", one, other))
    assert found == swapped(with_months(agreement("dates", other, one)))
    assert {b: a for a, b in found.near_a.items()} == found.near_b
    slipped = with_slips(found)
    assert found.near_a.items() <= slipped.near_a.items()
    assert found.near_b.items() <= slipped.near_b.items()
