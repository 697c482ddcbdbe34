"""`retract`: afterwards nothing of ours is in Paperless, and everything of people is as it was."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from tests.e2e import review_kit
from tests.e2e.archive_kit import Desk
from tests.e2e.review_page.page_kit import Archive, fill
from tests.fakes import FakePaperless

pytestmark = pytest.mark.parametrize("version", ["3.0.5", "2.20.15"])


def of_people(fake: FakePaperless) -> dict[int, Any]:
    return {number: review_kit.people(fake.document(number)) for number in fake.documents}


def notes(desk: Desk) -> dict[int, tuple[str, ...]]:
    return {n: found for n in desk.fake.documents if (found := desk.fake.document(n).notes)}


def links(desk: Desk) -> dict[int, list[int]]:
    fields = {n: desk.fake.document(n).custom_fields for n in desk.fake.documents}
    return {n: found for n in fields if (found := fields[n].get(review_kit.FIELD))}


def worked(desk: Desk) -> tuple[Archive, Archive]:
    """Findings, webhooks, and all else that `setup` makes."""
    one, two = fill(desk.fake), fill(desk.fake, seed=8)
    desk.fake.edit(one.letter, archive_serial_number=17)
    desk.run("setup", "--webhooks", "http://127.0.0.1:8642", DEDUPE_SECRET="s")
    desk.sync()
    desk.fake.run_tasks()
    return one, two


def decided(desk: Desk, one: Archive, two: Archive) -> dict[int, Any]:
    """A finding is confirmed and one dismissed; what there was of people before, with a note of Anna in our words."""
    desk.fake.add_user("anna")
    row = desk.fake.state.documents[one.rescan]
    desk.fake.state.add_note(row, "Looks like #1 to me, too", desk.fake._user("anna"))
    desk.fake.tag(one.letter, "tax")
    before = of_people(desk.fake)
    review_kit.decide(desk, one.rescan, "dedupe:confirm")
    review_kit.decide(desk, two.rescan, "dedupe:not-duplicate")
    return before


def assert_nothing_is_left(fake: FakePaperless) -> None:
    assert fake.tag_names == ["inbox", "tax"]
    assert (fake.state.custom_fields, fake.state.saved_views, fake.state.workflows) == ({}, {}, {})


def test_nothing_of_ours_is_left_and_nothing_of_people_is_touched(desk: Desk) -> None:
    fake = desk.fake
    one, two = worked(desk)
    fake.state.add_note(fake.state.documents[one.letter], "Paid on Monday", fake._user("admin"))
    before = decided(desk, one, two)
    review_kit.decide(desk, one.copy, "dedupe:make-version", DEDUPE_TIMEOUT_S="5")  # refused or begun
    review_kit.review(desk)
    fake.forget_requests()
    planned, _ = desk.run("retract", "--dry-run")
    assert fake.writes == []
    done, _ = desk.run("retract")
    assert planned.replace("would remove", "removed") == done
    fake.run_tasks()
    assert_nothing_is_left(fake)
    assert all(review_kit.ours(fake.document(number))[0] == set() for number in fake.documents)
    assert notes(desk) == {one.letter: ("Paid on Monday",), one.rescan: ("Looks like #1 to me, too",)}
    after = of_people(fake)
    for number in (one.letter, two.letter, two.rescan, two.original, two.copy):
        assert after[number] == before[number]
    assert desk.run("retract")[0] == "There is nothing of paperless-dedupe in Paperless.\n"


def test_a_note_of_the_person_in_our_words_stays(desk: Desk) -> None:
    """Ours are known by their record, never by their words: the token may be that of the person."""
    one, _ = worked(desk)
    written = ["Looks like #1 to me, too", "Not done: ask the bank", "Kept this document. #7 is worse."]
    for text in written:
        desk.fake.state.add_note(desk.fake.state.documents[one.rescan], text, desk.fake._user("admin"))
    out, _ = desk.run("retract")
    assert "stays: 3 notes worded like ours" in out
    assert list(desk.fake.document(one.rescan).notes) == written
    desk.run("retract", "--unrecorded-notes", "--dry-run")
    assert list(desk.fake.document(one.rescan).notes) == written


def lose_index(desk: Desk) -> None:
    shutil.rmtree(desk.index_dir)


def test_a_lost_index(desk: Desk) -> None:
    """What can be recognised without it goes: tags, field, view, workflows; notes only if the person asks for it."""
    fake = desk.fake
    one, two = worked(desk)
    before = decided(desk, one, two)
    lose_index(desk)
    _, err = desk.run("retract", code=4)
    assert "retract --lost-index" in err
    fake.forget_requests()
    planned, _ = desk.run("retract", "--lost-index", "--dry-run")
    assert fake.writes == []
    assert "worded like ours, but not recorded" in planned
    desk.run("retract", "--lost-index", "--unrecorded-notes")
    fake.run_tasks()
    assert_nothing_is_left(fake)
    assert of_people(fake) == before
    assert notes(desk) == {one.rescan: ("Looks like #1 to me, too",)}
    assert desk.run("retract")[0] == "There is nothing of paperless-dedupe in Paperless.\n"


def test_notes_are_found_after_everything_else_is_gone(desk: Desk) -> None:
    """Without tags, links and records only the notes show where we were: all documents are read, page by page."""
    fake = desk.fake
    one, _ = worked(desk)
    fake.add_user("anna")
    fake.state.add_note(fake.state.documents[one.rescan], "Looks like #1 to me, too", fake._user("anna"))
    lose_index(desk)
    assert "worded like ours, but not recorded" in desk.run("retract", "--lost-index")[0]
    fake.run_tasks()
    noted = sum(len(fake.document(number).notes) for number in fake.documents)
    assert noted > 1
    assert "--unrecorded-notes looks for notes" in desk.run("retract", "--lost-index")[0]
    words = ("retract", "--lost-index", "--unrecorded-notes")
    planned, _ = desk.run(*words, "--dry-run")
    assert planned.startswith(f"would remove notes: {noted - 1} on ")
    fake.forget_requests()
    removed, _ = desk.run(*words)
    assert removed == planned.replace("would remove", "removed")
    read = [request for request in fake.requests if request.method == "GET" and "notes" in request.path]
    assert read == []  # a call for each document would take minutes in an archive of 100,000
    notes = {number: fake.document(number).notes for number in fake.documents if fake.document(number).notes}
    assert notes == {one.rescan: ("Looks like #1 to me, too",)}
    assert desk.run(*words)[0] == "There is nothing of paperless-dedupe in Paperless.\n"


def test_a_lost_index_and_a_link_of_a_person(desk: Desk) -> None:
    """Between documents that nothing of ours is on: the field stays, without our links."""
    worked(desk)
    spare, more = (desk.fake.add_document(text, text) for text in ("a shopping list", "a recipe for bread"))
    field = desk.fake.custom_field_id("Similar documents")
    desk.fake.state.documents[spare].custom_fields[field] = [more]
    desk.fake.state.documents[more].custom_fields[field] = [spare]
    lose_index(desk)
    out, _ = desk.run("retract", "--lost-index")
    assert f"#{spare} has links in it that are not ours" in out
    assert links(desk) == {spare: [more], more: [spare]}


def test_a_tag_and_links_of_people_stay(desk: Desk) -> None:
    """A tag that was there before us only leaves the documents on which we set it; a field with links that a person
    made stays, without ours."""
    desk.fake.add_tag("Twice")
    one = fill(desk.fake)
    spare = desk.fake.add_document("a shopping list", "List", tags=["Twice"])
    desk.run("setup", DEDUPE_TAG_RESCAN="Twice")
    desk.backfill(DEDUPE_TAG_RESCAN="Twice")
    field = desk.fake.custom_field_id("Similar documents")
    desk.fake.state.documents[spare].custom_fields[field] = [one.letter]
    desk.fake.state.documents[one.letter].custom_fields[field].append(spare)
    assert "Twice" in desk.fake.document(one.rescan).tags
    out, _ = desk.run("retract", DEDUPE_TAG_RESCAN="Twice")
    assert "stays: tag Twice: it was there before" in out
    assert "links in it that are not ours" in out
    assert desk.fake.tag_names == ["Twice", "inbox"]
    assert "Twice" not in desk.fake.document(one.rescan).tags
    assert "Twice" in desk.fake.document(spare).tags
    assert links(desk) == {spare: [one.letter], one.letter: [spare]}


def test_a_tag_of_a_person_below_ours_keeps_its_parent(desk: Desk) -> None:
    worked(desk)
    desk.fake.add_tag("my own", parent="dedupe:review")
    out, _ = desk.run("retract")
    assert "my own is below it and is not ours" in out
    assert desk.fake.tag_names == ["dedupe:review", "inbox", "my own"]


def test_afterwards_a_backfill_reports_all_of_it_again(desk: Desk) -> None:
    one, _ = worked(desk)
    desk.run("retract")
    desk.backfill("--again")
    assert "dedupe:rescan" in desk.fake.document(one.rescan).tags
