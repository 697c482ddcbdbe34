"""Reviewing by tag, with whole programs: what a person decides is done, remembered, and can be undone."""

from __future__ import annotations

import json
from pathlib import Path

from hook.review.journal import Stage
from tests.e2e.archive_kit import Desk, pairs
from tests.e2e.hook_kit import Hooked
from tests.e2e.review_kit import (
    FIELD,
    TRASH,
    decide,
    decisions,
    findings,
    flagged,
    merged,
    operations,
    ours,
    people,
    review,
    sync,
    third_copy,
)
from tests.fakes import Before, reply

RICH: dict[str, object] = {
    "tags": ["Tax", "2025"],
    "archive_serial_number": 17,
    "correspondent": "Savings Bank",
    "document_type": "Letter",
    "storage_path": "Home",
    "custom_fields": {"Amount": "12.50", "Paid": True},
    "notes": ["ask Anna", "paid in May"],
}


# Not a duplicate


def test_a_dismissed_pair_is_never_told_again(desk: Desk) -> None:
    """Not by sync, backfill, a backfill of everything again, nor after the index was built anew."""
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    for number in (pair.letter, pair.rescan):
        assert ours(desk.fake.document(number)) == (set(), [], [])
    for options in (["--sync", "--full"], [], ["--again"], ["--rebuild"], ["--again"]):
        assert pairs(desk.backfill(*options)) == set()
        assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])
    assert [(entry.a, entry.b, entry.kind) for entry in decisions(desk)] == [
        (pair.letter, pair.rescan, "dismissed")
    ]


def test_the_hook_does_not_tell_of_it_either(hooked: Hooked) -> None:
    """The hook itself picks the decision up, whichever document comes in."""
    desk = hooked
    pair = flagged(desk)
    hooked.fake.tag(pair.rescan, "dedupe:not-duplicate")
    another = hooked.fake.add_document("A shopping list: milk, bread, a dozen eggs and two lemons.")
    hooked.hook(another)
    assert ours(hooked.fake.document(pair.rescan)) == (set(), [], [])
    hooked.hook(pair.rescan)
    hooked.hook(pair.letter)
    assert ours(hooked.fake.document(pair.rescan)) == (set(), [], [])


def test_a_decision_on_the_other_document_counts(desk: Desk) -> None:
    """A person may have followed the link: the letter shows no finding, but it is named by one."""
    pair = flagged(desk)
    decide(desk, pair.letter, "dedupe:not-duplicate")
    assert ours(desk.fake.document(pair.letter)) == (set(), [], [])
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])
    assert len(decisions(desk)) == 1


def test_a_tag_without_a_finding_does_not_decide_on_a_later_one(desk: Desk) -> None:
    """The person has never seen the finding that comes later: nothing goes to the trash until the tag is set again."""
    pair = flagged(desk)
    another = pair.letter + 1
    assert "no finding to decide on" in decide(desk, another, "dedupe:confirm", **TRASH)
    tags, (note,), _ = ours(desk.fake.document(another))
    assert tags == {"dedupe:confirm"}
    assert "there is no finding to decide on" in note
    assert "not done" not in sync(desk, **TRASH)
    copy = third_copy(desk, another)
    for _ in range(3):
        sync(desk, **TRASH)
        assert (copy, another) in findings(desk)
        assert desk.fake.trashed == []
    desk.fake.untag(another, "dedupe:confirm")
    sync(desk, **TRASH)
    decide(desk, another, "dedupe:confirm", **TRASH)
    assert len(desk.fake.trashed) == 1


def test_nobody_decides_nothing_is_asked(desk: Desk) -> None:
    """One query, and no write."""
    flagged(desk)
    sync(desk)
    desk.fake.forget_requests()
    sync(desk)
    asked = [seen for seen in desk.fake.requests if "tags__id__in" in str(seen.query)]
    assert len(asked) == 1
    assert desk.fake.writes == []


# Confirm


def test_confirm_keeps_both_by_default(desk: Desk) -> None:
    """The tag is replaced, note and link stay, and nothing is said again."""
    pair = flagged(desk)
    note = desk.fake.document(pair.rescan).notes
    decide(desk, pair.rescan, "dedupe:confirm")
    expected = ({"dedupe:confirmed"}, list(note), [pair.letter])
    assert ours(desk.fake.document(pair.rescan)) == expected
    assert desk.fake.trashed == []
    for options in (["--sync", "--full"], ["--again"], ["--rebuild"]):
        desk.backfill(*options)
        assert ours(desk.fake.document(pair.rescan)) == expected


def test_confirm_with_trash_carries_metadata_over(desk: Desk) -> None:
    """The letter has nothing, the rescan was filed: but the letter has the ASN, so that it is kept."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan=RICH | {"archive_serial_number": None})
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    kept = people(desk.fake.document(pair.letter))
    assert desk.fake.trashed == [pair.rescan]
    assert kept["tags"] == {"Tax", "2025"}
    assert (kept["asn"], kept["correspondent"], kept["type"], kept["path"]) == (
        *(5, "Savings Bank", "Letter", "Home"),
    )
    assert kept["fields"] == {"Amount": "12.50", "Paid": True}
    assert [note.split("): ")[-1] for note in kept["notes"]] == ["ask Anna", "paid in May"]
    (said,) = ours(desk.fake.document(pair.letter))[1]
    assert 'Taken over from it: tags "2025", "Tax"; correspondent "Savings Bank"' in said
    assert ours(desk.fake.document(pair.letter))[2] == []


def test_nothing_is_overwritten_and_conflicts_are_told(desk: Desk) -> None:
    letter = {
        "archive_serial_number": 5,
        "correspondent": "Bank of the North",
        "custom_fields": {"Amount": "99.00"},
    }
    pair = flagged(desk, letter=letter, rescan=RICH)
    before = people(desk.fake.document(pair.letter))
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    after = people(desk.fake.document(pair.letter))
    assert (after["asn"], after["correspondent"]) == (before["asn"], before["correspondent"])
    assert after["fields"]["Amount"] == "99.00"
    (said,) = ours(desk.fake.document(pair.letter))[1]
    assert 'correspondent "Savings Bank" (here "Bank of the North")' in said
    assert 'field "Amount" 12.50 (here 99.00)' in said
    assert "ASN 17 (here 5)" in said
    assert desk.fake.document(pair.rescan).archive_serial_number == 17


def test_keep_turns_it_round(desk: Desk) -> None:
    """The subject is the one that is kept: its finding goes with the other."""
    pair = flagged(desk, letter=RICH)
    desk.fake.tag(pair.rescan, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.letter]
    kept = desk.fake.document(pair.rescan)
    assert people(kept)["asn"] == 17
    tags, notes, links = ours(kept)
    assert (tags, links) == (set(), [])
    assert [note[:4] for note in notes] == ["Kept"]
    assert findings(desk) == set()


def test_nobody_gives_away_what_is_not_his(desk: Desk) -> None:
    """The rescan is Anna's, the letter everybody's: only a tag on hers brings her notes to the letter."""
    desk.fake.add_user("anna")
    pair = flagged(desk, rescan={"owner": "anna", "notes": ["private"]})
    decide(desk, pair.letter, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == []
    assert not any("private" in note for note in desk.fake.document(pair.letter).notes)
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.rescan]
    assert any("private" in note for note in desk.fake.document(pair.letter).notes)


def test_a_third_copy_stays_and_is_looked_at_again(desk: Desk) -> None:
    """Links of the others into the trash are taken away: Paperless would refuse every change of them."""
    pair = flagged(desk, letter={"archive_serial_number": 5})
    third = third_copy(desk, pair.letter)
    sync(desk)
    assert pair.rescan in desk.fake.document(third).custom_fields[FIELD]
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.rescan]
    assert desk.fake.document(third).custom_fields[FIELD] == [pair.letter]
    assert findings(desk) - {(pair.rescan, pair.letter)} == {(third, pair.letter)}


# Undo


def test_undo_brings_all_back(desk: Desk) -> None:
    pair = flagged(desk, letter={"notes": ["mine"]}, rescan=RICH)
    before = {number: people(desk.fake.document(number)) for number in (pair.letter, pair.rescan)}
    shown = ours(desk.fake.document(pair.rescan))
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.rescan]
    desk.run("undo", str(pair.rescan))
    desk.fake.run_tasks()
    after = {number: people(desk.fake.document(number)) for number in (pair.letter, pair.rescan)}
    assert after == before
    assert ours(desk.fake.document(pair.rescan)) == shown
    assert ours(desk.fake.document(pair.letter)) == (set(), [], [pair.rescan])
    assert decisions(desk) == []
    assert [entry.stage for entry in operations(desk)] == [Stage.ROLLED_BACK]
    assert pairs(desk.sync("--full")) == set()


def test_undo_leaves_what_a_person_changed_since(desk: Desk) -> None:
    pair = merged(desk, rescan=RICH)
    desk.fake.edit(pair.letter, correspondent=None)
    desk.fake.tag(pair.letter, "Checked")
    desk.fake.untag(pair.letter, "Tax")
    desk.run("undo", str(pair.letter))
    kept = people(desk.fake.document(pair.letter))
    assert kept["tags"] == {"Checked"}
    assert kept["correspondent"] is None
    assert kept["type"] is None
    assert people(desk.fake.document(pair.rescan))["correspondent"] == "Savings Bank"


def test_undo_after_the_trash_was_emptied(desk: Desk) -> None:
    """It says so and changes nothing."""
    pair = merged(desk, rescan={"tags": ["Tax"]})
    desk.fake.empty_trash()
    _, err = desk.run("undo", str(pair.rescan), code=1)
    assert "deleted it for good" in err
    assert "Tax" in desk.fake.document(pair.letter).tags


def test_undo_of_a_dismissal_shows_the_finding_again(desk: Desk) -> None:
    pair = flagged(desk)
    shown = ours(desk.fake.document(pair.rescan))
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    desk.run("undo", str(pair.rescan))
    assert ours(desk.fake.document(pair.rescan)) == shown
    _, err = desk.run("undo", str(pair.letter + 1), code=1)
    assert "there is no decision on" in err


# A person at the same time


def test_a_person_tagging_at_the_same_moment_loses_nothing(desk: Desk) -> None:
    """At every write of ours a person puts another tag on both documents: all of them arrive."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan=RICH | {"archive_serial_number": None})
    made: list[str] = []

    def person() -> None:
        tag = f"By hand {len(made)}"
        made.append(tag)
        for number in (pair.letter, pair.rescan):
            if number not in desk.fake.trashed:
                desk.fake.tag(number, tag)

    for method in ("POST", "PATCH", "DELETE"):
        desk.fake.faults.add(method, "/api/documents/", Before(person), times=None)
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    desk.fake.faults.clear()
    assert desk.fake.trashed == [pair.rescan]
    assert len(made) > 5
    assert set(made) | {"Tax", "2025"} <= desk.fake.document(pair.letter).tags


def test_a_person_filling_in_the_same_field_wins(desk: Desk) -> None:
    """What the kept one got meanwhile stays, and our value is told as a conflict."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan=RICH | {"archive_serial_number": None})
    other = desk.fake.add_document("x", correspondent="Anna")
    number = desk.fake.state.documents[other].correspondent
    first = Before(lambda: desk.fake.edit(pair.letter, correspondent=number))
    desk.fake.faults.add("POST", "bulk_edit", first)
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.document(pair.letter).correspondent == "Anna"
    assert any('(here "Anna")' in note for note in desk.fake.document(pair.letter).notes)


def test_paperless_goes_down_half_way(desk: Desk) -> None:
    """The next run goes on; the tag is not needed any more for that."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan=RICH | {"archive_serial_number": None})
    desk.fake.faults.add("PATCH", f"/api/documents/{pair.letter}/", reply(503), times=None)
    desk.fake.tag(pair.rescan, "dedupe:confirm")
    desk.run("backfill", "--sync", "--quiet", code=0, **TRASH)
    assert desk.fake.trashed == []
    desk.fake.faults.clear()
    sync(desk)  # even with other settings: it was decided
    assert desk.fake.trashed == [pair.rescan]
    assert people(desk.fake.document(pair.letter))["correspondent"] == "Savings Bank"


# Commands


def test_decisions_move_to_another_index(desk: Desk, tmp_path: Path) -> None:
    """Exported, the index lost, imported: still not told."""
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    out, _ = desk.run("decisions", "export")
    (entry,) = [json.loads(line) for line in out.splitlines()]
    assert entry["evidence"]
    file = tmp_path / "decisions.jsonl"
    file.write_text(out)
    desk.place = tmp_path / "elsewhere"
    desk.place.mkdir()
    desk.fake.delete_custom_field(FIELD)  # else they would come from Paperless
    desk.run("adopt")
    _, err = desk.run("decisions", "import", str(file))
    assert err.startswith("1 decision imported")
    assert pairs(desk.backfill()) == set()
    _, err = desk.run("decisions", "import", str(file))
    assert "1 skipped because the pair is decided already" in err
    file.write_text('{"a": 2, "b": 1}\n')
    _, err = desk.run("decisions", "import", str(file), code=2)
    assert "line 1 is not a decision" in err


# Versions


def test_make_version(desk: Desk) -> None:
    """One document with two files, the newer text, the tags of both."""
    pair = flagged(desk, letter={"tags": ["Tax"]}, rescan={"tags": ["2025"], "archive_serial_number": 17})
    text = desk.fake.document(pair.rescan).content
    desk.fake.tag(pair.rescan, "dedupe:make-version")
    review(desk)
    kept = desk.fake.document(pair.letter)
    assert len(kept.versions) == 1
    assert kept.content == text
    assert people(kept)["tags"] == {"Tax", "2025"}
    assert kept.archive_serial_number == 17
    assert pair.rescan in desk.fake.trashed
    sync(desk)
    assert ours(desk.fake.document(pair.letter))[0] == set()
    (version,) = kept.versions
    said, _ = desk.run("undo", str(pair.rescan))
    assert f"except: the version that was attached is in the trash of Paperless, as #{version}" in said
    desk.fake.run_tasks()
    assert pair.rescan not in desk.fake.trashed
    assert version in desk.fake.state.documents
    assert desk.fake.document(pair.letter).content != text
    assert people(desk.fake.document(pair.letter))["tags"] == {"Tax"}


def test_make_version_of_the_same_file_is_refused(desk: Desk) -> None:
    pair = flagged(desk)
    copy = desk.fake.add_document(
        desk.fake.document(pair.letter).content, "Copy", added="2025-04-01T10:00:00"
    )
    desk.sync()
    decide(desk, copy, "dedupe:make-version")
    assert copy not in desk.fake.trashed
    assert any("the same file" in note for note in desk.fake.document(copy).notes)


def test_make_version_that_paperless_refuses(desk: Desk) -> None:
    """It takes no exact duplicates: the document is left as it was, with a note that says why."""
    pair = flagged(desk, rescan={"tags": ["2025"]})
    before = {number: people(desk.fake.document(number)) for number in (pair.letter, pair.rescan)}
    desk.fake.options.delete_duplicates = True
    desk.fake.tag(pair.rescan, "dedupe:make-version")
    review(desk)
    after = {number: people(desk.fake.document(number)) for number in (pair.letter, pair.rescan)}
    assert after == before
    assert any("did not attach the file" in note for note in desk.fake.document(pair.rescan).notes)
    assert desk.fake.document(pair.letter).versions == ()
