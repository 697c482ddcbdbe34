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

TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


@dataclass(frozen=True)
class Flagged:
    text: str
    letter: int
    rescan: int


@pytest.fixture
def pair(server: Server, texts: Texts) -> Flagged:
    """A letter and its rescan, which shows the finding."""
    server.run("setup")
    text = texts.letter()
    letter = server.consume(text, "letter")
    rescan = server.consume(texts.scanned_again(text), "letter scanned again")
    assert "dedupe:rescan" in server.shown(rescan).tags
    assert any("Suggestion: keep #" in note for note in server.shown(rescan).notes)
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


def test_confirm_with_trash_and_undo(server: Server, pair: Flagged) -> None:
    """Metadata and the ASN move, the document is in the trash, and undo brings all of it back."""
    asn, unique = 1 + secrets.randbelow(10**6), secrets.token_hex(4)
    correspondent = server.create("correspondents", name=f"Bank {unique}")
    amount = server.client.create_custom_field(f"Amount {unique}", "monetary")
    server.tag(pair.rescan, f"Tax {unique}")
    server.client.modify_custom_fields([pair.rescan], add={amount.id: "12.50"})
    payload = {"archive_serial_number": asn, "correspondent": correspondent}
    server.client.patch_document(pair.rescan, payload)
    server.client.add_note(pair.rescan, f"ask Anna {unique}")
    before = {number: head(server.document(number)) for number in (pair.letter, pair.rescan)}
    server.tag(pair.letter, "dedupe:keep")
    server.tag(pair.rescan, "dedupe:confirm")

    server.run("backfill", "--sync", **TRASH)
    assert pair.rescan in server.trashed()
    kept = server.document(pair.letter)
    assert (kept.archive_serial_number, kept.correspondent) == (asn, correspondent)
    assert kept.field_value(amount.id) == "12.50"
    assert server.shown(pair.letter).tags == {f"Tax {unique}"}
    notes = server.shown(pair.letter).notes
    assert any(note.endswith(f"ask Anna {unique}") for note in notes)
    assert any(
        note.startswith(f"Kept this document. #{pair.rescan} ") and f"ASN {asn}" in note for note in notes
    )
    assert server.shown(pair.letter).links == ()

    said = server.run("undo", str(pair.rescan))
    assert f"#{pair.rescan} is restored" in said
    assert pair.rescan not in server.trashed()
    assert "dedupe:rescan" in server.shown(pair.rescan).tags
    assert server.shown(pair.letter).notes == ()
    after = {number: head(server.document(number)) for number in (pair.letter, pair.rescan)}
    link = server.client.find_custom_field("Similar documents")
    assert link is not None
    assert pair.letter in server.shown(pair.rescan).links
    assert pair.rescan in server.shown(pair.letter).links
    assert after == before


def test_make_version(server: Server, pair: Flagged) -> None:
    """One document with two files, the newer text, the tags of both."""
    unique = secrets.token_hex(4)
    server.tag(pair.letter, f"Old {unique}")
    server.tag(pair.rescan, f"New {unique}")
    text = server.document(pair.rescan).content
    server.tag(pair.rescan, "dedupe:make-version")
    if not server.client.server_info().has_file_versions:
        server.run("backfill", "--sync")
        assert any("no file versions" in note for note in server.shown(pair.rescan).notes)
        assert server.trashed().isdisjoint({pair.letter, pair.rescan})
        return
    ends = time.monotonic() + PATIENCE_S
    while pair.rescan not in server.trashed():
        assert time.monotonic() < ends
        server.run("backfill", "--sync")
        time.sleep(POLL_S)
    kept = server.document(pair.letter)
    assert len(server.client.file_versions(pair.letter)) == 2
    assert kept.content.split() == text.split()
    names = {tag.id: tag.name for tag in server.client.tags()}
    assert {names[tag] for tag in kept.tags} == {f"Old {unique}", f"New {unique}"}
    server.run("undo", str(pair.rescan))
    assert len(server.client.file_versions(pair.letter)) == 1
    assert server.document(pair.letter).content.split() != text.split()
    assert "dedupe:rescan" in server.shown(pair.rescan).tags
