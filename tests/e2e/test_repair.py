"""`check --repair` after each kind of damage, then the commands that it advises: everything is there again, nothing twice."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from dedupe_core.model import Relation
from hook.findings.decisions import Decision, Decisions, Kind
from tests.e2e.archive_kit import Desk, fill, opened, result

PAGE = 4096


def changed(statement: str) -> Callable[[Path], None]:
    def change(database: Path) -> None:
        connection = sqlite3.connect(database)
        with connection:
            connection.execute(statement)
        connection.close()

    return change


def overwritten(first: float, pages: int = 1) -> Callable[[Path], None]:
    """Garbage from this share of the file on."""

    def overwrite(database: Path) -> None:
        start = int(database.stat().st_size * first) // PAGE * PAGE
        with database.open("r+b") as file:
            file.seek(start)
            file.write(random.Random(first).randbytes(pages * PAGE))

    return overwrite


def shortened(database: Path) -> None:
    body = database.read_bytes()
    database.write_bytes(body[: len(body) // 2])


DAMAGE: dict[str, Callable[[Path], None]] = {
    "first page": overwritten(0),
    "the middle": overwritten(0.5, 3),
    "truncated": shortened,
    "no table of keys": changed("DROP TABLE posting"),
    "no state": changed("DELETE FROM Cache WHERE key = 'state'"),
    "no id": changed("UPDATE Cache SET value = CAST('?' AS BLOB) WHERE key = 'meta:index-id'"),
    "a record": changed("UPDATE Cache SET value = CAST('?' AS BLOB) WHERE key = 3"),
    "every finding": changed("UPDATE Cache SET tag = 1 WHERE hex(key) LIKE hex('findings') || '00%'"),
}


def advised(desk: Desk, *options: str) -> list[list[str]]:
    """The commands that `check` names, in its order, each once."""
    lines = [line for line in desk.check(*options).values() if line["level"] != "ok"]
    commands = [word for line in lines for word in re.findall(r"`paperless-dedupe ([^`]+)`", line["fix"])]
    return [command.split() for command in dict.fromkeys(commands)]


@pytest.mark.parametrize("kind", DAMAGE)
def test_after_a_repair_the_advised_commands_bring_everything_back(desk: Desk, kind: str) -> None:
    """The index has its id, so the backfill is not refused; findings, decisions and documents are as before, no note twice."""
    fill(desk.fake, 9, rescans=3)
    desk.run("setup")
    desk.backfill()
    with opened(desk) as archive:
        Decisions(archive.index).put([Decision(3, 4, Kind.DISMISSED, Relation.SIBLING, 0.5)])
    desk.backfill()  # its copy is in Paperless now
    before = result(desk)
    DAMAGE[kind](desk.index_dir / "cache.db")
    for command in advised(desk, "--repair"):
        desk.run(*command)
    after = result(desk)
    assert (after.documents, after.sound) == (before.documents, True)
    with opened(desk) as archive:
        assert len(archive.index) == 12
        assert [(one.a, one.b) for one in Decisions(archive.index)] == [(3, 4)]
    assert advised(desk, "--full") == []
