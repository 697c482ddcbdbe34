"""The service with its page, hooks and commands on one index: nobody takes a file of the index from under the others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.drills.handles import deleted_handles
from scripts.drills.ledger import CONFIRMED
from scripts.drills.world import READ_SECRET, World, world
from tests.e2e.serve_kit import until
from tests.hook.index.shared.servers import MISSING, PROGRAM

ROOT = Path(__file__).parents[2]
on_redis = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


@pytest.mark.stress
@pytest.mark.parametrize("store", ["directory", pytest.param("redis", marks=on_redis)])
def test_a_short_drill_of_everything_together(store: str) -> None:
    """Nothing is lost or doubled, no file of the index is deleted while it is open; a number of steps, not a time."""
    words = ["together", "--store", store, "--steps", "40", "--seconds", "3600", "--seed", "7"]
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "drill.py", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    _, row = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    name, rounds, kills, stops, requests, acknowledged, *problems = row
    assert (name, rounds) == (store, "1")
    assert all(int(cell) > 0 for cell in (kills, stops, requests, acknowledged))
    assert set(problems) == {"0"}


@pytest.mark.parametrize("command", ["stats", "hook", "backfill --sync"])
def test_the_page_and_a_command_leave_the_files_of_the_service(tmp_path: Path, command: str) -> None:
    """The page and `/similar` are asked, then another process opens and closes the index: the service has no deleted file
    open, and sees what comes next."""
    with world(tmp_path, "directory") as one:
        one.at.start()
        examined(one)
        ask(one)
        run(one, command)
        assert not deleted_handles(one.at.index_dir)
        letter, scan = examined(one)
        assert f'"id":{scan},' in ask(one, letter)
        person = one.person(0, "the person")
        assert person.decides_on((letter, scan), "same")
        until(lambda: "dedupe:confirmed" in one.fake.document(scan).tags)
        assert one.at.stop() == 0
        assert one.decisions() == {(letter, scan): CONFIRMED}
        assert one.documents() == len(one.fake.documents)


def examined(one: World) -> tuple[int, int]:
    """A pair of documents, by the hook."""
    pair = one.ledger.arrive(one.fake)
    for document in pair:
        assert one.hook(document).wait() == 0
    return pair


def ask(one: World, document: int = 1) -> str:
    """The list of the page, and `/similar`."""
    assert one.person(0, "a reader").sees_the_list()
    return one.at.ask("GET", f"/similar/{document}", headers={"X-Dedupe-Secret": READ_SECRET})[1]


def run(one: World, command: str) -> None:
    if command == "hook":
        examined(one)
    else:
        assert one.run(*command.split()).code == 0
