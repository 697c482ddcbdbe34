"""Sync: the index follows what people do in Paperless, and findings that no longer hold are taken back."""

from __future__ import annotations

import pytest

from hook.errors import DedupeError
from tests.e2e.archive_kit import Desk, events, fill, opened, result, summary
from tests.fakes import After
from tests.forked import fork_server
from tests.live.texts import Texts

PLAIN: tuple[frozenset[str], tuple[str, ...]] = (frozenset(), ())


def marks(desk: Desk, document: int) -> tuple[frozenset[str], tuple[str, ...]]:
    shown = desk.fake.document(document)
    return shown.tags, shown.notes


def indexed(desk: Desk) -> list[int]:
    with opened(desk) as archive:
        return list(archive.index.ids())


def test_nothing_new_causes_no_write(desk: Desk) -> None:
    """Our own writes moved `modified`; the text is the same, so nothing is examined and nothing written."""
    fill(desk.fake, 6, rescans=2)
    desk.backfill()
    desk.fake.run_tasks()
    desk.fake.forget_requests()
    assert summary(desk.sync())["examined"] == 0
    assert desk.fake.writes == []


@pytest.mark.parametrize("moment", ["after the list", "after the texts"])
def test_what_a_hook_adds_during_a_sync_is_not_deleted(desk: Desk, moment: str) -> None:
    """It is missing in the list that the sync has. Its documents stay in the index, and the finding known: without its
    record, a decision on it was refused as one on the finding of another index."""
    fill(desk.fake, 3)
    arrived: list[int] = []

    def arrive() -> None:
        letter = Texts(5).letter()
        for text in (letter, Texts(6).scanned_again(letter)):
            arrived.append(desk.fake.add_document(text))
            environ = {**desk.environ(), **desk.fake.hook_environment(arrived[-1])}
            assert fork_server().start([], environ).wait(180) == 0

    path, skip = {"after the list": ("ordering=-modified", 0), "after the texts": ("id__in=", 1)}[moment]
    desk.fake.faults.add("GET", path, After(arrive), skip=skip)
    lines = desk.sync()  # the first one is a full one
    scan = arrived[1]
    assert events(lines, "gone") == []
    assert indexed(desk) == desk.fake.documents
    assert "dedupe:rescan" in desk.fake.document(scan).tags
    desk.fake.tag(scan, "dedupe:not-duplicate")
    desk.sync()
    assert marks(desk, scan) == PLAIN


@pytest.mark.parametrize("edited", [0, 1], ids=["the scan", "the letter"])
def test_an_edited_text_loses_its_finding(desk: Desk, edited: int) -> None:
    """Tag, link and our note on the scan are taken back."""
    (pair,) = fill(desk.fake, 4, rescans=1).items()
    desk.sync()
    desk.fake.edit(pair[edited], content=Texts(77).letter())
    assert summary(desk.sync())["taken_back"] == 1
    assert marks(desk, pair[0]) == PLAIN
    assert not any(desk.fake.document(number).custom_fields.get("Similar documents") for number in pair)


def test_every_text_is_compared_once_a_week(desk: Desk) -> None:
    """The time of the last full pass is kept beside the index."""
    from hook.backfill.batches import Options
    from hook.backfill.report import Report
    from hook.backfill.run import BackfillRun
    from hook.backfill.sync import FULL_EVERY_S, synchronise
    from hook.session import opened as session
    from hook.session import settings_of

    fill(desk.fake, 3)

    def examined(at_s: float) -> int:
        report = Report()
        with session(settings_of(desk.environ())) as at:
            synchronise(BackfillRun(at, Options(), report), clock=lambda: at_s)
        return report.examined

    assert examined(1000.0) == 3
    first = desk.fake.documents[0]
    desk.fake.reprocess(first, Texts(80).letter())
    for document in desk.fake.documents[1:]:
        desk.fake.edit(document, title="touched an hour later")
    assert examined(1000.0 + FULL_EVERY_S - 1) in (0, 1)  # the overlap may cover it
    desk.fake.reprocess(first, Texts(81).letter())
    assert examined(1000.0 + FULL_EVERY_S + 1) == 1


def test_a_trashed_document_is_forgotten_and_its_finding_taken_back(desk: Desk) -> None:
    """A third copy is marked against what is left; gone for good, no record is left."""
    letter = Texts(5).letter()
    first, second, third = (desk.fake.add_document(letter, data=bytes([n])) for n in range(3))
    desk.sync()
    desk.fake.run_tasks()
    desk.fake.trash(first)
    lines = desk.sync()
    assert [line["document"] for line in events(lines, "gone")] == [first]
    assert first not in indexed(desk)
    assert marks(desk, second) == PLAIN
    assert "dedupe:identical" in desk.fake.document(third).tags
    assert f"#{first} " not in desk.fake.document(third).notes[0]
    desk.fake.trash(third)
    desk.fake.empty_trash()
    desk.sync("--full")
    assert result(desk).records == []


def test_a_trashed_subject_takes_nothing_with_it(desk: Desk) -> None:
    """The letter was never marked; when the scan comes back, nothing is written a second time."""
    ((scan, letter),) = fill(desk.fake, 4, rescans=1).items()
    desk.sync()
    desk.fake.run_tasks()
    before = marks(desk, scan)
    desk.fake.trash(scan)
    desk.sync()
    assert marks(desk, letter) == PLAIN
    assert scan not in indexed(desk)
    desk.fake.restore(scan)
    desk.fake.forget_requests()
    desk.sync()
    assert marks(desk, scan) == before
    assert desk.fake.writes == []


def test_most_of_the_archive_is_not_forgotten_without_a_question(desk: Desk) -> None:
    """A token that sees nothing, or an empty Paperless at that address, must not take everything back."""
    scans = fill(desk.fake, 40, rescans=5)
    desk.sync()
    for document in desk.fake.documents[:35]:
        desk.fake.trash(document)
    _, err = desk.run("backfill", "--sync", code=DedupeError.exit_code)
    assert "--accept-deletions" in err
    assert len(indexed(desk)) == 45
    assert summary(desk.sync("--accept-deletions"))["forgotten"] == 35
    assert all(marks(desk, scan) == PLAIN for scan in scans if scan in desk.fake.documents)


def test_a_new_owner_is_a_change(desk: Desk) -> None:
    """The letter now belongs to ann: a note on bob's scan must not name it any more."""
    ((scan, letter),) = fill(desk.fake, 4, rescans=1).items()
    desk.sync()
    for owner, document in (("ann", letter), ("bob", scan)):
        desk.fake.add_user(owner)
        desk.fake.edit(document, owner=owner)
    desk.sync()
    assert marks(desk, scan) == PLAIN
