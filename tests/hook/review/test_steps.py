"""Single steps of an operation, where a person was faster than we, and the file that is attached in several turns.

tests/e2e/review has whole operations, and kills at each write.
"""

from __future__ import annotations

import pytest

from hook.errors import RefusedError
from hook.review.journal import Do, NotYetError, Operation, Progress, Stage, Step, StepKind
from hook.review.merge import Merge
from hook.review.steps import Steps
from hook.review.versions import PATIENCE_S, Attaching
from hook.session import Session
from tests.fakes import FakePaperless


@pytest.fixture
def steps(session: Session) -> Steps:
    return Steps(session)


def test_the_asn_goes_back_if_a_person_was_faster(fake: FakePaperless, steps: Steps) -> None:
    """The kept one was given another number meanwhile."""
    kept, loser = fake.add_document("a", archive_serial_number=8), fake.add_document("b")
    steps.do(Step(StepKind.MOVE_ASN, kept, {"asn": 7, "from": loser}))
    assert [fake.document(number).archive_serial_number for number in (kept, loser)] == [8, 7]


def test_an_asn_that_somebody_else_has_now(fake: FakePaperless, steps: Steps) -> None:
    """Refused when it is set; undo reports it, and loses nothing else."""
    kept, loser = fake.add_document("a"), fake.add_document("b")
    fake.add_document("thief", archive_serial_number=7)
    step = Step(StepKind.MOVE_ASN, kept, {"asn": 7, "from": loser})
    with pytest.raises(RefusedError):
        steps.do(step)
    assert steps.undo(step) == f"ASN 7 could not be returned to #{loser}"


def test_a_tag_that_was_deleted_meanwhile_is_left_out(fake: FakePaperless, steps: Steps) -> None:
    kept, tags = fake.add_document("a", tags=["Mine"]), [fake.add_tag("Tax"), fake.add_tag("2025")]
    fake.delete_tag("Tax")
    steps.do(Step(StepKind.ADD_TAGS, kept, {"tags": tags}))
    assert fake.document(kept).tags == {"Mine", "2025"}


def test_a_parent_stays_for_the_tag_of_a_person_below_it(fake: FakePaperless, steps: Steps) -> None:
    """Paperless would take the person's tag away along with it."""
    kept, parent = fake.add_document("a"), fake.add_tag("Money")
    fake.add_tag("Tax", parent="Money")
    step = Step(StepKind.ADD_TAGS, kept, {"tags": [parent]})
    steps.do(step)
    fake.tag(kept, "Tax")
    steps.undo(step)
    assert fake.document(kept).tags == {"Money", "Tax"}


def test_a_link_list_does_not_name_its_own_document(fake: FakePaperless, steps: Steps) -> None:
    """Of a person's own link field that named both."""
    kept, third = fake.add_document("a"), fake.add_document("d")
    links = fake.add_custom_field("See also", "documentlink")
    step = steps.do(Step(StepKind.SET_FIELDS, kept, {"fields": {str(links): [kept, third]}}))
    assert fake.document(kept).custom_fields["See also"] == [third]
    steps.undo(step)
    assert "See also" not in fake.document(kept).custom_fields
    assert fake.document(third).custom_fields["See also"] == []


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
