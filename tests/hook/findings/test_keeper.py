"""Which of two documents is kept: the rule, what counts for a document, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.keeper import (
    Choice,
    Files,
    Merits,
    Ours,
    choose,
    metadata_count,
    ours_in,
    suggest,
)
from hook.paperless.labels import LabelIds
from hook.paperless.values import FieldValue, RawDocument
from hook.settings.model import Settings

KEEP, INBOX, OWN_FIELD = 8, 9, 5
LABELS = LabelIds({"dedupe:keep": KEEP, "dedupe:review": 10}, inbox=frozenset({INBOX}), link_field=OWN_FIELD)
OURS = ours_in(LABELS, Settings(index_dir=Path("/nowhere")))
FINDING = Finding(2, Relation.RESCAN, 0.9)
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


@given(MERITS, MERITS, MERITS)
def test_the_choices_do_not_run_in_a_circle_nor_depend_on_the_order(a: Merits, b: Merits, c: Merits) -> None:
    if len({a.document, b.document, c.document}) == 3:
        assert choose(a, b) == choose(b, a)
        assert len({choose(*pair).keeper for pair in ((a, b), (b, c), (c, a))}) == 2


@pytest.mark.parametrize(
    ("better", "worse", "reason"),
    [
        ({"is_digital": True, "pages": 2, "readable": 0.2, "has_asn": True}, {"pages": 1},
         "born digital, more pages, better readable text"),
        ({"metadata": 2, "pages": 3}, {"pages": 1}, "more pages, more metadata"),
        ({"has_asn": True, "pages": 1}, {"pages": 1}, "has an ASN"),
        ({"is_asked_for": True}, {"pages": 1}, "you marked it to be kept"),
        ({"is_asked_for": True, "pages": 4}, {"is_asked_for": True}, "more pages"),
        ({"is_whole": True}, {"pages": 1}, "contains the other"),
        ({"is_whole": True, "pages": 4}, {"is_whole": True}, "more pages"),
        ({"has_asn": True, "pages": 4}, {"has_asn": True}, "more pages"),
        ({"metadata": 2}, {"metadata": 1}, "more metadata"),
        ({}, {}, "added first"),
    ],
)  # fmt: skip
def test_the_reason_names_what_the_other_document_lacks(
    better: dict[str, Any], worse: dict[str, Any], reason: str
) -> None:
    assert choose(Merits(2, **worse), Merits(1, **better)) == Choice(1, 2, reason)


def suggested(
    finding: Finding = FINDING,
    ours: Ours = OURS,
    one: dict[str, Any] | None = None,
    two: dict[str, Any] | None = None,
) -> Choice:
    """Of document 1, the newer one, and document 2: without anything else, the older one is kept."""
    newer, older = RawDocument(1, added="2025", **(one or {})), RawDocument(2, added="2024", **(two or {}))
    return suggest(finding, newer, older, ours, Files())


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"tags": (KEEP,)}, "you marked it to be kept"),
        ({"archive_serial_number": 1}, "has an ASN"),
        ({"correspondent": 1}, "more metadata"),
        ({"document_type": 1}, "more metadata"),
        ({"storage_path": 1}, "more metadata"),
        ({"tags": (77,)}, "more metadata"),
        ({"custom_fields": (FieldValue(6, "12.50"),)}, "more metadata"),
        ({"page_count": 3}, "more pages"),
        ({}, ""),
        ({"tags": (10, INBOX)}, ""),
        ({"custom_fields": (FieldValue(OWN_FIELD, [2]),)}, ""),
        ({"custom_fields": (FieldValue(6, None), FieldValue(7, ""), FieldValue(8, []))}, ""),
        ({"page_count": 0}, ""),
    ],
)
def test_what_makes_a_document_the_better_one(values: dict[str, Any], reason: str) -> None:
    """Not our own labels, the inbox tag, and empty fields: then the document that was added first is kept."""
    assert suggested(one=values) == (Choice(1, 2, reason) if reason else Choice(2, 1, "added first"))


def test_a_paperless_without_our_tags_has_none_that_asks_to_keep() -> None:
    """A tag that does not exist is on no document."""
    assert suggested(ours=Ours()) == Choice(2, 1, "added first")
    assert suggested(ours=Ours(), one={"tags": (KEEP,)}).reason == "more metadata"


@pytest.mark.parametrize(("direction", "keeper"), [(1, 1), (-1, 2)])
def test_the_whole_is_kept_instead_of_its_part(direction: int, keeper: int) -> None:
    """Whatever the part has besides; `direction` is 1 if the other document is the part."""
    finding = replace(FINDING, relation=Relation.CONTAINED, direction=direction)
    choice = suggested(finding, one={"archive_serial_number": 1}, two={"archive_serial_number": 2})
    assert (choice.keeper, choice.reason) == (keeper, "contains the other")


def test_each_value_counts_once() -> None:
    fields = (FieldValue(OWN_FIELD, [2]), FieldValue(6, 0), FieldValue(7, "x"))
    document = RawDocument(1, tags=(77, 78, KEEP), correspondent=1, document_type=2, custom_fields=fields)
    assert metadata_count(document, OURS) == 6


@pytest.mark.parametrize("digital", [(True, False), (True, None)])
def test_a_scan_is_never_suggested_over_its_digital_original(digital: tuple[bool, bool | None]) -> None:
    """Whatever else the scan has: metadata, an ASN, more pages, a reading that looks better, an earlier date."""
    scan = RawDocument(1, page_count=9, archive_serial_number=3, correspondent=2, added="2020")
    original = RawDocument(2, page_count=2, added="2025")
    choice = suggest(replace(FINDING, other=1), original, scan, Ours(), Files(digital, -0.5))
    assert (choice.keeper, choice.reason) == (2, "born digital")
    assert suggest(FINDING, scan, original, Ours(), Files(digital[::-1], 0.5)).keeper == 2


@pytest.mark.parametrize(
    ("readable", "choice"),
    [(-0.004, Choice(1, 2, "added first")), (-0.006, Choice(2, 1, "better readable text"))],
)
def test_a_small_difference_of_two_readings_is_chance(readable: float, choice: Choice) -> None:
    """Below half a percent the earlier one is kept."""
    documents = RawDocument(1, added="2024"), RawDocument(2, added="2025")
    assert suggest(FINDING, *documents, Ours(), Files(readable=readable)) == choice
