"""Files of documents are kept for whoever may see them, in a bounded directory that is private."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from hook.ink.files import PageFiles
from hook.ink.pages.paper import CannotLook, Reason
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from tests.fakes import FakePaperless


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as started:
        yield started


def _client(fake: FakePaperless, token: str = "") -> Paperless:
    return Paperless(ApiTransport(fake.url, SecretStr(token or fake.token)))


def _downloads(fake: FakePaperless) -> int:
    return sum("/download/" in one.path for one in fake.requests)


def test_a_file_is_fetched_once_and_again_when_it_has_changed(fake: FakePaperless, tmp_path: Path) -> None:
    number = fake.add_document("text", data=b"%PDF-one")
    files = PageFiles(tmp_path / "ink")
    with _client(fake) as client:
        assert [files.get(client, number) for _ in range(3)] == [b"%PDF-one"] * 3
        assert _downloads(fake) == 1
        fake.state.documents[number].data = b"%PDF-two"
        assert files.get(client, number) == b"%PDF-two"


def test_who_may_not_see_a_document_gets_no_kept_file(fake: FakePaperless, tmp_path: Path) -> None:
    fake.add_user("anna")
    stranger = fake.add_user("bert")
    number = fake.add_document("text", owner="anna", data=b"%PDF-private")
    files = PageFiles(tmp_path / "ink")
    with _client(fake) as client:
        files.get(client, number)
    with _client(fake, stranger) as client, pytest.raises(CannotLook) as caught:
        files.get(client, number)
    assert caught.value.reason is Reason.NOT_FETCHED


def test_the_oldest_files_go_when_there_is_no_room(fake: FakePaperless, tmp_path: Path) -> None:
    numbers = [fake.add_document(f"text {n}", data=b"%PDF-" + bytes([65 + n]) * 400) for n in range(6)]
    files = PageFiles(tmp_path / "ink", kept_bytes=1000)
    with _client(fake) as client:
        for number in numbers:
            files.get(client, number)
    kept = list((tmp_path / "ink").iterdir())
    assert sum(one.stat().st_size for one in kept) <= 1000 and len(kept) == 2
    assert {one.stat().st_mode & 0o777 for one in kept} == {0o600}


def test_a_directory_that_cannot_be_written_costs_a_download(fake: FakePaperless, tmp_path: Path) -> None:
    (tmp_path / "ink").write_text("in the way")
    number = fake.add_document("text", data=b"%PDF-one")
    with _client(fake) as client:
        assert PageFiles(tmp_path / "ink").get(client, number) == b"%PDF-one"
