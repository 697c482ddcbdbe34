"""Fixtures of the tests that run a whole program against a Paperless."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.hook_kit import Hooked
from tests.fakes import FakePaperless
from tests.live.texts import Texts


@pytest.fixture
def hooked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Hooked]:
    with FakePaperless() as fake:
        yield Hooked(fake, tmp_path, capfd)


@pytest.fixture
def texts() -> Texts:
    return Texts(4711)
