"""What the processes of the scan's stress test do; imported once by the fork server."""

from __future__ import annotations

import io
import json
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.commands import scan as scans
from hook.examination.archive import Archive
from tests.corpus.make import DOCUMENTS
from tests.corpus.noise import scanned
from tests.hook.index.index_kit import store_of

BATCH = 4  # documents a transaction, in place of the hundreds of a real scan: more commits to be killed in
WAYS_TO_DIE = ("statement", "write", "document")


def write_documents(path: Path) -> int:
    """A third of the corpus, and after it each of its texts scanned once more; returns how many."""
    rows = [json.loads(line) for line in DOCUMENTS.read_text(encoding="ascii").splitlines()[::3]]
    again = [{"id": 1000 + row["id"], "content": scanned(row["content"], "light", row["id"])} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows + again), encoding="ascii")
    return len(rows) + len(again)


def open_archive(directory: Path) -> Archive:
    return Archive.open(directory, RECIPE, POLICY, timeout_s=60)


def scan(
    directory: Path, file: Path, kill_seed: int | None = None, progress: tuple[int, int, int] = (1, 1, 1)
) -> str:
    """`paperless-dedupe scan --index`; with a seed, killed at a point of its progress that the seed decides."""
    out = io.StringIO()
    with open_archive(directory) as archive, file.open(encoding="utf-8") as lines:
        found = scans.documents(lines, file.name)
        if kill_seed is not None:
            found = _doomed(archive, directory, found, Random(kill_seed), progress)
        scans.scan(archive, found, out, everything=True, size=BATCH)
    return out.getvalue()


def _doomed(
    archive: Archive,
    directory: Path,
    found: Iterator[Document],
    random: Random,
    progress: tuple[int, int, int],
) -> Iterator[Document]:
    """Death before the n-th statement, within a write when the -wal file reaches n bytes, or at a document."""
    way = random.randrange(3)
    moment = random.randrange(1, progress[way])
    if WAYS_TO_DIE[way] == "statement":
        store_of(archive.index).connection().set_trace_callback(_Countdown(moment))
    elif WAYS_TO_DIE[way] == "write":
        len(archive.index)  # the -wal file is there now
        _die_at_size((directory / "cache.db-wal").stat().st_size + moment)
    else:
        return _die_at(found, moment)
    return found


class _Countdown:
    def __init__(self, statements: int) -> None:
        self.left = statements

    def __call__(self, statement: str) -> None:
        self.left -= 1
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)


def _die_at_size(size_bytes: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it; the default is death within the write
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes))


def _die_at(found: Iterator[Document], moment: int) -> Iterator[Document]:
    for number, document in enumerate(found, 1):
        if number == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        yield document


def measure(directory: Path, file: Path) -> tuple[int, int, int]:
    """How many statements, bytes of the -wal file and documents an undisturbed run has."""
    count = _Countdown(0)
    with open_archive(directory) as archive, file.open(encoding="utf-8") as lines:
        store_of(archive.index).connection().set_trace_callback(count)
        counts = scans.scan(archive, scans.documents(lines, file.name), io.StringIO(), size=BATCH)
        wal_bytes = (directory / "cache.db-wal").stat().st_size
    return -count.left, wal_bytes, counts["documents"]
