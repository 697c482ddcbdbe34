"""Disturbs the product for a while, and compares what is left with an undisturbed run. Prints a table.

    python -m scripts.drills kills [--kills 1000] [--flips 200] [--events 20000] [--seconds 3600] [--seed 1]

Against the stand-in server of the tests: hooks in parallel, backfill, the service and confirmed decisions that move a
copy to the trash, killed at random moments, with a server that fails, odd files in the queue, and no
space on the disk; flipped bits in the index; and the memory of a service that runs for long. Each part ends with the
size that is asked for, or when its share of the seconds is over; the table says how much was done. The exit code is 1
if anything was lost, doubled or could not be recovered.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hook import cli
from hook.findings.decisions import Decisions
from hook.queue import Queue
from tests.e2e.archive_kit import Desk, fill, opened
from tests.e2e.serve_kit import service, until
from tests.fakes import BAD_GATEWAY, SERVER_ERROR, Cut, Drop, FakePaperless, reply
from tests.forked import Forked, fork_server

ROOT: Final = Path(__file__).resolve().parents[2]
FAULTS: Final = (BAD_GATEWAY, SERVER_ERROR, Cut(), Drop(), Drop(done=True), reply(200, "[" * 10_000))
PATIENCE_S: Final = 1800.0  # for a service on a machine that has other things to do
LONGEST_S: Final = 0.5  # in which a process is killed; most of their work is done by then
SMALL_FILE: Final = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)); "
COMMAND: Final = "sys.path.insert(0, sys.argv.pop(1)); from hook.cli import main; sys.exit(main())"


@dataclass
class Row:
    """One line of the table."""

    what: str
    done: int = 0
    unit: str = "kills"
    problems: Counter[str] = field(default_factory=Counter)
    remark: str = ""

    def __str__(self) -> str:
        cells = [str(self.problems[name]) for name in ("lost", "doubled", "unrecoverable")]
        return f"| {self.what} | {self.done} {self.unit} | {' | '.join(cells)} | {self.remark} |"


Shape = dict[int, tuple[bool, frozenset[str], int, tuple[int, ...]]]


def shape(desk: Desk) -> Shape:
    """What people see of each document: in the trash, tags, number of notes, links."""
    desk.fake.run_tasks()
    seen = {number: desk.fake.document(number) for number in (*desk.fake.documents, *desk.fake.trashed)}
    return {
        number: (
            one.deleted_at is not None,
            one.tags,
            len(one.notes),
            tuple(sorted(n for value in one.custom_fields.values() for n in value or ())),
        )
        for number, one in seen.items()
    }


def compare(row: Row, wanted: Shape, found: Shape, what: str) -> None:
    for number, expected in wanted.items():
        here = found.get(number)
        if here == expected:
            continue
        row.problems["doubled" if here and here[2] > expected[2] else "lost"] += 1
        print(f"{what}: #{number} is {here}, undisturbed {expected}", file=sys.stderr)


@contextmanager
def world(place: Path, name: str) -> Iterator[tuple[Desk, dict[int, int]]]:
    """An archive with rescans and a series of bills; the same each time."""
    (place / name).mkdir()
    with FakePaperless() as fake:
        scans = fill(fake, 9, rescans=3, bills=3)
        yield Desk(fake, place / name), scans
    shutil.rmtree(place / name, ignore_errors=True)


def quiet(desk: Desk, *words: str, **more: str) -> tuple[int, str]:
    """A command in this process; its exit code and what it printed."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = cli.main(words, desk.environ(**more))
    return code, out.getvalue()


class Killer:
    def __init__(self, chance: random.Random, row: Row) -> None:
        self._chance, self._row = chance, row

    def end(self, processes: list[Forked]) -> None:
        """Each at a moment of its own; those that have ended by then do not count."""
        ends = sorted((self._chance.uniform(0.0, LONGEST_S), n) for n in range(len(processes)))
        began_s = time.monotonic()
        for at_s, n in ends:
            time.sleep(max(0.0, began_s + at_s - time.monotonic()))
            if processes[n].poll() is None:
                with suppress(ProcessLookupError):
                    processes[n].kill()
                processes[n].wait()
                self._row.done += 1


Scenario = Callable[[Desk, dict[int, int], "Killer | None", random.Random], None]


def hooks(desk: Desk, scans: dict[int, int], killer: Killer | None, chance: random.Random) -> None:
    """Three at a time, beside a backfill, with a server that fails now and then."""
    numbers = list(desk.fake.documents) * 2
    for start in range(0, len(numbers), 3):
        if killer is None:
            continue
        desk.fake.faults.add("*", "/api/", chance.choice(FAULTS), times=1, skip=chance.randrange(8))
        running = [
            fork_server().start([], {**desk.environ(), **desk.fake.hook_environment(number)})
            for number in numbers[start : start + 3]
        ]
        running.append(desk.process("backfill"))
        killer.end(running)
    desk.fake.faults.clear()


def confirm(desk: Desk, scans: dict[int, int], killer: Killer | None, chance: random.Random) -> None:
    """Decisions that move a copy to the trash, and one that dismisses."""
    quiet(desk, "backfill")
    first, *rest = scans
    desk.fake.tag(first, "dedupe:not-duplicate")
    for scan in rest:
        desk.fake.tag(scan, "dedupe:confirm")
    for _ in range(16 if killer else 0):
        assert killer is not None
        killer.end([desk.process("backfill", "--sync", DEDUPE_ON_CONFIRM="trash")])


def served(desk: Desk, scans: dict[int, int], killer: Killer | None, chance: random.Random) -> None:
    """The service, told of every document, with odd files where it looks for events."""
    if killer is None:
        return
    for odd in ("77", "odd"):
        (desk.index_dir / "queue" / odd).mkdir(parents=True, exist_ok=True)
    with service(desk.fake, desk.place, start=False) as at:
        for number in desk.fake.documents:
            (desk.index_dir / "queue" / str(number)).touch()
        for _ in range(10):
            at.process = fork_server().start(["serve"], at.environ())
            time.sleep(chance.uniform(0.0, 0.5))
            killer.end([at.process])


def full_disk(desk: Desk, scans: dict[int, int], killer: Killer | None, chance: random.Random) -> None:
    """No file may grow beyond some kilobytes."""
    if killer is None:
        return
    subprocess.run(
        [sys.executable, "-P", "-c", SMALL_FILE + COMMAND, str(ROOT), "backfill"],
        env=desk.environ(),
        capture_output=True,
        check=False,
    )
    killer._row.done += 1


def disturbed(place: Path, row: Row, scenario: Scenario, size: int, ends_s: float, seed: int) -> Row:
    """Rounds of a scenario, each followed by runs that nobody disturbs."""
    with world(place, "undisturbed") as (desk, scans):
        wanted = finished(desk, scans, scenario, None, random.Random(0))
    rounds = 0
    while row.done < size and time.monotonic() < ends_s:
        rounds += 1
        chance = random.Random(f"{seed} {rounds}")
        with world(place, f"round {rounds}") as (desk, scans):
            try:
                found = finished(desk, scans, scenario, Killer(chance, row), chance)
            except Exception as error:
                row.problems["unrecoverable"] += 1
                print(f"{row.what}, round {rounds}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            compare(row, wanted, found, f"{row.what}, round {rounds}")
    row.remark = f"{rounds} rounds"
    return row


def finished(
    desk: Desk, scans: dict[int, int], scenario: Scenario, killer: Killer | None, chance: random.Random
) -> Shape:
    scenario(desk, scans, killer, chance)
    for words in (["backfill"], ["backfill", "--sync"], ["backfill", "--sync"]):
        let_time_pass(desk)
        code, said = quiet(desk, *words, DEDUPE_ON_CONFIRM="trash")
        if code != 0:
            raise RuntimeError(f"{' '.join(words)} ended with {code}: {said}")
    code, said = quiet(desk, "check", "--full")
    if "every value and every entry verified" not in said or Queue(desk.index_dir).events():
        raise RuntimeError(f"not sound, or not everything is done: {said}")
    return shape(desk)


def let_time_pass(desk: Desk) -> None:
    """An event whose run was killed three times waits for a minute and longer before it is tried again."""
    queue = Queue(desk.index_dir)
    for event in queue.events():
        queue.revive(event.document_id)
    queue.close()


def flips(place: Path, size: int, ends_s: float, seed: int) -> Row:
    """One bit each time, anywhere in the index; then `check --repair` and `backfill`."""
    row = Row("a flipped bit in the index, then `check --repair` and `backfill`", unit="flips")
    with world(place, "flips") as (desk, scans):
        quiet(desk, "backfill")
        desk.fake.tag(next(iter(scans)), "dedupe:not-duplicate")
        quiet(desk, "backfill", "--sync")
        wanted, sound = shape(desk), place / "sound"
        shutil.copytree(desk.index_dir, sound)
        while row.done < size and time.monotonic() < ends_s:
            row.done += 1
            shutil.rmtree(desk.index_dir)
            shutil.copytree(sound, desk.index_dir)
            flip(desk.index_dir / "cache.db", random.Random(f"{seed} {row.done}"))
            _, repaired = quiet(desk, "check", "--repair")
            code, said = quiet(desk, "backfill")
            _, checked = quiet(desk, "check", "--full")
            if code != 0 or "every value and every entry verified" not in checked:
                row.problems["unrecoverable"] += 1
                print(f"flip {row.done}: {repaired}{said}{checked}", file=sys.stderr)
                continue
            with opened(desk) as archive:
                row.problems["lost"] += (
                    len(Decisions(archive.index)) != 1
                )  # read back from Paperless if it was hit
            compare(row, wanted, shape(desk), f"flip {row.done}")
    return row


def flip(path: Path, chance: random.Random) -> None:
    body = bytearray(path.read_bytes())
    body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    path.write_bytes(body)


def memory(place: Path, size: int, ends_s: float) -> Row:
    """A service, told of the same documents over and over; its memory after a tenth of it and at the end."""
    row, measured = Row("a service that runs for long", unit="events"), list[int]()
    with world(place, "memory") as (desk, _), service(desk.fake, desk.place) as at:
        numbers = list(desk.fake.documents)
        while row.done < size and time.monotonic() < ends_s:
            for number in numbers:
                at.post(number)
            row.done += len(numbers)
            until(lambda: len(at.waiting) < 5, PATIENCE_S)
            assert at.process is not None
            measured.append(rss_kb(at.process.pid))
    if measured:
        early, late = measured[len(measured) // 10], measured[-1]
        row.remark = f"RSS {early / 1024:.1f} MB after a tenth, {late / 1024:.1f} MB at the end"
        row.problems["unrecoverable"] += late > 1.1 * early + 4096
    return row


def rss_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])


# What is disturbed, how, its share of the kills, and of the time
PARTS: Final[tuple[tuple[str, Scenario, float], ...]] = (
    ("hooks in parallel and a backfill, killed; a server that fails", hooks, 0.5),
    ("confirm and trash, killed", confirm, 0.3),
    ("the service, killed; odd files in the queue", served, 0.2),
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, size in (("kills", 1000), ("flips", 200), ("events", 20_000), ("seconds", 3600), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=size)
    options = parser.parse_args()
    print("| disturbance | how often | lost | doubled | unrecoverable | |")
    print("|---|---:|---:|---:|---:|---|")
    problems = 0
    for row in run(options):
        print(row, flush=True)
        problems += row.problems.total()
    return 1 if problems else 0


def run(options: Any) -> Iterator[Row]:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="drill-") as named:
        place, share_s = Path(named), float(options.seconds / (len(PARTS) + 3))

        def ends_s() -> float:
            return time.monotonic() + share_s

        for what, scenario, share in PARTS:
            size = round(options.kills * share)
            yield disturbed(place, Row(what), scenario, size, ends_s(), options.seed)
        full = Row("no space on the disk", unit="runs")
        yield disturbed(place, full, full_disk, min(10, options.kills), ends_s(), options.seed)
        yield flips(place, options.flips, ends_s(), options.seed)
        yield memory(place, options.events, ends_s())
