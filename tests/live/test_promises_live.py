"""Twenty pairs decided on the page in trash mode, in one run beside a real Paperless: what a card promised is what happened."""

from __future__ import annotations

import json
import os
import re
import secrets
import textwrap
from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Page

from tests.e2e.review_page.browser_kit import Watched, browser
from tests.e2e.serve_kit import Service, until
from tests.live.servers import Server
from tests.live.texts import Texts

pytestmark = pytest.mark.live
PAIRS, SENT = 20, 22  # not every labelled pair is a finding: of the first 22, a blank form is not reported
PATIENCE_S = 600.0  # a real Paperless on a busy machine
TRASH = {"DEDUPE_ON_CONFIRM": "trash"}
MOVES = re.compile(r"moves #(\d+) to the trash, #(\d+) is kept")


def texts() -> Iterator[tuple[str, str]]:
    """Each with its second scan, in which words were misread; in some of them as other words."""
    made = Texts(secrets.randbelow(10**6))
    for number in range(SENT):
        letter = made.letter()
        again = made.scanned_again(letter)
        yield letter, again.replace("because", "beoause").replace("the", "tho", number % 3)


def uploaded(real: Server) -> dict[int, int]:
    """The scans, with the document that each is a scan of."""
    real.runs_hook = True  # the backfill examines them all at once
    tasks = []
    for number, both in enumerate(islice(texts(), SENT)):
        wrapped = ["\n".join(textwrap.wrap(text, 90, replace_whitespace=False)) for text in both]
        tasks.append([real.send(text, f"paper {number}", comment=f"{n}") for n, text in enumerate(wrapped)])
    numbers = [[real.finished(task).document for task in both] for both in tasks]
    return {scan: first for first, scan in numbers if first is not None and scan is not None}


@pytest.fixture
def at(real: Server) -> Iterator[Service]:
    paperless = {name: value for name, value in real.environ().items() if name.startswith("DEDUPE_")}
    made = Service(place=real.index_dir.parent, paperless=paperless)
    made.options = {"DEDUPE_INDEX_DIR": str(real.index_dir), "DEDUPE_REVIEW": "true", **TRASH}
    yield made
    if made.process is not None and made.process.poll() is None:
        made.kill()


def decided(page: Page, number: int) -> tuple[frozenset[int], int | None]:
    """On the first card: its documents, and the one that it promised to move. Every fourth time the person keeps the other one,
    every fifth time both, and where nothing can be moved."""
    page.wait_for_selector(".card .lines li")
    card = page.locator(".card >> nth=0")
    key = str(card.get_attribute("data-key"))
    words = card.locator(":scope > .buttons .same small")
    if number % 4 == 3 and (others := card.locator('.choose[aria-pressed="false"]')).count():
        keep = others.first.get_attribute("data-keep")
        others.first.click()
        planned = re.compile(f"#{keep} is kept|not possible")
        until(lambda: bool(planned.search(words.inner_text())), PATIENCE_S)
    if number % 5 == 4 or "not possible" in words.inner_text():
        card.locator('input[name="do"][value="keep"]').check()
        until(lambda: "keeps all" in words.inner_text(), PATIENCE_S)
    if (ticks := card.locator(".tick.all input")).count():
        ticks.first.check()
    print(f"{key}: {words.inner_text()}", flush=True)
    promised = MOVES.search(words.inner_text())
    card.locator(":scope > .buttons .same").click()
    page.wait_for_selector(f'[data-key="{key}"]', state="detached")
    return documents_of(key), int(promised[1]) if promised else None


def documents_of(key: str) -> frozenset[int]:
    return frozenset(map(int, re.findall(r"\d+", key)))


def test_twenty_of_twenty(real: Server, at: Service) -> None:
    real.run("setup")
    scans = uploaded(real)
    assert len(scans) == SENT
    real.run("backfill", "--quiet", **TRASH)
    at.start()
    promised: dict[frozenset[int], int | None] = {}
    with browser() as chrome:
        watched = Watched(chrome.new_context().new_page())
        watched.page.set_default_timeout(PATIENCE_S * 1000)
        watched.log_in(at.url, "admin", os.environ.get("LIVE_PASSWORD", "admin"))
        shown = set(map(documents_of, watched.cards()))
        while watched.cards():
            pair, moved = decided(watched.page, len(promised))
            promised[pair] = moved
            watched.page.goto(f"{at.url}/review/")
            watched.page.wait_for_selector(".card, .empty")
        at.settle()
        wanted = {number for number in promised.values() if number is not None}
        until(lambda: real.trashed().intersection(real.uploaded) == wanted, PATIENCE_S)
        watched.page.goto(f"{at.url}/review/")
        assert watched.cards() == []
        assert watched.page.locator(".refused li").count() == 0
        assert watched.complaints == []
    assert shown <= set(promised) <= {frozenset(pair) for pair in scans.items()}
    assert len(promised) >= PAIRS
    assert at.stop() == 0
    decisions = map(json.loads, real.run("decisions", "export").splitlines())
    stored = {
        frozenset((one["a"], one["b"])): (one["kind"], one["action"], one.get("by")) for one in decisions
    }
    for pair, moved in promised.items():
        assert stored[pair] == ("confirmed", "trash" if moved else "", "admin")
    print(f"{len(promised)} of {len(promised)} cards kept their promise, {len(wanted)} documents were moved")
