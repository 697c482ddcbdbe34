"""What the benchmarks share: a program measured from outside, and a stand-in Paperless with an archive."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from scripts.benchmarks.documents import Archive
from tests.fakes import FakePaperless

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "0123456789abcdef0123456789abcdef01234567"
PROGRAM = (sys.executable, "-m", "hook.cli")
TASK_DELAY_S = 0.05  # of the stand-in


@dataclass(frozen=True, slots=True)
class Cost:
    cpu_s: float
    wall_s: float
    rss_mb: float
    out: str


def measured(command: Sequence[str], environ: dict[str, str], cwd: Path = ROOT) -> Cost:
    """Until it ends; a failure ends the benchmark."""
    with tempfile.TemporaryFile() as out:
        started_s = os.times().elapsed
        process = subprocess.Popen(command, cwd=cwd, env=environ, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with exit code {process.returncode}")
        wall_s = os.times().elapsed - started_s
        out.seek(0)
        shown = out.read().decode()
    per_mb = 1024 * 1024 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kilobytes
    return Cost(used.ru_utime + used.ru_stime, wall_s, used.ru_maxrss / per_mb, shown)


def environment(place: Path, **more: str) -> dict[str, str]:
    given = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(place), "DEDUPE_TOKEN": TOKEN}
    return {**given, "DEDUPE_INDEX_DIR": str(place / "index"), **more}


def archive_of(documents: int, place: Path) -> Path:
    """So many made-up documents, numbered from 1, as a file for `scan` and the stand-in."""
    rows = (
        {"id": one.id, "content": one.content, "title": f"Document {one.id}", "created": "2024-05-01"}
        for one in Archive().documents(1, documents)
    )
    return written(place / f"{documents}.jsonl", rows)


def written(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def first(archive: Path, documents: int) -> list[dict[str, Any]]:
    with archive.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in islice(lines, documents)]


@contextmanager
def stand_in(archive: Path) -> Iterator[str]:
    """A Paperless with these documents, in a process of its own; yields its address."""
    address, its_end = Pipe()
    server = Process(target=_stand_in, args=(archive, its_end))
    server.start()
    try:
        yield address.recv()
    finally:
        server.terminate()
        server.join()


def _stand_in(archive: Path, address: Connection) -> None:
    with FakePaperless(token=TOKEN, task_delay_s=TASK_DELAY_S) as fake:
        for document in first(archive, sys.maxsize):
            fake.add_document(**document)
        address.send(fake.url)
        threading.Event().wait()  # until it is ended
