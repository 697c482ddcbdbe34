"""Makes the pictures of README.md, docs/review-page.md and docs/ink.md: review pages in a headless browser.

Two letters that were scanned and read by tesseract show the crops; the other pictures are of the demo. Its stand-in draws
pages as blocks; here they are set in type, as Paperless would show them.

    python -m scripts.maintain screenshots [--port 8642]

Needs chromium, tesseract and the packages of `scripts/venv.sh dev`.
"""

from __future__ import annotations

import html
import io
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter
from playwright.sync_api import Browser, Error, Page, Route, ViewportSize, sync_playwright

from scripts.demo import TEXTS, environment, papers, run_command
from scripts.pages.printing import Style, printed_pdf
from scripts.pages.scanning import Fault, read, scanned
from scripts.subcommands import make_parser
from tests.fakes import FakePaperless

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
VIEWPORT = ViewportSize(width=1160, height=1400)
PHONE = ViewportSize(width=390, height=844)
TIMEOUT_MS = 120_000  # of one step, on a busy machine
STARTING_S = 60
A4 = ViewportSize(width=794, height=1123)


@dataclass(frozen=True)
class Picture:
    """Of a card; `unfolded`: the parts that are opened. Of a phone, the screen."""

    card: str
    file: str
    unfolded: str = ""
    phone: bool = False
    dark: bool = False


ENGLISH = [
    Picture("9:8", "review-page.png", unfolded="details:not(.places)"),
    Picture("2:1", "review-page-phone.png", phone=True),
    Picture("2:1", "review-page-dark.png", dark=True),
]
GERMAN = [Picture("2:1", "review-page-german.png")]
LETTERS = [
    Picture("2:1", "first-look.png", unfolded=".places"),
    Picture("2:1", "ink-phone.png", unfolded=".places", phone=True),
]


@dataclass(frozen=True)
class Letter:
    """What is printed, what the device does to it, where a drop of coffee fell (pixels), and what was misread."""

    title: str
    text: str
    fault: Fault
    drop: tuple[int, int] | None = None
    misread: tuple[tuple[str, str], ...] = ()


def letters() -> list[Letter]:
    """On the second paper one digit is another one, an amount was misread, and one is stained."""
    text = next(papers(TEXTS / "archive")).content
    return [
        Letter("Rent adjustment Harbour Street", text, Fault(200, 0.3, 0.6, 5, 80, 0.05, 0.0)),
        Letter(
            "Scan_0319",
            text.replace("84.00", "34.00"),
            Fault(200, -0.5, 0.7, 7, 70, 0.12, 0.0),
            drop=(562, 1212),
            misread=(("655.20", "656.20"),),
        ),
    ]


def scan(letter: Letter, place: Path) -> tuple[bytes, str, bytes]:
    """As Paperless has it: the file with its text layer, the text, and the first page as a picture."""
    rng = random.Random(letter.title)
    paper = printed_pdf(letter.text, Style("Times-Roman", 11.0, 72.0, 1.35))
    images = [image for image, _ in scanned(paper, letter.fault, rng)]
    if letter.drop:
        images[0] = stained(images[0], letter.drop)
    read(images, "eng", letter.fault.dpi, place / "page")
    content = (place / "page.txt").read_text(encoding="utf-8")
    for printed, misread in letter.misread:
        content = content.replace(printed, misread)
    shown = io.BytesIO()
    images[0].save(shown, "PNG")
    return (place / "page.pdf").read_bytes(), content, shown.getvalue()


def stained(image: Image.Image, drop: tuple[int, int]) -> Image.Image:
    x, y = drop
    stain = Image.new("L", image.size, 255)
    ImageDraw.Draw(stain).ellipse((x - 22, y - 17, x + 22, y + 17), fill=40)
    return ImageChops.multiply(image.convert("L"), stain.filter(ImageFilter.GaussianBlur(4)))


@contextmanager
def running_letters(port: int) -> Iterator[tuple[str, dict[int, bytes]]]:
    """The review page with the two letters, and their first pages."""
    with tempfile.TemporaryDirectory() as name, FakePaperless("3.0.5") as paperless:
        place, thumbnails = Path(name), {}
        for letter in letters():
            data, content, shown = scan(letter, place)
            number = paperless.add_document(content, letter.title, data=data, created="2025-02-11")
            thumbnails[number] = shown
        environ = environment(paperless, place)
        for command in ("setup", "backfill"):
            run_command(command, environ)
        paperless.run_tasks()
        if not any(document.tags for document in map(paperless.document, paperless.documents)):
            sys.exit("The two letters are not reported as one paper: choose others in letters()")
        environ |= {
            "DEDUPE_REVIEW": "true",
            "DEDUPE_SERVE_PORT": str(port),
            "DEDUPE_ON_CONFIRM": "trash",
            "DEDUPE_SWEEP_MINUTES": "0",
        }
        service = subprocess.Popen(
            [sys.executable, "-m", "hook.cli", "serve"], cwd=ROOT, env=environ, stderr=subprocess.DEVNULL
        )
        try:
            yield f"http://127.0.0.1:{port}/review/", thumbnails
        finally:
            service.terminate()
            service.wait()


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
    command = [sys.executable, "-m", "scripts.demo", "--serve", "--port", str(port)]
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
    for _ in range(STARTING_S):  # the service
        with suppress(Error):
            page.goto(url)
            break
        page.wait_for_timeout(1_000)
    page.fill("#username", "admin")
    page.fill("#password", "admin")
    page.click(".login > button")


def take(page: Page, picture: Picture) -> None:
    card, file = page.locator(f'.card[data-key="{picture.card}"]'), ROOT / "docs" / picture.file
    card.scroll_into_view_if_needed()  # the thumbnails are loaded when they come into view
    card.locator(".lines").wait_for()
    page.wait_for_load_state("networkidle")
    card.evaluate("card => card.querySelectorAll('details').forEach(one => one.open = false)")
    if picture.unfolded:
        card.evaluate(f"card => card.querySelectorAll('{picture.unfolded}').forEach(one => one.open = true)")
        page.wait_for_load_state("networkidle")
    if picture.unfolded == ".places":
        card.locator(".spots").wait_for()
    if picture.phone:
        top = card.locator(picture.unfolded) if picture.unfolded else card
        top.evaluate("element => element.scrollIntoView({ block: 'start' })")
        page.screenshot(path=file)
    else:
        card.screenshot(path=file)
    print(file.relative_to(ROOT))


def take_all(browser: Browser, url: str, thumbnails: dict[int, bytes], pictures: list[Picture]) -> None:
    def thumbnail(route: Route) -> None:
        number = re.search(r"(\d+)", route.request.url.partition("/review/")[2])
        assert number is not None
        route.fulfill(body=thumbnails[int(number[1])], content_type="image/png")

    for picture in pictures:
        context = browser.new_context(
            viewport=PHONE if picture.phone else VIEWPORT,
            is_mobile=picture.phone,
            color_scheme="dark" if picture.dark else "light",
        )
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.route("**/review/thumb/**", thumbnail)
        try:
            log_in(page, url)
            take(page, picture)
        except Error as error:
            sys.exit(f"{picture.file} of card {picture.card} could not be taken at {url}: {error.message}")
        context.close()


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--port", type=int, default=8642)
    port = parser.parse_args().port
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with running_letters(port) as (url, pages):
            take_all(browser, url, pages, LETTERS)
        thumbnails = typeset(browser)
        for language, pictures in (("en", ENGLISH), ("de", GERMAN)):
            with running_demo(port, language) as url:
                take_all(browser, url, thumbnails, pictures)
        browser.close()
    return 0
