"""The service: what it is told of is examined, whatever happens to it; and its own writes end in silence."""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hook.cli import main
from hook.findings.findings import Record
from tests.e2e.archive_kit import Desk, Result, fill, result
from tests.e2e.hook_kit import is_flagged
from tests.e2e.serve_kit import ROOT, SECRET, BesideFake, service, until
from tests.fakes import Delay, FakePaperless, Snapshot
from tests.live.texts import Texts

FORWARDER = ROOT / "scripts" / "forward.sh"


def forwarded(at: BesideFake, document_id: int) -> subprocess.CompletedProcess[str]:
    """By the script as a user has corrected it."""
    secret, script = at.place / "secret", at.place / "forward.sh"
    secret.write_text(f"{SECRET}\n")
    text = FORWARDER.read_text().replace("http://dedupe:8642", at.url)
    script.write_text(text.replace("/run/secrets/dedupe_secret", str(secret)))
    environ = {"PATH": os.environ.get("PATH", os.defpath), **at.fake.hook_environment(document_id)}
    return subprocess.run(
        ["sh", script], env=environ, cwd="/", capture_output=True, text=True, check=False, timeout=120
    )


def test_told_by_a_webhook_and_by_the_forwarder(tmp_path: Path, texts: Texts) -> None:
    with FakePaperless() as fake, service(fake, tmp_path) as at:
        letter = fake.add_document(text := texts.letter())
        scan = fake.add_document(texts.scanned_again(text))
        assert at.post(letter) == 202
        told = forwarded(at, scan)
        assert (told.returncode, told.stdout, told.stderr) == (0, "", "")
        at.settle()
        assert is_flagged(fake.document(scan).tags)
        until(lambda: at.figure('dedupe_examined_total{source="event"}') == 2)  # counted after it is settled
        assert at.figure('dedupe_flagged_total{relation="rescan"}') == 1
        assert at.stop() == 0


def test_our_own_writes_end_in_silence(tmp_path: Path, texts: Texts) -> None:
    """Each write fires "Document Updated" again: the number of writes must come to zero, and stay there. The tag of a
    person is an update like any other: the decision is carried out."""
    with FakePaperless(task_delay_s=0.0) as fake, service(fake, tmp_path) as at:
        assert main(["setup", "--webhooks", at.url], at.environ()) == 0
        fake.options.fire_webhooks = True
        text = texts.letter()
        scans = [fake.consume(texts.scanned_again(text) if n else text) for n in range(4)]
        quiet = 0
        while quiet < 5:  # rounds without a single write
            assert fake.wait_idle(30)
            at.settle()
            quiet = quiet + 1 if not fake.writes else 0
            fake.forget_requests()
            time.sleep(0.05)
        assert at.figure('dedupe_events_total{source="http"}') > len(scans)
        assert sum(is_flagged(fake.document(scan).tags) for scan in fake.documents) == 3
        examined = at.figure('dedupe_examined_total{source="event"}')
        assert examined <= at.figure('dedupe_events_total{source="http"}') + 3 * len(scans)
        scan = max(fake.documents)
        fake.tag(scan, "dedupe:not-duplicate")
        until(lambda: fake.document(scan).tags == frozenset())
        assert fake.wait_idle(30)
        at.settle()


def test_down_during_five_uploads_then_up(tmp_path: Path, texts: Texts) -> None:
    """The forwarder script says so; the sync at the start of the service finds them."""
    with FakePaperless() as fake, service(fake, tmp_path, start=False, DEDUPE_SWEEP_MINUTES="60") as at:
        text = texts.letter()
        scans = [fake.add_document(texts.scanned_again(text) if n else text) for n in range(5)]
        for scan in scans:
            told = forwarded(at, scan)
            assert (told.returncode, "examined by the next sync" in told.stderr) == (0, True)
        at.start()
        until(lambda: at.figure('dedupe_sweeps_total{result="done"}') == 1)
        assert [is_flagged(fake.document(scan).tags) for scan in scans] == [False, True, True, True, True]


def test_it_ends_in_time_with_everything_stuck(tmp_path: Path, texts: Texts) -> None:
    """`docker stop` kills after 10 s. Paperless does not answer, a sync runs, a client sends half a body."""
    with FakePaperless() as fake, service(fake, tmp_path, start=False, DEDUPE_SWEEP_MINUTES="60") as shop:
        number = shop.fake.add_document(texts.letter())
        stuck = shop.fake.faults.add("GET", "/api/", Delay(60), times=None)
        shop.start()
        assert shop.post(number) == 202
        until(lambda: stuck.hits >= 2)
        with socket.create_connection(("127.0.0.1", shop.port)) as half:
            half.sendall(
                b"POST /events HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n"
                + f"X-Dedupe-Secret: {SECRET}\r\n\r\n1".encode()
            )
            began_s = time.monotonic()
            assert shop.stop() == 0
        assert time.monotonic() - began_s < 12.0  # 7 s of timers; 13 s and more if one of them is missing
        assert shop.waiting == [number]


def test_with_paperless_away_nothing_is_said_to_be_examined(tmp_path: Path) -> None:
    """A sync that could not begin has examined nothing, which is not a result."""
    with (
        FakePaperless() as fake,
        service(fake, tmp_path, DEDUPE_SWEEP_MINUTES="60", DEDUPE_URL="http://127.0.0.1:9") as shop,
    ):
        until(lambda: shop.figure('dedupe_sweeps_total{result="busy"}') > 0)  # its output was read before
        assert re.search(r"^\[20\S+ [\d:,]+\] \[WARNING\] .*nothing answers", shop.log, re.MULTILINE)
        assert "examined" not in shop.log


def test_paperless_away_for_a_while(tmp_path: Path, texts: Texts) -> None:
    """Events are taken and kept; when Paperless is back, all are examined."""
    with FakePaperless() as fake, service(fake, tmp_path) as at:
        letter = fake.add_document(text := texts.letter())
        scan = fake.add_document(texts.scanned_again(text))
        fake.down()
        assert [at.post(letter), at.post(scan)] == [202, 202]
        until(lambda: at.figure("dedupe_worker_stalled") == 1)
        assert at.waiting == [letter, scan]
        fake.up()
        at.settle()
        assert is_flagged(fake.document(scan).tags)
        assert at.figure("dedupe_worker_stalled") == 0


def examine_all(at: BesideFake, documents: list[int], kills: int) -> Result:
    """Tells the service of each; as often as asked for, it is killed in between and started again."""
    chance = random.Random(5)
    step = len(documents) // (kills + 1)
    killed_at = {documents[(n + 1) * step] for n in range(kills)}
    for document in documents:
        assert at.post(document) == 202
        if document in killed_at:
            time.sleep(chance.uniform(0.0, 0.1))
            at.kill()
            at.start()
    at.settle()
    return result(Desk(at.fake, at.place))


@pytest.mark.stress
def test_killed_five_times_during_forty_events(tmp_path: Path) -> None:
    """Every event is examined, and what is found and written is what an undisturbed run finds and writes."""
    results = []
    for kills in (0, 5):
        clock = lambda: datetime(2026, 5, 1, tzinfo=UTC)  # noqa: E731 - both archives of the same day
        with FakePaperless(clock=clock) as fake, service(fake, tmp_path / str(kills)) as at:
            fill(fake, 30, rescans=8, bills=2)
            assert len(fake.documents) == 40
            results.append(examine_all(at, fake.documents, kills))
    undisturbed, disturbed = results
    assert disturbed.sound
    assert disturbed.fingerprints == undisturbed.fingerprints
    assert [shown(one) for one in disturbed.documents.values()] == [
        shown(one) for one in undisturbed.documents.values()
    ]
    assert list(map(found, disturbed.records)) == list(map(found, undisturbed.records))


def shown(document: Snapshot) -> Snapshot:
    """How sure a note is depends on what was indexed before it: a kill changes the order of two events."""
    return replace(document, notes=tuple(re.sub(r"\d+% sure", "sure", note) for note in document.notes))


def found(record: Record) -> Record:
    findings = tuple(replace(one, confidence=0.0) for one in record.findings)
    return replace(record, findings=findings, notes=tuple(replace(one, digest="") for one in record.notes))


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # the second one in the image
def test_check_beside_a_service_that_only_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    """It needs no hook; without it, or with a script that is set, the hook is checked as ever."""
    line = "the service runs with --report-only"
    with FakePaperless() as fake, service(fake, tmp_path, start=False, DEDUPE_SERVE_HOST=host) as at:
        at.words = ("--report-only",)
        at.start()
        for minutes, rest in (("15", ": its periodic sync examines"), ("0", " and without periodic syncs")):
            assert main(["check"], {**at.environ(), "DEDUPE_SWEEP_MINUTES": minutes}) == 0
            out = " ".join(capsys.readouterr().out.split())
            assert line + rest in out
            assert "PAPERLESS_POST_CONSUME_SCRIPT" not in out
        main(["check"], {**at.environ(), "PAPERLESS_POST_CONSUME_SCRIPT": str(FORWARDER)})
        out = capsys.readouterr().out
        assert (line in out, f"{FORWARDER}: executable" in out) == (False, True)
        assert at.stop() == 0
        main(["check"], at.environ())
        assert "PAPERLESS_POST_CONSUME_SCRIPT is not set" in capsys.readouterr().out
        at.words = ()
        at.start()
        main(["check"], at.environ())
        assert "PAPERLESS_POST_CONSUME_SCRIPT is not set" in capsys.readouterr().out


def test_setup_makes_the_workflows_once_and_check_finds_the_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakePaperless() as fake, service(fake, tmp_path) as at:
        assert main(["setup", "--webhooks", f"{at.url}/"], at.environ()) == 0
        fake.forget_requests()
        assert main(["setup", "--webhooks", f"{at.url}/events"], at.environ()) == 0
        assert fake.writes == []
        capsys.readouterr()
        main(["check"], {**at.environ(), "PAPERLESS_POST_CONSUME_SCRIPT": str(FORWARDER)})
        out = capsys.readouterr().out
        assert out.count("the service answers at") == 1
        assert f"{FORWARDER}: executable" in out
        assert SECRET not in out
        assert main(["check"], at.environ()) == 0
        assert "PAPERLESS_POST_CONSUME_SCRIPT" not in capsys.readouterr().out  # webhooks need no script
        assert main(["setup", "--webhooks", at.url], {**at.environ(), "DEDUPE_SECRET": "another"}) == 0
        main(["check"], at.environ())
        assert "rejects the secret" in capsys.readouterr().out
        assert at.stop() == 0
        main(["check"], at.environ())
        out = capsys.readouterr().out
        assert "does not answer" in out
        assert "PAPERLESS_POST_CONSUME_SCRIPT is not set" in out
