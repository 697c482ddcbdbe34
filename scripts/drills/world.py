"""A Paperless, an index in a directory or on a server, and our programs beside them."""

from __future__ import annotations

import io
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hook import cli
from scripts.drills.ledger import Ledger, Pair
from scripts.drills.people import Person
from scripts.drills.rivals import Rivals
from scripts.drills.stage import Process, scripted, started
from tests.e2e.serve_kit import BesideFake, service
from tests.fakes import FakePaperless
from tests.fork_server import LEASE
from tests.forked import Ran, fork_server
from tests.hook.index.shared.servers import free_port, server

READ_SECRET: Final = "another-secret-for-reading-only"
SHARES: Final = (
    4  # of the pairs: one person at the page, two who decide at once, and one who sets tags in Paperless
)
PERSON, RIVALS, TAGGER = 0, (1, 2), 3
SECOND_USER: Final = "eve"
COLUMNS: Final = ("lost", "doubled", "deleted handles", "integrity", "other")
HEAD: Final = (
    "| index | rounds | kills | stops | requests | acknowledged | two at once | other told "
    f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (7 + len(COLUMNS))}"
)


@dataclass
class Result:
    """The row of the table."""

    store: str
    rounds: int = 0
    acknowledged: int = 0
    duels: int = 0  # two people decided at once, and one won
    told: int = 0  # of these, those in which the other one got an answer
    sent: Counter[int] = field(default_factory=Counter)  # signals
    answers: Counter[int] = field(default_factory=Counter)  # by status; 0: none
    codes: Counter[str] = field(default_factory=Counter)  # of processes
    problems: Counter[str] = field(default_factory=Counter)

    def problem(self, column: str, message: str) -> None:
        self.problems[column] += 1
        print(f"{self.store}, round {self.rounds}, {column}: {message}", file=sys.stderr, flush=True)

    def __str__(self) -> str:
        signals = (self.sent[signal.SIGKILL], self.sent[signal.SIGSTOP])
        done = (self.rounds, *signals, self.answers.total(), self.acknowledged, self.duels, self.told)
        found = (self.problems[column] for column in COLUMNS)
        return f"| {self.store} | {' | '.join(map(str, (*done, *found)))} |"


class UnreadableError(Exception):
    """A command that reads has failed, though nothing disturbed it."""


@dataclass
class World:
    at: BesideFake
    ledger: Ledger = field(default_factory=Ledger)
    _started: int = 0

    @property
    def fake(self) -> FakePaperless:
        return self.at.fake

    @property
    def said(self) -> Path:
        """A file for each process, numbered in the order of their starts: what it printed."""
        return self.at.place / "said"

    def command(self, *words: str) -> Process:
        return started(words, self.at.environ(), self._said(words[0]))

    def hook(self, document: int, *, script: bool = False) -> Process:
        environ = {**self.at.environ(), **self.fake.hook_environment(document)}
        said = self._said(f"hook-{document}")
        return scripted(environ, said) if script else started([], environ, said)

    def _said(self, name: str) -> Path:
        self.said.mkdir(exist_ok=True)
        self._started += 1
        return self.said / f"{self._started:05}-{name}"

    def run(self, *words: str) -> Ran:
        return fork_server().run(words, self.at.environ())

    def person(self, share: int, seed: str) -> Person:
        return Person(self.at.port, self.fake.token, share, SHARES, self.ledger, seed)

    def rivals(self, problem: Callable[[str, str], None], seed: str) -> Rivals:
        def is_theirs(pair: Pair) -> bool:
            return pair[0] // 2 % SHARES in RIVALS

        return Rivals(self.at.port, ("admin", SECOND_USER), is_theirs, self.ledger, seed, problem)

    # what is in the index

    def _printed(self, *words: str) -> str:
        ran = self.run(*words)
        if ran.code != 0:
            raise UnreadableError(f"{' '.join(words)} ended with {ran.code}: {ran.err}")
        return ran.out

    def decisions(self) -> dict[Pair, str]:
        lines = map(json.loads, self._printed("decisions", "export").splitlines())
        return {(one["a"], one["b"]): one["kind"] for one in lines}

    def waiting(self) -> set[int]:
        """In the queue."""
        found = json.loads(self._printed("queue", "--json"))
        return {one["document"] for one in (*found["waiting"], *found["dead"])}

    def documents(self) -> int:
        return int(json.loads(self._printed("stats", "--json"))["documents"])

    def indexed(self, pair: Pair) -> set[int]:
        if self._succeeds("explain", *map(str, pair)):
            return set(pair)
        return {number for number in pair if self._succeeds("find", str(number))}

    def _succeeds(self, *words: str) -> bool:
        """In this process, which takes a tenth of the time: there is one for each pair."""
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return cli.main(words, self.at.environ()) == 0

    def commands(self, chance: random.Random) -> list[list[str]]:
        """Those that may run at any time."""
        one, other = map(str, chance.choice(self.ledger.pairs))
        backfill = ["backfill", "--quiet"]
        return [
            *([*backfill, "--sync"], [*backfill, "--sync"], backfill, [*backfill, "--jobs", "2"]),
            *([name, "--json"] for name in ("pending", "groups", "stats", "queue", "tune")),
            *(
                ["decisions", "export"],
                ["explain", one, other],
                ["find", one],
                ["check"],
                ["check", "--full"],
            ),
            ["report", "--html", str(self.at.place / "report.html")],
        ]


@contextmanager
def world(place: Path, store: str, lease_s: float = 5.0) -> Iterator[World]:
    """`lease_s`: on a server, until the lock of a killed process expires."""
    options = {"DEDUPE_REVIEW": "true", "DEDUPE_SWEEP_MINUTES": "1", "DEDUPE_READ_SECRET": READ_SECRET}
    with ExitStack() as stack:
        if store == "redis":
            port = free_port()
            stack.enter_context(server(place / "redis", port))
            options |= {"DEDUPE_INDEX_URL": f"redis://127.0.0.1:{port}/0", LEASE: str(lease_s)}
        fake = stack.enter_context(FakePaperless(task_delay_s=0.02))
        fake.add_user(SECOND_USER, superuser=True)
        made = World(stack.enter_context(service(fake, place, start=False, **options)))
        assert made.run("setup").code == 0
        yield made
