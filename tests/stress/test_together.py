"""The service with its page, hooks and commands on one index: nobody takes a file of the index from under the others."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scripts.drills.handles import LOOKS, Watch, deleted_handles, integrity
from scripts.drills.ledger import CONFIRMED, DISMISSED, Ledger, doubled
from scripts.drills.stage import Running, Stage
from scripts.drills.world import READ_SECRET, World, world
from tests.e2e.serve_kit import until
from tests.fakes import FakePaperless
from tests.hook.index.shared.servers import MISSING, PROGRAM

ROOT = Path(__file__).parents[2]


on_redis = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


@pytest.mark.stress
@pytest.mark.parametrize("store", ["directory", pytest.param("redis", marks=on_redis)])
def test_a_short_drill_of_everything_together(store: str) -> None:
    """Nothing is lost or doubled, no file of the index is deleted while it is open; of two people who decide on the same card
    at once one wins, and the other is told. A number of steps, not a time; on a busy machine two people may miss each other,
    so it is repeated until everything has happened."""
    happened = [0] * 5
    for seed in ("7", "8", "9"):
        counts = _drilled(store, seed)
        happened = [sum(pair) for pair in zip(happened, counts, strict=True)]
        if all(happened):
            return
    pytest.fail(f"interruptions, requests, acknowledged, at once, told: {happened}")


def _drilled(store: str, seed: str) -> tuple[int, ...]:
    """Interruptions, requests, acknowledged events, decisions of two people at once, and how many of them were told."""
    words = ["together", "--store", store, "--steps", "30", "--seconds", "3600", "--seed", seed]
    command = [sys.executable, "-m", "scripts.drills", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    _, row = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    name, rounds, kills, stops, requests, acknowledged, duels, told, *problems = row
    assert (name, rounds, set(problems)) == (store, "1", {"0"})
    return int(kills) + int(stops), int(requests), int(acknowledged), int(duels), int(told)


@pytest.mark.parametrize("command", ["stats", "hook", "backfill --sync"])
def test_the_page_and_a_command_leave_the_files_of_the_service(tmp_path: Path, command: str) -> None:
    """The page and the API are asked, then another process opens and closes the index: the service has no deleted file
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


def test_a_deleted_file_that_is_open_is_seen(tmp_path: Path) -> None:
    """At once by a look; by the watch, which ignores the moment in which SQLite itself deletes a file, after several."""
    path, watch = tmp_path / "cache.db-wal", Watch(tmp_path)
    with path.open("wb"):
        assert not deleted_handles(tmp_path)
        path.unlink()
        assert {(one.pid, one.path) for one in deleted_handles(tmp_path)} == {(os.getpid(), str(path))}
        for _ in range(LOOKS):
            assert not watch.faults
            watch.look()
        assert len(watch.take()) == 1
    assert not deleted_handles(tmp_path)


def test_a_damaged_database_is_seen(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "cache.db")) as made:
        made.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, value BLOB)")
        made.executemany("INSERT INTO records (value) VALUES (?)", [(bytes(500),)] * 200)
        made.commit()
    assert integrity(tmp_path) == "ok"
    body = bytearray((tmp_path / "cache.db").read_bytes())
    body[8192:12288] = bytes(4096)
    (tmp_path / "cache.db").write_bytes(body)
    assert integrity(tmp_path) != "ok"


def test_what_is_lost_or_doubled_is_seen() -> None:
    """A document counts as lost if it is neither in the index nor in the queue, a decision if it is neither in the index
    nor a tag in Paperless; two notes on one finding are one too many."""
    with FakePaperless() as fake:
        ledger = Ledger()
        pair = ledger.arrive(fake)
        for document in pair:
            ledger.announce(document)
        assert ledger.lost_documents([pair[0]], [pair[1]]) == set()
        assert ledger.lost_documents([pair[0]], []) == {pair[1]}
        assert ledger.begin(pair) and not ledger.begin(pair)
        ledger.accepted(pair, CONFIRMED)
        assert list(ledger.lost_decisions({pair: CONFIRMED}, fake)) == []
        assert len(list(ledger.lost_decisions({pair: DISMISSED}, fake))) == 1
        assert len(list(ledger.lost_decisions({}, fake))) == 1
        fake.tag(pair[1], "dedupe:confirm")
        assert list(ledger.lost_decisions({}, fake)) == []
        fake.add_document("text", notes=['Looks like #1 "a": 99% sure', 'Looks like #2 "b": 99% sure'])
        assert list(doubled(fake)) == []
        fake.add_document("text", notes=['Looks like #1 "a": 99% sure', 'Looks like #1 "a": 98% sure'])
        assert len(list(doubled(fake))) == 1


class Slow:
    """A process that needs a while to end."""

    def __init__(self) -> None:
        self.left = -1

    def poll(self) -> int | None:
        self.left -= self.left > 0
        return 0 if self.left == 0 else None

    def send(self, number: int) -> None:
        if number == signal.SIGTERM:
            self.left = 3


def test_a_service_that_was_told_to_end_is_not_taken_for_one_that_stays() -> None:
    """The next one is started, and asked, when it has gone."""
    stage = Stage(random.Random(1))
    stage.add(Running("serve", Slow(), lambda code: None, [(0.0, signal.SIGTERM)]))
    stage.add(Running("serve", Slow(), lambda code: None))
    stage.tick()
    stage.calm(but="serve")
    assert [one.is_ending for one in stage.running] == [False]


def examined(one: World) -> tuple[int, int]:
    """A pair of documents, by the hook."""
    pair = one.ledger.arrive(one.fake)
    for document in pair:
        assert one.hook(document).wait() == 0
    return pair


def ask(one: World, document: int = 1) -> str:
    """The list of the page, and similar documents from the API."""
    assert one.person(0, "a reader").sees_the_list()
    path = f"/api/documents/{document}/similar"
    return one.at.ask("GET", path, headers={"X-Dedupe-Secret": READ_SECRET})[1]


def run(one: World, command: str) -> None:
    if command == "hook":
        examined(one)
    else:
        assert one.run(*command.split()).code == 0
