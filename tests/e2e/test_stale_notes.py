"""Our notes say what is so: "Not done" goes with the decision, "moved to the trash" with the way back."""

from __future__ import annotations

import pytest

from hook.findings.decisions import Kind
from tests.e2e.archive_kit import Desk
from tests.e2e.hook_kit import Hooked
from tests.e2e.review_kit import decide, decisions, findings, flagged, ours, people, sync

TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


def refusals(desk: Desk) -> list[str]:
    notes = [note for number in desk.fake.documents for note in desk.fake.document(number).notes]
    return [note for note in notes if note.startswith("Not done")]


# What was not done


@pytest.mark.parametrize(
    "tags", [["dedupe:confirm", "dedupe:keep"], ["dedupe:confirm", "dedupe:not-duplicate"]]
)
def test_the_note_goes_with_the_tag(desk: Desk, tags: list[str]) -> None:
    """Refused because both are to be kept, or because of two tags: the person thinks better of it and removes them."""
    pair = flagged(desk)
    desk.fake.tag(pair.letter, "dedupe:keep")
    before = desk.fake.document(pair.rescan).notes
    desk.fake.tag(pair.rescan, *tags)
    sync(desk, **TRASH)
    assert len(refusals(desk)) == 1
    sync(desk, **TRASH)
    assert len(refusals(desk)) == 1  # as long as the tag is there
    desk.fake.untag(pair.rescan, *tags)
    sync(desk, **TRASH)
    assert refusals(desk) == []
    assert desk.fake.document(pair.rescan).notes == before


def refused(desk: Desk) -> int:
    """A document without a finding, on which a decision was refused."""
    number = desk.fake.add_document("A letter that is like no other one.", "Letter")
    desk.run("setup")
    sync(desk)
    decide(desk, number, "dedupe:confirm")
    assert len(refusals(desk)) == 1
    return number


def test_the_note_goes_when_the_decision_is_carried_out_after_all(desk: Desk) -> None:
    pair = flagged(desk)
    desk.fake.add_user("anna")
    desk.fake.edit(pair.letter, owner="anna")
    decide(desk, pair.letter, "dedupe:confirm", **TRASH)
    assert len(refusals(desk)) == 1
    desk.fake.edit(pair.letter, owner=None)
    sync(desk, **TRASH)
    desk.fake.tag(pair.letter, "dedupe:keep")
    sync(desk, **TRASH)
    sync(desk, **TRASH)
    assert len(desk.fake.trashed) == 1
    assert refusals(desk) == []


def test_a_hook_takes_it_back_too_and_only_if_the_tag_is_gone(hooked: Hooked) -> None:
    """Also where this index has no finding at all, and would not look for decisions otherwise."""
    desk = hooked
    number = refused(desk)
    hooked.hook(number)
    assert len(refusals(desk)) == 1
    desk.fake.untag(number, "dedupe:confirm")
    hooked.hook(number)
    assert refusals(desk) == []


def test_retract_removes_it_also_where_nothing_else_of_ours_is(desk: Desk) -> None:
    number = refused(desk)
    desk.fake.untag(number, "dedupe:confirm")
    desk.run("retract")
    assert desk.fake.document(number).notes == ()
    assert desk.run("retract")[0] == "There is nothing of paperless-dedupe in Paperless.\n"


# What was moved to the trash


def test_a_document_that_is_restored_by_hand(desk: Desk) -> None:
    """Both are kept: linked, without a note that says otherwise. What was taken over stays until `undo`."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan={"tags": ["Tax"], "notes": ["ask Anna"]})
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.rescan]
    assert [one.action for one in decisions(desk)] == ["trash"]
    desk.fake.restore(pair.rescan)
    for _ in range(2):
        sync(desk, **TRASH)
        kept, restored = map(desk.fake.document, (pair.letter, pair.rescan))
        assert ours(kept) == (set(), [], [pair.rescan])
        assert ours(restored) == (set(), [], [pair.letter])
        assert people(kept)["tags"] == {"Tax"}
        assert [(one.kind, one.action) for one in decisions(desk)] == [(Kind.CONFIRMED, "")]
        assert findings(desk) == set()
    desk.run("undo", str(pair.rescan), DEDUPE_ON_CONFIRM="trash")
    after = people(desk.fake.document(pair.letter))
    assert (after["tags"], after["notes"]) == (set(), [])
    assert desk.fake.trashed == []
    assert decisions(desk) == []
    assert findings(desk) == {(pair.rescan, pair.letter)}
