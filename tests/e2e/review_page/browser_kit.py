"""A real Chromium (Debian's, without a screen) that watches what a page does: errors, and requests to other hosts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.e2e.serve_kit import BesideFake, until

DESK = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)
REQUIRED = "REQUIRE_CHROMIUM"  # set by .ci/run: there, these tests do not skip


def chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        assert not os.environ.get(REQUIRED), "chromium is missing, but CI must run these tests"
        pytest.skip("the browser tests of the review page need chromium (apt-get install chromium)")
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as driver:
        # The sandbox of Chromium does not work for root, as in a container.
        started = driver.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield started
        finally:
            started.close()


@dataclass
class Watched:
    """A page with all that it complained about, and the hosts that it asked."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(120_000)  # a busy machine
        self.page.on("console", lambda said: self._heard(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self._asked(dialog))
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def _asked(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def log_in(self, base: str, username: str = "admin", password: str = "") -> None:
        self.page.goto(f"{base}/review/")
        self.page.fill("#username", username)
        self.page.fill("#password", password or username)
        self.page.click("text=Log in >> nth=-1")
        self.page.wait_for_selector(".card, .empty")

    def cards(self) -> list[str]:
        return [str(one.get_attribute("data-key")) for one in self.page.query_selector_all(".card")]

    def wait_for_images(self, selector: str) -> None:
        """Asked again and again from outside: the page itself may evaluate no text as a script."""
        fact = "found => found.length > 1 && found.every(one => one.naturalWidth > 0)"
        until(lambda: bool(self.page.eval_on_selector_all(selector, fact)))

    def violations(self) -> list[str]:
        """Of the rules of axe-core, those with serious consequences."""
        found = self.page.evaluate(f"(() => {{ {_axe()} }})(); axe.run(document)")
        return [
            f"{one['id']}: {one['nodes'][0]['html']}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]


@contextmanager
def watching(
    chrome: Browser, at: BesideFake, *, phone: bool = False, user: str = "admin", **options: Any
) -> Iterator[Watched]:
    """Logged in, on a desk or a phone; afterwards there was no error, and no other host was asked."""
    context = chrome.new_context(
        viewport=PHONE if phone else DESK, is_mobile=phone, has_touch=phone, **options
    )
    watched = Watched(context.new_page())
    watched.log_in(at.url, user)
    yield watched
    assert watched.complaints == []
    assert watched.hosts == {f"127.0.0.1:{at.port}"}
    context.close()


@cache
def _axe() -> str:
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
