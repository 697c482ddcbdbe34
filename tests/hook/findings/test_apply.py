"""What findings leave in Paperless: additive, the same twice, only ours, few calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hook.findings.apply import replace_note
from hook.findings.findings import WrittenNote
from hook.findings.plan import digest_of
from tests.fakes import After, FakePaperless
from tests.hook.findings.writing_kit import LETTER, RESCAN, TEXTS, THIRD, UNLIKE, Desk, applied, desk

FIELD = "Similar documents"
NOTE = 'Looks like #1 "letter" - rescan, {}% sure: reference WS-1 agrees.'


@pytest.fixture(params=["2.20.15", "3.0.5"])
def fake(request: pytest.FixtureRequest) -> Iterator[FakePaperless]:
    with FakePaperless(version=request.param) as server:
        yield server


def letters(fake: FakePaperless, count: int, **values: Any) -> tuple[list[int], list[int]]:
    """And a rescan of each, which has these values too."""
    texts = [TEXTS.letter() for _ in range(count)]
    olds = [fake.add_document(text, owner=values.get("owner")) for text in texts]
    return olds, [fake.add_document(TEXTS.scanned_again(text), **values) for text in texts]


def test_a_finding_is_tagged_noted_and_linked(fake: FakePaperless, at: Desk) -> None:
    """The newer document gets the tag below its parent, a note in words and a link that works both ways."""
    old, new = fake.add_document(LETTER, "Roof"), fake.add_document(RESCAN, "Scan")
    outcome = at.run(old, new)
    seen = fake.document(new)
    assert seen.tags == {"dedupe:review", "dedupe:rescan"}
    (note,) = seen.notes
    assert re.match(rf'Looks like #{old} "Roof" - rescan, \d+% sure: .*reference WS31\d+ agrees', note)
    assert note.endswith(f"Suggestion: keep #{old} (better readable text)")
    assert seen.custom_fields == {FIELD: [old]}
    assert fake.document(old).custom_fields == {FIELD: [new]}
    assert fake.document(old).tags == frozenset()
    assert fake.document(old).notes == ()
    assert re.match(rf"#{new} looks like a rescan of #{old}, \d+% sure: .*1 reference", outcome.line)
    assert len(at.bulk_edits()) == 2


def test_what_a_person_removed_stays_away(fake: FakePaperless, at: Desk) -> None:
    """Tag, note and link that somebody took off by hand do not come back with the next run."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    at.run(old, new)
    fake.untag(new, "dedupe:review")
    fake.state.documents[new].notes.clear()
    for number in (old, new):
        fake.state.documents[number].custom_fields.clear()
    at.writes()
    at.run(new)
    assert at.writes() == []
    third = fake.add_document(THIRD)
    at.run(third)
    assert fake.document(third).tags == {"dedupe:review", "dedupe:rescan"}


def test_what_people_have_set_stays(fake: FakePaperless, at: Desk) -> None:
    """Tags, notes, custom fields and links of people are as before, beside ours."""
    fake.add_custom_field("Amount", "float")
    fake.add_custom_field(FIELD, "documentlink")
    friend = fake.add_document(UNLIKE)
    old = fake.add_document(LETTER)
    new = fake.add_document(
        RESCAN, tags=["urgent"], notes=["mine"], custom_fields={"Amount": 1.5, FIELD: [friend]}
    )
    at.run(old, new)
    seen = fake.document(new)
    assert seen.tags == {"urgent", "dedupe:review", "dedupe:rescan"}
    assert seen.notes[0] == "mine"
    assert len(seen.notes) == 2
    assert seen.custom_fields == {"Amount": 1.5, FIELD: [friend, old]}


def test_a_hostile_title_stays_one_short_line(fake: FakePaperless, at: Desk) -> None:
    """Whatever a title holds, the note shows a line of bounded length, and braces are no placeholders."""
    title = "a\nb\x00\u202e{reason}\t" + "x" * 500
    old, new = fake.add_document(LETTER, title), fake.add_document(RESCAN)
    at.run(old, new)
    (note,) = fake.document(new).notes
    assert f'"a b {{reason}} {"x" * 66}…"' in note
    assert len(note) < 300


def test_a_finding_that_no_longer_holds_is_taken_back(fake: FakePaperless, at: Desk) -> None:
    """Our tags, note and link go, on both sides; everything else stays."""
    fake.add_custom_field("Amount", "float")
    old = fake.add_document(LETTER)
    new = fake.add_document(RESCAN, tags=["urgent"], notes=["mine"], custom_fields={"Amount": 2.0})
    at.run(old, new)
    fake.reprocess(new, UNLIKE)
    outcome = at.run(new)
    seen = fake.document(new)
    assert seen.tags == {"urgent"}
    assert seen.notes == ("mine",)
    assert seen.custom_fields == {"Amount": 2.0}
    assert not fake.document(old).custom_fields.get(FIELD)
    assert "marks removed" in outcome.line
    at.writes()
    at.run(new, old)
    assert at.writes() == []


def test_the_other_document_is_tagged_if_wished(fake: FakePaperless, tmp_path: Path) -> None:
    """With DEDUPE_TAG_OTHER one call tags both; taken back it leaves what another finding needs."""
    with desk(fake, tmp_path, tag_other="rescan") as at:
        old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
        at.run(old, new)
        assert fake.document(old).tags == {"dedupe:review", "dedupe:rescan"}
        assert len(at.bulk_edits()) == 2
        third = fake.add_document(THIRD)
        at.run(third)
        fake.reprocess(third, UNLIKE)
        at.run(third)
        assert fake.document(third).tags == frozenset()
        assert fake.document(old).tags == {"dedupe:review", "dedupe:rescan"}
        fake.reprocess(new, f"{UNLIKE} Nor is it about ships.")
        at.run(new)
        assert fake.document(old).tags == frozenset()


def test_names_are_settings(fake: FakePaperless, tmp_path: Path) -> None:
    options: dict[str, Any] = {"tag_review": "Prüfen", "tag_rescan": "Nochmal", "link_field": "Wie"}
    with desk(fake, tmp_path, **options) as at:
        old, new = fake.add_document(LETTER), fake.add_document(RESCAN, "Titel")
        at.run(old, new)
        seen = fake.document(new)
        assert seen.tags == {"Prüfen", "Nochmal"}
        assert seen.custom_fields == {"Wie": [old]}


def test_a_renamed_tag_stays_ours(fake: FakePaperless, at: Desk) -> None:
    """Somebody who gives our tag a better name in Paperless does not get a second one."""
    at.run(fake.add_document(LETTER), fake.add_document(RESCAN))
    fake.state.tags[fake.tag_id("dedupe:rescan")].name = "Doppelt"
    new = fake.add_document(THIRD)
    at.run(new)
    assert fake.document(new).tags == {"dedupe:review", "Doppelt"}


def test_a_batch_is_written_with_few_calls(fake: FakePaperless, at: Desk) -> None:
    """Ten findings of one relation: one bulk edit for their tags, none for their links."""
    olds, news = letters(fake, 10)
    done = applied(at, *olds, *news)
    assert done.kept == {}
    assert done.bulk_edits == len(at.bulk_edits()) == 1
    for old, new in zip(olds, news, strict=True):
        assert fake.document(new).tags == {"dedupe:review", "dedupe:rescan"}
        assert fake.document(new).custom_fields == {FIELD: [old]}
        assert fake.document(old).custom_fields == {FIELD: [new]}
    at.writes()
    assert applied(at, *olds, *news).written == set()
    assert at.writes() == []


def test_a_batch_keeps_the_custom_fields_of_people(fake: FakePaperless, at: Desk) -> None:
    """Where a document has other custom fields, links are added by bulk edit, which cannot lose any."""
    fake.add_custom_field("Amount", "float")
    olds, news = letters(fake, 2, custom_fields={"Amount": 1})
    applied(at, *olds, *news)
    assert fake.document(news[1]).custom_fields == {"Amount": 1, FIELD: [olds[1]]}
    patched = [seen.path for seen in fake.writes if seen.method == "PATCH"]
    assert patched == []


def test_a_link_in_the_list_that_went_to_the_trash(fake: FakePaperless, at: Desk) -> None:
    """Paperless refuses a list with a trashed document in it: the link is made from the other side."""
    fake.add_custom_field(FIELD, "documentlink")
    friend = fake.add_document(UNLIKE)
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN, custom_fields={FIELD: [friend]})
    fake.trash(friend)
    outcome = at.run(old, new)
    assert outcome.kept == ""
    assert fake.document(new).custom_fields == {FIELD: [friend, old]}
    assert fake.document(old).custom_fields == {FIELD: [new]}


def test_a_trashed_document_is_never_named(fake: FakePaperless, at: Desk) -> None:
    """It may still be in the index: Paperless is asked before anything is said about it."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    at.run(old)
    fake.trash(old)
    outcome = at.run(new)
    assert outcome.findings == ()
    assert fake.writes == []
    fake.restore(old)
    assert at.run(new).findings != ()


def test_a_link_lost_on_one_side_is_set_again(fake: FakePaperless, at: Desk) -> None:
    """A person edits links while Paperless writes ours: reading back shows it, and it is mended."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    friend = fake.add_document(UNLIKE)
    at.run(old)
    field_id = fake.add_custom_field(FIELD, "documentlink")

    def person_saves() -> None:
        fake.state.documents[old].custom_fields[field_id] = [friend]

    fake.faults.add("POST", "bulk_edit", After(person_saves), skip=1)
    at.run(new)
    assert fake.document(new).custom_fields == {FIELD: [old]}
    assert fake.document(old).custom_fields == {FIELD: [friend, new]}


def test_one_document_of_a_batch_that_may_not_be_changed(fake: FakePaperless, tmp_path: Path) -> None:
    """Paperless refuses the whole call for it: the others are tagged all the same."""
    fake.add_user("ann")
    bot = fake.add_user("bot")
    olds, news = letters(fake, 5, owner="ann")
    for number in (*olds, *news):
        fake.share(number, "bot", change=number != news[2])
        fake.share(number, "bot")
    with desk(fake, tmp_path, token=bot) as at:
        done = applied(at, *olds, *news)
        assert list(done.kept) == [news[2]]
        assert "superuser" in done.kept[news[2]]
    tagged = [bool(fake.document(number).tags) for number in news]
    assert tagged == [True, True, False, True, True]


def test_a_note_of_a_lost_index_is_replaced_whatever_its_percentage(fake: FakePaperless, at: Desk) -> None:
    """The archive has grown: the same pair is 97% sure instead of 98%. Other notes stay."""
    number = fake.add_document("letter", notes=["ask Anna, 98%", NOTE.format(98)])
    replace_note(at.session.client, number, NOTE.format(97), [WrittenNote(digest_of(NOTE.format(97)))])
    assert fake.document(number).notes == ("ask Anna, 98%", NOTE.format(97))


def test_a_copy_of_our_note_stays_if_we_know_which_one_is_ours(fake: FakePaperless, at: Desk) -> None:
    number = fake.add_document("letter", notes=[NOTE.format(98)])
    (copied,) = at.session.client.notes(number)
    known = WrittenNote(digest_of(NOTE.format(90)), copied.id + 1)
    replace_note(at.session.client, number, NOTE.format(97), [known, WrittenNote(digest_of(NOTE.format(97)))])
    assert sorted(fake.document(number).notes) == [NOTE.format(97), NOTE.format(98)]
