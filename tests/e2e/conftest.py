"""Fixtures of the tests that run a whole program against a Paperless."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.archive_kit import Desk
from tests.e2e.hook_kit import Hooked
from tests.fakes import FakePaperless
from tests.fakes.embedding_server import EmbeddingServer, embedding_server
from tests.live.texts import Texts


@pytest.fixture
def version() -> str:
    """Of the fake Paperless; a test that is about the differences is parametrised with others."""
    return "3.0.5"


@pytest.fixture
def fake(version: str) -> Iterator[FakePaperless]:
    with FakePaperless(version) as paperless:
        yield paperless


@pytest.fixture
def hooked(fake: FakePaperless, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Hooked:
    return Hooked(fake, tmp_path, capfd)


@pytest.fixture
def desk(fake: FakePaperless, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(fake, tmp_path, capsys)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture
def texts() -> Texts:
    return Texts(4711)
