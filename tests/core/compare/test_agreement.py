"""Agreement: shared, nearly shared and alone, and what each is worth among the neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.agreement import (
    Agreement,
    agreement,
    with_months,
    with_slips,
)

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
