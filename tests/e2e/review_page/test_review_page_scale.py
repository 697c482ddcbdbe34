"""The review page with 5,000 findings: one page costs less than a second of CPU, in bounded memory."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from hook.review_page.exchange import Question
from hook.review_page.sessions import Sessions
from hook.review_page.site import Site
from hook.session import opened, settings_of
from tests.e2e.archive_kit import Desk
from tests.e2e.review_page.wide_kit import many_findings
from tests.fakes import FakePaperless

FINDINGS = 5_000


def test_the_first_page_of_5000_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakePaperless() as fake:
        desk = Desk(fake, tmp_path, capsys)
        many_findings(desk, FINDINGS, indexed=40)
        settings = settings_of(desk.environ())
        sessions = Sessions()
        site = Site(settings, notify=print, session=lambda: opened(settings), sessions=sessions)
        cookie = site.log_in(Question(fields={"token": [fake.token]})).cookie or ""
        fake.forget_requests()
        began_s = time.thread_time()
        page = site.review(Question(cookie=cookie))
        cpu_s = time.thread_time() - began_s
        asked = len(fake.requests)
        tracemalloc.start()
        site.review(Question(cookie=cookie))
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(sessions) == 1
        sessions.end(cookie)
    with capsys.disabled():
        print(
            f"\n{FINDINGS} findings: {cpu_s:.2f} s CPU, {asked} requests, {len(page.body) / 1e3:.0f} kB, peak {peak_bytes / 1e6:.0f} MB"
        )
    assert page.body.count(b"<article") == 10
    assert f'<span id="waiting">{FINDINGS}</span>'.encode() in page.body
    assert cpu_s < 1.0
    assert asked < 15
    assert peak_bytes < 60e6
