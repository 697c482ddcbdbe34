"""Examines documents on all cores: workers read and judge, the run looks up and stores, in the order of the documents.

A worker is two functions, of a document and of records. It opens no index and knows nothing from before but views of records,
so the results are those of one core.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Queue
from typing import Any, Final

from dedupe_core.model import Document, Verdict
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.judging import Examination, Judge, Owners, Reading

_MOST: Final = 16  # workers: the run looks up and stores for all of them
_JUDGING: Final = 8  # documents a worker that are handed out: their candidates are in memory
_COLLECTED_AT: Final = 50_000  # objects: with Python's 700, up to 7% of the CPU of a run goes into looking

Submit = Callable[..., Future[Any]]  # the name of a function, and its arguments
OwnersOf = Callable[[int | None], Owners]  # of the owner of a document, whose documents it is compared with


class WorkerError(DedupeError):
    """A worker ended or failed on a document."""


class Pool:
    """Belongs to the thread that opened the archive."""

    def __init__(self, archive: Archive, submit: Submit, jobs: int) -> None:
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
        reading = [ahead.get(document) or self._submit("read", document) for document in batch]
        judging: list[tuple[bytes, bytes | None, Future[list[Verdict]]]] = []
        for number, future in enumerate(reading):
            read: Reading = future.result()
            before, others = self._archive.store(read)
            if number >= self._most:
                judging[number - self._most][2].result()
            question = read.record, others, owners(read.owner), everything
            judging.append((read.record, before, self._submit("judge", *question)))
        self._ahead = {document: self._submit("read", document) for document in following}
        for record, before, verdicts in judging:
            yield Examination(record, tuple(verdicts.result()), before)


@contextmanager
def pool(archive: Archive, jobs: int) -> Iterator[Pool]:
    """New processes, which start at once: a fork would share the connection to the index."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker is one core
    count, judge, idle = min(jobs, _MOST), archive.judging, Queue[Connection]()
    context = get_context("spawn")
    with ExitStack() as stack:
        for _ in range(count):
            ours, theirs = context.Pipe()
            parameters = theirs, judge.recipe, judge.policy, judge.classical
            process = context.Process(target=_work, args=parameters, daemon=True)
            process.start()
            theirs.close()
            stack.callback(process.join)
            stack.callback(process.kill)
            stack.callback(ours.close)
            idle.put(ours)
        threads = stack.enter_context(ThreadPoolExecutor(count))  # each waits for one worker
        stack.callback(partial(threads.shutdown, wait=False, cancel_futures=True))
        yield Pool(archive, lambda *question: threads.submit(_asked, idle, *question), count)


def _asked(idle: Queue[Connection], name: str, *values: object) -> Any:
    worker = idle.get()
    try:
        worker.send((name, values))
        answer = worker.recv()
    except (EOFError, OSError) as error:
        raise WorkerError("a worker process has ended") from error
    finally:
        idle.put(worker)
    if isinstance(answer, _Failure):  # the run examines the document itself, and reports its id
        raise WorkerError(f"a worker failed on a document ({answer.error})")
    return answer


@dataclass(frozen=True, slots=True)
class _Failure:
    error: str


def _work(run: Connection, *parameters: Any) -> None:
    """The worker process. It ends with its run, however that ends; Ctrl-C is for the run alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    judge = Judge(*parameters)
    functions: dict[str, Callable[..., Any]] = {"read": judge.read, "judge": judge.judge_records}
    with suppress(EOFError, OSError):
        while True:
            name, values = run.recv()
            try:
                answer = functions[name](*values)
            except Exception as error:  # whatever it is, the run continues without us
                answer = _Failure(type(error).__name__)
            run.send(answer)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def collect_seldom() -> None:
    """What is imported stays, and there are few cycles among what follows."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AT)
