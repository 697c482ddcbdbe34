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


def shown(environ: dict[str, str], capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["queue", *words], environ) == code
    return capsys.readouterr().out


def test_both_are_listed_with_the_reason(
    queue: Queue, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(environ, capsys).splitlines()
    assert (lines[0], lines[2]) == ("waiting: 1", "given up: 1")
    assert "#7" in lines[1] and "Paperless is down" in lines[1]
    assert f"{MAX_ATTEMPTS} attempts  it was refused" in lines[3]
    assert "--retry" in lines[4]
    found = json.loads(shown(environ, capsys, "--json"))
    assert (found["schema"], [row["document"] for row in found["waiting"]]) == (1, [7])
    assert [(row["document"], row["attempts"]) for row in found["dead"]] == [(8, MAX_ATTEMPTS)]


def test_retried_and_dropped(
    queue: Queue, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """All that were given up, or those that are named; a number that is not there is an error."""
    assert "#9: not in the queue" in shown(environ, capsys, "--retry", "9", code=1)
    shown(environ, capsys, "--retry")
    assert sorted(event.document_id for event in queue.due()) == [7, 8]
    shown(environ, capsys, "--drop", "7", "8")
    assert queue.events() == []
    shown(environ, capsys, "--drop", "8", code=1)


def test_looking_makes_nothing(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert shown(environ, capsys) == "waiting: 0\ngiven up: 0\n"
    assert not (tmp_path / "index").exists()
