"""DEDUPE_TRASH_SAME_FILE: the second of two documents with one file goes to the trash at once, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hook.review.journal import Stage
from tests.e2e.archive_kit import killed_at
from tests.e2e.hook_kit import Hooked
from tests.e2e.review_kit import decisions, operations, people
from tests.fakes import After, FakePaperless
from tests.forked import fork_server
from tests.live.texts import Texts

LETTER = Texts(12).letter()


ON: dict[str, Any] = {"DEDUPE_TRASH_SAME_FILE": "true"}
BOTH_VERSIONS = pytest.mark.parametrize("version", ["3.0.5", "2.20.15"])


def sent(hooked: Hooked, **values: Any) -> int:
    return hooked.fake.add_document(LETTER, **{"data": b"%PDF one", **values})


def twice(
    hooked: Hooked, *, first: Mapping[str, Any] = {}, second: Mapping[str, Any] = {}
) -> tuple[int, int]:
    """One file, consumed before and again now; both were seen by a hook, the second with the setting."""
    older = sent(hooked, title="Letter", **first)
    hooked.hook(older, **ON)
    newer = sent(hooked, title="Letter again", **second)
    assert hooked.hook(newer, **ON).code == 0
    hooked.fake.run_tasks()
    return older, newer


def run(hooked: Hooked, *words: str) -> str:
    out, _ = hooked.run(*words, **ON)
    hooked.fake.run_tasks()
    return " ".join(out.split())


@BOTH_VERSIONS
def test_without_the_setting_both_stay(hooked: Hooked) -> None:
    older, newer = (sent(hooked) for _ in range(2))
    for number in (older, newer):
        hooked.hook(number)
    assert hooked.fake.trashed == []
    assert "dedupe:identical" in hooked.fake.document(newer).tags


@BOTH_VERSIONS
def test_the_newer_one_goes_and_the_older_one_takes_over_what_it_lacks(hooked: Hooked) -> None:
    older, newer = twice(
        hooked,
        first={"correspondent": "Bank", "tags": ["2024"]},
        second={
            "correspondent": "Other bank",
            "tags": ["Tax"],
            "document_type": "Letter",
            "notes": ["ask Anna"],
        },
    )
    assert hooked.fake.trashed == [newer]
    kept = hooked.fake.document(older)
    assert (kept.title, kept.correspondent, kept.document_type) == ("Letter", "Bank", "Letter")
    assert kept.tags == {"2024", "Tax"}
    (summary,) = [note for note in kept.notes if note.startswith("Kept this document.")]
    assert f'#{newer} "Letter again" has the same file and was moved to the trash.' in summary
    assert f"`paperless-dedupe undo {newer}`" in summary
    assert any(note.endswith("ask Anna") for note in kept.notes)
    assert [(one.a, one.b, one.action) for one in decisions(hooked)] == [(older, newer, "same-file")]
    assert run(hooked, "tune").startswith("No decisions yet.")  # a person sees their own there
    assert "automatically, because it is the same file" in run(hooked, "decisions")


def test_undo_gives_all_of_it_back_and_the_document_stays_for_good(hooked: Hooked) -> None:
    """Neither a hook nor a sync moves it again: what a person restored is theirs, also if it was by hand."""
    older, newer = twice(hooked, second={"tags": ["Tax"], "notes": ["ask Anna"], "archive_serial_number": 9})
    run(hooked, "undo", str(newer))
    assert hooked.fake.trashed == []
    kept = people(hooked.fake.document(older))
    assert (kept["tags"], kept["notes"], kept["asn"]) == (set(), [], None)
    back = people(hooked.fake.document(newer))
    assert (back["tags"], back["notes"], back["asn"]) == ({"Tax"}, ["ask Anna"], 9)
    assert "dedupe:identical" in hooked.fake.document(newer).tags
    third = sent(hooked)
    hooked.hook(third, **ON)
    assert hooked.fake.trashed == [third]
    hooked.fake.restore(third)
    for number in (newer, third):
        hooked.hook(number, **ON)
    run(hooked, "backfill", "--sync", "--full", "--quiet")
    assert hooked.fake.trashed == []


@BOTH_VERSIONS
def test_the_archive_file_counts_too(hooked: Hooked) -> None:
    """Somebody downloads the archive file, and it is consumed again; Paperless 2 refused that as well."""
    older, newer = twice(hooked, second={"data": b"archive%PDF one"})
    assert (hooked.fake.trashed, older in hooked.fake.documents) == ([newer], True)


STAY: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "another file with the same text": ({}, {"data": b"%PDF two"}),
    "another owner": ({"owner": "anna"}, {"owner": "bert"}),
    "the older one belongs to somebody": ({"owner": "anna"}, {}),
    "the newer one belongs to somebody": ({}, {"owner": "anna"}),
    "it is not new": ({}, {"added": "2025-03-01T10:00:00+00:00"}),
    "the older one is to be ignored": ({"tags": ["dedupe:skip"]}, {}),
    "the newer one is to be kept": ({}, {"tags": ["dedupe:keep"]}),
}


@pytest.mark.parametrize(("first", "second"), STAY.values(), ids=list(STAY))
def test_both_stay(hooked: Hooked, first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    for name in ("anna", "bert"):
        hooked.fake.add_user(name)
    hooked.run("setup")
    twice(hooked, first=first, second=second)
    assert hooked.fake.trashed == []
    assert operations(hooked) == []


@pytest.mark.parametrize("shared", [(), (0,), (1,)], ids=["alone", "the older one", "the newer one"])
def test_nobody_loses_or_gains_sight_of_a_document(hooked: Hooked, shared: tuple[int, ...]) -> None:
    """One of the two is shared with somebody who does not see the other. Of one owner alone, it goes."""
    hooked.fake.add_user("anna")
    hooked.fake.add_user("bert")
    numbers = [sent(hooked, owner="anna") for _ in range(2)]
    for one in shared:
        hooked.fake.share(numbers[one], "bert")
    for number in numbers:
        hooked.hook(number, **ON)
    assert hooked.fake.trashed == ([] if shared else numbers[1:])


def test_a_file_version_is_no_new_document(hooked: Hooked) -> None:
    """Nor does a document go that has another file besides."""
    older = sent(hooked)
    newer = hooked.fake.add_document("a first text", data=b"%PDF two")
    version = hooked.fake.add_version(newer, LETTER)
    hooked.fake.state.documents[version].data = b"%PDF one"
    for number in (older, version, newer):
        hooked.hook(number, **ON)
    assert hooked.fake.trashed == []


def _trash(fake: FakePaperless, older: int) -> None:
    fake.trash(older)


def _other_owner(fake: FakePaperless, older: int) -> None:
    fake.add_user("anna")
    fake.edit(older, owner="anna")


def _new_file(fake: FakePaperless, older: int) -> None:
    fake.add_version(older, LETTER)


@pytest.mark.parametrize("change", [_trash, _other_owner, _new_file])
def test_the_older_one_changes_while_the_newer_one_is_moved(
    hooked: Hooked, change: Callable[[FakePaperless, int], None]
) -> None:
    """Looked at again right before the trash: the newer one stays, and what was taken over is returned."""
    fake, older, newer = hooked.fake, sent(hooked), sent(hooked, tags=["Tax"])
    fake.faults.add("POST", f"/api/documents/{older}/notes/$", After(lambda: change(fake, older)))
    hooked.hook(newer, **ON)
    assert newer in fake.documents
    assert [one.stage for one in operations(hooked)] == [Stage.ROLLED_BACK]
    assert "Tax" in fake.document(newer).tags
    is_trashed = older in fake.trashed  # a trashed document cannot be changed
    assert ("Tax" in fake.document(older).tags) == is_trashed


def test_a_sync_moves_what_a_hook_could_not(hooked: Hooked) -> None:
    """Its event waits in the queue; a document that only the sync finds is reported instead."""
    hooked.hook(sent(hooked))
    hooked.fake.down()
    newer = sent(hooked)
    hooked.hook(newer, **ON)
    assert hooked.waiting == [newer]
    hooked.fake.up()
    third = sent(hooked)
    run(hooked, "queue", "--retry")
    run(hooked, "backfill", "--sync", "--quiet")
    assert hooked.fake.trashed == [newer]
    assert "dedupe:identical" in hooked.fake.document(third).tags
    assert hooked.waiting == []


def test_files_sent_twice_at_once_by_two_owners(hooked: Hooked) -> None:
    """All hooks at once: of each file of each owner exactly one stays, and that is the first; none goes for another owner's."""
    fake, texts = hooked.fake, Texts(4)
    for name in ("anna", "bert"):
        fake.add_user(name)
    files = [(f"%PDF {n}".encode(), texts.letter(), owner) for n in range(2) for owner in ("anna", "bert")]
    numbers = [
        fake.add_document(text, data=data, owner=owner) for _ in range(2) for data, text, owner in files
    ]
    environs = [hooked.environ_of(number, DEDUPE_DEADLINE_S="300", **ON) for number in reversed(numbers)]
    started = [fork_server().start([], environ) for environ in environs]
    assert {process.wait(300) for process in started} == {0}
    for number in hooked.waiting:
        hooked.hook(number, **ON)
    assert fake.trashed == numbers[4:]
    for number in fake.trashed:
        run(hooked, "undo", str(number))
    assert fake.documents == numbers


def test_a_kill_after_any_write(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The next run of the hook completes it: all is as if nothing had happened, whatever the moment."""
    is_killed, killed = True, -1
    while is_killed:
        killed += 1
        with FakePaperless() as fake:
            hooked = Hooked(fake, tmp_path / str(killed), capfd)
            older = fake.add_document(LETTER, "Letter", data=b"%PDF one")
            newer = fake.add_document(LETTER, "Again", data=b"%PDF one", tags=["Tax"], notes=["ask Anna"])
            is_killed = killed_at(fake, [], hooked.environ_of(newer, **ON), After, killed)
            third = fake.add_document("A letter about nothing of this kind.", data=b"%PDF three")
            hooked.hook(third, **ON)
            assert fake.trashed == [newer]
            left = fake.document(older)
            assert left.tags == {"Tax"}
            assert sum(note.endswith("ask Anna") for note in left.notes) == 1
            assert sum(note.startswith("Kept this document.") for note in left.notes) == 1
            assert [one.stage for one in operations(hooked)] == [Stage.DONE]
    assert killed >= 4  # tag, note, summary, trash
