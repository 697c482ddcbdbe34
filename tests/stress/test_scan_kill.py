"""A scan killed fifty times at any point of its work leaves a sound index and the same verdicts."""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections import Counter
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from tests.hook.index.index_kit import content
from tests.stress.scan_work import measure, open_archive, scan, write_documents

KILLS = 50
pytestmark = pytest.mark.stress


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes forked from a server that has imported everything."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.stress.scan_work"])
    return context


def verdicts(directory: Path, file: Path) -> dict[tuple[int, int], tuple[str, float, bool]]:
    """What a run over the finished index says of each pair."""
    rows = map(json.loads, scan(directory, file).splitlines())
    return {
        (row["subject"], row["other"]): (row["relation"], row["confidence"], row["flagged"]) for row in rows
    }


def test_killed_fifty_times(tmp_path: Path, processes: ForkServerContext) -> None:
    """After each kill `check` is clean; a run that ends gives the index and the verdicts of an undisturbed one."""
    file, undisturbed, killed = tmp_path / "docs.jsonl", tmp_path / "undisturbed", tmp_path / "killed"
    count = write_documents(file)
    progress = measure(undisturbed, file)
    deaths = Counter[int | None]()
    for seed in range(KILLS):
        process = processes.Process(target=scan, args=(killed, file, seed, progress))
        process.start()
        process.join()
        deaths[process.exitcode] += 1
        if seed % 2:  # else the next process finds the -wal file as the killed one left it
            with open_archive(killed) as archive:
                assert archive.index.check().sound, seed
    # A seed may lie beyond what is left to write: that run ends well. Most do not.
    assert deaths.keys() <= {-signal.SIGKILL, -signal.SIGXFSZ, 0}
    assert deaths[-signal.SIGKILL] >= 15
    assert deaths[-signal.SIGXFSZ] >= 1
    scan(killed, file)
    with open_archive(undisturbed) as expected, open_archive(killed) as actual:
        assert len(actual.index) == count
        assert actual.index.check().sound
        assert content(actual.index) == content(expected.index)
    assert verdicts(killed, file) == verdicts(undisturbed, file)


def test_four_scans_at_once_lose_nothing(tmp_path: Path, processes: ForkServerContext) -> None:
    """Each process has its quarter of the documents; together they make the index that one makes."""
    file, alone, together = tmp_path / "docs.jsonl", tmp_path / "alone", tmp_path / "together"
    count = write_documents(file)
    lines = file.read_text(encoding="ascii").splitlines(keepends=True)
    jobs = []
    for worker in range(4):
        quarter = tmp_path / f"quarter-{worker}.jsonl"
        quarter.write_text("".join(lines[worker::4]), encoding="ascii")
        jobs.append(processes.Process(target=scan, args=(together, quarter)))
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0] * 4
    scan(alone, file)
    with open_archive(alone) as expected, open_archive(together) as actual:
        assert len(actual.index) == count
        assert actual.index.check().sound
        assert content(actual.index)[0] == content(expected.index)[0]
    assert verdicts(together, file) == verdicts(alone, file)
