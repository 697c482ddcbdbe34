"""Many cores give what one core gives, in the same order, whatever happens to a worker."""

from __future__ import annotations

import io
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.commands import scan as scans
from hook.examination.archive import Archive
from hook.examination.judging import Examination
from hook.parallel.pool import Pool, WorkerError, pool
from tests.corpus import make
from tests.corpus.noise import scanned
from tests.e2e.serve_kit import until
from tests.hook.index.index_kit import content

LETTER = (
    "The meter 4711882 was read on 12.03.2024 and shows 8123 kWh, which is 212 more than in the year before."
)


def documents() -> list[Document]:
    """Papers, scans of them, and some of the ids once more with another text."""
    rows = make.documents(make.corpus())[::12]
    papers = [Document(row["id"], row["content"], owner=row["id"] % 3 or None) for row in rows]
    again = [
        Document(1000 + one.id, scanned(one.content, "light", one.id), owner=one.owner) for one in papers
    ]
    return [*papers, *again, *(Document(one.id, one.content + " more 4711") for one in papers[:5])]


def owners(owner: int | None) -> Sequence[int | None] | None:
    return None if owner is None else (None, owner)


def test_the_results_of_one_core_in_the_same_order(tmp_path: Path, archive: Archive) -> None:
    """Verdicts, what was known before, and every row of the index: across transactions, for replaced documents, among the
    documents of some owners."""
    some = documents()
    batches = [some[start : start + 7] for start in range(0, len(some), 7)]
    examined: list[Examination] = []
    with pool(archive, 2) as workers:
        for batch in batches:
            with archive.batch():
                examined += workers.examine(batch, owners=owners, everything=True)
    with Archive.open(tmp_path / "one", RECIPE, POLICY) as one:
        alone = [one.examine_and_store(each, owners=owners(each.owner), everything=True) for each in some]
        assert examined == alone
        assert content(archive.index) == content(one.index)
    assert len([verdict for one in alone for verdict in one.verdicts]) > 10


def test_a_worker_that_was_killed_is_reported(archive: Archive) -> None:
    """Nothing waits for it; its batch is rolled back, the one before is complete."""
    some = documents()
    with pool(archive, 2) as workers:
        with archive.batch():
            assert len(list(workers.examine(some[:5]))) == 5
        for process in multiprocessing.active_children():
            process.kill()
        with pytest.raises(WorkerError), archive.batch():
            list(workers.examine(some[5:]))
    assert len(archive.index) == 5


def test_a_worker_that_fails_on_a_document_says_so(archive: Archive) -> None:
    """Without the text of the document; the next one is examined."""
    with pool(archive, 1) as workers, archive.batch():
        with pytest.raises(WorkerError, match=r"failed \(\w+Error\)$"):
            list(workers.examine([Document(1, None)]))  # type: ignore[arg-type]
        assert len(list(workers.examine([Document(2, LETTER)]))) == 1


class FailingPool(Pool):
    def examine(self, batch: Sequence[Document], **_: object) -> Iterator[Examination]:
        raise WorkerError("a worker process has ended")


def test_a_scan_goes_on_without_its_workers(tmp_path: Path, archive: Archive) -> None:
    """The output is that of one core."""
    some = documents()
    many, one = io.StringIO(), io.StringIO()
    failing = nullcontext(FailingPool(archive, ThreadPoolExecutor(1), 1))
    without = scans.scan(archive, iter(some), many, jobs=2, workers=lambda place, jobs: failing, size=20)
    with Archive.open(tmp_path / "one", RECIPE, POLICY) as other:
        assert scans.scan(other, iter(some), one) == without
    assert many.getvalue() == one.getvalue()


KILLED = """
import multiprocessing, os, sys
from pathlib import Path
from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive
from hook.parallel.pool import pool

with Archive.open(Path(sys.argv[1]), RECIPE, POLICY) as archive, pool(archive, 2) as workers:
    list(workers.examine([Document(1, "a letter")]))
    print(*(process.pid for process in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), 9)
"""


def test_the_workers_of_a_killed_run_end(tmp_path: Path) -> None:
    """Nobody else would end them: they wait for the next document."""
    run = subprocess.run([sys.executable, "-c", KILLED, tmp_path], stdout=subprocess.PIPE, check=False)
    workers = list(map(int, run.stdout.split()))
    assert (run.returncode, len(workers)) == (-9, 2)
    until(lambda: not any(map(is_running, workers)))


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
