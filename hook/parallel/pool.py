"""Examines documents on all cores: workers read and judge, the run looks up and stores, in the order of the documents.

The results are those of one core: candidates are looked up in order by the one process that writes, and a worker sees the
records as they were then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from operator import attrgetter
from queue import Queue
from typing import IO, Any, Final

import numpy as np

from dedupe_core.model import Document
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.examination import Examination
from hook.examination.overlap import Owners
from hook.index.interface import Keys
from hook.parallel.frames import receive, send, unpacked

_MOST: Final = 16  # workers: the run looks up and stores for all of them
_JUDGING: Final = 3  # documents that a worker has at once: it never waits for the next, and hardly keeps one from the others


_fields = attrgetter(*(one.name for one in fields(Document)))
Answer = tuple["_Worker", Any]  # a message, or None: it has ended


class WorkerError(DedupeError):
    """A worker ended or failed on a document."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A document that is stored; `verdicts` come later."""

    number: int
    document: Document
    record: bytes
    known: bytes | None
    question: list[Any]  # candidates, owners, everything
    fresh: dict[int, bytes]  # records of candidates that are stored and not committed, as they were then


class Pool:
    """Belongs to the thread that opened the archive."""

    def __init__(
        self, archive: Archive, workers: Sequence[_Worker], answers: Queue[Answer] | None = None
    ) -> None:
        self._archive, self._workers = archive, workers
        self._answers: Queue[Answer] = Queue() if answers is None else answers
        self._kept: dict[tuple[str, int], Any] = {}
        self._number = 0
        self._first = 0  # number of the batch; what is older is not wanted any more
        self._stored: dict[int, bytes] = {}  # in the last batch
        self._is_complete = True
        self._following: Sequence[Document] = ()
        self._ahead: tuple[int, Sequence[Document]] | None = None  # what is read already, from this number on

    def examine(
        self,
        batch: Sequence[Document],
        *,
        owners: Owners = lambda owner: None,
        everything: bool = False,
        following: Sequence[Document] = (),
    ) -> Iterator[Examination]:
        """In order. Call it inside a transaction: the documents are stored when the first one is returned.

        The workers read what follows while the run commits this batch.
        """
        first = self._begin(batch)
        read = [self._answer("read", number)[1] for number in range(first, first + len(batch))]
        keys = [[np.frombuffer(kind, np.uint64) for kind in of_kind] for *of_kind, _ in read]
        taken = []
        for place, document in enumerate(batch):
            one = self._take(first + place, document, keys[place], read[place][-1], owners, everything)
            self._worker(one.number).queue.append(one)
            taken.append(one)
            while not self._answers.empty():
                self._receive()
            self._hand_out()
        self._following = following
        self._hand_out()
        for one in taken:
            head, _ = self._answer("judged", one.number)
            yield self._archive.examination(one.record, one.known, [unpacked(raw) for raw in head[2]])
        self._is_complete = True

    def _begin(self, batch: Sequence[Document]) -> int:
        """Tells the workers what was stored since they read it. What they have seen of a complete batch stays open."""
        ahead, self._ahead, self._following = self._ahead, None, ()
        self._first = first = ahead[0] if ahead and ahead[1] is batch else self._read(batch)
        self._kept = {key: answer for key, answer in self._kept.items() if key[1] >= first}
        changes = self._archive.index.changes_by_others()
        for worker in self._workers:
            shown = worker.shown if self._is_complete else {}
            outdated = [number for number, record in self._stored.items() if shown.get(number) is not record]
            worker.send(["batch", first, changes, outdated])
            worker.shown = {}
            worker.queue.clear()
        self._stored, self._is_complete = {}, False
        return first

    def _read(self, batch: Sequence[Document]) -> int:
        """The number of the first one, which the workers are told to read."""
        first, self._number = self._number, self._number + len(batch)
        for number, document in enumerate(batch, first):
            self._worker(number).send(["read", number, *_fields(document)])
        return first

    def _take(
        self,
        number: int,
        document: Document,
        keys: Sequence[Keys],
        record: bytes,
        owners: Owners,
        everything: bool,
    ) -> Taken:
        known, candidates = self._archive.store(document.id, keys, record)
        fresh = {one: self._stored[one] for one in candidates if one in self._stored}
        self._stored[document.id] = record
        visible = owners(document.owner)
        question = [candidates, None if visible is None else list(visible), everything]
        return Taken(number, document, record, known, question, fresh)

    def _hand_out(self) -> None:
        """A worker has a few documents to judge, of those that it has read; one that has none takes over another's."""
        for worker in self._workers:
            while worker.queue and worker.judging < _JUDGING:
                worker.judge(worker.queue.popleft())
        longest = max((worker.queue for worker in self._workers), key=len)
        for worker in self._workers:
            if not worker.judging and len(longest) >= _JUDGING:
                worker.judge(longest.popleft(), is_here=False)
        if self._following and not longest:
            batch, self._following = self._following, ()
            self._ahead = self._read(batch), batch

    def _answer(self, kind: str, number: int) -> Any:
        while (kind, number) not in self._kept:
            self._receive()
            self._hand_out()
        return self._kept.pop((kind, number))

    def _receive(self) -> None:
        worker, answer = self._answers.get()
        if answer is None:
            self._answers.put((worker, None))
            raise WorkerError("a worker process has ended")
        kind, number, *rest = answer[0]
        worker.judging -= kind == "judged"
        if number < self._first:
            return
        if kind == "failed":
            raise WorkerError(f"a worker failed on a document ({rest[0]})")
        self._kept[kind, number] = answer

    def _worker(self, number: int) -> _Worker:
        return self._workers[number % len(self._workers)]


class _Worker:
    """What it is sent is written by a thread, and what it answers is read by another, so neither side ever waits for the
    other."""

    def __init__(self, start: dict[str, Any], answers: Queue[Answer]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hook.parallel.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a worker is one core
        )
        self.shown: dict[int, bytes] = {}  # records of this batch that it has seen, or read itself
        self.queue: deque[Taken] = deque()  # stored, and not sent yet
        self.judging = 0  # sent, and not answered yet
        self._answers, self._messages = answers, Queue[tuple[Any, Sequence[bytes]] | None]()
        assert self._process.stdin and self._process.stdout
        self._threads = [
            threading.Thread(target=self._write, args=(self._process.stdin,), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self.send(start)

    def send(self, head: Any, *blocks: bytes) -> None:
        self._messages.put((head, blocks))

    def judge(self, one: Taken, *, is_here: bool = True) -> None:
        """With the records that it has not seen; if another worker has read the document, with its record, too."""
        new = {number: record for number, record in one.fresh.items() if self.shown.get(number) is not record}
        blocks = [*new.values()] if is_here else [*new.values(), one.record]
        self.send(["judge", one.number, *one.question, list(new)], *blocks)
        self.shown.update(new)
        self.shown[one.document.id] = one.record
        self.judging += 1

    def close(self) -> None:
        """It ends by itself when its input ends; what it is doing is not needed any more."""
        self._process.kill()
        self._process.wait()
        self._messages.put(None)
        for thread in self._threads:
            thread.join()

    def _write(self, into: IO[bytes]) -> None:
        with suppress(OSError, ValueError), into:  # it has ended: `_read` says so
            while (message := self._messages.get()) is not None:
                send(into, message[0], *message[1])

    def _read(self, out: IO[bytes]) -> None:
        with out:
            while (message := receive(out)) is not None:
                self._answers.put((self, message))
        self._answers.put((self, None))


@contextmanager
def pool(archive: Archive, jobs: int) -> Iterator[Pool]:
    start = archive.start_of_worker()
    workers: list[_Worker] = []
    answers: Queue[Answer] = Queue()
    try:
        for _ in range(min(jobs, _MOST)):
            workers.append(_Worker(start, answers))
        yield Pool(archive, workers, answers)
    finally:
        for worker in workers:
            worker.close()


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
