"""Single steps of an operation, where a person was faster than we; tests/e2e/review has whole operations, and kills at each write."""

from __future__ import annotations

import pytest

from hook.errors import RefusedError
from hook.review.journal import Step, StepKind
from hook.review.steps import Steps
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
