"""A rollback reports what it could not undo; a file is attached in several turns, and never twice.

That a kill at any write leaves nothing in between is in tests/e2e/review/test_review_kills.py.
"""

from __future__ import annotations

from hook.review.journal import Do, NotYetError, Operation, Progress, Stage, Step, StepKind
from hook.review.merge import Merge
from hook.review.versions import PATIENCE_S, Attaching
from hook.session import Session
from tests.fakes import FakePaperless


def test_both_are_examined_after_a_rollback(fake: FakePaperless, session: Session) -> None:
    """And what could not be undone is stored with the operation."""
    kept, loser = fake.add_document("a"), fake.add_document("b", archive_serial_number=8)
    steps = (Step(StepKind.MOVE_ASN, kept, {"asn": 7, "from": loser}, Progress.DONE),)
    begun = Operation(0, Do.TRASH, kept, loser, loser, {}, {}, stage=Stage.ROLLING_BACK, steps=steps)
    merge = Merge(session)
    ended = merge.roll_back(merge.journal.begin(begun))
    assert ended.problems == (f"#{loser} no longer has the ASN 7",)
    assert sorted(session.queue.numbers()) == [kept, loser]


def turn(session: Session, step: Step, at_s: float) -> Step | None:
    """In a process of its own, at that time; None if Paperless is still at work."""
    try:
        return Attaching(session.client, clock=lambda: at_s).do(step)
    except NotYetError:
        return None


def test_a_file_that_another_run_announced(fake: FakePaperless, session: Session) -> None:
    """It was killed, before or after Paperless got the file: sent again only when no task shows up in time. If there is
    one, it is found by the unique name of its file."""
    kept, loser = fake.add_document("a"), fake.add_document("b")
    values = {"from": loser, "checksum": "c" * 64, "name": f"scan (#{loser}).pdf", "before": [kept]}
    announced = Step(StepKind.ATTACH, kept, {**values, "sending": 1000.0}, Progress.BEGUN)
    assert turn(session, announced, 999.0 + PATIENCE_S) is None
    again = turn(session, announced, 1001.0 + PATIENCE_S)
    assert again is not None and again.values["sending"] == 1001.0 + PATIENCE_S
    sender = Attaching(session.client, clock=lambda: 2000.0)
    task = sender.do(sender.do(again.with_values(sending=0.0))).values["task"]
    assert turn(session, again, 2001.0) == again.with_values(task=task)
    assert sum(seen.path.endswith("/update_version/") for seen in fake.writes) == 1
