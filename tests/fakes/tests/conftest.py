"""A fake Paperless 3 and a client for it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.fakes import FakePaperless
from tests.fakes.client import connect


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as server:
        yield server


@pytest.fixture
def api(fake: FakePaperless) -> Iterator[httpx.Client]:
    with connect(fake) as opened:
        yield opened
