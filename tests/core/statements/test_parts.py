"""Where a part stands in its whole."""

from __future__ import annotations

import pytest

from dedupe_core.statements.parts import NOWHERE, Place, part, place_of
from tests.core.compare.parts_kit import pages, prose
from tests.core.core_kit import print_of
from tests.corpus.noise import scanned

TEN = [prose(seed, 220) for seed in range(10)]


def where(part: str, whole: str) -> Place:
    return place_of(print_of(part, 1), print_of(whole, 2))


@pytest.mark.parametrize(("first", "last"), [(1, 1), (3, 4), (10, 10), (2, 6)])
def test_pages_are_named_where_the_text_has_page_breaks(first: int, last: int) -> None:
    """Form feeds stand between pages; they count from 1."""
    assert where(pages(*TEN[first - 1 : last]), pages(*TEN)) == Place(first, last)


HEAD, SHORT = prose(99, 40), prose(50, 15)
ODD = {
    "read badly": (scanned(TEN[6], "medium", 3), pages(*TEN), Place(7, 7)),
    "a letterhead on every page": (f"{HEAD}\n{TEN[4]}", pages(*(f"{HEAD}\n{page}" for page in TEN)), Place(5, 5)),
    "a short last page": (pages(TEN[1], SHORT), pages(TEN[0], TEN[1], SHORT, TEN[2]), Place(2, 3)),
}  # fmt: skip


@pytest.mark.parametrize(("part", "whole", "place"), ODD.values(), ids=ODD)
def test_the_place_is_neither_lost_nor_widened(part: str, whole: str, place: Place) -> None:
    assert where(part, whole) == place


@pytest.mark.parametrize(("before", "percent"), [(0, 0), (4, 40), (7, 70), (9, 90)])
def test_without_page_breaks_it_is_a_share_of_the_way(before: int, percent: int) -> None:
    """Rounded to 5%: more would be said than is known."""
    statement = part(print_of(TEN[before], 1), print_of("\n".join(TEN), 2), -1)
    assert (statement.counts[2:], statement.place, statement.documents) == ((percent,), (), (1, 2))


def test_what_is_not_kept_of_a_long_text_is_nowhere() -> None:
    """The index keeps the head and the tail: of the middle nothing can be said; of the tail the share of the way counts
    what was left out."""
    many = [prose(1000 + seed, 250) for seed in range(120)]
    assert where(many[60], pages(*many)) is NOWHERE
    assert where(many[5], pages(*many)) == Place(6, 6)
    assert where(many[114], "\n".join(many)).share == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("part", ["", "a b", prose(77, 200)])
def test_what_does_not_stand_there_is_nowhere(part: str) -> None:
    assert where(part, pages(*TEN)) is NOWHERE
