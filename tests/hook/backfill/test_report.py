"""The output of a backfill: its summary in words."""

from __future__ import annotations

from collections import Counter

import pytest

from hook.backfill.report import Report


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ({}, "found: nothing new"),
        ({"rescan": 1, "revision": 1}, "found: 1 rescan, 1 revision"),
        (
            {"translated": 2, "contained": 2, "revision": 2, "rescan": 3, "identical": 2},
            "found: 2 identical, 3 rescans, 2 revisions, 2 contained, 2 translated",
        ),
    ],
)
def test_what_was_found_is_counted_in_words(found: dict[str, int], line: str) -> None:
    """In the order of the relations; nouns have a plural."""
    lines = list[str]()
    report = Report(lines.append)
    report.found = Counter(found)
    report.summary(1.0)
    assert line in lines
