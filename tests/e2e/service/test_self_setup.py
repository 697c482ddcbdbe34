"""`serve --webhooks`: the service creates tags, view and workflows itself, and waits for Paperless with it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hook.cli import main
from hook.paperless.webhooks import TRIGGERS
from hook.service.metrics import Metrics
from hook.service.own_commands import PeriodicSync, set_up
from tests.e2e.serve_kit import SECRET, Service, counted, free_port, service, until
from tests.fakes import FakePaperless

FAILS_TWICE = """
import pathlib, sys
attempts = pathlib.Path(sys.argv[1])
attempts.write_text(attempts.read_text() + sys.argv[2] + "\\n")
sys.exit(6 if len(attempts.read_text().splitlines()) < 3 else 0)
"""


def test_nothing_has_to_be_run_by_hand(tmp_path: Path) -> None:
    """After the start there are the tags, the saved view and both workflows; another start changes nothing."""
    with FakePaperless() as fake, service(fake, tmp_path, start=False) as at:
        at.words = ("--webhooks", at.url)
        at.start()
        until(lambda: "created: workflows" in at.log)
        assert {flow.name for flow in fake.state.workflows.values()} == set(TRIGGERS)
        assert "dedupe:review" in fake.tag_names
        assert [view.name for view in fake.state.saved_views.values()] == ["Suspected duplicates"]
        assert at.stop() == 0
        fake.forget_requests()
        at.start()
        until(lambda: "exists: workflows" in at.log)
        assert fake.writes == []
        assert SECRET not in at.log


def test_it_waits_for_a_paperless_that_starts_later(tmp_path: Path) -> None:
    """`docker compose up` starts both at once. An attempt that fails is repeated, one that worked is not."""
    attempts = tmp_path / "attempts"
    attempts.write_text("")
    command = (sys.executable, "-c", FAILS_TWICE, str(attempts))
    set_up({}, "http://dedupe:8642", command=command, pause_s=0.0)
    assert attempts.read_text().splitlines() == ["http://dedupe:8642"] * 3


def test_a_program_that_is_gone_does_not_end_the_service() -> None:
    metrics = Metrics()
    sync = PeriodicSync({}, 60.0, metrics, ("/does/not/exist",))
    sync.start()
    until(lambda: counted(metrics, "dedupe_sweeps_total", result="failed") == 1)
    sync.stop(10.0)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--webhooks", "dedupe 8642"], "is not an address"),
        (["--report-only", "--webhooks", "http://dedupe:8642"], "use one of them"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], reason: str
) -> None:
    at = Service(place=tmp_path, paperless={"DEDUPE_TOKEN": "0" * 40}, port=free_port())
    assert main(["serve", *words], at.environ()) == 2
    assert reason in capsys.readouterr().err
    assert not at.index_dir.exists()
