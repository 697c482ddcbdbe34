"""A decision that is refused changes nothing of the person's, and is refused for the pair, not for one document."""

from __future__ import annotations

from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import TRASH, decide, decisions, flagged, refusals, review, sync
from tests.fakes import reply

DECISION = {"dedupe:confirm", "dedupe:keep", "dedupe:not-duplicate", "dedupe:make-version"}


def set_by_person(desk: Desk, *numbers: int) -> list[set[str]]:
    return [set(desk.fake.document(number).tags) & DECISION for number in numbers]


def test_keep_and_confirm_on_both_copies_moves_neither(desk: Desk) -> None:
    """Both are marked to be kept: refused once as a pair, in this run and in later ones, with all tags in place."""
    pair = flagged(desk)
    for number in (pair.letter, pair.rescan):
        desk.fake.tag(number, "dedupe:keep")
        desk.fake.tag(number, "dedupe:confirm")
    for _ in range(3):
        sync(desk, **TRASH)
        assert desk.fake.trashed == []
        assert set_by_person(desk, pair.letter, pair.rescan) == [{"dedupe:keep", "dedupe:confirm"}] * 2
    (note,) = refusals(desk, pair.letter, pair.rescan)
    assert "both have dedupe:keep" in note
    assert decisions(desk) == []


def test_a_refusal_is_not_repeated_while_nothing_changes(desk: Desk) -> None:
    """Neither asked with its texts again, nor written again."""
    pair = flagged(desk)
    for number in (pair.letter, pair.rescan):
        desk.fake.tag(number, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    sync(desk, **TRASH)
    desk.fake.forget_requests()
    review(desk, **TRASH)
    assert desk.fake.writes == []
    assert not [seen for seen in desk.fake.requests if "notes" in seen.path]


def test_a_decision_about_a_text_that_changed_waits_for_the_person(desk: Desk) -> None:
    """The text was edited after the report: the tag stays, and is not carried out on a text nobody has compared,
    also after the document was examined again. Removed and set again, it counts."""
    pair = flagged(desk)
    desk.fake.tag(pair.rescan, "dedupe:confirm")
    desk.fake.edit(pair.rescan, content=desk.fake.document(pair.rescan).content + "\nReceived 3 May.\n")
    review(desk, **TRASH)
    for _ in range(3):
        assert (desk.fake.trashed, set_by_person(desk, pair.rescan)) == ([], [{"dedupe:confirm"}])
        sync(desk, **TRASH)
    desk.fake.untag(pair.rescan, "dedupe:confirm")
    sync(desk, **TRASH)
    desk.fake.edit(pair.rescan, content=desk.fake.document(pair.letter).content)
    sync(desk, **TRASH)
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert len(desk.fake.trashed) == 1


def test_a_decision_that_was_rolled_back_keeps_its_tags(desk: Desk) -> None:
    """Paperless refuses a step half way: all is as before, the tags of the person too, and it is not tried again."""
    pair = flagged(desk, rescan={"archive_serial_number": 17})
    desk.fake.tag(pair.letter, "dedupe:keep")
    desk.fake.tag(pair.rescan, "dedupe:confirm")
    refusal = reply(400, '{"archive_serial_number": ["no"]}', "application/json")
    desk.fake.faults.add("PATCH", f"/api/documents/{pair.letter}/", refusal)
    for _ in range(3):
        sync(desk, **TRASH)
        assert desk.fake.trashed == []
        assert set_by_person(desk, pair.letter, pair.rescan) == [{"dedupe:keep"}, {"dedupe:confirm"}]
    assert len(refusals(desk, pair.letter, pair.rescan)) == 1


def test_a_database_that_is_locked_is_no_refusal(desk: Desk) -> None:
    """Paperless answers 400 to a delete that its database could not do: no note, and the next run does it."""
    pair = flagged(desk)
    desk.fake.tag(pair.letter, "dedupe:keep")
    failed = reply(400, "Error deleting document, check logs for more detail.", "text/plain")
    desk.fake.faults.add("DELETE", f"/api/documents/{pair.rescan}/$", failed)
    err = decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert "the decision is kept for the next run" in err
    assert (desk.fake.trashed, refusals(desk, pair.letter, pair.rescan)) == ([], [])
    sync(desk, **TRASH)
    assert desk.fake.trashed == [pair.rescan]
