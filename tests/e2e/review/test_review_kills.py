"""Kill -9 at every write of a decision, before and after Paperless has done it: never anything in between."""

from __future__ import annotations

import datetime as dt
import signal
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from hook.review.journal import Do, Stage
from hook.review.kept.instructions import Instruction, Instructions
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review_kit import World, decisions, everything, findings, flagged, operations
from tests.fakes import After, Before, FakePaperless
from tests.forked import Forked, fork_server

RICH: dict[str, Any] = {
    "tags": ["Tax"],
    "archive_serial_number": 17,
    "correspondent": "Savings Bank",
    "custom_fields": {"Amount": "12.50"},
    "notes": ["ask Anna"],
}
MOST_WRITES = 60
SYNC = ["backfill", "--sync", "--quiet"]
NOON = dt.datetime(2025, 6, 1, 12, tzinfo=dt.UTC)


@dataclass
class Killer:
    """Kills the process at one of its writes; `at` counts from 0, None spares it."""

    at: int | None
    afterwards: bool
    seen: int = 0
    running: Forked | None = None
    started: threading.Event = field(default_factory=threading.Event)

    def strike(self) -> None:
        if self.seen == self.at:
            assert self.started.wait(600)
            assert self.running is not None
            self.running.kill()
        self.seen += 1

    def run(self, words: list[str], environ: dict[str, str]) -> bool:
        """True if the process was killed."""
        self.running = fork_server().start(words, environ)
        self.started.set()
        return self.running.wait(180) == -signal.SIGKILL

    def watch(self, fake: FakePaperless) -> None:
        act = After(self.strike) if self.afterwards else Before(self.strike)
        for method in ("POST", "PATCH", "DELETE"):
            fake.faults.add(method, "/api/", act, times=None)


@dataclass(frozen=True)
class Story:
    tag: str
    environ: dict[str, str]
    undoing: bool = False
    is_told: bool = False  # on the review page, against the settings


TRASHING = Story("dedupe:confirm", {"DEDUPE_ON_CONFIRM": "trash"})
STORIES = {
    "trash": TRASHING,
    "undo": replace(TRASHING, undoing=True),
    "version": Story("dedupe:make-version", {}),
    "confirm": Story("dedupe:confirm", {}),
    "page": Story("dedupe:confirm", {}, is_told=True),
    "dismiss": Story("dedupe:not-duplicate", {}),
}


def prepared(story: Story, desk: Desk) -> list[str]:
    """The person has decided; the words of the command that is to be killed."""
    fake, pair = desk.fake, flagged(desk, rescan=RICH)
    if story.is_told:
        with opened(desk) as archive:
            told = Instruction(pair.rescan, (pair.letter,), Do.TRASH, pair.letter, by="anna")
            assert Instructions(archive.index).claim([told], ()) is None
    else:
        fake.tag(pair.letter, "dedupe:keep")
    fake.tag(pair.rescan, story.tag)
    if not story.undoing:
        return SYNC
    desk.run(*SYNC, code=0, **story.environ)
    assert fake.trashed == [pair.rescan]
    return ["undo", str(pair.rescan)]


def play(story: Story, desk: Desk, words: list[str], killer: Killer) -> tuple[dict[str, Any], bool]:
    """Everything there is afterwards, and whether the kill struck."""
    killer.watch(desk.fake)
    was_killed = killer.run(words, desk.environ(**story.environ))
    desk.fake.faults.clear()
    if was_killed and story.undoing and not _is_turned(desk):
        desk.run(*words)  # killed before anything was noted: the person runs it again
    for _ in range(2):
        desk.run(*SYNC, code=0, **story.environ)
    assert desk.fake.wait_idle()
    return _left(desk), was_killed


@dataclass
class _Quiet(Desk):
    """Runs commands without looking at what they print."""

    def run(self, *words: str, code: int | None = 0, **more: str) -> tuple[str, str]:
        from hook import cli

        assert cli.main(words, self.environ(**more)) == code
        self.fake.wait_idle()
        return "", ""

    def sync(self, *options: str) -> list[dict[str, Any]]:
        self.run("backfill", "--sync", "--quiet", *options)
        return []


def _is_turned(desk: Desk) -> bool:
    return any(entry.stage in (Stage.ROLLING_BACK, Stage.ROLLED_BACK) for entry in operations(desk))


def _left(desk: Desk) -> dict[str, Any]:
    return {
        "documents": everything(desk),
        "decisions": [replace(entry, decided_at="") for entry in decisions(desk)],
        "findings": findings(desk),
        "open": [entry.number for entry in operations(desk) if entry.is_open],
    }


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("afterwards", [False, True], ids=["before", "after"])
def test_a_kill_at_any_write(name: str, afterwards: bool, tmp_path: Path) -> None:
    """After the next run all is as if nothing had happened to it."""
    story, struck, was_killed = STORIES[name], -1, True
    with FakePaperless(task_delay_s=0.001, clock=lambda: NOON) as fake:
        desk = _Quiet(fake, tmp_path)
        words = prepared(story, desk)
        world = World(desk)
        expected, _ = play(story, desk, words, Killer(None, afterwards))
        assert expected["open"] == []
        while was_killed:
            struck += 1
            assert struck < MOST_WRITES
            world.restore()
            left, was_killed = play(story, desk, words, Killer(struck, afterwards))
            assert left == expected, f"killed at write {struck}"
    assert struck >= 1
    print(f"{name}: killed at {struck} writes")
