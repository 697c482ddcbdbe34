"""The review page in a real Chromium: log in, decide by button and by key, undo, filter, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.review_kit import TRASH
from tests.e2e.review_page.browser_kit import Watched, watching
from tests.e2e.review_page.page_kit import Archive, examined, served
from tests.e2e.review_page.test_plan import misread
from tests.e2e.serve_kit import BesideFake, until
from tests.fakes import FakePaperless

HOSTILE = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202e<svg onload=alert(1)>'


@pytest.fixture
def seen(chrome: Browser, at: BesideFake) -> Iterator[Watched]:
    with watching(chrome, at) as watched:
        yield watched


def test_decide_by_key(seen: Watched, fake: FakePaperless, archive: Archive) -> None:
    """J and K choose a card, Y and N decide on it, U undoes; what is typed into a field decides nothing."""
    page = seen.page
    page.keyboard.press("n")  # no card is chosen yet
    page.keyboard.press("j")
    page.focus("#filter-relation")
    fake.forget_requests()
    for key in ("y", "Control+y"):
        page.keyboard.press(key)
    assert fake.writes == []
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("k")
    for key in ("j", "j", "k", "j"):
        page.keyboard.press(key)
    assert page.get_attribute(".card.current", "data-key") == archive.scanned
    page.keyboard.press("n")
    page.wait_for_selector(f'[data-key="{archive.scanned}"]', state="detached")
    assert page.inner_text("#message") == f"#{archive.rescan}: not the same"
    assert page.inner_text("#waiting") == "1"
    until(lambda: "dedupe:rescan" not in fake.document(archive.rescan).tags)
    assert page.get_attribute(".card.current", "data-key") == archive.identical
    page.keyboard.press("y")
    page.wait_for_selector(".empty")
    until(lambda: "dedupe:confirmed" in fake.document(archive.copy).tags)
    page.keyboard.press("u")
    page.wait_for_selector(f'[data-key="{archive.identical}"]')
    page.click("#undo button")
    page.wait_for_selector(f'[data-key="{archive.scanned}"]')
    until(lambda: "dedupe:rescan" in fake.document(archive.rescan).tags)


def test_the_card_says_what_will_happen_and_waits_for_a_look(
    chrome: Browser, fake: FakePaperless, tmp_path: Path
) -> None:
    """The button can be pressed when the places are ticked; a click on the other document keeps that one instead."""
    first, second = misread(fake, tmp_path)
    with served(fake, tmp_path, **TRASH) as at, watching(chrome, at) as watched:
        page, same = watched.page, watched.page.locator(".card > .buttons .same")
        page.wait_for_selector(".lines li")
        will = f"moves #{second} to the trash, #{first} is kept, after you looked"
        assert page.inner_text(".card > .buttons .same small") == will
        assert same.is_disabled()
        page.keyboard.press("j")
        page.keyboard.press("y")
        assert "after you looked" in page.inner_text("#message")
        page.click(f'.choose[data-keep="{second}"]')
        page.wait_for_selector(f"text=moves #{first} to the trash, #{second} is kept")
        assert page.get_attribute(f'.choose[data-keep="{second}"]', "aria-pressed") == "true"
        page.check(".tick >> nth=0")
        assert same.is_disabled()
        page.check(".tick.all")
        assert watched.violations() == []
        same.click()
        page.wait_for_selector(".empty")
        until(lambda: fake.trashed == [first])


def test_on_a_phone_the_pages_flip(chrome: Browser, at: BesideFake, archive: Archive) -> None:
    with watching(chrome, at, phone=True) as watched:
        page, card = watched.page, f'[data-key="{archive.scanned}"]'
        papers = [page.locator(f"{card} .paper").nth(place) for place in (0, 1)]

        def shown() -> list[str]:
            return [str(one.evaluate("one => getComputedStyle(one).visibility")) for one in papers]

        watched.wait_for_images(f"{card} img")
        assert shown() == ["visible", "hidden"]
        page.tap(f"{card} .flip")
        assert shown() == ["hidden", "visible"]
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert watched.violations() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_out(chrome: Browser, at: BesideFake, scheme: str) -> None:
    """The rules of axe-core: no serious finding on any page."""
    with watching(chrome, at, color_scheme=scheme) as watched:
        assert watched.violations() == []
        for path in ("bulk", "history"):
            watched.page.goto(f"{at.url}/review/{path}")
            assert watched.violations() == []
        watched.page.context.clear_cookies()
        watched.page.goto(f"{at.url}/review/")
        assert watched.page.query_selector("#password") is not None
        assert watched.violations() == []


def test_hostile_titles_texts_and_names_run_nothing(
    chrome: Browser, fake: FakePaperless, tmp_path: Path
) -> None:
    text = "\n".join(
        [HOSTILE, "</script>", "Dear Sir, the invoice 4711-22 of 3 May 2025 is due.", "Total 12.40 EUR"] * 4
    )
    fake.add_document(text, HOSTILE, correspondent=HOSTILE, tags=[HOSTILE[:120]], added="2025-01-01T00:00:00")
    fake.add_document(text.replace("12.40", "12.4O"), HOSTILE + "2", added="2025-01-02T00:00:00")
    examined(fake, tmp_path)
    with served(fake, tmp_path) as at, watching(chrome, at) as watched:
        assert len(watched.cards()) == 1
        for path in ("", "bulk"):
            watched.page.goto(f"{at.url}/review/{path}")
            assert watched.page.evaluate("window.hacked") is None
            assert watched.page.query_selector("main script, main [onerror], main [onload]") is None
