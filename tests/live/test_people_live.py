"""People's documents and their privacy where the fake says too little: OCR, permissions, the trash of another person."""

from __future__ import annotations

import secrets

import pytest
from pydantic import SecretStr

from hook.deadline import Deadline
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from hook.review.poll import decided
from hook.review.review import Review
from hook.session import opened, settings_of
from hook.settings.model import Settings
from tests.live.pdf import scanned_pdf
from tests.live.servers import Server
from tests.live.texts import Texts

pytestmark = pytest.mark.live
TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


@pytest.fixture
def fresh(real: Server) -> Server:
    real.run("setup")
    return real


class Somebody(Paperless):
    """Trashes the document to keep in the moment in which we trash the other."""

    keeper: int = 0

    def delete_document(self, document_id: int) -> None:
        super().delete_document(self.keeper)
        super().delete_document(document_id)


def test_the_keeper_is_trashed_in_the_same_moment(fresh: Server, texts: Texts) -> None:
    """The other one comes back, with a note."""
    text = texts.letter()
    first, second = fresh.consume(text, "letter"), fresh.consume(texts.scanned_again(text), "copy")
    fresh.tag(first, "dedupe:keep")
    fresh.tag(second, "dedupe:confirm")

    def connect(settings: Settings, deadline: Deadline) -> Paperless:
        token = SecretStr(fresh.token_file.read_text())
        client = Somebody(ApiTransport(settings.url, token, deadline=deadline))
        client.keeper = first
        return client

    with opened(settings_of({**fresh.environ(), **TRASH}), connect=connect) as session:
        Review(session).apply_decisions(decided(session, fresh=True))
    assert first in fresh.trashed()
    assert second not in fresh.trashed()
    assert any("was deleted in the same moment" in note for note in fresh.shown(second).notes)


def test_a_digital_original_is_kept(fresh: Server, texts: Texts) -> None:
    """The scan came first and has a correspondent; the digital file is suggested all the same."""
    text = texts.letter()
    scan = fresh.finished(fresh.send_file(scanned_pdf(text), "scan")).document
    assert scan is not None
    name = fresh.create("correspondents", name=secrets.token_hex(4))
    fresh.client.patch_document(scan, {"correspondent": name})
    digital = fresh.consume(text, "digital")
    notes = [note for number in (scan, digital) for note in fresh.shown(number).notes]
    assert any(f"Suggestion: keep #{digital} (born digital" in note for note in notes), notes


def test_a_private_document_is_not_named_on_a_shared_one(fresh: Server, texts: Texts) -> None:
    """Owner and view permissions of users, as the API shows them."""
    text, title = texts.letter(), f"private {secrets.token_hex(4)}"
    owner, friend = fresh.user("anna"), fresh.user("bert")
    private = fresh.consume(text, title)
    fresh.own(private, owner)
    fresh.run("backfill", "--sync")
    shared = fresh.consume(texts.scanned_again(text), "shared")
    fresh.own(shared, owner, view=[friend])
    fresh.run("backfill", "--again")
    shown = fresh.shown(shared)
    assert "dedupe:review" in shown.tags
    assert not [note for note in shown.notes if f"#{private}" in note or title in note]
    assert shown.links == ()
    assert fresh.shown(private).links == ()
    fresh.own(private, owner, view=[friend])
    fresh.run("backfill", "--again")
    assert fresh.shown(shared).links == (private,)
