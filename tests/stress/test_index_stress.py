"""Kill -9 at any point, and many processes at once: nothing is lost, and the index stays consistent."""

import multiprocessing
import signal
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from tests.hook.index.index_kit import content, open_index, random_keys
from tests.stress.index_work import KEYS, follow_plan, insert_many

KILLS = 20


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes forked from a server that has imported everything: 20 ms each."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.stress.index_work"])
    return context


def test_killed_again_and_again(tmp_path: Path, processes: ForkServerContext) -> None:
    """After a kill `check` is clean, and in the end the content equals an undisturbed run's, byte for byte."""
    follow_plan(tmp_path / "undisturbed", None)
    deaths = []
    for seed in range(KILLS):
        process = processes.Process(target=follow_plan, args=(tmp_path / "killed", seed))
        process.start()
        process.join()
        deaths.append(process.exitcode)
        if seed % 2:  # else the next process finds the -wal file as the killed one left it
            with open_index(tmp_path / "killed", timeout_s=60) as index:
                assert index.check().sound, seed
    assert set(deaths) == {-signal.SIGKILL, -signal.SIGXFSZ}
    follow_plan(tmp_path / "killed", None)
    with open_index(tmp_path / "undisturbed") as expected, open_index(tmp_path / "killed") as actual:
        assert content(actual) == content(expected)
        assert list(actual.namespace("queue").items()) == list(expected.namespace("queue").items())


def test_four_processes_at_once_lose_nothing(tmp_path: Path, processes: ForkServerContext) -> None:
    """They even make the index together; singly or in batches, every document and queue entry is there."""
    jobs = [
        processes.Process(target=insert_many, args=(tmp_path / "index", 1000 * worker, 150, batch))
        for worker, batch in enumerate((1, 1, 10, 50))
    ]
    run_all(jobs)
    with open_index(tmp_path / "index") as index:
        assert list(index.ids()) == [1000 * worker + number for worker in range(4) for number in range(150)]
        queued = [int(value) for _, value in index.namespace("queue").items()]
        assert sorted(queued) == list(index.ids())
        assert index.check().sound
        for number in index.ids():
            assert (index.lookup(random_keys(number, KEYS)).ids == number).sum() == KEYS


def run_all(jobs: list[multiprocessing.context.ForkServerProcess]) -> None:
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0] * len(jobs)
