"""Single steps of an operation, where somebody was faster than we; tests/e2e/review has whole ones, and kills at each write."""

from __future__ import annotations

import pytest

from hook.errors import RefusedError
from hook.review.journal import Progress, Step, StepKind
from hook.review.steps import Steps
from hook.session import Session
from tests.fakes import FakePaperless

# Steps: done twice is done once, and undone is as before


def filled(fake: FakePaperless) -> tuple[int, int, dict[str, Step]]:
    kept, loser = fake.add_document("a", tags=["Mine"]), fake.add_document("b", archive_serial_number=7)
    bank = fake.state.documents[fake.add_document("c", correspondent="Bank")].correspondent
    field, links = fake.add_custom_field("Amount", "monetary"), fake.add_custom_field("L", "documentlink")
    fake.state.documents[kept].custom_fields[links] = [loser]
    fake.state.documents[loser].custom_fields[links] = [kept]
    return (
        kept,
        loser,
        {
            "tags": Step(StepKind.ADD_TAGS, kept, {"tags": [fake.add_tag("Tax"), fake.add_tag("2025")]}),
            "value": Step(StepKind.SET_VALUE, kept, {"name": "correspondent", "value": bank}),
            "fields": Step(StepKind.SET_FIELDS, kept, {"fields": {str(field): "1.00"}}),
            "asn": Step(StepKind.MOVE_ASN, kept, {"asn": 7, "from": loser}),
            "note": Step(StepKind.ADD_NOTE, kept, {"text": "from the other"}),
            "unlink": Step(StepKind.UNLINK, kept, {"field": links, "other": loser}),
            "trash": Step(StepKind.TRASH, loser),
        },
    )


def picture(fake: FakePaperless, *numbers: int) -> list[object]:
    shown = [fake.document(number) for number in numbers]
    return [
        (
            one.tags,
            one.notes,
            {name: value for name, value in one.custom_fields.items() if value},
            one.archive_serial_number,
            one.correspondent,
            one.deleted_at is not None,
        )
        for one in shown
    ]


@pytest.mark.parametrize("name", ["tags", "value", "fields", "asn", "note", "unlink", "trash"])
def test_a_step_done_twice_is_done_once_and_can_be_undone(
    name: str, fake: FakePaperless, session: Session
) -> None:
    kept, loser, made = filled(fake)
    step, steps = made[name], Steps(session)
    before = picture(fake, kept, loser)
    while (next_turn := steps.do(step)).progress is not Progress.DONE:
        step = next_turn  # stored, and where a killed run would resume
    done = picture(fake, kept, loser)
    assert done != before
    steps.do(step)
    assert picture(fake, kept, loser) == done
    for _ in range(2):
        assert steps.undo(step) == ""
        assert picture(fake, kept, loser) == before


@pytest.mark.parametrize("name", ["tags", "value", "fields", "asn", "note", "unlink"])
def test_undoing_what_was_never_done_changes_nothing(
    name: str, fake: FakePaperless, session: Session
) -> None:
    kept, loser, made = filled(fake)
    before = picture(fake, kept, loser)
    Steps(session).undo(made[name])
    assert picture(fake, kept, loser) == before


def test_the_asn_goes_back_if_a_person_was_faster(fake: FakePaperless, session: Session) -> None:
    """The kept one was given another number meanwhile."""
    kept, loser, made = filled(fake)
    fake.edit(loser, archive_serial_number=None)
    fake.edit(kept, archive_serial_number=8)
    Steps(session).do(made["asn"])
    assert (fake.document(kept).archive_serial_number, fake.document(loser).archive_serial_number) == (8, 7)


def test_an_asn_that_somebody_else_has_now(fake: FakePaperless, session: Session) -> None:
    """Refused when it is set; undo reports it, and loses nothing else."""
    _, loser, made = filled(fake)
    fake.edit(loser, archive_serial_number=None)
    fake.add_document("thief", archive_serial_number=7)
    with pytest.raises(RefusedError):
        Steps(session).do(made["asn"])
    assert Steps(session).undo(made["asn"]) == f"ASN 7 could not be returned to #{loser}"


def test_a_tag_that_was_deleted_meanwhile_is_left_out(fake: FakePaperless, session: Session) -> None:
    kept, _, made = filled(fake)
    fake.delete_tag("Tax")
    Steps(session).do(made["tags"])
    assert fake.document(kept).tags == {"Mine", "2025"}


def test_a_parent_stays_for_the_tag_of_a_person_below_it(fake: FakePaperless, session: Session) -> None:
    """Paperless would take the person's tag away along with it."""
    kept = fake.add_document("a")
    parent = fake.add_tag("Money")
    fake.add_tag("Tax", parent="Money")
    step = Step(StepKind.ADD_TAGS, kept, {"tags": [parent]})
    Steps(session).do(step)
    fake.tag(kept, "Tax")
    Steps(session).undo(step)
    assert fake.document(kept).tags == {"Money", "Tax"}


def test_a_link_list_does_not_name_its_own_document(fake: FakePaperless, session: Session) -> None:
    """Of a person's own link field that named both."""
    kept, loser, _ = filled(fake)
    third = fake.add_document("d")
    links = fake.add_custom_field("See also", "documentlink")
    step = Step(StepKind.SET_FIELDS, kept, {"fields": {str(links): [kept, third]}})
    Steps(session).do(step)
    assert fake.document(kept).custom_fields["See also"] == [third]
    Steps(session).undo(step)
    assert "See also" not in fake.document(kept).custom_fields
    assert fake.document(third).custom_fields["See also"] == []
    assert loser
