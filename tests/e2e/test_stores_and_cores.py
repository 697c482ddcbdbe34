"""A whole backfill gives the same result on one core and on two, in a directory and on a server; and the hook without it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from hook.backfill import batches
from hook.backfill.batches import Options
from hook.backfill.report import Report
from hook.backfill.run import BackfillRun
from hook.examination.judging import Examination
from hook.findings.examine import Examiner
from hook.findings.plan import ExaminationResult
from hook.paperless.values import RawDocument
from hook.parallel.pool import Pool
from hook.session import Session, opened, settings_of
from hook.settings.address import Address
from tests.e2e.archive_kit import Desk, events, fill, pairs, result
from tests.e2e.hook_kit import Hooked
from tests.fakes import FakePaperless
from tests.hook.index.shared import servers
from tests.hook.index.shared.conftest import address, redis_port

__all__ = ["address", "redis_port"]


@pytest.fixture
def desks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[Desk, Desk]]:
    with FakePaperless() as one, FakePaperless() as two:
        made = Desk(one, tmp_path / "one", capsys), Desk(two, tmp_path / "two", capsys)
        for desk in made:
            desk.place.mkdir()
        yield made


@pytest.fixture
def handed_out(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Batches of six: how many documents each has that workers get."""
    monkeypatch.setattr(batches, "BATCH", 3)
    seen: list[int] = []
    examine = Pool.examine

    def recorded(self: Pool, batch: Any, **more: Any) -> Iterator[Examination]:
        seen.append(len(batch))
        return examine(self, batch, **more)

    monkeypatch.setattr(Pool, "examine", recorded)
    return seen


def test_a_backfill_on_two_cores_gives_what_one_core_gives(
    desks: tuple[Desk, Desk], handed_out: list[int]
) -> None:
    """Findings, tags, notes, links, and every record of the index; in batches that workers get."""
    for desk in desks:
        fill(desk.fake, 9, rescans=3, bills=6)
    alone, together = (desk.backfill("--jobs", jobs) for desk, jobs in zip(desks, ("1", "2"), strict=True))
    assert len(events(alone, "finding")) == 3
    assert events(together, "finding") == events(alone, "finding")
    results = list(map(result, desks))
    one, two = (
        (
            at.records,
            [document.tags for document in at.documents.values()],
            [(found.id, found.signature, found.text) for found in at.fingerprints.values()],
        )
        for at in results
    )
    assert two == one
    assert (results[1].pending, results[1].sound) == (0, True)
    assert handed_out == [6, 6, 6]


def test_a_backfill_on_a_server_finds_what_it_finds_in_a_directory(
    desks: tuple[Desk, Desk], address: Address
) -> None:
    """On two cores as well, and with nothing new to find in a second run."""
    for desk in desks:
        fill(desk.fake, 9, rescans=3, bills=6)
    local = desks[0].backfill()
    _, refused = desks[1].run("backfill", "--dry-run", code=2, DEDUPE_INDEX_URL=address.url)
    assert "use --examine-only" in refused
    shared = desks[1].backfill("--jobs", "2", DEDUPE_INDEX_URL=address.url)
    assert events(shared, "finding") == events(local, "finding")
    assert pairs(desks[1].backfill("--again", DEDUPE_INDEX_URL=address.url)) == set()


class Killed(BaseException):
    """Nothing may run after it, as after a kill."""


class Dying(Examiner):
    """Dies when a rescan has been stored and judged, and nothing was noted about it."""

    def examine(self, raw: RawDocument, examination: Examination | None = None) -> ExaminationResult:
        examined = super().examine(raw, examination)
        if examined.findings:
            raise Killed
        return examined


class DyingSession(Session):
    @cached_property
    def examiner(self) -> Examiner:
        return Dying(self.archive, self.settings, self.findings, self.decisions, self.semantic)


def test_a_finding_on_a_server_is_not_lost_with_the_run_that_made_it(
    desks: tuple[Desk, Desk], address: Address
) -> None:
    """Killed between storing a document and noting its findings: the next run examines it again."""
    desk = desks[0]
    scans = fill(desk.fake, 9, rescans=3)
    settings = settings_of(desk.environ(DEDUPE_INDEX_URL=address.url))
    with opened(settings) as session, pytest.raises(Killed):
        dying = DyingSession(session.settings, session.client, session.archive, session.queue)
        BackfillRun(dying, Options(), Report()).backfill()
    assert pairs(desk.backfill(DEDUPE_INDEX_URL=address.url)) == set(scans.items())


def test_without_the_server_the_hook_keeps_the_document(
    hooked: Hooked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It exits with 0, and the queue of this host has the document."""
    pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")
    monkeypatch.setattr("hook.index.shared.server.FIRST_WAIT_S", 0.0)  # between attempts
    number = hooked.fake.add_document("The meter 4711882 was read on 12.03.2024 and shows 8123 kWh.", "meter")
    ran = hooked.hook(number, DEDUPE_INDEX_URL=f"redis://user:geheim@127.0.0.1:{servers.free_port()}/1")
    assert ran.code == 0
    assert hooked.waiting == [number]
    assert "does not answer" in ran.err
    assert "geheim" not in ran.err + ran.out
