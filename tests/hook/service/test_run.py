"""How the service stops: all parts at once, within one time limit."""

from __future__ import annotations

from dataclasses import dataclass, field

from hook.service.run import STOP_S, Stopping
from hook.service.server import FINISH_S


@dataclass
class Clock:
    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Stuck:
    """A worker or a sync that uses up all the time it is given."""

    clock: Clock
    began: list[float] = field(default_factory=list)
    given: list[float] = field(default_factory=list)

    def begin_to_stop(self) -> None:
        self.began.append(self.clock())

    def stop(self, timeout_s: float) -> bool:
        self.given.append(timeout_s)
        self.clock.now_s += timeout_s
        return False


def test_everything_stuck_ends_within_the_limit() -> None:
    """`docker stop` kills after 10 s: the responses in progress, the worker and the sync share 7 s, from the signal on."""
    clock = Clock()
    worker, sync = Stuck(clock), Stuck(clock)
    stopping = Stopping(worker, sync, clock)  # type: ignore[arg-type]  # they stand for threads
    stopping.begin()
    assert (worker.began, sync.began) == ([100.0], [100.0])
    clock.now_s += FINISH_S  # for responses in progress
    stopping.end()
    assert clock.now_s - 100.0 <= STOP_S < 10.0
    assert worker.given == [STOP_S - FINISH_S]
    assert sync.given == [0.0]


def test_without_a_signal_the_time_begins_at_the_end() -> None:
    """An error ended the server."""
    clock = Clock()
    worker, sync = Stuck(clock), Stuck(clock)
    Stopping(worker, sync, clock).end()  # type: ignore[arg-type]
    assert (worker.given, sync.given) == ([STOP_S], [0.0])
