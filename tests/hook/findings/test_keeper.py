"""The rule that says which of two documents is kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.keeper import (
    Files,
    Merits,
    Ours,
    choose,
    suggest,
)
from hook.paperless.values import RawDocument

POINTS: dict[str, Any] = {
    "is_asked_for": True,
    "is_whole": True,
    "is_digital": True,
    "pages": 3,
    "readable": 0.1,
    "has_asn": True,
    "metadata": 2,
}
MERITS = st.builds(
    Merits,
    document=st.integers(1, 9),
    is_asked_for=st.booleans(),
    is_whole=st.booleans(),
    is_digital=st.booleans(),
    pages=st.integers(0, 2),
    readable=st.sampled_from([0.0, 0.1, -0.1]),
    has_asn=st.booleans(),
    metadata=st.integers(0, 3),
    added=st.sampled_from(["2024-01-01", "2025-01-01"]),
)


@pytest.mark.parametrize("name", POINTS)
def test_each_point_decides_when_those_before_it_are_equal(name: str) -> None:
    """Against everything that comes later in the list."""
    later = list(POINTS)[list(POINTS).index(name) + 1 :]
    better = Merits(2, added="2025", **{name: POINTS[name]})
    worse = Merits(1, added="2024", **{point: POINTS[point] for point in later})
    assert choose(better, worse).keeper == choose(worse, better).keeper == 2


@given(MERITS, MERITS)
def test_it_does_not_matter_which_way_round_it_is_asked(one: Merits, two: Merits) -> None:
    if one.document != two.document:
        assert choose(one, two) == choose(two, one)


@given(MERITS, MERITS, MERITS)
def test_the_choices_do_not_run_in_a_circle(one: Merits, two: Merits, three: Merits) -> None:
    if len({one.document, two.document, three.document}) == 3:
        kept = {choose(a, b).keeper for a, b in ((one, two), (two, three), (three, one))}
        assert len(kept) == 2


def test_the_reason_names_the_points() -> None:
    other = Merits(2, pages=1)
    best = Merits(1, is_digital=True, pages=2, readable=0.2, has_asn=True)
    assert choose(best, other).reason == "born digital, more pages, better readable text"
    assert choose(Merits(1, metadata=2, pages=3), other).reason == "more pages, more metadata"
    assert choose(Merits(1, has_asn=True, pages=1), other).reason == "has an ASN"
    assert choose(Merits(1, is_asked_for=True), other).reason == "you marked it to be kept"
    assert choose(Merits(1, is_whole=True), other).reason == "contains the other"
    filed = Merits(2, metadata=1)
    assert choose(Merits(1, metadata=2), filed).reason == "more metadata"


@pytest.mark.parametrize("digital", [(True, False), (True, None)])
def test_a_scan_is_never_suggested_over_its_digital_original(digital: tuple[bool, bool | None]) -> None:
    """Whatever else the scan has: metadata, an ASN, more pages, a reading that looks better, an earlier date."""
    scan = RawDocument(1, page_count=9, archive_serial_number=3, correspondent=2, added="2020")
    original = RawDocument(2, page_count=2, added="2025")
    finding = Finding(1, Relation.RESCAN, 0.9)
    choice = suggest(finding, original, scan, Ours(), Files(digital, -0.5))
    assert (choice.keeper, choice.reason) == (2, "born digital")
    swapped = suggest(Finding(2, Relation.RESCAN, 0.9), scan, original, Ours(), Files(digital[::-1], 0.5))
    assert swapped.keeper == 2


def test_a_small_difference_of_two_readings_is_chance() -> None:
    """Below half a percent the earlier one is kept."""
    one, two = RawDocument(1, added="2024"), RawDocument(2, added="2025")
    finding = Finding(2, Relation.RESCAN, 0.9)
    assert suggest(finding, one, two, Ours(), Files(readable=-0.004)).reason == "added first"
    choice = suggest(finding, one, two, Ours(), Files(readable=-0.006))
    assert (choice.keeper, choice.reason) == (2, "better readable text")
