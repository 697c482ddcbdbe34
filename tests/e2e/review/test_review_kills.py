"""Kill -9 at every write of a decision, before and after Paperless has done it: never anything in between."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hook.review.journal import Do, Stage
from hook.review.kept.instructions import Instruction, Instructions
from tests.e2e.archive_kit import Desk, killed_at, opened
from tests.e2e.review_kit import World, decisions, everything, findings, flagged, operations
from tests.fakes import After, Before, FakePaperless

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


def play(
    story: Story, desk: Desk, words: list[str], kind: type[After | Before], at: int | None = None
) -> tuple[dict[str, Any], bool]:
    """Everything there is afterwards, and whether the kill struck."""
    was_killed = killed_at(desk.fake, words, desk.environ(**story.environ), kind, at)
    if was_killed and story.undoing and not _is_turned(desk):
        desk.run(*words)  # killed before anything was noted: the person runs it again
    for _ in range(2):
        desk.run(*SYNC, code=0, **story.environ)
        assert desk.fake.wait_idle()
    return _left(desk), was_killed


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
@pytest.mark.parametrize("kind", [Before, After])
def test_a_kill_at_any_write(name: str, kind: type[After | Before], tmp_path: Path) -> None:
    """After the next run all is as if nothing had happened to it."""
    story, struck, was_killed = STORIES[name], -1, True
    with FakePaperless(task_delay_s=0.001, clock=lambda: NOON) as fake:
        desk = Desk(fake, tmp_path)
        words = prepared(story, desk)
        world = World(desk)
        expected, _ = play(story, desk, words, kind)
        assert expected["open"] == []
        while was_killed:
            struck += 1
            assert struck < MOST_WRITES
            world.restore()
            left, was_killed = play(story, desk, words, kind, struck)
            assert left == expected, f"killed at write {struck}"
    assert struck >= 1
    print(f"{name}: killed at {struck} writes")
