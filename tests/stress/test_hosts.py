"""Two hosts with two processes each, one index on Redis, every process killed, and the server replaced by its replica."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.drills.hosts import Examiners, servers, settle
from tests.hook.index.shared.servers import MISSING, PROGRAM

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")
pytestmark = pytest.mark.stress

HOSTS, PROCESSES, DOCUMENTS = 2, 2, 40


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    """After the sync every document is there once, of two scans of a letter one has found the other, and `check` is clean.

    Processes end after a number of documents, not after a time.
    """
    workers = range(HOSTS * PROCESSES)
    with servers(tmp_path) as place:
        examiners = Examiners(place, HOSTS, PROCESSES, DOCUMENTS)
        for worker in workers:
            examiners.start(worker, die_after=2 + worker)
        assert {examiners.wait(worker) for worker in workers} == {-9}
        for worker in workers:
            examiners.start(worker, die_after=3 if worker % 2 else -1)
        place.fail_over()
        assert [examiners.wait(worker) for worker in workers] == [0, -9] * HOSTS
        for worker in workers[1::2]:
            examiners.start(worker)
            assert examiners.wait(worker) == 0
        result = settle(place, examiners)
    assert (result.documents, result.missing, result.unseen_twins, result.sound) == (DOCUMENTS, 0, 0, True)
