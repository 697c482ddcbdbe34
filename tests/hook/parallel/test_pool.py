"""Many cores give what one core gives, in the same order, whatever happens to a worker."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from dedupe_core.model import Document, Observation, Relation, Statement, StatementKind, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.commands import scan as scans
from hook.examination.archive import Archive
from hook.examination.codec import encode
from hook.examination.examination import Examination
from hook.parallel import frames
from hook.parallel import pool as pools
from hook.parallel.pool import Pool, WorkerError, pool
from tests.corpus.make import DOCUMENTS
from tests.corpus.noise import scanned
from tests.hook.index.index_kit import content


def documents() -> list[Document]:
    """Papers, scans of them, and some of the ids once more with another text."""
    rows = [json.loads(line) for line in DOCUMENTS.read_text(encoding="ascii").splitlines()[::12]]
    papers = [Document(row["id"], row["content"], owner=row["id"] % 3 or None) for row in rows]
    again = [
        Document(1000 + one.id, scanned(one.content, "light", one.id), owner=one.owner) for one in papers
    ]
    return [*papers, *again, *(Document(one.id, one.content + " more 4711") for one in papers[:5])]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "many", RECIPE, POLICY) as opened:
        yield opened


def alone(directory: Path, found: list[Document]) -> Archive:
    archive = Archive.open(directory, RECIPE, POLICY)
    archive.one_by_one = [archive.take(one, everything=True) for one in found]  # type: ignore[attr-defined]
    return archive


def test_the_results_of_one_core_in_the_same_order(tmp_path: Path, archive: Archive) -> None:
    """Verdicts, what was known before, and every row of the index; across transactions and for replaced documents."""
    found = documents()
    with pool(archive, 2) as workers:
        examined: list[Examination] = []
        for start in range(0, len(found), 5):
            with archive.batch():
                examined += workers.examine(found[start : start + 5], everything=True)
    with alone(tmp_path / "one", found) as one:
        assert examined == one.one_by_one  # type: ignore[attr-defined]
        assert content(archive.index) == content(one.index)
    assert len([verdict for one in examined for verdict in one.verdicts]) > 10


@pytest.mark.parametrize("judging", [1, 3], ids=["often taken over", "seldom"])
def test_what_follows_is_read_ahead_and_documents_are_taken_over(
    tmp_path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch, judging: int
) -> None:
    """The results are the same, whoever has read a document and whoever judges it."""
    monkeypatch.setattr(pools, "_JUDGING", judging)
    found = documents()
    batches = [found[start : start + 5] for start in range(0, len(found), 5)]
    assert len(batches) > 2
    with pool(archive, 2) as workers:
        examined: list[Examination] = []
        for batch, following in zip(batches, [*batches[1:], []], strict=True):
            with archive.batch():
                examined += workers.examine(batch, everything=True, following=following)
    with alone(tmp_path / "one", found) as one:
        assert examined == one.one_by_one  # type: ignore[attr-defined]
        assert content(archive.index) == content(one.index)


def test_what_was_read_ahead_and_is_not_asked_for_is_forgotten(tmp_path: Path, archive: Archive) -> None:
    """Another batch comes instead; and later the first one, as a new one."""
    found = documents()
    first, second, third = found[:6], found[6:12], found[12:]
    assert third
    with pool(archive, 2) as workers:
        examined: list[Examination] = []
        for batch, following in ((first, second), (third, second), (second, [])):
            with archive.batch():
                examined += workers.examine(batch, everything=True, following=following)
            assert len(workers._kept) <= len(following)
    with alone(tmp_path / "one", [*first, *third, *second]) as one:
        assert examined == one.one_by_one  # type: ignore[attr-defined]


class Idle:
    """A worker that is only told what to do."""

    def __init__(self, waiting: int, judging: int = 0) -> None:
        self.queue, self.judging = deque(range(waiting)), judging
        self.told: list[tuple[int, bool]] = []

    def judge(self, one: int, *, is_here: bool = True) -> None:
        self.told.append((one, is_here))
        self.judging += 1


def test_a_worker_without_work_takes_over_from_the_busiest(archive: Archive) -> None:
    """A few each, in their order; one for an idle worker; nobody takes over the last few."""
    busy, idle = Idle(8), Idle(0)
    workers = Pool(archive, [busy, idle])  # type: ignore[list-item]
    workers._hand_out()
    assert (busy.told, idle.told) == ([(0, True), (1, True), (2, True)], [(3, False)])
    workers._hand_out()
    assert len(busy.told) + len(idle.told) == 4
    idle.judging = 0
    workers._hand_out()
    assert idle.told == [(3, False), (4, False)]
    idle.judging = 0
    workers._hand_out()
    assert idle.told == [(3, False), (4, False), (5, False)]
    idle.judging = 0
    workers._hand_out()
    assert len(idle.told) == 3
    busy.judging = 0
    workers._hand_out()
    assert [number for number, _ in busy.told] == [0, 1, 2, 6, 7]


def test_owners_decide_what_is_compared(archive: Archive) -> None:
    """As on one core: documents of others are left out."""
    found = [Document(1, LETTER, owner=1), Document(2, LETTER, owner=2), Document(3, LETTER, owner=None)]
    with pool(archive, 2) as workers, archive.batch():
        examined = list(workers.examine(found, owners=lambda owner: None if owner is None else (None, owner)))
    assert [[verdict.other for verdict in one.verdicts] for one in examined] == [[], [], [1, 2]]


LETTER = (
    "The meter 4711882 was read on 12.03.2024 and shows 8123 kWh, which is 212 more than in the year before."
)


def test_a_worker_that_was_killed_is_reported(archive: Archive) -> None:
    """Nothing waits for it; the batch is rolled back."""
    with pool(archive, 2) as workers:
        for worker in workers._workers:
            worker._process.kill()
            worker._process.wait()
        with pytest.raises(WorkerError), archive.batch():
            list(workers.examine(documents()))
    assert len(archive.index) == 0


def test_a_worker_that_is_killed_while_it_reads_ahead_is_reported(archive: Archive) -> None:
    """The batch before is complete, the next one is rolled back, and the pool ends though megabytes were not sent."""
    found = documents()
    following = [Document(5000 + one, f"{one} " + LETTER * 20_000) for one in range(4)]
    with pool(archive, 2) as workers:
        with archive.batch():
            assert len(list(workers.examine(found[:5], following=following))) == 5
        workers._workers[0]._process.kill()
        with pytest.raises(WorkerError), archive.batch():
            list(workers.examine(following))
    assert len(archive.index) == 5


def test_a_worker_whose_run_was_killed_ends_without_a_word(archive: Archive) -> None:
    """Its answers go nowhere; before, a service that was stopped during a sync left tracebacks in its log."""
    command = [sys.executable, "-m", "hook.parallel.worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        assert worker.stdin and worker.stdout and worker.stderr
        worker.stdout.close()
        frames.send(worker.stdin, archive.start_of_worker())
        frames.send(worker.stdin, ["read", 0, 1, LETTER])
        assert (worker.wait(180), worker.stderr.read()) == (0, b"")


class FailingPool(Pool):
    def examine(self, batch: Sequence[Document], **_: object) -> Iterator[Examination]:
        raise WorkerError("a worker process has ended")


def test_a_scan_goes_on_without_its_workers(tmp_path: Path, archive: Archive) -> None:
    """The output is that of one core."""
    found = documents()
    many, one = io.StringIO(), io.StringIO()
    without = scans.scan(
        archive,
        iter(found),
        many,
        jobs=2,
        workers=lambda place, jobs: nullcontext(FailingPool(place, [])),
        size=20,
    )
    with Archive.open(tmp_path / "one", RECIPE, POLICY) as other:
        assert scans.scan(other, iter(found), one) == without
    assert many.getvalue() == one.getvalue()


DOUBT = Statement(StatementKind.DOUBT, "number", ("75,72", "15,12"), place=(3, 4))


def test_verdicts_come_back_as_they_were_sent() -> None:
    for verdict in (
        Verdict(1, 2, Relation.RESCAN, 0.9, True, (DOUBT,), (Observation("x", 0.5, "half"),)),
        Verdict(1, 3, Relation.SIBLING, 0.7, False, (), (), -1),
    ):
        assert frames.unpacked(json.loads(json.dumps(frames.packed(verdict)))) == verdict


def test_an_examination_is_decoded_when_it_is_asked_for(archive: Archive) -> None:
    """And it equals one that was never encoded; a record that nobody looks at may be anything."""
    whole = archive.take(Document(1, LETTER))
    record = encode(whole.fingerprint)
    assert Examination(record, (), None) == Examination(whole.fingerprint, (), None)
    assert Examination(record, (), whole.fingerprint) != Examination(record, (), None)
    assert Examination(b"no record", (), None).verdicts == ()
    assert whole != "a document"


def test_messages_come_back_as_they_were_sent() -> None:
    """With empty blocks, any characters, and an end within a message."""
    stream = io.BytesIO()
    frames.send(stream, ["read", 1, "\ud800 \u00e4\x00"], b"", b"\x00\xff")
    whole = stream.getvalue()
    assert frames.receive(io.BytesIO(whole)) == (["read", 1, "\ud800 \u00e4\x00"], [b"", b"\x00\xff"])
    assert [frames.receive(io.BytesIO(whole[:end])) for end in range(len(whole))] == [None] * len(whole)
