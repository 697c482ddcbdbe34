"""`queue`: what waits and what was given up, for people and for programs; and another try."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hook.cli import main
from hook.queue import MAX_ATTEMPTS, Queue


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"DEDUPE_INDEX_DIR": str(tmp_path / "index"), "HOME": str(tmp_path)}


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    """One that waits, one dead letter."""
    made = Queue(tmp_path / "index")
    made.add(7, "Paperless is down")
    for _ in range(MAX_ATTEMPTS):
        event = made.begin(8)
        assert event is not None
        made.keep(event, "it was refused", is_fault=True)
    return made


def test_both_are_listed_with_the_reason(
    queue: Queue, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["queue"], environ) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "waiting: 1"
    assert "#7" in lines[1]
    assert "Paperless is down" in lines[1]
    assert lines[2] == "given up: 1"
    assert f"{MAX_ATTEMPTS} attempts  it was refused" in lines[3]
    assert "--retry" in lines[4]


def test_an_empty_queue(environ: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Looking makes nothing."""
    assert main(["queue"], environ) == 0
    assert capsys.readouterr().out == "waiting: 0\ngiven up: 0\n"
    assert not (tmp_path / "index").exists()


def test_for_programs(queue: Queue, environ: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "--json"], environ) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == 1
    assert [row["document"] for row in found["waiting"]] == [7]
    assert [(row["document"], row["attempts"]) for row in found["dead"]] == [(8, MAX_ATTEMPTS)]


def test_only_what_was_given_up(
    queue: Queue, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["queue", "--dead"], environ) == 0
    assert "#7" not in capsys.readouterr().out


def test_another_try(queue: Queue, environ: dict[str, str]) -> None:
    """All dead letters, or those that are named."""
    assert main(["queue", "--retry"], environ) == 0
    assert sorted(event.document_id for event in queue.due()) == [7, 8]


def test_a_number_that_is_not_there(
    queue: Queue, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["queue", "--retry", "8", "9"], environ) == 1
    assert "#9: not in the queue" in capsys.readouterr().out
    assert main(["queue", "--drop", "9"], environ) == 1


def test_forgotten_on_demand(queue: Queue, environ: dict[str, str]) -> None:
    assert main(["queue", "--drop", "7", "8"], environ) == 0
    assert queue.events() == []


def test_events_in_the_spool_are_shown(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The forwarder script has left them, and no service has taken them yet."""
    spool = tmp_path / "index" / "spool"
    spool.mkdir(parents=True)
    for name in ("5.1-1", "6.2-2", "7.3-3", "odd"):
        (spool / name).touch()
    assert main(["queue"], environ) == 0
    assert "left for the service by the forwarder script: 3 (#5, #6, #7)" in capsys.readouterr().out
    assert main(["queue", "--json"], environ) == 0
    assert json.loads(capsys.readouterr().out)["spool"] == [5, 6, 7]
