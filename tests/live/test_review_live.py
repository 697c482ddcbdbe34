"""What a person gets who decides by tag: confirmed with trash and undone, made a version."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

import pytest

from hook.paperless.values import RawDocument
from tests.live.servers import PATIENCE_S, POLL_S, Server
from tests.live.texts import Texts

pytestmark = pytest.mark.live
TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


@dataclass(frozen=True)
class Flagged:
    text: str
    letter: int
    rescan: int


@pytest.fixture
def pair(real: Server, texts: Texts) -> Flagged:
    """A letter and its rescan, which shows the finding."""
    real.run("setup")
    text = texts.letter()
    letter = real.consume(text, "letter")
    rescan = real.consume(texts.scanned_again(text), "letter scanned again")
    assert "dedupe:rescan" in real.shown(rescan).tags
    assert any("Suggestion: keep #" in note for note in real.shown(rescan).notes)
    return Flagged(text, letter, rescan)


def head(document: RawDocument) -> tuple[Any, ...]:
    """What people file by, without our link field's empty list."""
    fields = {
        entry.field_id: entry.value for entry in document.custom_fields if entry.value not in (None, [])
    }
    named = (document.correspondent, document.document_type, document.storage_path)
    return (
        document.archive_serial_number,
        named,
        set(document.tags),
        fields,
        document.content,
        document.title,
    )


def test_confirm_with_trash_and_undo(real: Server, pair: Flagged) -> None:
    """Metadata and the ASN move, the document is in the trash, and undo brings all of it back."""
    asn, unique = 1 + secrets.randbelow(10**6), secrets.token_hex(4)
    correspondent = real.create("correspondents", name=f"Bank {unique}")
    amount = real.client.create_custom_field(f"Amount {unique}", "monetary")
    real.tag(pair.rescan, f"Tax {unique}")
    real.client.modify_custom_fields([pair.rescan], add={amount.id: "12.50"})
    payload = {"archive_serial_number": asn, "correspondent": correspondent}
    real.client.patch_document(pair.rescan, payload)
    real.client.add_note(pair.rescan, f"ask Anna {unique}")
    before = {number: head(real.document(number)) for number in (pair.letter, pair.rescan)}
    real.tag(pair.letter, "dedupe:keep")
    real.tag(pair.rescan, "dedupe:confirm")

    real.run("backfill", "--sync", **TRASH)
    assert pair.rescan in real.trashed()
    kept = real.document(pair.letter)
    assert (kept.archive_serial_number, kept.correspondent) == (asn, correspondent)
    assert kept.field_value(amount.id) == "12.50"
    assert real.shown(pair.letter).tags == {f"Tax {unique}"}
    notes = real.shown(pair.letter).notes
    assert any(note.endswith(f"ask Anna {unique}") for note in notes)
    assert any(
        note.startswith(f"Kept this document. #{pair.rescan} ") and f"ASN {asn}" in note for note in notes
    )
    assert real.shown(pair.letter).links == ()

    said = real.run("undo", str(pair.rescan))
    assert f"#{pair.rescan} is restored" in said
    assert pair.rescan not in real.trashed()
    assert "dedupe:rescan" in real.shown(pair.rescan).tags
    assert real.shown(pair.letter).notes == ()
    after = {number: head(real.document(number)) for number in (pair.letter, pair.rescan)}
    link = real.client.find_custom_field("Similar documents")
    assert link is not None
    assert pair.letter in real.shown(pair.rescan).links
    assert pair.rescan in real.shown(pair.letter).links
    assert after == before


def test_make_version(real: Server, pair: Flagged) -> None:
    """One document with two files, the newer text, the tags of both."""
    unique = secrets.token_hex(4)
    real.tag(pair.letter, f"Old {unique}")
    real.tag(pair.rescan, f"New {unique}")
    text = real.document(pair.rescan).content
    real.tag(pair.rescan, "dedupe:make-version")
    if not real.client.server_info().has_file_versions:
        real.run("backfill", "--sync")
        assert any("no file versions" in note for note in real.shown(pair.rescan).notes)
        assert real.trashed().isdisjoint({pair.letter, pair.rescan})
        return
    ends = time.monotonic() + PATIENCE_S
    while pair.rescan not in real.trashed():
        assert time.monotonic() < ends
        real.run("backfill", "--sync")
        time.sleep(POLL_S)
    kept = real.document(pair.letter)
    assert len(real.client.file_versions(pair.letter)) == 2
    assert kept.content.split() == text.split()
    names = {tag.id: tag.name for tag in real.client.tags()}
    assert {names[tag] for tag in kept.tags} == {f"Old {unique}", f"New {unique}"}
    real.run("undo", str(pair.rescan))
    assert len(real.client.file_versions(pair.letter)) == 1
    assert real.document(pair.letter).content.split() != text.split()
    assert "dedupe:rescan" in real.shown(pair.rescan).tags
