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


def test_a_part_read_badly_is_still_found_on_its_page() -> None:
    """OCR noise leaves enough of the passages."""
    assert where(scanned(TEN[6], "medium", 3), pages(*TEN)) == Place(7, 7)


def test_a_letterhead_on_every_page_does_not_widen_the_place() -> None:
    """What stands on each page says nothing about where the part is."""
    head = prose(99, 40)
    assert where(f"{head}\n{TEN[4]}", pages(*(f"{head}\n{page}" for page in TEN))) == Place(5, 5)


def test_a_short_last_page_belongs_to_the_part() -> None:
    whole = pages(TEN[0], TEN[1], prose(50, 15), TEN[2])
    assert where(pages(TEN[1], prose(50, 15)), whole) == Place(2, 3)


@pytest.mark.parametrize(("before", "percent"), [(0, 0), (4, 40), (7, 70), (9, 90)])
def test_without_page_breaks_it_is_a_share_of_the_way(before: int, percent: int) -> None:
    """Rounded to 5%: more would be said than is known."""
    statement = part(print_of(TEN[before], 1), print_of("\n".join(TEN), 2), -1)
    assert (statement.counts[2:], statement.place, statement.documents) == ((percent,), (), (1, 2))


def test_what_is_not_kept_of_a_long_text_is_nowhere() -> None:
    """The index keeps the head and the tail: of the middle nothing can be said."""
    many = [prose(1000 + seed, 250) for seed in range(120)]
    whole = pages(*many)
    assert where(many[60], whole) is NOWHERE
    assert where(many[5], whole) == Place(6, 6)


def test_in_the_tail_of_a_long_text_the_share_counts_what_was_left_out() -> None:
    """How many pages come before the tail is not known, but how many words are."""
    many = [prose(1000 + seed, 250) for seed in range(120)]
    place = where(many[114], "\n".join(many))
    assert place.share == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("part", ["", "a b", prose(77, 200)])
def test_what_does_not_stand_there_is_nowhere(part: str) -> None:
    assert where(part, pages(*TEN)) is NOWHERE
