"""The worker survives what stops it, and waits a growing while."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hook.errors import UnreachableError
from hook.queue import Queue
from hook.service.metrics import Metrics
from hook.service.worker import Worker
from hook.session import Session, opened
from hook.settings.loading import load_settings
from tests.e2e.archive_kit import Desk, connect_impatiently
from tests.e2e.serve_kit import counted, until
from tests.fakes import FORBIDDEN, SERVER_ERROR, FakePaperless, reply
from tests.live.texts import Texts


@pytest.fixture
def texts() -> Texts:
    return Texts(12)


@dataclass
class Shop:
    """A worker at a fake Paperless; what it opens can be made to fail."""

    fake: FakePaperless
    place: Path
    queue: Queue
    metrics: Metrics = field(default_factory=Metrics)
    problems: list[Exception] = field(default_factory=list)
    opened: int = 0
    options: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def open(self) -> Iterator[Session]:
        self.opened += 1
        if self.problems:
            raise self.problems.pop()
        settings = load_settings(Desk(self.fake, self.place).environ(**self.options))
        with opened(settings, queue=self.queue, connect=connect_impatiently) as session:
            yield session

    @contextmanager
    def working(self) -> Iterator[Worker]:
        worker = Worker(self.open, self.queue, self.metrics, idle_s=0.02)
        worker.start()
        try:
            yield worker
        finally:
            assert worker.stop(10.0)

    def examined(self) -> int:
        return counted(self.metrics, "dedupe_examined_total", source="event")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with FakePaperless() as fake:
        yield Shop(fake, tmp_path, Queue(tmp_path / "index"))


def test_a_finding_on_another_document_is_worked_off_as_well(shop: Shop, texts: Texts) -> None:
    """The newer one of two carries the finding, even if it was examined first."""
    letter = shop.fake.add_document(text := texts.letter())
    scan = shop.fake.add_document(texts.scanned_again(text))
    with shop.working():
        for number in (scan, letter):
            shop.queue.accept(number)
        until(lambda: shop.examined() == 3 and not shop.queue.numbers())
    assert "dedupe:rescan" in shop.fake.document(scan).tags


def test_what_was_said_is_not_said_each_time(
    shop: Shop, texts: Texts, caplog: pytest.LogCaptureFixture
) -> None:
    """Our own writes come back as events: one line for each document is enough."""
    caplog.set_level(logging.INFO)
    letter = shop.fake.add_document(text := texts.letter())
    scan = shop.fake.add_document(texts.scanned_again(text))
    with shop.working():
        for examined, number in enumerate((letter, scan, letter, scan, scan), start=1):
            shop.queue.accept(number)
            until(lambda wanted=examined: shop.examined() == wanted)  # type: ignore[misc]  # mypy knows no default
    said = [record.message for record in caplog.records if record.message.startswith("#")]
    assert [line.split()[0] for line in said] == [f"#{letter}:", f"#{scan}"]


def test_it_survives_whatever_the_opening_says(shop: Shop, texts: Texts) -> None:
    """Also what nobody foresaw."""
    number = shop.fake.add_document(texts.letter())
    shop.problems = [UnreachableError("GET /api/", "away")]
    with shop.working() as worker:
        shop.queue.accept(number)
        until(lambda: bool(worker.stalled))
        until(lambda: shop.examined() == 1)
        assert worker.stalled == ""
    assert shop.opened == 2


def test_one_bad_document_does_not_stop_the_line(shop: Shop, texts: Texts) -> None:
    """It costs it an attempt; the next one is examined."""
    bad, good = (shop.fake.add_document(texts.letter()) for _ in range(2))
    shop.fake.faults.add("GET", rf"/documents/{bad}/", FORBIDDEN, times=None)
    with shop.working():
        for number in (bad, good):
            shop.queue.accept(number)
        until(lambda: shop.examined() == 1)
        until(lambda: counted(shop.metrics, "dedupe_failures_total", kind="document") == 1)
    (event,) = shop.queue.events()
    assert (event.document_id, event.attempts) == (bad, 1)


def test_an_index_that_was_replaced_is_opened_again(shop: Shop, texts: Texts) -> None:
    """`backfill --rebuild` of a damaged index puts another file in its place."""
    first, second = (shop.fake.add_document(texts.letter()) for _ in range(2))
    with shop.working():
        shop.queue.accept(first)
        until(lambda: shop.examined() == 1)
        database = shop.place / "index" / "cache.db"
        for path in database.parent.glob("cache.db*"):
            path.rename(path.with_name(f"old-{path.name}"))
        until(lambda: shop.opened == 2)
        shop.queue.accept(second)
        until(lambda: shop.examined() == 2)
    assert database.exists()


def test_paperless_in_trouble_costs_no_attempt(shop: Shop, texts: Texts) -> None:
    number = shop.fake.add_document(texts.letter())
    shop.fake.faults.add("GET", "/documents/", SERVER_ERROR, times=None)
    with shop.working() as worker:
        shop.queue.accept(number)
        until(lambda: bool(worker.stalled))
    (event,) = shop.queue.events()
    assert event.attempts == 0


def test_a_decision_that_paperless_failed_on_is_tried_again_without_another_event(
    shop: Shop, texts: Texts
) -> None:
    """There is no sync here, and nothing else happens in Paperless."""
    letter = shop.fake.add_document(text := texts.letter(), tags=["dedupe:keep"])
    scan = shop.fake.add_document(texts.scanned_again(text))
    with shop.working():
        for number in (letter, scan):
            shop.queue.accept(number)
        until(lambda: shop.examined() == 2)
    shop.fake.tag(scan, "dedupe:confirm")
    failed = shop.fake.faults.add("DELETE", f"/documents/{scan}/", reply(500, "a full disk"))
    shop.options = {"DEDUPE_ON_CONFIRM": "trash"}
    with shop.working():
        until(lambda: shop.fake.trashed == [scan])
    assert failed.hits == 1
