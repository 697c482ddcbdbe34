"""What a person gets who runs the service beside a real Paperless, which tells it by webhooks or the forwarder script.

LIVE_HOOK=none      the server has no post-consume script
LIVE_HOOK=forward   it has scripts/forward.sh, for http://127.0.0.1:18642 and the secret of tests/e2e/serve_kit.py
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from hook.paperless.webhooks import ours
from tests.e2e.serve_kit import Service, until
from tests.live.servers import Server
from tests.live.texts import Texts

PORT = 18642
PATIENCE_S = 180.0  # from the end of the task to the tag: some 5 s each for all that a single worker of Paperless does before
QUIET_S, ROUNDS = 20.0, 5  # a single worker sends a webhook every 5 s or so, two or three for each finding

pytestmark = pytest.mark.live


@pytest.fixture
def at(real: Server) -> Iterator[Service]:
    """The service, which does not sweep: what it examines it was told of."""
    paperless = {name: value for name, value in real.environ().items() if name.startswith("DEDUPE_")}
    made = Service(place=real.index_dir.parent, paperless=paperless, port=PORT)
    made.options = {
        "DEDUPE_INDEX_DIR": str(real.index_dir),
    }
    made.start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.kill()


@pytest.fixture
def webhooks(real: Server, at: Service) -> Iterator[None]:
    real.run("setup", "--webhooks", at.url, **at.environ())
    yield
    for workflow in ours(real.client).values():
        real.remove("workflows", workflow.id)


def needs(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(os.environ.get("LIVE_HOOK") != kind, reason=f"LIVE_HOOK is not {kind}")


def is_marked(server: Server, document: int) -> bool:
    return "dedupe:rescan" in server.shown(document).tags


def examined(at: Service) -> int:
    return at.figure('dedupe_examined_total{source="event"}')


def is_quiet(at: Service) -> bool:
    before = examined(at)
    time.sleep(QUIET_S)
    return examined(at) == before


def marks_every_scan(server: Server, texts: Texts) -> None:
    text = texts.letter()
    letter = server.consume(text, "letter")
    bills = [server.consume(texts.invoice(month), f"bill {month}") for month in (1, 2)]
    for number in range(2):
        scan = server.consume(texts.scanned_again(text), f"scan {number}")
        until(lambda scan=scan: is_marked(server, scan), PATIENCE_S)  # type: ignore[misc]  # mypy knows no default
    assert not any(server.shown(number).tags for number in (letter, *bills))


@needs("none")
@pytest.mark.usefixtures("webhooks")
def test_by_webhooks(real: Server, at: Service, texts: Texts) -> None:
    """Every scan is marked; our own writes end in silence; a tag that a person sets is heard of."""
    marks_every_scan(real, texts)
    until(lambda: is_quiet(at), ROUNDS * QUIET_S)
    text = texts.letter()
    real.consume(text, "letter")
    scan = real.consume(texts.scanned_again(text), "scan")
    until(lambda: is_marked(real, scan), PATIENCE_S)
    real.tag(scan, "dedupe:not-duplicate")
    until(lambda: not real.shown(scan).tags, PATIENCE_S)


@needs("forward")
def test_by_the_forwarder(real: Server, at: Service, texts: Texts) -> None:
    """Every scan is marked; what came in while the service was down is examined when it is up."""
    marks_every_scan(real, texts)
    assert at.stop() == 0
    letters = [texts.letter(), texts.letter()]
    for number, text in enumerate(letters):
        real.consume(text, f"letter {number}")
    scans = [real.consume(texts.scanned_again(text), "scan") for text in (*letters, letters[0])]
    at.options["DEDUPE_SWEEP_MINUTES"] = "60"  # its sync finds them
    at.start()
    until(lambda: all(is_marked(real, scan) for scan in scans))
    assert at.waiting == []
