#!/usr/bin/env python3
"""Makes the pictures of README.md and docs/review-page.md: the demo's review page in a headless browser.

The stand-in of the demo draws its pages as blocks; here they are set in type, as Paperless would show them.

    .venv/bin/python scripts/pictures.py [--port 8642]

Needs chromium and the packages of `scripts/venv.sh dev`.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo import TEXTS, papers
from playwright.sync_api import Browser, Page, Route, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = "/usr/bin/chromium"
VIEWPORT = ViewportSize(width=1160, height=1400)
PHONE = ViewportSize(width=390, height=844)
A4 = ViewportSize(width=794, height=1123)


@dataclass(frozen=True)
class Picture:
    """Of a card of the demo; `unfolded`: with its text difference. Of a phone, the screen."""

    card: str
    file: str
    unfolded: bool = False
    phone: bool = False
    dark: bool = False


ENGLISH = [
    Picture("2:1", "first-look.png"),
    Picture("9:8", "review-page.png", unfolded=True),
    Picture("2:1", "review-page-phone.png", phone=True),
    Picture("2:1", "review-page-dark.png", dark=True),
]
GERMAN = [Picture("2:1", "review-page-german.png")]


def typeset(browser: Browser) -> dict[int, bytes]:
    """The first page of each document of the demo, by its id."""
    texts = [paper.content for place in ("archive", "incoming") for paper in papers(TEXTS / place)]
    sheet = browser.new_page(viewport=A4)
    pages = {}
    for number, text in enumerate(texts, start=1):
        style = "font: 17px/1.45 'DejaVu Serif', serif; margin: 70px; white-space: pre-wrap"
        sheet.set_content(f'<body style="{style}">{html.escape(text)}</body>')
        pages[number] = sheet.screenshot()
    sheet.close()
    return pages


@contextmanager
def running_demo(port: int, language: str) -> Iterator[str]:
    """The address of the review page, once it is up; confirmed copies are moved to the trash."""
    command = [sys.executable, str(ROOT / "scripts" / "demo.py"), "--serve", "--port", str(port)]
    environ = {**os.environ, "DEDUPE_LANGUAGE": language, "DEDUPE_ON_CONFIRM": "trash"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    try:
        assert process.stdout is not None
        if not any("/review/" in line for line in process.stdout):
            sys.exit("the demo did not start")
        yield f"http://127.0.0.1:{port}/review/"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def log_in(page: Page, url: str) -> None:
    for _ in range(50):  # the service is still starting
        try:
            page.goto(url)
            break
        except Exception:
            page.wait_for_timeout(200)
    page.fill("#username", "admin")
    page.fill("#password", "admin")
    page.click(".login > button")
    page.wait_for_selector(".card")


def take(page: Page, picture: Picture) -> None:
    card, file = page.locator(f'.card[data-key="{picture.card}"]'), ROOT / "docs" / picture.file
    card.scroll_into_view_if_needed()  # the thumbnails are loaded when they come into view
    card.locator(".lines").wait_for()
    page.wait_for_load_state("networkidle")
    opens = "true" if picture.unfolded else "false"
    card.evaluate(f"card => card.querySelectorAll('details').forEach(one => one.open = {opens})")
    if picture.phone:
        card.evaluate("card => card.scrollIntoView({ block: 'start' })")
        page.screenshot(path=file)
    else:
        card.screenshot(path=file)
    print(file.relative_to(ROOT))


def take_all(browser: Browser, thumbnails: dict[int, bytes], port: int, language: str) -> None:
    def thumbnail(route: Route) -> None:
        number = re.search(r"(\d+)", route.request.url.partition("/review/")[2])
        assert number is not None
        route.fulfill(body=thumbnails[int(number[1])], content_type="image/png")

    with running_demo(port, language) as url:
        for picture in ENGLISH if language == "en" else GERMAN:
            context = browser.new_context(
                viewport=PHONE if picture.phone else VIEWPORT,
                is_mobile=picture.phone,
                color_scheme="dark" if picture.dark else "light",
            )
            page = context.new_page()
            page.route("**/review/thumb/**", thumbnail)
            log_in(page, url)
            take(page, picture)
            context.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=8642)
    port = parser.parse_args().port
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        thumbnails = typeset(browser)
        for language in ("en", "de"):
            take_all(browser, thumbnails, port, language)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
