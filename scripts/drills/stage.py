"""The processes of a drill: started, suspended, continued and killed at moments that chance decides."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.forked import Forked, fork_server

SCRIPT: Final = Path(__file__).resolve().parents[1] / "post-consume.sh"
KILLED: Final = 0.55  # of the processes
SUSPENDED: Final = 0.2
LONGEST_S: Final = 0.5  # until then; most of their work is done in that time
LONGEST_STOP_S: Final = 1.5
PATIENCE_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class Process:
    """`signal` sends it one, by the number of the process."""

    process: Forked | subprocess.Popen[bytes]
    signal: Callable[[int, int], None]

    def poll(self) -> int | None:
        return self.process.poll()

    def wait(self) -> int:
        return self.process.wait(PATIENCE_S)

    def send(self, number: int) -> None:
        self.signal(self.process.pid, number)


def scripted(environ: Mapping[str, str], said: Path) -> Process:
    """The hook as Paperless starts it: a shell, and Python below it."""
    with said.open("ab") as log:
        process = subprocess.Popen(
            [SCRIPT], cwd="/", env=dict(environ), stdout=log, stderr=log, start_new_session=True
        )
    return Process(process, os.killpg)


def started(words: Sequence[str], environ: Mapping[str, str], said: Path) -> Process:
    """A command, or the hook without words, by way of the fork server."""
    with said.open("ab") as log:
        return Process(fork_server().start(words, environ, out=log, err=log), os.kill)


@dataclass
class Running:
    """`fate`: the signals to come, with their moments; the next one first."""

    what: str
    process: Process
    at_end: Callable[[int], None]
    fate: list[tuple[float, int]] = field(default_factory=list)
    is_ending: bool = False  # told to end, which may take it a while


@dataclass
class Stage:
    chance: random.Random
    running: list[Running] = field(default_factory=list)
    sent: Counter[int] = field(default_factory=Counter)  # by signal
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, one: Running) -> None:
        self.running.append(one)

    def has(self, what: str) -> bool:
        return any(one.what == what for one in self.running)

    def run(
        self,
        what: str,
        process: Process,
        at_end: Callable[[int], None] = lambda code: None,
        longest_s: float = LONGEST_S,
    ) -> None:
        """A process that is killed, suspended for a while, or left alone."""
        fate, drawn = list[tuple[float, int]](), self.chance.random()
        at_s = time.monotonic() + self.chance.uniform(0.0, longest_s)
        if drawn < KILLED:
            fate = [(at_s, signal.SIGKILL)]
        elif drawn < KILLED + SUSPENDED:
            fate = self.suspension(at_s)
        self.add(Running(what, process, at_end, fate))

    def suspension(self, at_s: float) -> list[tuple[float, int]]:
        """One in four is killed meanwhile."""
        last = signal.SIGKILL if self.chance.random() < 0.25 else signal.SIGCONT
        return [(at_s, signal.SIGSTOP), (at_s + self.chance.uniform(0.1, LONGEST_STOP_S), last)]

    def tick(self) -> None:
        """Sends the signals that are due, and removes what has ended."""
        for one in list(self.running):
            while one.fate and one.fate[0][0] <= time.monotonic():
                self._send(one, one.fate.pop(0)[1])
            if (code := one.process.poll()) is not None:
                self.running.remove(one)
                self.codes[f"{one.what} {code}"] += 1
                one.at_end(code)

    def _send(self, one: Running, number: int) -> None:
        with suppress(ProcessLookupError):
            if one.process.poll() is None:
                one.process.send(number)
                self.sent[number] += 1
                one.is_ending = one.is_ending or number in (signal.SIGTERM, signal.SIGKILL)

    def send(self, number: int) -> None:
        """To all of them; it does not count as a disturbance."""
        for one in self.running:
            with suppress(ProcessLookupError):
                one.process.send(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)

    def calm(self, *, but: str = "") -> None:
        """Everything continues, and ends by itself; processes of the kind `but` stay, unless they were told to end."""
        for one in self.running:
            one.fate.clear()
        self.send(signal.SIGCONT)
        ends_s = time.monotonic() + PATIENCE_S
        while any(one.what != but or one.is_ending for one in self.running):
            self.tick()
            if time.monotonic() > ends_s:
                raise TimeoutError(f"did not end: {', '.join(one.what for one in self.running)}")
            time.sleep(0.02)
