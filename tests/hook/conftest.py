"""A session with a fake Paperless."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.session import Session
from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import Desk, desk


@pytest.fixture
def at(fake: FakePaperless, tmp_path: Path) -> Iterator[Desk]:
    with desk(fake, tmp_path) as made:
        yield made


@pytest.fixture
def session(at: Desk) -> Session:
    return at.session
