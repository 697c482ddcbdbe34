"""The rule that says which of two documents is kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Relation
from hook.findings.keeper import Ours, Standing, choose, cleanliness, filed, is_whole, standing
from hook.paperless.values import FieldValue, RawDocument

POINTS: dict[str, Any] = {
    "is_asked_for": True,
    "is_whole": True,
    "has_asn": True,
    "filed": 2,
    "cleanliness": 0.9,
    "pages": 3,
}
STANDINGS = st.builds(
    Standing,
    document=st.integers(1, 9),
    is_asked_for=st.booleans(),
    is_whole=st.booleans(),
    has_asn=st.booleans(),
    filed=st.integers(0, 3),
    cleanliness=st.sampled_from([0.0, 0.9, 0.95]),
    pages=st.integers(0, 2),
    added=st.sampled_from(["2024-01-01", "2025-01-01"]),
)


@pytest.mark.parametrize("name", POINTS)
def test_each_point_decides_when_those_before_it_are_equal(name: str) -> None:
    """Against everything that comes later in the list."""
    later = list(POINTS)[list(POINTS).index(name) + 1 :]
    better = Standing(2, added="2025", **{name: POINTS[name]})
    worse = Standing(1, added="2024", **{point: POINTS[point] for point in later})
    assert choose(better, worse).keeper == choose(worse, better).keeper == 2


def test_the_older_one_is_kept_when_nothing_else_differs() -> None:
    choice = choose(Standing(7, added="2024-02-01"), Standing(3, added="2024-03-01"))
    assert (choice.keeper, choice.loser, choice.reason) == (7, 3, "it was there first")
    assert choose(Standing(7), Standing(3)).keeper == 3


@given(STANDINGS, STANDINGS)
def test_it_does_not_matter_which_way_round_it_is_asked(one: Standing, two: Standing) -> None:
    if one.document != two.document:
        assert choose(one, two) == choose(two, one)


@given(STANDINGS, STANDINGS, STANDINGS)
def test_the_choices_do_not_run_in_a_circle(one: Standing, two: Standing, three: Standing) -> None:
    if len({one.document, two.document, three.document}) == 3:
        kept = {choose(a, b).keeper for a, b in ((one, two), (two, three), (three, one))}
        assert len(kept) == 2


def test_the_reason_names_what_speaks_for_it() -> None:
    other = Standing(2, cleanliness=0.8, pages=1)
    assert (
        choose(Standing(1, has_asn=True, cleanliness=0.9), other).reason == "it has an ASN and cleaner text"
    )
    assert (
        choose(Standing(1, filed=2, pages=3, cleanliness=0.8), other).reason
        == "it has more pages and was filed"
    )
    assert choose(Standing(1, is_asked_for=True), other).reason == "you asked for it"
    assert choose(Standing(1, is_whole=True), other).reason == "the other is a part of it"
    filed_too = Standing(2, filed=1)
    assert choose(Standing(1, filed=2), filed_too).reason == "it is filed more fully"


def test_what_we_or_paperless_put_there_is_no_filing() -> None:
    """Our tags and links, and the inbox tag, are on everything."""
    fields = (FieldValue(4, [9]), FieldValue(5, "12.50"), FieldValue(6, None))
    document = RawDocument(1, tags=(10, 11, 12), custom_fields=fields, correspondent=3)
    ours = Ours(frozenset({10}), frozenset({11}), link_field=4)
    assert filed(document, ours) == 3
    assert filed(RawDocument(1), ours) == 0


def test_a_standing_reads_the_document() -> None:
    document = RawDocument(1, tags=(8,), archive_serial_number=0, page_count=None, added="2025")
    found = standing(document, Ours(keep=8, tags=frozenset({8})), 0.5)
    assert found == Standing(1, is_asked_for=True, has_asn=True, cleanliness=0.5, added="2025")


def test_misread_text_is_less_clean() -> None:
    clean = "please bring the key and your identity card on 12.03.2025 for 34.90 eur"
    dirty = "p1ease bring thc kcy and y0ur identity c@rd | on 12.03.2025 f0r 34.90 eur"
    assert cleanliness("") == 0
    assert cleanliness(dirty) < cleanliness(clean) == 1


def test_the_whole_of_a_part() -> None:
    """`direction` is 1 if the other is part of the subject."""
    assert is_whole(1, 1, Relation.CONTAINED, 1)
    assert not is_whole(2, 1, Relation.CONTAINED, 1)
    assert is_whole(2, 1, Relation.CONTAINED, -1)
    assert not is_whole(1, 1, Relation.RESCAN, 0)
