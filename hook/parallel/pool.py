"""Examines documents on all cores: workers read and judge, the run looks up and stores, in the order of the documents.

A worker is two functions, of a document and of records. It opens no index and knows nothing from before but views of records,
so the results are those of one core.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final

from dedupe_core.model import Document, Verdict
from dedupe_core.policy import ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.judging import Examination, Judge, Owners, Reading

_MOST: Final = 16  # workers: the run looks up and stores for all of them
_JUDGING: Final = 8  # documents a worker that are handed out: their candidates are in memory
_COLLECTED_AT: Final = 50_000  # objects: with Python's 700, up to 7% of the CPU of a run goes into looking

OwnersOf = Callable[[int | None], Owners]  # of the owner of a document, whose documents it is compared with
Parameters = tuple[Recipe, Policy, ClassicalPolicy]


class WorkerError(DedupeError):
    """A worker ended or failed on a document: the run goes on alone, and reports the document if it fails there, too."""


class Pool:
    """Belongs to the thread that opened the archive."""

    def __init__(self, archive: Archive, workers: Executor, jobs: int) -> None:
        self._archive, self._workers = archive, workers
        self._most = _JUDGING * jobs
        self._parameters = archive.judging.recipe, archive.judging.policy, archive.judging.classical

    def examine(
        self, batch: Sequence[Document], *, owners: OwnersOf = lambda owner: None, everything: bool = False
    ) -> Iterator[Examination]:
        """In order. Call it inside a transaction, which has all documents when the first one is returned."""
        reading = [self._submit(_read, document) for document in batch]
        judging: list[tuple[bytes, bytes | None, Future[list[Verdict]]]] = []
        for number, future in enumerate(reading):
            read: Reading = _answer(future)
            before, others = self._archive.store(read)
            if number >= self._most:
                _answer(judging[number - self._most][2])
            question = read.record, others, owners(read.owner), everything
            judging.append((read.record, before, self._submit(_judge, *question)))
        for record, before, verdicts in judging:
            yield Examination(record, tuple(_answer(verdicts)), before)

    def _submit(self, function: Callable[..., Any], *values: object) -> Future[Any]:
        with _as_worker_error():
            return self._workers.submit(function, self._parameters, *values)


@contextmanager
def pool(archive: Archive, jobs: int) -> Iterator[Pool]:
    """New processes, which start at once: a fork would share the connection to the index."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker is one core
    count = min(jobs, _MOST)
    with ProcessPoolExecutor(count, get_context("spawn"), _begin) as workers:
        try:
            for _ in range(count):
                workers.submit(cores)
            yield Pool(archive, workers, count)
        finally:
            workers.shutdown(cancel_futures=True)


def _answer(future: Future[Any]) -> Any:
    with _as_worker_error():
        return future.result()


@contextmanager
def _as_worker_error() -> Iterator[None]:
    """Without the message, which may have the text of a document."""
    try:
        yield
    except Exception as error:
        raise WorkerError(f"a worker process failed ({type(error).__name__})") from error


# In a worker


def _begin() -> None:
    """It ends with its run, however that ends; Ctrl-C is for the run alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    Thread(target=_end_with_run, daemon=True).start()


def _end_with_run() -> None:
    if run := parent_process():
        run.join()
        os._exit(1)


@cache
def _judge_of(parameters: Parameters) -> Judge:
    return Judge(*parameters)


def _read(parameters: Parameters, document: Document) -> Reading:
    return _judge_of(parameters).read(document)


def _judge(parameters: Parameters, *question: Any) -> list[Verdict]:
    return _judge_of(parameters).judge_records(*question)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def collect_seldom() -> None:
    """What is imported stays, and there are few cycles among what follows."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AT)
