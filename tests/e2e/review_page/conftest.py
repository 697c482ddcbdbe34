"""A stand-in Paperless with findings, and the review page served beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.review_page.page_kit import Archive, Plain, examined, fill, logged_in, served
from tests.e2e.serve_kit import BesideFake
from tests.fakes import FakePaperless

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless(task_delay_s=0.0) as started:
        yield started


@pytest.fixture
def archive(fake: FakePaperless, tmp_path: Path) -> Archive:
    found = fill(fake)
    examined(fake, tmp_path)
    fake.forget_requests()
    return found


@pytest.fixture
def at(fake: FakePaperless, tmp_path: Path, archive: Archive) -> Iterator[BesideFake]:
    with served(fake, tmp_path) as started:
        yield started


@pytest.fixture
def person(at: BesideFake) -> Plain:
    return logged_in(at)


@pytest.fixture(scope="module")  # while a browser is driven, other tests of the process can run no event loop
def chrome() -> Iterator[Browser]:
    from tests.e2e.review_page.browser_kit import browser  # most tests need none

    with browser() as started:
        yield started
