"""A second index on one Paperless: it says so and stops; a lost one can be replaced without losing a decision."""

from __future__ import annotations

import pytest

from hook.session import open_archive, settings_of
from tests.e2e.archive_kit import Desk, pairs
from tests.e2e.hook_kit import Hooked
from tests.e2e.review_kit import FIELD, decide, decisions, findings, flagged, ours, sync, third_copy


def another_home(desk: Desk) -> None:
    """From now on the commands use an index of their own, as under another user or in another container."""
    desk.place = desk.place / "another-home"
    desk.place.mkdir()


@pytest.mark.parametrize(
    "command", [["backfill"], ["backfill", "--sync"], ["setup"], ["backfill", "--rebuild"]]
)
def test_a_second_index_stops_and_says_what_to_do(desk: Desk, command: list[str]) -> None:
    """Nothing is written: dismissed pairs are not reported again, and no second note."""
    pair = flagged(desk)
    third = third_copy(desk, pair.letter)
    sync(desk)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    shown = [desk.fake.document(number) for number in desk.fake.documents]
    another_home(desk)
    desk.fake.forget_requests()
    _, err = desk.run(*command, code=4)
    assert "another index" in err
    assert "paperless-dedupe adopt" in err
    assert desk.fake.writes == []
    assert [desk.fake.document(number) for number in desk.fake.documents] == shown
    assert third


def test_check_names_the_other_index_and_the_way_to_adopt(desk: Desk) -> None:
    """Also where no index was made yet: most often it is the wrong directory. After `adopt`, all is well with the new
    one, and the old one stops, if it was not lost after all."""
    flagged(desk)
    mine = "this Paperless is used with this index"
    assert mine in desk.run("check", code=0)[0]
    old = desk.place
    another_home(desk)
    for _ in range(2):
        out, _ = desk.run("check", code=1)
        assert "this Paperless is used with another index" in out.partition("Broken\n")[2]
        assert "paperless-dedupe adopt" in out
        with open_archive(settings_of(desk.environ())):
            pass
    desk.run("adopt")
    assert mine in desk.run("check", code=0)[0]
    desk.place = old
    assert "another index" in desk.run("backfill", "--sync", code=4)[1]


def test_the_hook_of_a_second_index_keeps_its_event(hooked: Hooked) -> None:
    """It exits with 0, writes nothing, and the event waits until somebody has decided which index to use."""
    desk = hooked
    pair = flagged(desk)
    third = third_copy(desk, pair.letter)
    hooked.place = hooked.place / "another-home"
    hooked.place.mkdir()
    hooked.hook(pair.letter)
    hooked.fake.forget_requests()
    ran = hooked.hook(third)
    assert ran.code == 0
    assert "another index" in ran.err
    assert hooked.fake.writes == []
    assert third in hooked.waiting


def test_a_lost_index_does_not_lose_decisions(desk: Desk) -> None:
    """They are kept in Paperless: adopted by a new index, a dismissed pair stays dismissed, and the notes of the old
    index are not written a second time."""
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    third = third_copy(desk, pair.letter)
    sync(desk)
    notes = desk.fake.document(third).notes
    before = {(one.a, one.b, one.kind, one.relation) for one in decisions(desk)}
    another_home(desk)
    out, _ = desk.run("adopt")
    assert "1 decision" in out
    assert {(one.a, one.b, one.kind, one.relation) for one in decisions(desk)} == before
    assert (pair.rescan, pair.letter) not in pairs(desk.backfill())
    assert desk.fake.document(third).notes == notes
    assert ours(desk.fake.document(pair.rescan))[1] == []


def test_an_index_restored_from_an_old_backup_gets_newer_decisions_back(desk: Desk) -> None:
    """Its id is right, but it lacks what was decided since: a sync reads it from Paperless."""
    pair = flagged(desk)
    saved = {file: file.read_bytes() for file in desk.index_dir.iterdir() if file.is_file()}
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    for file in list(desk.index_dir.iterdir()):
        if file.is_file():
            file.unlink()
    for file, data in saved.items():
        file.write_bytes(data)
    sync(desk)
    assert [(one.a, one.b) for one in decisions(desk)] == [(pair.letter, pair.rescan)]
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])


def test_the_mark_in_paperless_comes_back(desk: Desk) -> None:
    """A person edited the field or the tag in the web page, and it was dropped: the next sync writes it again."""
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    field = desk.fake.state.custom_fields[desk.fake.custom_field_id(FIELD)]
    kept = field.extra_data["paperless_dedupe"]["decisions"]
    assert len(kept) == 1
    field.extra_data = {"select_options": [], "default_currency": None}
    desk.fake.state.tags[desk.fake.tag_id("dedupe:review")].match = ""
    third_copy(desk, pair.letter)
    sync(desk)
    assert field.extra_data["paperless_dedupe"]["decisions"] == kept
    assert field.extra_data["default_currency"] is None
    another_home(desk)
    assert "another index" in desk.run("backfill", code=4)[1]


def test_what_people_wrote_into_the_tag_is_not_overwritten(desk: Desk) -> None:
    """A match text of their own stays: the id is kept nowhere then, and nothing else changes."""
    tag = desk.fake.add_tag("dedupe:review")
    desk.fake.state.tags[tag].match = "duplicate"
    flagged(desk)
    assert desk.fake.state.tags[tag].match == "duplicate"


def adopted(desk: Desk) -> None:
    """From now on the commands use a new index, which has taken over from the one that was lost."""
    another_home(desk)
    desk.run("adopt")


def test_a_decision_on_a_finding_of_the_lost_index_is_carried_out_when_it_is_found_again(desk: Desk) -> None:
    """The new index has examined nothing yet: the decision waits, which is logged, and the tag stays until then."""
    pair = flagged(desk)
    adopted(desk)
    err = decide(desk, pair.rescan, "dedupe:not-duplicate")
    assert f"#{pair.rescan}: the decision waits until this index has examined the document" in err
    assert "dedupe:not-duplicate" in desk.fake.document(pair.rescan).tags
    sync(desk)
    assert [(one.a, one.b) for one in decisions(desk)] == [(pair.letter, pair.rescan)]
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])


@pytest.mark.parametrize("tag", ["dedupe:not-duplicate", "dedupe:confirm"])
@pytest.mark.parametrize("on_subject", [True, False])
def test_a_decision_that_only_another_index_understands_is_reported(
    desk: Desk, tag: str, on_subject: bool
) -> None:
    """This index has examined the documents, with another threshold, and has no finding at all: the tag stays, and the
    log, a note and `check` report it. On either document: the other one of the pair shows only the link."""
    pair = flagged(desk)
    number = pair.rescan if on_subject else pair.letter
    adopted(desk)
    strict = {"DEDUPE_FLAG_THRESHOLD": "0.9999", "DEDUPE_ON_CONFIRM": "trash"}
    sync(desk, **strict)
    assert findings(desk) == set()
    err = decide(desk, number, tag, **strict)
    assert f"#{number}: not done: this index has no finding on #{number}" in err
    assert tag in desk.fake.document(number).tags
    (note,) = [one for one in desk.fake.document(number).notes if one.startswith("Not done:")]
    assert "were written by another index" in note
    assert f"a decision was refused on #{number}\n" in desk.run("check", code=0, **strict)[0]
    assert (desk.fake.trashed, decisions(desk)) == ([], [])
    desk.fake.untag(number, tag)
    sync(desk, **strict)
    assert "refused" not in desk.run("check", code=0, **strict)[0]


def test_an_older_decision_does_not_swallow_a_new_one(desk: Desk) -> None:
    """The letter was dismissed with its rescan; the tag on it is about a third copy, which only the lost index has
    reported. It is not removed as if it were the old decision."""
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    third_copy(desk, pair.letter)
    sync(desk)
    adopted(desk)
    strict = {"DEDUPE_FLAG_THRESHOLD": "0.9999"}
    sync(desk, **strict)
    assert len(decisions(desk)) == 1
    err = decide(desk, pair.letter, "dedupe:not-duplicate", **strict)
    assert "were written by another index" in err
    assert "dedupe:not-duplicate" in desk.fake.document(pair.letter).tags
