"""The service with its page, hooks and commands on one index: nobody takes a file of the index from under the others."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from scripts.drills.handles import deleted_handles
from scripts.drills.ledger import CONFIRMED
from scripts.drills.rest import Wanted, undisturbed
from scripts.drills.together import drill
from scripts.drills.world import READ_SECRET, World, world
from tests.e2e.serve_kit import until
from tests.hook.index.shared.servers import MISSING, PROGRAM

on_redis = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Wanted:
    with world(tmp_path_factory.mktemp("undisturbed"), "directory") as calm:
        return undisturbed(calm)


@pytest.mark.stress
@pytest.mark.parametrize("store", ["directory", pytest.param("redis", marks=on_redis)])
def test_a_short_drill_of_everything_together(store: str, wanted: Wanted, tmp_path: Path) -> None:
    """Nothing is lost or doubled, no file of the index is deleted while it is open; of two people who decide on the same card
    at once one wins, and the other is told. A number of steps, not a time; on a busy machine two people may miss each other,
    so it is repeated until everything has happened."""
    happened = Counter[str]()
    for seed in (7, 8, 9):
        place = tmp_path / f"{seed}"
        result = drill(place, store, wanted, steps=20, seconds=3600, seed=seed, lease_s=3.0)
        assert (result.rounds, result.problems) == (1, {})
        happened.update(sent=result.sent.total(), answers=result.answers.total(), duels=result.duels)
        happened.update(acknowledged=result.acknowledged, told=result.told)
        if all(happened.values()):
            return
    pytest.fail(f"{happened}")


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
