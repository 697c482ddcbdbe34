"""A command that only reads, run with a wrong DEDUPE_INDEX_DIR: it says so, and leaves no index behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.session import open_archive, settings_of
from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import flagged
from tests.fakes import FakePaperless

READING = [
    ["pending"],
    ["pending", "--json"],
    ["groups"],
    ["report", "--html", "report.html"],
    ["undo", "3"],
    ["retract", "--dry-run"],
    ["retract"],
    ["decisions"],
    ["decisions", "export"],
    ["explain", "1", "3"],
    ["stats"],
    ["find", "3"],
    ["tune"],
]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    with FakePaperless("3.0.5") as fake:
        yield Desk(fake, tmp_path, capsys)


@pytest.mark.parametrize("is_there", [True, False], ids=["empty directory", "no directory"])
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_reading_command_makes_no_index(desk: Desk, words: list[str], is_there: bool) -> None:
    """It exits with 4, names the directory and what to do, and answers nothing: an empty index would say "Nothing waits"."""
    wrong = desk.place / "wrong"
    if is_there:
        wrong.mkdir()
    named = [str(desk.place / word) if word.endswith(".html") else word for word in words]
    out, err = desk.run(*named, code=4, DEDUPE_INDEX_DIR=str(wrong))
    assert out == ""
    assert f"no index in {wrong}" in err
    assert "DEDUPE_INDEX_DIR" in err
    assert "`paperless-dedupe backfill` creates one" in err
    assert (list(wrong.iterdir()) if is_there else wrong.exists()) == ([] if is_there else False)
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
