"""`queue`: what waits and what was given up, for people and for programs; and another try."""

from __future__ import annotations

import json

import pytest

from hook.queue import MAX_ATTEMPTS, Queue
from tests.e2e.archive_kit import Desk


@pytest.fixture
def queue(desk: Desk) -> Queue:
    """One that waits, one dead letter."""
    made = Queue(desk.index_dir)
    made.add(7, "Paperless is down")
    for _ in range(MAX_ATTEMPTS):
        event = made.begin(8)
        assert event is not None
        made.keep(event, "it was refused", is_fault=True)
    return made


@pytest.mark.usefixtures("queue")
def test_both_are_listed_with_the_reason(desk: Desk) -> None:
    lines = desk.run("queue")[0].splitlines()
    assert (lines[0], lines[2]) == ("waiting: 1", "given up: 1")
    assert "#7" in lines[1] and "Paperless is down" in lines[1]
    assert f"{MAX_ATTEMPTS} attempts  it was refused" in lines[3]
    assert "--retry" in lines[4]
    found = json.loads(desk.run("queue", "--json")[0])
    assert (found["schema"], [row["document"] for row in found["waiting"]]) == (1, [7])
    assert [(row["document"], row["attempts"]) for row in found["dead"]] == [(8, MAX_ATTEMPTS)]


def test_retried_and_dropped(queue: Queue, desk: Desk) -> None:
    """All that were given up, or those that are named; a number that is not there is an error."""
    assert "#9: not in the queue" in desk.run("queue", "--retry", "9", code=1)[0]
    desk.run("queue", "--retry")
    assert sorted(event.document_id for event in queue.due()) == [7, 8]
    desk.run("queue", "--drop", "7", "8")
    assert queue.events() == []
    desk.run("queue", "--drop", "8", code=1)


def test_looking_makes_nothing(desk: Desk) -> None:
    assert desk.run("queue")[0] == "waiting: 0\ngiven up: 0\n"
    assert not desk.index_dir.exists()
