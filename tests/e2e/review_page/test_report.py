"""The static report: one file, nothing written to Paperless, and work that is not done twice."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from dedupe_core.model import Relation
from hook.findings.findings import Finding, Findings, Record
from hook.review_page.exchange import Question
from hook.review_page.report import CARDS
from hook.review_page.site import Site
from hook.session import open_archive, opened, settings_of
from tests.e2e.archive_kit import Desk, summary
from tests.e2e.review_page.page_kit import Archive, Plain, fill
from tests.e2e.serve_kit import service, until
from tests.fakes import FakePaperless


@pytest.fixture
def archive(desk: Desk) -> Archive:
    return fill(desk.fake)


def keys(text: str) -> list[str]:
    return re.findall(r'data-key="([^"]+)"', text)


def test_a_dry_run_shows_all_and_writes_nothing(desk: Desk, archive: Archive) -> None:
    """For somebody who has never run it: no tag, no field, no note is there afterwards."""
    file = desk.place / "report.html"
    out, _ = desk.run("report", "--html", str(file), "--dry-run")
    text = file.read_text()
    assert keys(text) == [archive.identical, archive.scanned]
    assert "2 cards with 4 pictures" in out
    assert "Suggestion: keep this one" in text
    assert "Nothing was written to Paperless" in text
    assert desk.fake.writes == []
    assert desk.fake.tag_names == ["inbox"]


def test_the_result_is_the_same_as_without_the_dry_run(desk: Desk, archive: Archive, tmp_path: Path) -> None:
    """And nothing is examined twice."""
    for _ in range(2):
        desk.run("report", "--html", str(desk.place / "report.html"), "--dry-run")
    done = summary(desk.backfill())
    assert (done["examined"], done["documents_written"]) == (0, 2)
    with FakePaperless() as fake:
        fill(fake)
        other = Desk(fake, tmp_path / "other", desk.capsys)
        other.place.mkdir()
        other.backfill()
        for number in fake.documents:
            one, two = desk.fake.document(number), fake.document(number)
            assert (one.tags, one.notes, one.custom_fields) == (two.tags, two.notes, two.custom_fields)


def test_the_file_is_private_and_runs_nothing(desk: Desk, archive: Archive) -> None:
    file = desk.place / "report.html"
    desk.run("report", "--html", str(file), "--dry-run")
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    text = file.read_text()
    assert "default-src 'none'; img-src data:; style-src 'sha256-" in text.replace("&#x27;", "'")
    assert "<script" not in text
    assert not re.search(r'(src|href)="(?!data:|http://127)', text)


def test_a_place_that_cannot_be_written_is_reported(desk: Desk, archive: Archive) -> None:
    _, err = desk.run("report", "--html", str(desk.place / "nowhere" / "x.html"), "--dry-run", code=2)
    assert "--html" in err


def test_examining_only_leaves_decisions_and_deletions_to_the_next_run(desk: Desk, archive: Archive) -> None:
    desk.run("setup")
    desk.sync()
    desk.fake.run_tasks()
    desk.fake.tag(archive.rescan, "dedupe:confirm")
    desk.fake.trash(archive.original)
    desk.fake.forget_requests()
    desk.backfill("--sync", "--examine-only")
    assert desk.fake.writes == []
    desk.sync()
    assert "dedupe:confirmed" in desk.fake.document(archive.rescan).tags
    assert "dedupe:identical" not in desk.fake.document(archive.copy).tags


def test_the_service_that_only_reports_writes_nothing(tmp_path: Path) -> None:
    """Its first sync fills the index; the page shows the findings and refuses decisions."""
    with FakePaperless() as fake:
        archive = fill(fake)
        with service(fake, tmp_path, start=False, DEDUPE_SWEEP_MINUTES="60") as at:
            at.words = ("--report-only",)
            at.start()
            at.post(archive.rescan)
            person = Plain(at.port)
            assert person.post("/login", {"token": fake.token}).status == 303
            until(lambda: len(person.get().cards) == 2)
            page = person.get().text
            assert "Report only" in page
            assert 'action="decide"' not in page
            assert person.decide("same", archive.scanned).status == 409
            assert at.is_up()
            assert fake.writes == []
            assert at.waiting == [archive.rescan]


def test_a_report_and_a_page_of_500_pairs_are_bounded(desk: Desk) -> None:
    """Pictures of 40 kB each, as those of Paperless are: what has no room is left out, and that is said. The page asks no more
    of Paperless for them than for a few."""
    desk.fake.options.picture = b"\x89PNG\r\n\x1a\n" + random.Random(5).randbytes(40_000)
    numbers = [desk.fake.add_document("", f"Letter {n}") for n in range(2 * CARDS)]
    desk.run("setup")
    settings = settings_of(desk.environ())
    with open_archive(settings) as archive:
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        records = [Record(two, (Finding(one, Relation.RESCAN, 0.9, keeper=one),)) for one, two in pairs]
        Findings(archive.index).put(records)
    file = desk.place / "report.html"
    out, _ = desk.run("report", "--html", str(file))
    assert f"{CARDS} cards" in out
    assert "pictures left out" in out
    assert 10_000_000 < file.stat().st_size < 15_000_000
    site = Site(settings, notify=print, session=lambda: opened(settings))
    cookie = site.log_in(Question(fields={"token": [desk.fake.token]})).cookie or ""
    desk.fake.forget_requests()
    page = site.review(Question(cookie=cookie)).body
    site.sessions.end(cookie)
    assert (page.count(b"<article"), f'<span id="waiting">{CARDS}</span>'.encode() in page) == (10, True)
    assert len(desk.fake.requests) < 15


def test_a_planted_file_is_neither_followed_nor_filled(desk: Desk, archive: Archive) -> None:
    """Somebody else who may write to the directory waits for the text of the documents, or for a file to destroy."""
    file, victim = desk.place / "report.html", desk.place / "victim"
    victim.write_text("untouched")
    planted = desk.place / ".report.html.part"
    planted.symlink_to(victim)
    desk.run("report", "--html", str(file), "--dry-run")
    assert victim.read_text() == "untouched"
    planted.unlink(missing_ok=True)
    planted.write_text("")
    planted.chmod(0o666)
    with planted.open() as reader:
        desk.run("report", "--html", str(file))
        assert reader.read() == ""
    assert file.stat().st_mode & 0o777 == 0o600
    assert keys(file.read_text())
    planted.unlink(missing_ok=True)
    assert not list(desk.place.glob("*.part")), "what was written beside is renamed"
