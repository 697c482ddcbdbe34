"""From two documents of Paperless to the suggestion: what counts for a document, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.keeper import (
    Choice,
    Files,
    Merits,
    Ours,
    choose,
    is_whole,
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
FOUND = Finding(2, Relation.RESCAN, 0.9)


def suggested(
    finding: Finding = FOUND,
    ours: Ours = OURS,
    one: dict[str, Any] | None = None,
    two: dict[str, Any] | None = None,
) -> Choice:
    """Of document 1, the newer one, and document 2: without anything else, the older one is kept."""
    return suggest(finding, RawDocument(1, added="2025", **(one or {})), RawDocument(2, added="2024", **(two or {})),
                   ours, Files())  # fmt: skip


def test_the_document_that_was_added_first_is_kept_if_nothing_else_differs() -> None:
    assert suggested() == Choice(2, 1, "added first")
    assert choose(Merits(7), Merits(3)).keeper == 3


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
    ],
)
def test_what_makes_a_document_the_better_one(values: dict[str, Any], reason: str) -> None:
    assert suggested(one=values) == Choice(1, 2, reason)


@pytest.mark.parametrize(
    "values",
    [
        {"tags": (10,)},
        {"tags": (INBOX,)},
        {"custom_fields": (FieldValue(OWN_FIELD, [2]),)},
        {"custom_fields": (FieldValue(6, None), FieldValue(7, ""), FieldValue(8, []))},
        {"page_count": 0},
    ],
)
def test_what_says_nothing_about_a_document(values: dict[str, Any]) -> None:
    """Our own labels, the inbox tag, and empty fields."""
    assert suggested(one=values).keeper == 2


def test_a_paperless_without_our_tags_has_none_that_asks_to_keep() -> None:
    """A tag that does not exist is on no document."""
    ours = Ours()
    assert suggested(ours=ours) == Choice(2, 1, "added first")
    assert suggested(ours=ours, one={"tags": (KEEP,)}).reason == "more metadata"


@pytest.mark.parametrize(("direction", "keeper"), [(1, 1), (-1, 2)])
def test_the_whole_is_kept_instead_of_its_part(direction: int, keeper: int) -> None:
    """Whatever the part has besides; `direction` is 1 if the other document is the part."""
    finding = replace(FOUND, relation=Relation.CONTAINED, direction=direction)
    found = suggested(finding, one={"archive_serial_number": 1}, two={"archive_serial_number": 2})
    assert (found.keeper, found.reason) == (keeper, "contains the other")


def test_without_a_direction_the_other_document_is_the_whole() -> None:
    """A part has a direction; should it be lost, exactly one of the two is the whole all the same."""
    assert [is_whole(number, 1, Relation.CONTAINED, 0) for number in (1, 2)] == [False, True]


def test_a_reason_names_only_what_the_other_document_lacks() -> None:
    """Of two documents with an ASN, or two that the user marked, that is not the reason."""
    both = {"archive_serial_number": 1}
    assert suggested(one={**both, "page_count": 4}, two=both).reason == "more pages"
    marked = {"tags": (KEEP,)}
    assert suggested(one={**marked, "page_count": 4}, two=marked).reason == "more pages"
    one, two = Merits(1, is_whole=True, pages=4), Merits(2, is_whole=True)
    assert choose(one, two).reason == "more pages"


def test_each_value_counts_once() -> None:
    fields = (FieldValue(OWN_FIELD, [2]), FieldValue(6, 0), FieldValue(7, "x"))
    document = RawDocument(1, tags=(77, 78, KEEP), correspondent=1, document_type=2, custom_fields=fields)
    assert metadata_count(document, OURS) == 6
