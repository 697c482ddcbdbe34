"""An examination decodes no record of the index twice: that inflates the whole text of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dedupe_core.model import Fingerprint
from hook.examination import judging
from hook.examination.codec import decode
from hook.session import opened
from hook.settings.loading import load_settings
from hook.work import Outcome, examine
from tests.fakes import FakePaperless
from tests.live.texts import Texts


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as server:
        yield server


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often the record of each document was decoded."""
    found = Counter[int]()

    def counting(record: bytes) -> Fingerprint:
        fingerprint = decode(record)
        found[fingerprint.id] += 1
        return fingerprint

    monkeypatch.setattr(judging, "decode", counting)
    return found


@pytest.fixture
def copies(fake: FakePaperless) -> list[int]:
    """A letter and two rescans of it."""
    texts = Texts(31)
    letter = texts.letter()
    return [fake.add_document(text) for text in (letter, *(texts.scanned_again(letter) for _ in range(2)))]


def examined(fake: FakePaperless, place: Path, number: int) -> Outcome:
    """As the hook does it: in a process that has just started."""
    environ = {"DEDUPE_URL": fake.url, "DEDUPE_TOKEN": fake.token, "DEDUPE_INDEX_DIR": str(place)}
    with opened(load_settings(environ)) as session:
        return examine(session, number, patience_s=0.0)


def test_no_record_is_decoded_twice(
    fake: FakePaperless, copies: list[int], counts: Counter[int], tmp_path: Path
) -> None:
    """From the look-up to the note: of a new document, an unchanged one, and one with another text."""
    for number in (*copies, *copies):
        counts.clear()
        outcome = examined(fake, tmp_path, number)
        assert set(counts.values()) <= {1}, (number, counts)
    assert {finding.other for finding in outcome.findings} == set(copies[:2])
    for number in copies:
        fake.reprocess(number, fake.document(number).content + "\nPlease bring the key of the garden gate.")
        counts.clear()
        assert examined(fake, tmp_path, number).is_news
        assert counts == dict.fromkeys(copies, 1), (number, counts)
