"""Examines documents on all cores: workers read and judge, the run looks up and stores, in the order of the documents.

The results are those of one core: candidates are looked up in order by the one process that writes, and a worker sees the
records as they were then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from queue import Queue
from typing import IO, Any, Final

import numpy as np

from dedupe_core.model import Document, Observation, Relation, Verdict
from hook.errors import DedupeError
from hook.index.archive import Archive
from hook.index.interface import Keys
from hook.index.query.examination import Examination
from hook.parallel.frames import receive, send

Owners = Callable[[int | None], Sequence[int | None] | None]
_MOST: Final = 16  # workers: the run looks up and stores for all of them
_END: Final = "ended"


class WorkerError(DedupeError):
    """A worker ended or failed on a document."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A document that is stored; `verdicts` come later."""

    number: int
    document: Document
    record: bytes
    known: bytes | None


class Pool:
    """Belongs to the thread that opened the archive."""

    def __init__(self, archive: Archive, workers: Sequence[_Worker]) -> None:
        self._archive, self._workers = archive, workers
        self._number = 0
        self._stored: dict[int, bytes] = {}  # in the last batch
        self._is_complete = True

    def examine(
        self, batch: Sequence[Document], *, owners: Owners = lambda owner: None, everything: bool = False
    ) -> Iterator[Examination]:
        """In order. Call it inside a transaction: the documents are stored when the first one is returned."""
        first, self._number = self._number, self._number + len(batch)
        self._begin()
        for number, document in enumerate(batch, first):
            self._worker(number).send(["read", number, *_fields(document)])
        read = [self._worker(number).answer("read", number)[1] for number in range(first, self._number)]
        keys = [[np.frombuffer(kind, np.uint64) for kind in of_kind] for *of_kind, _ in read]
        self._archive.expect(keys)
        taken = [
            self._take(
                first + place, document, keys[place], read[place][-1], owners(document.owner), everything
            )
            for place, document in enumerate(batch)
        ]
        for one in taken:
            head, _ = self._worker(one.number).answer("judged", one.number)
            yield self._archive.examination(one.record, one.known, [_verdict(raw) for raw in head[2]])
        self._is_complete = True

    def _begin(self) -> None:
        """Tells the workers what was stored since they read it. What they have seen of a complete batch stays open."""
        changes = self._archive.index.changes_by_others()
        for worker in self._workers:
            shown = worker.shown if self._is_complete else {}
            outdated = [number for number, record in self._stored.items() if shown.get(number) is not record]
            worker.send(["batch", changes, outdated])
            worker.shown = {}
        self._stored, self._is_complete = {}, False

    def _take(
        self,
        number: int,
        document: Document,
        keys: Sequence[Keys],
        record: bytes,
        owners: Sequence[int | None] | None,
        everything: bool,
    ) -> Taken:
        worker, stored = self._worker(number), self._stored
        known, candidates = self._archive.store(document.id, keys, record)
        new = [one for one in candidates if one in stored and worker.shown.get(one) is not stored[one]]
        worker.send(
            ["judge", number, candidates, new, None if owners is None else list(owners), everything],
            *(stored[one] for one in new),
        )
        worker.shown.update((one, stored[one]) for one in new)
        worker.shown[document.id] = stored[document.id] = record
        return Taken(number, document, record, known)

    def _worker(self, number: int) -> _Worker:
        return self._workers[number % len(self._workers)]


class _Worker:
    """Its answers are read by a thread, so neither side ever waits for the other to read."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hook.parallel.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a worker is one core
        )
        self.shown: dict[int, bytes] = {}  # records of this batch that it has seen, or read itself
        self._answers: Queue[Any] = Queue()
        self._kept: dict[tuple[str, int], Any] = {}
        assert self._process.stdin and self._process.stdout
        self._input: IO[bytes] = self._process.stdin
        self._reading = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reading.start()
        self.send(start)

    def send(self, head: Any, *blocks: bytes) -> None:
        try:
            send(self._input, head, *blocks)
        except (BrokenPipeError, ValueError) as error:
            raise WorkerError("a worker process has ended") from error

    def answer(self, kind: str, number: int) -> Any:
        while (kind, number) not in self._kept:
            answer = self._answers.get()
            if answer == _END:
                self._answers.put(_END)
                raise WorkerError("a worker process has ended")
            head = answer[0]
            if head[0] == "failed":
                raise WorkerError(f"a worker failed on a document ({head[2]})")
            self._kept[head[0], head[1]] = answer
        return self._kept.pop((kind, number))

    def close(self) -> None:
        """It ends by itself when its input ends; what it is doing is not needed any more."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # what was not sent yet
            self._input.close()
        self._reading.join()

    def _read(self, out: IO[bytes]) -> None:
        with out:
            while (message := receive(out)) is not None:
                self._answers.put(message)
        self._answers.put(_END)


@contextmanager
def pool(archive: Archive, jobs: int) -> Iterator[Pool]:
    start = archive.start_of_worker()
    workers: list[_Worker] = []
    try:
        for _ in range(min(jobs, _MOST)):
            workers.append(_Worker(start))
        yield Pool(archive, workers)
    finally:
        for worker in workers:
            worker.close()


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _fields(document: Document) -> list[Any]:
    return list(asdict(document).values())


def _verdict(raw: dict[str, Any]) -> Verdict:
    evidence = tuple(Observation(**one) for one in raw["evidence"])
    return Verdict(**{**raw, "relation": Relation(raw["relation"]), "evidence": evidence})
