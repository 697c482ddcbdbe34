"""Examines documents on all cores: workers read and judge, the run looks up and stores, in the order of the documents.

A worker is two functions, of a document and of records. It opens no index and knows nothing from before but views of records,
so the results are those of one core.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, Final, TypeVar

from dedupe_core.model import Document, Verdict
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.examination import Examination
from hook.examination.judging import Judge, Owners, Reading

_MOST: Final = 16  # workers: the run looks up and stores for all of them
_JUDGING: Final = 8  # documents a worker that are handed out: their candidates are in memory
_COLLECTED_AT: Final = 50_000  # objects: with Python's 700, up to 7% of the CPU of a run goes into looking

T = TypeVar("T")
OwnersOf = Callable[[int | None], Owners]  # of the owner of a document, whose documents it is compared with


class WorkerError(DedupeError):
    """A worker ended or failed on a document."""


class Pool:
    """Belongs to the thread that opened the archive."""

    def __init__(self, archive: Archive, submit: Callable[..., Future[Any]], jobs: int) -> None:
        self._archive, self._submit = archive, submit
        self._most = _JUDGING * jobs
        self._ahead: dict[Document, Future[Reading]] = {}

    def examine(
        self,
        batch: Sequence[Document],
        *,
        owners: OwnersOf = lambda owner: None,
        everything: bool = False,
        following: Sequence[Document] = (),
    ) -> Iterator[Examination]:
        """In order. Call it inside a transaction, which has all documents when the first one is returned.

        The workers read what follows while the run commits this batch.
        """
        ahead, self._ahead = self._ahead, {}
        reading = [ahead.get(document) or self._begin(_read, document) for document in batch]
        judging: list[tuple[bytes, bytes | None, Future[list[Verdict]]]] = []
        for number, read in enumerate(map(_result, reading)):
            before, others = self._archive.store(read)
            if number >= self._most:
                _result(judging[number - self._most][2])
            question = read.record, others, owners(read.owner), everything
            judging.append((read.record, before, self._begin(_judge, *question)))
        self._ahead = {document: self._begin(_read, document) for document in following}
        for record, before, verdicts in judging:
            found = _result(verdicts)
            yield Examination(record, tuple(found), before)

    def _begin(self, function: Callable[..., T], *values: object) -> Future[T]:
        try:
            return self._submit(function, *values)
        except RuntimeError as error:  # a worker was killed, and the others have ended
            raise WorkerError("a worker process has ended") from error


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except Exception as error:  # the run examines the document itself, and reports its id
        raise WorkerError(f"a worker failed on a document ({type(error).__name__})") from error


@contextmanager
def pool(archive: Archive, jobs: int) -> Iterator[Pool]:
    """The workers start at once. They are new processes: a fork would share the connection to the index."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker is one core
    count, judge = min(jobs, _MOST), archive.judging
    parameters = judge.recipe, judge.policy, judge.classical
    with ProcessPoolExecutor(count, get_context("spawn"), _start, parameters) as executor:
        try:
            for _ in range(count):
                executor.submit(os.getpid)
            yield Pool(archive, executor.submit, count)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def collect_seldom() -> None:
    """What is imported stays, and there are few cycles among what follows."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AT)


# In a worker process

_judges: list[Judge] = []


def _start(*parameters: Any) -> None:
    """Ctrl-C is for the run alone, and no worker outlives its run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_run, daemon=True).start()
    collect_seldom()
    _judges.append(Judge(*parameters))


def _end_with_run() -> None:
    run = parent_process()
    if run is not None:
        run.join()
        os._exit(0)


def _read(document: Document) -> Reading:
    return _judges[0].read(document)


def _judge(record: bytes, others: list[bytes], owners: Owners, everything: bool) -> list[Verdict]:
    return _judges[0].judge_records(record, others, owners, everything=everything)
