"""Our notes say what is so, and go when it is not; notes of people are theirs, whatever words they contain."""

from __future__ import annotations

import re

import pytest

from hook.findings.decisions import Kind
from tests.e2e.archive_kit import Desk
from tests.e2e.hook_kit import Hooked
from tests.e2e.review_kit import (
    TRASH,
    decide,
    decisions,
    findings,
    flagged,
    merged,
    ours,
    people,
    refusals,
    sync,
    third_copy,
)
from tests.live.texts import Texts

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
    pair = merged(desk, rescan={"tags": ["Tax"], "notes": ["ask Anna"]})
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
    desk.run("undo", str(pair.rescan), code=0, **TRASH)
    after = people(desk.fake.document(pair.letter))
    assert (after["tags"], after["notes"]) == (set(), [])
    assert desk.fake.trashed == []
    assert decisions(desk) == []
    assert findings(desk) == {(pair.rescan, pair.letter)}


# Notes of people

LIKE_OURS = [
    "Not done: call the bank. They want a copy of this letter",
    "My colleague asked: Not done: why? I told her",
    "To undo this: `paperless-dedupe undo 3`, says the manual",
    "Looks like #3, but ask Anna",
    "Kept this document. #9 is with the lawyer",
]


def test_notes_that_contain_our_words_are_taken_over(desk: Desk) -> None:
    """Ours are known by their id and digest, not by what they say."""
    pair = merged(desk, rescan={"notes": LIKE_OURS})
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
    assert refusals(desk, pair.rescan)
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
    pair = merged(desk, rescan={"notes": ["ask Anna"]})
    copied = next(note for note in desk.fake.document(pair.letter).notes if note.startswith("Note on #"))
    desk.fake.state.add_note(desk.fake.state.documents[pair.letter], copied, desk.fake._user("admin"))
    desk.run("undo", str(pair.rescan))
    assert [note for note in desk.fake.document(pair.letter).notes if "ask Anna" in note] == [copied]


# In another language

GERMAN = {"DEDUPE_LANGUAGE": "de", **TRASH}
# Words of our English notes that no German one has; what is quoted is the text of a document, a title or a command.
ENGLISH = re.compile(
    r"\b(the|this|and|was|is|not|of|to|it|them|from|one|both|differ|done|looks|like|kept|taken|here|only|has)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r'"[^"]*"|`[^`]*`|\([^)]*\b\d{4}-\d\d-\d\d\): .*', re.DOTALL)


def test_every_note_is_in_the_language_of_the_settings(desk: Desk) -> None:
    """German with DEDUPE_LANGUAGE=de: what was taken over, what not, and how to undo it; and why nothing was done."""
    texts, fake = Texts(31), desk.fake
    text = texts.letter()
    first = fake.add_document(text, "Brief", correspondent="Bank", archive_serial_number=3)
    scan = fake.add_document(
        texts.scanned_again(text),
        "Scan",
        correspondent="Kasse",
        document_type="Brief",
        tags=["Steuer", "2025"],
        archive_serial_number=4,
        notes=["Bezahlt"],
    )
    other = fake.add_document("Ein Einkaufszettel: Milch, Brot, Butter", "Zettel")
    desk.run("setup", code=0, **GERMAN)
    sync(desk, **GERMAN)
    assert "dedupe:prüfen" in fake.document(scan).tags
    fake.tag(first, "dedupe:behalten")
    for number in (scan, other):
        fake.tag(number, "dedupe:bestätigen")
    sync(desk, **GERMAN)
    assert fake.trashed == [scan]
    notes = [note for number in (first, scan, other) for note in fake.document(number).notes]
    assert [note for note in notes if ENGLISH.search(QUOTED.sub("", note))] == []
    said = "\n".join(notes)
    assert "Ähnelt #" in said
    assert "Dieses Dokument wurde behalten." in said
    assert 'Davon übernommen: Tags "2025", "Steuer"; Typ "Brief"; seine Notiz.' in said
    assert 'weil hier ein anderer Wert steht: Korrespondent "Kasse" (hier "Bank"); ASN 4 (hier 3).' in said
    assert "Notiz zu #" in said
    assert "es gibt keinen Fund, über den zu entscheiden wäre" in said
