"""Merge goes through the steps: each is stored as begun before it is tried, and undone from the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.model import Relation
from hook.findings.decisions import Decision, Kind
from hook.paperless.http import Answer, ApiTransport
from hook.paperless.values import RawDocument
from hook.review.journal import Goal, Journal, NotYetError, Operation, Progress, Stage, Step, StepKind
from hook.review.merge import Merge
from hook.review.merge_rules import text_hash
from hook.review.versions import PATIENCE_S, Attaching
from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import Desk, desk

TEXT = "a letter about the roof"
DONE, BEGUN, PLANNED, UNDONE = Progress.DONE, Progress.BEGUN, Progress.PLANNED, Progress.UNDONE


class Killed(BaseException):
    """What no `except Exception` stops."""


class MortalTransport(ApiTransport):
    """Ends the process before the call whose body contains `at`."""

    at: str = ""

    def call(self, method: str, path: str, **options: Any) -> Answer:
        if self.at and self.at in f"{method} {path} {options}":
            raise Killed
        return super().call(method, path, **options)


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as found:
        yield found


@contextmanager
def mortal(fake: FakePaperless, place: Path, at: str) -> Iterator[Desk]:
    wire_type = type("_Transport", (MortalTransport,), {"at": at})
    with desk(fake, place, wire_type=wire_type) as made:
        yield made


def noting(*texts: str, kept: int, loser: int) -> Operation:
    """An operation that begins with some notes on the kept document."""
    steps = tuple(Step(StepKind.ADD_NOTE, kept, {"text": text}) for text in texts)
    hashes = {str(number): text_hash(RawDocument(number, content=TEXT)) for number in (kept, loser)}
    decision = Decision(kept, loser, Kind.CONFIRMED, Relation.IDENTICAL, 1.0).to_json()
    return Operation(0, Goal.TRASH, kept, loser, loser, hashes, decision, steps=steps)


def test_a_step_is_stored_before_it_is_tried(fake: FakePaperless, tmp_path: Path) -> None:
    """Killed in the second of three: afterwards the journal says so."""
    kept, loser = fake.add_document("a"), fake.add_document("b")
    with mortal(fake, tmp_path, at="second") as at, pytest.raises(Killed):
        Merge(at.session).begin(noting("first", "second", "third", kept=kept, loser=loser))
    with desk(fake, tmp_path) as at:
        (left,) = Journal(at.archive.index).open()
        assert [step.progress for step in left.steps] == [DONE, BEGUN, PLANNED]
    assert fake.document(kept).notes == ("first",)


def test_what_is_done_is_not_done_again(fake: FakePaperless, tmp_path: Path) -> None:
    """After a kill in the second step; the user has deleted the note of the first since."""
    kept, loser = fake.add_document(TEXT), fake.add_document(TEXT)
    with mortal(fake, tmp_path, at="second") as at, pytest.raises(Killed):
        Merge(at.session).begin(noting("first", "second", "third", kept=kept, loser=loser))
    fake.state.documents[kept].notes.clear()
    with desk(fake, tmp_path) as at:
        merge = Merge(at.session)
        (left,) = merge.journal.open()
        assert merge.resume(left).stage is Stage.DONE
        assert at.session.decisions.has(kept, loser)
    assert fake.document(kept).notes[:2] == ("second", "third")
    assert fake.trashed == [loser]


def test_it_is_undone_from_the_end(fake: FakePaperless, tmp_path: Path) -> None:
    """What was begun is undone, too: it may have been done. What was only planned is not touched."""
    kept = fake.add_document("a", notes=["one", "two", "three"])
    loser = fake.add_document("b")
    begun = noting("one", "two", "three", kept=kept, loser=loser)
    steps = zip(begun.steps, (DONE, BEGUN, PLANNED), strict=True)
    begun = replace(begun, steps=tuple(replace(step, progress=progress) for step, progress in steps))
    ids = {note.text: note.id for note in fake.state.documents[kept].notes}
    with mortal(fake, tmp_path, at=f"'id': {ids['one']}}}") as at, pytest.raises(Killed):
        merge = Merge(at.session)
        merge.roll_back(merge.journal.begin(replace(begun, stage=Stage.ROLLING_BACK)))
    assert fake.document(kept).notes == ("one", "three")
    with desk(fake, tmp_path) as at:
        merge = Merge(at.session)
        (left,) = merge.journal.open()
        assert [step.progress for step in left.steps] == [DONE, UNDONE, PLANNED]
        ended = merge.resume(left)
        assert (ended.stage, ended.problems) == (Stage.ROLLED_BACK, ())
        assert [step.progress for step in ended.steps] == [UNDONE, UNDONE, PLANNED]
        assert merge.journal.open() == []
    assert fake.document(kept).notes == ("three",)


def test_both_are_examined_after_a_rollback(fake: FakePaperless, tmp_path: Path) -> None:
    """And what could not be undone is stored with the operation."""
    kept, loser = fake.add_document("a"), fake.add_document("b", archive_serial_number=8)
    step = Step(StepKind.MOVE_ASN, kept, {"asn": 7, "from": loser}, DONE)
    with desk(fake, tmp_path) as at:
        merge = Merge(at.session)
        begun = replace(noting(kept=kept, loser=loser), steps=(step,), stage=Stage.ROLLING_BACK)
        ended = merge.roll_back(merge.journal.begin(begun))
        assert ended.problems == (f"#{loser} no longer has the ASN 7",)
        assert sorted(at.session.queue.numbers()) == [kept, loser]


# Attaching a file: one step of several turns


def attaching(fake: FakePaperless, kept: int, loser: int) -> Step:
    checksum = "c" * 64
    values = {"from": loser, "checksum": checksum, "name": f"scan (#{loser}).pdf", "before": [kept]}
    return Step(StepKind.ATTACH, kept, values, BEGUN)


def uploads(fake: FakePaperless) -> int:
    return sum(seen.path.endswith("/update_version/") for seen in fake.writes)


@pytest.mark.parametrize(("age_s", "sent_again"), [(PATIENCE_S - 1, False), (PATIENCE_S + 1, True)])
def test_a_file_that_another_run_announced(
    fake: FakePaperless, tmp_path: Path, age_s: float, sent_again: bool
) -> None:
    """It was killed, before or after Paperless got the file: sent again only when no task shows up in time."""
    kept, loser = fake.add_document("a"), fake.add_document("b")
    step = attaching(fake, kept, loser).with_values(sending=1000.0)
    with desk(fake, tmp_path) as at:
        turns = Attaching(at.session.client, clock=lambda: 1000.0 + age_s)
        if not sent_again:
            with pytest.raises(NotYetError):
                turns.do(step)
            return
        announced = turns.do(step)
        assert announced.values["sending"] == 1000.0 + age_s
        assert "task" in turns.do(announced).values
        assert uploads(fake) == 1


def test_a_file_that_paperless_got_before_the_kill(fake: FakePaperless, tmp_path: Path) -> None:
    """The task is found by the unique name of its file; nothing is sent twice."""
    kept, loser = fake.add_document("a"), fake.add_document("b")
    step = attaching(fake, kept, loser)
    with desk(fake, tmp_path) as at:
        first = Attaching(at.session.client, clock=lambda: 1000.0)
        announced = first.do(step)
        task = first.do(announced).values["task"]
        second = Attaching(at.session.client, clock=lambda: 1001.0)
        assert second.do(announced).values["task"] == task
        assert uploads(fake) == 1
