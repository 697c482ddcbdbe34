"""Several hosts examine into one index on Redis while processes are killed and a replica is promoted.

    python -m scripts.drills hosts [--seconds 60] [--hosts 2] [--processes 2] [--kill-every 3]

Starts a Redis server, a replica and a Sentinel on loopback ports, and `processes` examiners for each host. Every document
has a twin (a second scan) that another process examines. Every few seconds an examiner is killed and started again; after
half of the time the server is killed and Sentinel promotes the replica. At the end the documents that were acknowledged
and not replicated yet are examined again, as a sync does it, and everything is counted. A drill, not a test:
tests/stress/test_hosts.py has a short one that does not depend on the clock.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive
from hook.settings.address import parse_address
from scripts.drills.ledger import text
from scripts.subcommands import make_parser
from tests.hook.index.shared.servers import ask, free_port, sentinel, server, wait_until

SERVICE = "mymaster"


@dataclass
class Place:
    """Two servers and the Sentinel that knows them, or one server alone."""

    directory: Path
    url: str
    ports: list[int]
    servers: list[subprocess.Popen[bytes]]

    def fail_over(self) -> None:
        """Kills the server that takes the writes; returns when the replica takes them."""
        self.servers[0].kill()
        self.servers[0].wait()
        wait_until(lambda: b"role:master" in ask(self.ports[1], "INFO", "replication"))


@contextmanager
def servers(directory: Path, *, alone: bool = False) -> Iterator[Place]:
    """`alone`: one server, as most have it."""
    master, replica, watcher = ports = [free_port(), free_port(), free_port()]
    with ExitStack() as stack:
        running = [stack.enter_context(server(directory / "master", master))]
        if alone:
            yield Place(directory, f"redis://127.0.0.1:{master}/0", ports, running)
            return
        options = ("--replicaof", "127.0.0.1", str(master))
        running.append(stack.enter_context(server(directory / "replica", replica, *options)))
        wait_until(lambda: b"master_link_status:up" in ask(replica, "INFO", "replication"))
        stack.enter_context(sentinel(directory / "sentinel", watcher, master, SERVICE))
        wait_until(lambda: b"num-slaves\r\n$1\r\n1" in ask(watcher, "SENTINEL", "MASTER", SERVICE))
        url = f"redis+sentinel://127.0.0.1:{watcher}/0?service={SERVICE}"
        yield Place(directory, url, ports, running)


@dataclass(frozen=True, slots=True)
class Work:
    """Of each `step` documents, or letters with both scans (`unit` 2), the one with the number `first`, up to `last`."""

    url: str
    directory: Path
    progress: Path
    first: int
    step: int
    last: int
    unit: int
    die_after: int


def opened(directory: Path, url: str, timeout_s: float = 30.0) -> Archive:
    return Archive.open(directory, RECIPE, POLICY, address=parse_address(url), timeout_s=timeout_s)


def examine(work: Work) -> None:
    """In a process of its own: from where the last one for these documents ended."""
    done = len(work.progress.read_text().splitlines()) if work.progress.exists() else 0
    numbers = [one for one in range(work.last) if one // work.unit % work.step == work.first][done:]
    with (
        opened(work.directory, work.url, timeout_s=5.0) as archive,
        work.progress.open("a", buffering=1) as out,
    ):
        for count, number in enumerate(numbers):
            if count == work.die_after:
                os.kill(os.getpid(), signal.SIGKILL)
            seen = archive.examine_and_store(document(number))
            # A line is one short write: a kill leaves it whole or not at all.
            out.write(json.dumps([number, [one.other for one in seen.verdicts if one.flagged]]) + "\n")


def document(number: int) -> Document:
    """2k and 2k+1 are two scans of one letter."""
    return Document(number, text(number // 2, scan=bool(number % 2)))


PROCESSES = multiprocessing.get_context("forkserver")  # forked from one that has imported this module
PROCESSES.set_forkserver_preload(["scripts.drills.hosts"])


@dataclass
class Examiners:
    """The processes of all hosts."""

    place: Place
    hosts: int
    processes: int
    last: int
    unit: int = 1
    running: dict[int, ForkServerProcess] = field(default_factory=dict)

    def progress(self, worker: int) -> Path:
        return self.place.directory / f"progress-{worker}"

    def start(self, worker: int, die_after: int = -1) -> None:
        host = self.place.directory / f"host-{worker % self.hosts}"
        step = self.hosts * self.processes
        work = Work(
            self.place.url, host, self.progress(worker), worker, step, self.last, self.unit, die_after
        )
        self.running[worker] = PROCESSES.Process(target=examine, args=(work,))
        self.running[worker].start()

    def wait(self, worker: int) -> int | None:
        """Its exit code."""
        self.running[worker].join()
        return self.running[worker].exitcode

    def kill(self, worker: int) -> None:
        self.running[worker].kill()
        self.wait(worker)

    def acknowledged(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for worker in range(self.hosts * self.processes):
            if self.progress(worker).exists():
                found.update(map(json.loads, self.progress(worker).read_text().splitlines()))
        return found


@dataclass(frozen=True, slots=True)
class Result:
    """`lost`: acknowledged, and gone with the server that was killed, until the sync at the end examined them again."""

    documents: int
    lost: int
    missing: int
    unseen_twins: int
    sound: bool


def settle(place: Place, examiners: Examiners) -> Result:
    """As a sync does it: examines what is not in the index; then counts."""
    known = examiners.acknowledged()
    with opened(place.directory / "sync", place.url) as archive:
        lost = sorted(known.keys() - set(archive.index.ids()))
        for number in lost:
            known[number] = [
                one.other for one in archive.examine_and_store(document(number)).verdicts if one.flagged
            ]
        if not archive.index.check().sound:
            archive.index.check(repair=True)
        ids = list(archive.index.ids())
        missing = len(known.keys() - set(ids)) + len(ids) - len(set(ids))
        twins = [number for number in known if number % 2 and number - 1 in known]
        unseen = [one for one in twins if one - 1 not in known[one] and one not in known[one - 1]]
        return Result(len(known), len(lost), missing, len(unseen), archive.index.check().sound)


def drill(seconds: float, hosts: int, processes: int, kill_every: float) -> None:
    with tempfile.TemporaryDirectory() as directory, servers(Path(directory)) as place:
        examiners, kills, failed_over = Examiners(place, hosts, processes, 10**6), 0, False
        began = time.monotonic()
        for worker in range(hosts * processes):
            examiners.start(worker)
        while (passed := time.monotonic() - began) < seconds:
            time.sleep(kill_every)
            if passed > seconds / 2 and not failed_over:
                place.fail_over()
                failed_over = True
            worker = random.randrange(hosts * processes)
            examiners.kill(worker)
            examiners.start(worker)
            kills += 1
        for worker in examiners.running:
            examiners.kill(worker)
        result = settle(place, examiners)
        used = server_cpu_s(place)
    print(
        f"{hosts} hosts with {processes} processes each, {seconds:g} s, {kills} kills, one failover: {result};"
        f" {result.documents / seconds:.0f} documents a second, server {1000 * used / max(1, result.documents):.2f} CPU ms each"
    )


def throughput(documents: int) -> None:
    """One examiner against two of two hosts, for the same documents; CPU of the server beside.

    Both scans of a letter come to one host: if they came to two, each document would need another one that only the other
    host has open, which one host alone never has to read.
    """
    for hosts in (1, 2):
        with tempfile.TemporaryDirectory() as directory, servers(Path(directory), alone=True) as place:
            examiners = Examiners(place, hosts, 1, documents, unit=2)
            began = time.monotonic()
            for worker in range(hosts):
                examiners.start(worker)
            for worker in range(hosts):
                examiners.wait(worker)
            wall_s, spent_ms = time.monotonic() - began, 1000 * server_cpu_s(place)
            print(
                f"{hosts} host(s): {documents / wall_s:.1f} documents a second, server {spent_ms / documents:.2f} CPU ms each"
            )


def server_cpu_s(place: Place) -> float:
    """Of the servers that still run."""
    spent = 0.0
    for process in place.servers[:2]:
        if process.poll() is None:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kill-every", type=float, default=3)
    parser.add_argument(
        "--throughput", type=int, metavar="N", help="N documents by one host, then by two, on one server"
    )
    args = parser.parse_args()
    if args.throughput:
        throughput(args.throughput)
    else:
        drill(args.seconds, args.hosts, args.processes, args.kill_every)
    return 0
