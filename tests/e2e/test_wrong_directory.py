"""A command that only reads, run with a wrong DEDUPE_INDEX_DIR: it says so, and leaves no index behind."""

from __future__ import annotations

import pytest

from hook.session import open_archive, settings_of
from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import flagged

READING = """pending|pending --json|groups|report --html report.html|undo 3|retract --dry-run|retract|decisions
decisions export|explain 1 3|stats|find 3|tune"""


@pytest.mark.parametrize("words", READING.replace("\n", "|").split("|"))
def test_a_reading_command_makes_no_index(desk: Desk, words: str) -> None:
    """It exits with 4, names the directory, which is empty or does not exist, and what to do, and answers nothing: an
    empty index would say "Nothing waits"."""
    wrong = desk.place / "wrong"
    named = [str(desk.place / word) if word.endswith(".html") else word for word in words.split()]
    for left in ([], [wrong]):
        out, err = desk.run(*named, code=4, DEDUPE_INDEX_DIR=str(wrong))
        assert out == ""
        assert f"no index in {wrong}" in err
        assert "DEDUPE_INDEX_DIR" in err
        assert "`paperless-dedupe backfill` creates one" in err
        assert list(desk.place.rglob("*")) == left
        wrong.mkdir(exist_ok=True)
    assert desk.fake.writes == []


def test_undo_with_another_index_says_whose_paperless_it_is(desk: Desk) -> None:
    pair = flagged(desk)
    other = str(desk.place / "other")
    with open_archive(settings_of(desk.environ(DEDUPE_INDEX_DIR=other))):
        pass
    _, err = desk.run("undo", str(pair.rescan), code=4, DEDUPE_INDEX_DIR=other)
    assert "another index" in err


def test_a_report_that_examines_first_makes_an_index(desk: Desk) -> None:
    new = desk.place / "new"
    desk.run("report", "--html", str(desk.place / "r.html"), "--dry-run", DEDUPE_INDEX_DIR=str(new))
    assert (new / "cache.db").exists()
    assert "Nothing waits" in desk.run("pending", DEDUPE_INDEX_DIR=str(new))[0]
