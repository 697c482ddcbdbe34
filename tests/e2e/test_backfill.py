"""Backfill: what it finds and writes, what it passes over, and that it can be ended at any moment."""

from __future__ import annotations

import datetime as dt
import re
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from dedupe_core.model import Document
from hook.examination.judging import Judge, Reading
from tests.e2e.archive_kit import Desk, events, fill, opened, pairs, result, summary
from tests.fakes import (
    LOGIN_PAGE,
    UNAUTHORIZED,
    After,
    Before,
    FakePaperless,
    Snapshot,
)
from tests.fork_server import BATCH
from tests.forked import Forked
from tests.live.texts import Texts


def test_rescans_are_found_and_bills_of_a_series_are_not(desk: Desk) -> None:
    """The scan is tagged, noted and linked, all with one bulk edit; letters and bills stay as they are."""
    scans = fill(desk.fake, 9, rescans=3, bills=6)
    lines = desk.backfill()
    assert pairs(lines) == set(scans.items())
    assert (summary(lines)["examined"], summary(lines)["found"]) == (18, {"rescan": 3})
    assert len([seen for seen in desk.fake.writes if seen.path.endswith("/bulk_edit/")]) == 1
    for scan, letter in scans.items():
        shown = desk.fake.document(scan)
        assert shown.tags == {"dedupe:review", "dedupe:rescan"}
        assert len(shown.notes) == 1
        assert shown.custom_fields == {"Similar documents": [letter]}
    untouched = [desk.fake.document(n) for n in desk.fake.documents if n not in scans]
    assert not any(document.tags or document.notes for document in untouched)


@pytest.mark.parametrize(("option", "examined"), [((), 0), (("--again",), 12), (("--rebuild",), 12)])
def test_rebuild_comes_to_the_same(desk: Desk, option: tuple[str, ...], examined: int) -> None:
    """A second run passes over what has not changed, --again examines it, --rebuild empties the index: what was found
    and written is remembered, so nothing is written again."""
    fill(desk.fake, 9, rescans=3)
    desk.backfill()
    before = result(desk)
    desk.fake.forget_requests()
    lines = desk.backfill(*option)
    assert summary(lines)["examined"] == examined
    assert summary(lines)["skipped"] == ({} if examined else {"examined before": 12})
    assert desk.fake.writes == []
    assert result(desk) == before


def test_other_settings_take_effect_with_again(desk: Desk) -> None:
    """Findings that are not to be reported any more are taken back; a dry run of a rebuild says so before."""
    fill(desk.fake, 6, rescans=2)
    desk.backfill()
    before = result(desk)
    lines = desk.backfill("--dry-run", "--rebuild", DEDUPE_ON_RESCAN="nothing")
    assert (summary(lines)["taken_back"], result(desk)) == (2, before)
    lines = desk.backfill("--again", DEDUPE_ON_RESCAN="nothing")
    assert summary(lines)["taken_back"] == 2
    assert not any(desk.fake.document(n).tags or desk.fake.document(n).notes for n in desk.fake.documents)


def test_a_rebuild_that_fails_leaves_the_index_as_it_was(desk: Desk) -> None:
    """It is built beside the old one, which is replaced when it is complete; the next attempt continues."""
    fill(desk.fake, 6, rescans=2)
    desk.backfill()
    before = result(desk)
    for fault, code in ((LOGIN_PAGE, 2), (UNAUTHORIZED, 5)):
        desk.fake.faults.add("GET", r"id__in=", fault, times=None)
        desk.run("backfill", "--rebuild", code=code)
        desk.fake.faults.clear()
        assert result(desk) == before
    desk.backfill("--rebuild")
    assert result(desk) == before
    assert not (desk.index_dir / "rebuilding").exists()


@pytest.mark.parametrize("size", [0, 5000])
def test_a_rebuild_of_a_damaged_file_comes_to_the_same(desk: Desk, size: int) -> None:
    """Whatever is left of it: no traceback, and nothing is written twice. Only how sure a note is may be another: all
    documents are there now."""
    fill(desk.fake, 6, rescans=2)
    desk.backfill()
    before = result(desk)
    with (desk.index_dir / "cache.db").open("r+b") as file:
        file.truncate(size)
    desk.backfill("--rebuild")
    after = result(desk)
    assert list(map(without_percentages, after.documents.values())) == list(
        map(without_percentages, before.documents.values())
    )
    assert (after.fingerprints, after.sound) == (before.fingerprints, True)


def without_percentages(document: Snapshot) -> Snapshot:
    return replace(document, notes=tuple(re.sub(r"\d+% sure", "sure", note) for note in document.notes))


def test_a_dry_run_leaves_no_trace(desk: Desk) -> None:
    """Neither in Paperless nor on the disk, nor in an index that is there; it says what the real run then does."""
    scans = fill(desk.fake, 6, rescans=2)
    planned = desk.backfill("--dry-run")
    assert desk.fake.writes == []
    assert not desk.index_dir.exists()
    assert pairs(planned) == set(scans.items()) == pairs(desk.backfill())
    assert summary(planned)["dry_run"] is True
    assert any("dedupe:rescan" in line["write"] for line in events(planned, "write"))
    desk.fake.add_document(Texts(1).scanned_again(desk.fake.document(1).content), "scan")
    before = result(desk)
    desk.fake.forget_requests()
    assert {subject for subject, _ in pairs(desk.backfill("--dry-run"))} == {9}
    assert (desk.fake.writes, result(desk)) == ([], before)


# Which documents


def test_index_only_marks_nothing_and_owes_the_examination(desk: Desk) -> None:
    scans = fill(desk.fake, 6, rescans=2)
    assert pairs(desk.backfill("--index-only")) == set()
    assert desk.fake.writes == []
    with opened(desk) as archive:
        assert list(archive.index.ids()) == desk.fake.documents
    assert pairs(desk.backfill()) == set(scans.items())
    assert result(desk).pending == 0


def test_since_takes_what_was_added_from_that_day_on(desk: Desk) -> None:
    texts = Texts(5)
    for day in ("2024-12-31", "2025-01-01", "2025-02-02"):
        desk.fake.add_document(texts.letter(), added=f"{day}T12:00:00")
    assert summary(desk.backfill("--since", "2025-01-01"))["examined"] == 2
    assert summary(desk.backfill())["examined"] == 1


def test_limit_goes_through_the_archive_in_portions(desk: Desk) -> None:
    """What was examined before does not count."""
    scans = fill(desk.fake, 6, rescans=2)
    runs = [desk.backfill("--limit", "3") for _ in range(4)]
    assert [summary(lines)["examined"] for lines in runs] == [3, 3, 2, 0]
    assert set().union(*map(pairs, runs)) == set(scans.items())


def test_a_document_with_the_skip_tag_is_left_alone(desk: Desk) -> None:
    """And counted, as are those without any text: a photo, a protected PDF."""
    scans = fill(desk.fake, 6, rescans=2)
    left, told = scans
    desk.fake.tag(left, "dedupe:skip")
    desk.fake.add_document("", "photo")
    lines = desk.backfill()
    assert pairs(lines) == {(told, scans[told])}
    assert summary(lines)["skipped"] == {"with the tag dedupe:skip": 1, "without any text": 1}
    assert desk.fake.document(left).tags == {"dedupe:skip"}


def test_documents_of_others_are_not_revealed(desk: Desk) -> None:
    """By default a note names only documents of the same owner and unowned ones."""
    letter = Texts(6).letter()
    for owner in ("ann", "bob"):
        desk.fake.add_user(owner)
        desk.fake.add_document(letter, owner=owner, data=owner.encode())
    assert pairs(desk.backfill()) == set()
    assert pairs(desk.backfill("--again", DEDUPE_SCOPE="all")) == {(2, 1)}


# What goes wrong


def test_a_text_that_cannot_be_judged_does_not_stop_the_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a document makes our own code do: its id is told, its text is not."""
    honest = Judge.read

    def read(self: Judge, document: Document) -> Reading:
        if document.id == 5:
            raise ZeroDivisionError(document.content)
        return honest(self, document)

    fill(desk.fake, 9)
    monkeypatch.setattr(Judge, "read", read)  # no input is known that does this
    lines = desk.backfill()
    (skipped,) = events(lines, "skipped")
    assert (skipped["document"], skipped["detail"]) == (5, "ZeroDivisionError")
    assert summary(lines)["examined"] == 8
    monkeypatch.undo()
    assert summary(desk.backfill())["examined"] == 1


def test_a_second_backfill_at_the_same_time_ends_at_once(desk: Desk) -> None:
    fill(desk.fake, 3)
    codes = []
    desk.fake.faults.add("GET", r"id__in=", Before(lambda: codes.append(desk.process("backfill").wait(120))))
    desk.backfill()
    assert codes == [6]


def test_the_summary_for_people(desk: Desk) -> None:
    """And nothing at all with --quiet when all is well."""
    fill(desk.fake, 6, rescans=2)
    out, err = desk.run("backfill")
    *told, examined, found, written = out.splitlines()
    assert (len(told), err) == (2, "")
    assert all("looks like a rescan of" in line for line in told)
    assert examined.startswith("8 documents examined in ")
    assert (found, written) == ("found: 2 rescans", "written: 2 documents marked, 1 bulk edit")
    assert desk.run("backfill", "--again", "--quiet") == ("", "")


@pytest.mark.parametrize(
    "options", ["--sync --since 2025-01-01", "--sync --index-only", "--index-only --dry-run", "--full"]
)
def test_options_that_contradict_each_other(desk: Desk, options: str) -> None:
    _, err = desk.run("backfill", *options.split(), code=2)
    assert err.startswith("paperless-dedupe: --")


# Kill -9

SMALL = {BATCH: "20"}
KILLS: dict[str, tuple[str, str, type[Before | After], int]] = {
    "while the second page is fetched": ("GET", r"id__in=", Before, 1),
    "before the tags": ("POST", r"/bulk_edit/", Before, 0),
    "after the tags": ("POST", r"/bulk_edit/", After, 0),
    "after a link": ("PATCH", r"/documents/", After, 1),
    "before a note": ("POST", r"/notes/", Before, 1),
    "after a note": ("POST", r"/notes/", After, 0),
}


def disturb(desk: Desk, jobs: int, method: str, path: str, kind: type[Before | After], skip: int) -> bool:
    """A backfill that is killed at that request; False if it came to its end before."""
    running: list[Forked] = []
    started = threading.Event()

    def kill() -> None:
        started.wait(600)
        running[0].kill()

    desk.fake.faults.clear()
    desk.fake.faults.add(method, path, kind(kill), skip=skip)
    running.append(desk.process("backfill", "--jobs", str(jobs), **SMALL))
    started.set()
    return running[0].wait(180) == -signal.SIGKILL


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_every_step_and_resumed_it_comes_to_the_same(tmp_path: Path, jobs: int) -> None:
    """Index, findings and Paperless itself are as after a run that nobody disturbed. With workers, these read the second
    batch ahead while the first one is written."""
    moment = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    with FakePaperless(clock=lambda: moment) as calm, FakePaperless(clock=lambda: moment) as rough:
        undisturbed, disturbed = Desk(calm, tmp_path / "calm"), Desk(rough, tmp_path / "rough")
        for fake in (calm, rough):
            fill(fake, letters := jobs * 36, rescans=letters // 3)  # in three batches
        assert undisturbed.process("backfill", "--jobs", "1", **SMALL).wait(180) == 0
        killed = 0
        for method, path, kind, skip in KILLS.values():
            killed += disturb(disturbed, jobs, method, path, kind, skip)
        assert killed == len(KILLS)
        rough.faults.clear()
        assert disturbed.process("backfill", "--jobs", str(jobs), **SMALL).wait(180) == 0
        assert result(disturbed) == result(undisturbed)
