"""An index of an older release under this one: used as it is, brought up to date by a backfill, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hook.index.codec import is_outdated
from tests.e2e.archive_kit import Desk, fill, opened, result, summary
from tests.fakes import FakePaperless


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    with FakePaperless() as fake:
        yield Desk(fake, tmp_path, capsys)


def without_lines(desk: Desk) -> int:
    """Rewrites every record as version 0.1.0 stored it: the normalised text alone."""
    with opened(desk) as archive, archive.batch():
        found = [archive.fingerprint_of(number) for number in archive.index.ids()]
        for one in found:
            archive.remember(replace(one, printed=""))
    return len(found)


def checked(desk: Desk) -> tuple[str, str]:
    """Level and advice of the line on the index."""
    out, _ = desk.run("check", "--json")
    (line,) = (line for line in json.loads(out)["checks"] if line["name"] == "index")
    return line["level"], line["fix"]


def test_a_backfill_indexes_the_documents_of_version_0_1_0_again(desk: Desk) -> None:
    """What Paperless shows, and what is stored beside the documents, stays as it was."""
    fill(desk.fake, 6, rescans=2)
    desk.backfill()
    before = result(desk)
    count = without_lines(desk)
    desk.fake.forget_requests()
    assert summary(desk.backfill())["examined"] == count
    assert result(desk) == before
    assert desk.fake.writes == []
    assert summary(desk.backfill())["examined"] == 0


def test_check_reports_an_index_of_version_0_1_0(desk: Desk) -> None:
    """A warning with the command to run, until it was run."""
    fill(desk.fake, 4, rescans=1)
    desk.backfill()
    assert checked(desk) == ("ok", "")
    without_lines(desk)
    level, advice = checked(desk)
    assert level == "warn"
    assert "paperless-dedupe backfill" in advice
    desk.backfill()
    assert checked(desk) == ("ok", "")


def test_the_full_comparison_of_a_sync_does_it_too(desk: Desk) -> None:
    fill(desk.fake, 4, rescans=1)
    desk.backfill()
    without_lines(desk)
    desk.sync("--full")
    with opened(desk) as archive:
        assert not any(is_outdated(archive.fingerprint_of(number)) for number in archive.index.ids())
