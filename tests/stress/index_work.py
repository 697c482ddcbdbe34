"""What the processes of the stress tests do to an index; imported once by the fork server."""

import os
import resource
import signal
from pathlib import Path
from random import Random

from hook.index.index import Index
from tests.hook.index.index_kit import open_index, put, random_keys

STEPS = 400
KEYS = 30


def change(index: Index, step: int) -> None:
    """Step n of a fixed plan: mostly a new document, at times a replacement, a removal, a queue entry."""
    if step % 7 == 3:
        put(index, step // 2, random_keys(10_000 + step, KEYS))
    elif step % 11 == 5:
        index.remove(step // 3)
    else:
        put(index, step, random_keys(step % 50, KEYS))
    if step % 5 == 0:
        index.namespace("queue").append(b"%d" % step)


def follow_plan(directory: Path, kill_seed: int | None) -> None:
    """Goes on where the last process was killed; is killed itself at a point that the seed decides."""
    with open_index(directory) as index:
        if kill_seed is not None:
            _arrange_death(index, directory, Random(kill_seed))
        while (step := _steps_done(index)) < STEPS:
            with index.batch():
                for ahead in range(step, min(step + Random(step).choice((1, 1, 10)), STEPS)):
                    change(index, ahead)
                    index.set_meta("steps", b"%d" % (ahead + 1))


def _steps_done(index: Index) -> int:
    return int(index.get_meta("steps") or 0)


def _arrange_death(index: Index, directory: Path, random: Random) -> None:
    """Either before the n-th SQL statement, or in the middle of a write, when the -wal file reaches n bytes."""
    if random.random() < 0.5:
        statements_left = random.randrange(1, 700)

        def count(statement: str) -> None:
            nonlocal statements_left
            statements_left -= 1
            if not statements_left:
                os.kill(os.getpid(), signal.SIGKILL)

        index._store.connection.sqlite.set_trace_callback(count)
        return
    index.get_meta("steps")  # the -wal file is there now
    size_bytes = (directory / "cache.db-wal").stat().st_size + random.randrange(1, 110_000)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it; the default is death within the write
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes))


def insert_many(directory: Path, first: int, count: int, batch: int) -> None:
    with open_index(directory, timeout_s=60) as index:
        for start in range(first, first + count, batch):
            with index.batch():
                for number in range(start, start + batch):
                    put(index, number, random_keys(number, KEYS))
                    index.namespace("queue").append(b"%d" % number)
