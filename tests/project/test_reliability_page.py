"""docs/reliability.md: its list of defects names tests that exist, and its promises about decisions are on the backup page."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
DEFECTS = 20


def rows() -> list[list[str]]:
    """Number, defect and tests of each row of the list."""
    page = (DOCS / "reliability.md").read_text(encoding="utf-8")
    section = page.split("\n## Defects found, and the tests that guard against them\n")[1].split("\n## ")[0]
    found = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [["", *row] if len(row) == 2 else row for row in found if "test_" in row[-1]]


def defined(place: Path) -> set[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in place.rglob("test_*.py"))
    return set(re.findall(r"^(?:async )?def (test_\w+)\(", text, re.MULTILINE))


def test_every_defect_has_a_test() -> None:
    """All numbers are there, in their order, and no row is without a name."""
    assert [int(number) for number, _, _ in rows() if number] == list(range(1, DEFECTS + 1))
    assert all(re.search(r"`test_\w+`", tests) for _, _, tests in rows())


def test_every_test_that_is_named_exists() -> None:
    """After "live:" among those for a real server. A test that is renamed is renamed there as well."""
    everywhere, live = defined(TESTS), defined(TESTS / "live")
    for _, defect, tests in rows():
        suite, _, real = tests.partition("live:")
        assert set(re.findall(r"`(test_\w+)`", suite)) <= everywhere, defect
        assert set(re.findall(r"`(test_\w+)`", real)) <= live, defect


def test_the_backup_page_says_where_decisions_are_kept() -> None:
    """In the index and in Paperless, and how a new index gets them."""
    page = (DOCS / "backup.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| your decisions |")]
    assert "Paperless" in row
    assert "Similar documents" in row
    assert re.search(
        r"index is lost.*`paperless-dedupe adopt`.*decisions are read from Paperless", page, re.DOTALL
    )
