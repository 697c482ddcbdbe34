"""A fake Paperless, and a session with it whose archive is a fake one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.session import Session
from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import desk


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as server:
        yield server


@pytest.fixture
def session(fake: FakePaperless, tmp_path: Path) -> Iterator[Session]:
    with desk(fake, tmp_path) as at:
        yield at.session
