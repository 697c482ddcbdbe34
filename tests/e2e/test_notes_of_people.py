"""Notes of people: they are taken over whatever words they contain, and never deleted as if they were ours."""

from __future__ import annotations

from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import decide, flagged, sync, third_copy

TRASH = {"DEDUPE_ON_CONFIRM": "trash"}
LIKE_OURS = [
    "Not done: call the bank. They want a copy of this letter",
    "My colleague asked: Not done: why? I told her",
    "To undo this: `paperless-dedupe undo 3`, says the manual",
    "Looks like #3, but ask Anna",
    "Kept this document. #9 is with the lawyer",
]


def test_notes_that_contain_our_words_are_taken_over(desk: Desk) -> None:
    """Ours are known by their id and digest, not by what they say."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan={"notes": LIKE_OURS})
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.rescan]
    kept = desk.fake.document(pair.letter).notes
    for note in LIKE_OURS:
        assert any(one.endswith(f": {note}") for one in kept), note


def test_our_own_notes_are_not_taken_over(desk: Desk) -> None:
    """Neither the finding, nor a refusal, nor the summary of an earlier merge."""
    pair = flagged(desk, letter={"archive_serial_number": 5})
    third = third_copy(desk, pair.letter)
    sync(desk)
    for number in (pair.letter, pair.rescan):
        desk.fake.tag(number, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)  # refused, with a note
    assert any(note.startswith("Not done:") for note in desk.fake.document(pair.rescan).notes)
    desk.fake.untag(pair.rescan, "dedupe:keep")
    sync(desk, **TRASH)
    assert pair.rescan in desk.fake.trashed
    desk.fake.tag(third, "dedupe:keep")
    decide(desk, third, "dedupe:confirm", **TRASH)
    assert sorted(desk.fake.trashed) == [pair.letter, pair.rescan]
    notes = desk.fake.document(third).notes
    assert not [note for note in notes if note.startswith("Note on #")]


def test_a_note_of_the_person_with_the_very_words_of_ours_is_taken_over(desk: Desk) -> None:
    """The same text, but another id."""
    pair = flagged(desk, letter={"archive_serial_number": 5})
    (note,) = desk.fake.document(pair.rescan).notes
    desk.fake.state.add_note(desk.fake.state.documents[pair.rescan], note, desk.fake._user("admin"))
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert any(one.startswith("Note on #") for one in desk.fake.document(pair.letter).notes)


def test_undo_deletes_only_the_notes_that_it_wrote(desk: Desk) -> None:
    """The person copied one of the notes by hand: theirs stays."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan={"notes": ["ask Anna"]})
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    copied = next(note for note in desk.fake.document(pair.letter).notes if note.startswith("Note on #"))
    desk.fake.state.add_note(desk.fake.state.documents[pair.letter], copied, desk.fake._user("admin"))
    desk.run("undo", str(pair.rescan))
    assert [note for note in desk.fake.document(pair.letter).notes if "ask Anna" in note] == [copied]
