"""DEDUPE_TRASH_SAME_FILE: the second of two documents with one file goes to the trash at once, and nothing else does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hook import cli
from hook.review.journal import Stage
from tests.e2e.archive_kit import Desk
from tests.e2e.hook_kit import Hooked
from tests.e2e.review_kit import decisions, operations, people
from tests.fakes import ALL_PERMISSIONS, UNAVAILABLE, After, Before, FakePaperless
from tests.forked import fork_server
from tests.live.texts import Texts

LETTER = Texts(12).letter()


@pytest.fixture(params=["3.0.5", "2.20.15"])
def hooked(
    request: pytest.FixtureRequest, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> Iterator[Hooked]:
    with FakePaperless(request.param) as fake:
        yield Hooked(fake, tmp_path, capfd)


def twice(
    hooked: Hooked, *, first: Mapping[str, Any] = {}, second: Mapping[str, Any] = {}
) -> tuple[int, int]:
    """One file, consumed before and again now; both were seen by a hook, the second with the setting."""
    older = hooked.fake.add_document(LETTER, "Letter", data=b"%PDF one", **first)
    hooked.hook(older, DEDUPE_TRASH_SAME_FILE="true")
    newer = hooked.fake.add_document(LETTER, "Letter again", **{"data": b"%PDF one", **second})
    assert hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true").code == 0
    hooked.fake.run_tasks()
    return older, newer


def desk_of(hooked: Hooked) -> Desk:
    return Desk(hooked.fake, hooked.place)


def undo(hooked: Hooked, document: int) -> None:
    assert cli.main(["undo", str(document)], hooked.environ(DEDUPE_TRASH_SAME_FILE="true")) == 0
    hooked.fake.run_tasks()


def test_without_the_setting_both_stay(hooked: Hooked) -> None:
    older = hooked.fake.add_document(LETTER, data=b"%PDF one")
    newer = hooked.fake.add_document(LETTER, data=b"%PDF one")
    for number in (older, newer):
        hooked.hook(number)
    assert hooked.fake.trashed == []
    assert "dedupe:identical" in hooked.fake.document(newer).tags


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
    assert [(one.a, one.b, one.action) for one in decisions(desk_of(hooked))] == [(older, newer, "same-file")]


def test_undo_gives_all_of_it_back_and_the_document_stays_for_good(hooked: Hooked) -> None:
    """Neither a hook nor a sync moves it again: what a person restored is theirs."""
    older, newer = twice(hooked, second={"tags": ["Tax"], "notes": ["ask Anna"], "archive_serial_number": 9})
    undo(hooked, newer)
    assert hooked.fake.trashed == []
    kept = people(hooked.fake.document(older))
    assert (kept["tags"], kept["notes"], kept["asn"]) == (set(), [], None)
    back = people(hooked.fake.document(newer))
    assert (back["tags"], back["notes"], back["asn"]) == ({"Tax"}, ["ask Anna"], 9)
    assert "dedupe:identical" in hooked.fake.document(newer).tags
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert (
        cli.main(["backfill", "--sync", "--full", "--quiet"], hooked.environ(DEDUPE_TRASH_SAME_FILE="true"))
        == 0
    )
    assert hooked.fake.trashed == []
    assert decisions(desk_of(hooked)) == []


def test_a_document_that_was_restored_by_hand_stays(hooked: Hooked) -> None:
    _, newer = twice(hooked)
    hooked.fake.restore(newer)
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert hooked.fake.trashed == []


def test_the_archive_file_counts_too(hooked: Hooked) -> None:
    """Somebody downloads the archive file, and it is consumed again; Paperless 2 refused that as well."""
    older, newer = twice(hooked, second={"data": b"archive%PDF one"})
    assert hooked.fake.trashed == [newer]
    assert older in hooked.fake.documents


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
    assert cli.main(["setup"], hooked.environ()) == 0
    twice(hooked, first=first, second=second)
    assert hooked.fake.trashed == []
    assert operations(desk_of(hooked)) == []


def test_of_one_owner_it_goes(hooked: Hooked) -> None:
    hooked.fake.add_user("anna")
    _, newer = twice(hooked, first={"owner": "anna"}, second={"owner": "anna"})
    assert hooked.fake.trashed == [newer]


@pytest.mark.parametrize("shared", [0, 1], ids=["the older one", "the newer one"])
def test_nobody_loses_or_gains_sight_of_a_document(hooked: Hooked, shared: int) -> None:
    """One of the two is shared with somebody who does not see the other."""
    hooked.fake.add_user("anna")
    hooked.fake.add_user("bert")
    numbers = [hooked.fake.add_document(LETTER, data=b"%PDF one", owner="anna") for _ in range(2)]
    hooked.fake.share(numbers[shared], "bert")
    for number in numbers:
        hooked.hook(number, DEDUPE_TRASH_SAME_FILE="true")
    assert hooked.fake.trashed == []


@pytest.mark.parametrize("hooked", ["3.0.5"], indirect=True)
def test_a_file_version_is_no_new_document(hooked: Hooked) -> None:
    """Nor does a document go that has another file besides."""
    older = hooked.fake.add_document(LETTER, data=b"%PDF one")
    newer = hooked.fake.add_document("a first text", data=b"%PDF two")
    version = hooked.fake.add_version(newer, LETTER)
    hooked.fake.state.documents[version].data = b"%PDF one"
    for number in (older, version, newer):
        hooked.hook(number, DEDUPE_TRASH_SAME_FILE="true")
    assert hooked.fake.trashed == []


def _trash(fake: FakePaperless, older: int) -> None:
    fake.trash(older)


def _other_owner(fake: FakePaperless, older: int) -> None:
    fake.add_user("anna")
    fake.edit(older, owner="anna")


def _new_file(fake: FakePaperless, older: int) -> None:
    fake.add_version(older, LETTER, "another file with the same text")


CHANGES = [("3.0.5", _trash), ("2.20.15", _trash), ("3.0.5", _other_owner), ("2.20.15", _other_owner)]


@pytest.mark.parametrize(("hooked", "change"), [*CHANGES, ("3.0.5", _new_file)], indirect=["hooked"])
def test_the_older_one_changes_while_the_newer_one_is_moved(
    hooked: Hooked, change: Callable[[FakePaperless, int], None]
) -> None:
    """Looked at again right before the trash: the newer one stays, and what was taken over is returned."""
    fake = hooked.fake
    older = fake.add_document(LETTER, data=b"%PDF one")
    newer = fake.add_document(LETTER, data=b"%PDF one", tags=["Tax"])
    fake.faults.add("POST", f"/api/documents/{older}/notes/$", After(lambda: change(fake, older)))
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert newer in fake.documents
    assert [one.stage for one in operations(desk_of(hooked))] == [Stage.ROLLED_BACK]
    assert "Tax" in fake.document(newer).tags
    assert ("Tax" in fake.document(older).tags) == (
        older in fake.trashed
    )  # a trashed document cannot be changed


def test_the_older_one_is_trashed_in_the_moment_of_our_trash(hooked: Hooked) -> None:
    """Never both."""
    fake = hooked.fake
    older = fake.add_document(LETTER, data=b"%PDF one")
    newer = fake.add_document(LETTER, data=b"%PDF one")
    fake.faults.add("DELETE", f"/api/documents/{newer}/$", Before(lambda: fake.trash(older)))
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert fake.trashed == [older]


def test_an_attempt_that_fails_is_resumed_by_the_next_run(hooked: Hooked) -> None:
    """The event stays in the queue, and nothing is done twice."""
    fake = hooked.fake
    older = fake.add_document(LETTER, data=b"%PDF one")
    newer = fake.add_document(LETTER, data=b"%PDF one", notes=["ask Anna"])
    fake.faults.add("DELETE", f"/api/documents/{newer}/$", UNAVAILABLE, times=1)
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert (fake.trashed, hooked.waiting) == ([], [newer])
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert fake.trashed == [newer]
    assert sum(note.endswith("ask Anna") for note in fake.document(older).notes) == 1
    assert len(operations(desk_of(hooked))) == 1


def test_a_sync_moves_what_a_hook_could_not(hooked: Hooked) -> None:
    """Its event waits in the queue; a document that only the sync finds is reported instead."""
    older = hooked.fake.add_document(LETTER, data=b"%PDF one")
    hooked.hook(older)
    hooked.fake.down()
    newer = hooked.fake.add_document(LETTER, data=b"%PDF one")
    hooked.hook(newer, DEDUPE_TRASH_SAME_FILE="true")
    assert hooked.waiting == [newer]
    hooked.fake.up()
    third = hooked.fake.add_document(LETTER, data=b"%PDF one")
    environ = hooked.environ(DEDUPE_TRASH_SAME_FILE="true")
    assert cli.main(["queue", "--retry"], environ) == 0
    assert cli.main(["backfill", "--sync", "--quiet"], environ) == 0
    assert hooked.fake.trashed == [newer]
    assert "dedupe:identical" in hooked.fake.document(third).tags
    assert hooked.waiting == []


def test_a_person_who_tunes_sees_their_own_decisions_only(hooked: Hooked) -> None:
    twice(hooked)
    hooked.capfd.readouterr()
    assert cli.main(["tune"], hooked.environ(DEDUPE_TRASH_SAME_FILE="true")) == 0
    assert hooked.capfd.readouterr().out.startswith("No decisions yet.")
    assert cli.main(["decisions"], hooked.environ(DEDUPE_TRASH_SAME_FILE="true")) == 0
    assert "automatically, because it is the same file" in " ".join(hooked.capfd.readouterr().out.split())


def test_files_sent_twice_at_once_by_two_owners(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """All hooks at once: of each file of each owner exactly one stays, and that is the first; none goes for another owner's."""
    with FakePaperless() as fake:
        hooked, texts = Hooked(fake, tmp_path, capfd), Texts(4)
        for name in ("anna", "bert"):
            fake.add_user(name)
        files = [(f"%PDF {n}".encode(), texts.letter()) for n in range(2)]
        sent = [
            (data, owner, fake.add_document(text, data=data, owner=owner))
            for _ in range(2)
            for data, text in files
            for owner in ("anna", "bert")
        ]
        options = {"DEDUPE_DEADLINE_S": "300", "DEDUPE_TRASH_SAME_FILE": "true"}
        started = [
            fork_server().start([], hooked.environ(number, **options)) for _, _, number in reversed(sent)
        ]
        assert {process.wait(300) for process in started} == {0}
        for number in hooked.waiting:
            hooked.hook(number, DEDUPE_TRASH_SAME_FILE="true")
        firsts, seconds = sent[:4], sent[4:]
        assert fake.trashed == sorted(number for _, _, number in seconds)
        for number in fake.trashed:
            undo(hooked, number)
        assert fake.documents == sorted(number for _, _, number in firsts + seconds)


def test_check_asks_for_the_right_to_delete(hooked: Hooked) -> None:
    rights = ALL_PERMISSIONS - {"delete_document"}
    hooked.fake.add_user("clerk", permissions=rights, token="clerk-token")
    lines = {}
    for setting in ("true", "false"):
        hooked.capfd.readouterr()
        environ = hooked.environ(DEDUPE_TRASH_SAME_FILE=setting, DEDUPE_TOKEN="clerk-token")
        cli.main(["check"], environ)
        lines[setting] = hooked.capfd.readouterr().out
    assert "the permission delete_document is missing" in " ".join(lines["true"].split())
    assert "delete_document" not in lines["false"]


class Killed:
    """The hook as a process of its own, killed when the nth write to Paperless has been done."""

    def __init__(self, hooked: Hooked, document: int, moment: int) -> None:
        self._moment, self._seen, self._started = moment, 0, threading.Event()
        for method in ("POST", "PATCH", "DELETE"):
            hooked.fake.faults.add(method, "/api/documents/", After(self._strike), times=None)
        environ = hooked.environ(document, DEDUPE_TRASH_SAME_FILE="true")
        self._process = fork_server().start([], environ)
        self._started.set()
        self.is_killed = self._process.wait(180) == -signal.SIGKILL
        hooked.fake.faults.clear()

    def _strike(self) -> None:
        assert self._started.wait(60)
        if self._seen == self._moment:
            self._process.kill()
        self._seen += 1


def test_a_kill_after_any_write(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The next run of the hook completes it: all is as if nothing had happened, whatever the moment."""
    is_killed, killed = True, -1
    while is_killed:
        killed += 1
        with FakePaperless() as fake:
            hooked = Hooked(fake, tmp_path / str(killed), capfd)
            older = fake.add_document(LETTER, "Letter", data=b"%PDF one")
            newer = fake.add_document(LETTER, "Again", data=b"%PDF one", tags=["Tax"], notes=["ask Anna"])
            is_killed = Killed(hooked, newer, killed).is_killed
            third = fake.add_document("A letter about nothing of this kind.", data=b"%PDF three")
            hooked.hook(third, DEDUPE_TRASH_SAME_FILE="true")
            assert fake.trashed == [newer]
            left = fake.document(older)
            assert left.tags == {"Tax"}
            assert sum(note.endswith("ask Anna") for note in left.notes) == 1
            assert sum(note.startswith("Kept this document.") for note in left.notes) == 1
            assert [one.stage for one in operations(desk_of(hooked))] == [Stage.DONE]
    assert killed >= 4  # tag, note, summary, trash
