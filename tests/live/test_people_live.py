"""People's documents and their privacy, as on a real server: refusals, the trash, notes, the keeper, a second index."""

from __future__ import annotations

import secrets

import pytest
from pydantic import SecretStr

from hook.deadline import Deadline
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from hook.paperless.values import CustomField
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
def texts() -> Texts:
    return Texts(secrets.randbelow(10**6))


@pytest.fixture
def fresh(real: Server) -> Server:
    real.run("setup")
    return real


def copies(server: Server, texts: Texts, count: int = 2) -> list[int]:
    text = texts.letter()
    made = [server.consume(text, "letter")]
    made += [server.consume(texts.scanned_again(text), f"letter, copy {n}") for n in range(1, count)]
    assert "dedupe:review" in server.shown(made[-1]).tags
    return made


def link_field(server: Server) -> CustomField:
    found = server.client.find_custom_field("Similar documents")
    assert found is not None
    return found


def test_keep_and_confirm_on_both(fresh: Server, texts: Texts) -> None:
    """Point 1: nothing moves, no tag of the person changes, one note."""
    pair = copies(fresh, texts)
    for number in pair:
        fresh.tag(number, "dedupe:keep")
        fresh.tag(number, "dedupe:confirm")
    for _ in range(2):
        fresh.run("backfill", "--sync", **TRASH)
        assert fresh.trashed().isdisjoint(pair)
        for number in pair:
            assert {"dedupe:keep", "dedupe:confirm"} <= fresh.shown(number).tags
    refused = [n for number in pair for n in fresh.shown(number).notes if n.startswith("Not done:")]
    assert len(refused) == 1


def test_one_of_three_was_trashed(fresh: Server, texts: Texts) -> None:
    """Points 2 and 8: the lists still name it, and Paperless refuses such a list."""
    first, second, third = copies(fresh, texts, 3)
    fresh.client.delete_document(second)
    fresh.tag(third, "dedupe:not-duplicate")
    fresh.run("backfill", "--sync")
    fresh.run("backfill", "--sync")
    shown = fresh.shown(third)
    assert (shown.tags, shown.notes, set(shown.links) - {second}) == (frozenset(), (), set())
    assert set(fresh.shown(first).links) <= {second}


def test_no_empty_field_stays_behind(fresh: Server, texts: Texts) -> None:
    """Point 8: on both documents."""
    pair = copies(fresh, texts)
    fresh.tag(pair[1], "dedupe:not-duplicate")
    fresh.run("backfill", "--sync")
    for number in pair:
        fields = [entry.field_id for entry in fresh.document(number).custom_fields]
        assert link_field(fresh).id not in fields


def test_notes_with_our_words(fresh: Server, texts: Texts) -> None:
    """Point 3: a note of a person is taken over, whatever it says."""
    first, second = copies(fresh, texts)
    note = f"Not done: ask the bank {secrets.token_hex(4)}"
    fresh.client.add_note(second, note)
    fresh.tag(first, "dedupe:keep")
    fresh.tag(second, "dedupe:confirm")
    fresh.run("backfill", "--sync", **TRASH)
    assert second in fresh.trashed()
    assert any(one.endswith(note) for one in fresh.shown(first).notes)


class Somebody(Paperless):
    """Trashes the document to keep in the moment in which we trash the other."""

    keeper: int = 0

    def delete_document(self, document_id: int) -> None:
        super().delete_document(self.keeper)
        super().delete_document(document_id)


def test_the_keeper_is_trashed_in_the_same_moment(fresh: Server, texts: Texts) -> None:
    """Point 4: the other one comes back, with a note."""
    first, second = copies(fresh, texts)
    fresh.tag(first, "dedupe:keep")
    fresh.tag(second, "dedupe:confirm")

    def connect(settings: Settings, deadline: Deadline) -> Paperless:
        token = SecretStr(fresh.token_file.read_text())
        client = Somebody(ApiTransport(settings.url, token, deadline=deadline))
        client.keeper = first
        return client

    with opened(settings_of({**fresh.environ(), **TRASH}), connect=connect) as session:
        Review(session).pick_up(decided(session, fresh=True))
    assert first in fresh.trashed()
    assert second not in fresh.trashed()
    assert any("was deleted in the same moment" in note for note in fresh.shown(second).notes)


def test_a_digital_original_is_kept(fresh: Server, texts: Texts) -> None:
    """Point 5: the scan came first and has a correspondent; the digital file is suggested all the same."""
    text = texts.letter()
    scan = fresh.finished(fresh.send_file(scanned_pdf(text), "scan")).document
    assert scan is not None
    name = fresh.create("correspondents", name=secrets.token_hex(4))
    fresh.client.patch_document(scan, {"correspondent": name})
    digital = fresh.consume(text, "digital")
    notes = [note for number in (scan, digital) for note in fresh.shown(number).notes]
    assert any(f"Suggestion: keep #{digital} (born digital" in note for note in notes), notes


def test_a_second_index(fresh: Server, texts: Texts) -> None:
    """Point 7: it stops and writes nothing; adopted, it knows what was dismissed."""
    pair = copies(fresh, texts)
    fresh.tag(pair[1], "dedupe:not-duplicate")
    fresh.run("backfill", "--sync")
    another = str(fresh.index_dir.parent / "another")
    said = fresh.fails("backfill", code=4, DEDUPE_INDEX_DIR=another)
    assert "another index" in said
    fresh.run("adopt", DEDUPE_INDEX_DIR=another)
    fresh.run("backfill", DEDUPE_INDEX_DIR=another)
    for number in pair:
        shown = fresh.shown(number)
        assert (shown.tags, shown.notes, shown.links) == (frozenset(), (), ())
    fresh.run("adopt")


def test_a_private_document_is_not_named_on_a_shared_one(fresh: Server, texts: Texts) -> None:
    """Point 9: owner and view permissions of users, as the API shows them."""
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
