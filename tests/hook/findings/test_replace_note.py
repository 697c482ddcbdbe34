"""Which notes of a document are ours, when its record is there and when it was lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hook.findings.apply import replace_note
from hook.findings.findings import WrittenNote
from hook.findings.plan import digest_of
from hook.paperless.client import Paperless, connect
from hook.settings.loading import load_settings
from tests.fakes import FakePaperless

NOTE = 'Looks like #1 "letter" - rescan, {}% sure: reference WS-1 agrees.'


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as server:
        yield server


@pytest.fixture
def client(fake: FakePaperless) -> Iterator[Paperless]:
    with connect(load_settings({"DEDUPE_URL": fake.url, "DEDUPE_TOKEN": fake.token})) as opened:
        yield opened


def texts(client: Paperless, number: int) -> list[str]:
    return [note.text for note in client.notes(number)]


def test_a_note_of_a_lost_index_is_replaced_whatever_its_percentage(
    fake: FakePaperless, client: Paperless
) -> None:
    """The archive has grown: the same pair is 97% sure instead of 98%. Other notes stay."""
    number = fake.add_document("letter")
    for text in ("ask Anna, 98%", NOTE.format(98)):
        client.add_note(number, text)
    replace_note(client, number, NOTE.format(97), [WrittenNote(digest_of(NOTE.format(97)))])
    assert texts(client, number) == ["ask Anna, 98%", NOTE.format(97)]


def test_a_copy_of_our_note_stays_if_we_know_which_one_is_ours(
    fake: FakePaperless, client: Paperless
) -> None:
    number = fake.add_document("letter")
    copied = client.add_note(number, NOTE.format(98))[-1]
    known = WrittenNote(digest_of(NOTE.format(90)), copied.id + 1)
    replace_note(client, number, NOTE.format(97), [known, WrittenNote(digest_of(NOTE.format(97)))])
    assert sorted(texts(client, number)) == [NOTE.format(97), NOTE.format(98)]
