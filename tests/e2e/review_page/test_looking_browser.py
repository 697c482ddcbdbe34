"""Looking and deciding in a real Chromium: the bar in reach, pages in step, a group on a phone, several cards, two people."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.e2e.review_kit import TRASH
from tests.e2e.review_page.browser_kit import PHONE, Watched, watching
from tests.e2e.review_page.page_kit import Archive, examined, fill, served
from tests.e2e.serve_kit import BesideFake, until
from tests.fakes import FakePaperless
from tests.hook.ink.papers import LETTER, paper, replaced
from tests.live.texts import Texts


def is_in_reach(watched: Watched, selector: str) -> bool:
    """The middle of it is on the screen."""
    return bool(
        watched.page.eval_on_selector(
            selector, "one => { const r = one.getBoundingClientRect(), y = (r.top + r.bottom) / 2;"
            " return r.height > 0 && y > 0 && y < window.innerHeight; }"
        )
    )  # fmt: skip


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_buttons_are_in_reach_wherever_one_reads(
    chrome: Browser, at: BesideFake, archive: Archive, phone: bool
) -> None:
    """At the beginning of a card that is longer than the screen, and in its middle."""
    with watching(chrome, at, phone=phone) as watched:
        card = f'[data-key="{archive.scanned}"]'
        page = watched.page
        page.set_viewport_size({"width": page.viewport_size["width"], "height": 420})  # type: ignore[index]
        for place in ("start", "center"):
            page.eval_on_selector(card, f"one => one.scrollIntoView({{ block: '{place}' }})")
            assert is_in_reach(watched, f"{card} > .buttons .same")
        assert page.inner_text(
            f"{card} > .buttons .same kbd" if not phone else f"{card} > .buttons .same .name"
        )


def bills(fake: FakePaperless, place: Path) -> None:
    """A bill and its second scan, in which an amount was misread."""
    for text, data in (
        (LETTER, paper()),
        (replaced("119.40", "719.40"), paper(LETTER, turn=0.6, x=76, y=714)),
    ):
        fake.add_document("\n".join(text), "Bill", data=data, page_count=1)
    examined(fake, place)


def test_both_pages_are_shown_at_the_place_and_move_in_step(
    chrome: Browser, fake: FakePaperless, tmp_path: Path
) -> None:
    """From a crop, or all pages of both; on a phone one at a time, at the same place."""
    bills(fake, tmp_path)
    with served(fake, tmp_path) as at:
        for phone in (False, True):
            with watching(chrome, at, phone=phone) as watched:
                page = watched.page
                page.keyboard.press("j")
                page.keyboard.press("p")
                page.click(".crop >> nth=0")
                page.wait_for_selector("#sheets[open]")
                watched.wait_for_images("#sheets img")
                for _ in range(4):
                    page.click("#sheets .larger")
                tops = _tops(watched)
                page.eval_on_selector("#sheets .pane", "one => one.scrollBy(0, 120)")
                until(lambda page=watched, tops=tops: _moved(page, tops) == [120, 120])  # type: ignore[misc]
                shown = page.eval_on_selector_all(
                    "#sheets .pane", "found => found.map(one => getComputedStyle(one).visibility)"
                )
                assert shown == (["visible", "hidden"] if phone else ["visible", "visible"])
                if phone:
                    page.click("#sheets .turn")
                    assert _moved(watched, tops) == [120, 120]
                assert watched.violations() == []
                page.keyboard.press("Escape")
                page.click(".whole-pages")
                page.wait_for_selector("#sheets[open]")
                assert "#1: 1 / 1" in page.inner_text(".where")


def test_looking_and_deciding_by_keyboard_alone(chrome: Browser, fake: FakePaperless, tmp_path: Path) -> None:
    """From the start of the page: to the card, its places, a page at a place, larger, along it and back, then "same". The
    keyboard is never caught, and returns to where it was."""
    bills(fake, tmp_path)
    with served(fake, tmp_path) as at, watching(chrome, at) as watched:
        page = watched.page
        for key in ("j", "p"):
            page.keyboard.press(key)
        page.wait_for_selector(".crop")
        tab_to(watched, ".crop")
        page.keyboard.press("Enter")
        page.wait_for_selector("#sheets[open]")
        watched.wait_for_images("#sheets img")
        width = page.eval_on_selector("#sheets img", "one => one.clientWidth")
        for _ in range(4):
            page.keyboard.press("+")
        assert page.eval_on_selector("#sheets img", "one => one.clientWidth") > width
        tab_to(watched, "#sheets .pane")
        tops = _tops(watched)
        page.keyboard.press("ArrowUp")
        until(lambda: _moved(watched, tops)[0] < 0 and len(set(_moved(watched, tops))) == 1)
        assert focused(watched, "#sheets *")
        page.keyboard.press("Escape")
        page.wait_for_selector("#sheets:not([open])", state="attached")
        assert focused(watched, ".crop")
        tab_to(watched, ".card > .buttons .same")
        page.keyboard.press("Enter")
        page.wait_for_selector(".empty")
        until(lambda: any("dedupe:confirmed" in fake.document(number).tags for number in fake.documents))


def tab_to(watched: Watched, selector: str) -> None:
    """A hundred times at most."""
    for _ in range(100):
        watched.page.keyboard.press("Tab")
        if focused(watched, selector):
            return
    raise AssertionError(f"the Tab key does not lead to {selector}")


def focused(watched: Watched, selector: str) -> bool:
    return bool(watched.page.evaluate("words => document.activeElement.matches(words)", selector))


def _tops(watched: Watched) -> list[float]:
    found = watched.page.eval_on_selector_all("#sheets .pane", "found => found.map(one => one.scrollTop)")
    return [float(one) for one in found]


def _moved(watched: Watched, before: list[float]) -> list[int]:
    return [round(now - then) for now, then in zip(_tops(watched), before, strict=True)]


def test_on_a_phone_a_group_has_two_screens_at_most(
    chrome: Browser, fake: FakePaperless, tmp_path: Path
) -> None:
    """Five copies of one letter. And the suggestion of a pair is on both of its sides."""
    texts = Texts(43)
    letter = texts.letter()
    for place in range(5):
        fake.add_document(letter if place < 2 else texts.scanned_again(letter), f"Copy {place}")
    fill(fake)
    examined(fake, tmp_path, **TRASH)
    with served(fake, tmp_path, **TRASH) as at, watching(chrome, at, phone=True) as watched:
        page = watched.page
        until(lambda: page.locator(".card.group .lines li").count() > 0)
        height = page.eval_on_selector(".card.group", "one => one.getBoundingClientRect().height")
        assert height <= 2 * PHONE["height"]
        assert page.locator(".card.pair >> nth=0").locator(".suggestion").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.click(".single summary")
        assert page.locator(".single kbd").count() == 0
        page.eval_on_selector(".single", "one => one.scrollIntoView({ block: 'start' })")
        assert watched.violations() == []


def test_several_cards_are_decided_at_once(
    chrome: Browser, at: BesideFake, fake: FakePaperless, archive: Archive
) -> None:
    """By key or by click; the bar says how many."""
    with watching(chrome, at) as watched:
        page = watched.page
        page.keyboard.press("j")
        page.keyboard.press("x")
        page.click(".pick >> nth=1")
        assert page.inner_text(".several .count") == "2"
        until(lambda: page.locator(".lines li").count() == 2)
        page.click('.several button[value="not-same"]')
        page.wait_for_selector(".empty")
    until(lambda: "dedupe:rescan" not in fake.document(archive.rescan).tags)
    until(lambda: "dedupe:identical" not in fake.document(archive.copy).tags)


def test_another_choice_is_pressed_only_when_the_button_says_what_it_does(
    chrome: Browser, fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """Seen beside a busy Paperless: the button still said that the other document is moved."""
    key, held = f'[data-key="{archive.identical}"]', list[Route]()
    with served(fake, tmp_path, **TRASH) as at, watching(chrome, at) as watched:
        page, same = watched.page, watched.page.locator(f"{key} > .buttons .same")
        page.wait_for_selector(f"{key} .lines li")
        assert same.is_enabled()
        page.route("**/plan?*", lambda route: held.append(route))
        page.click(f'{key} .choose[data-keep="{archive.copy}"]')
        until(lambda: page.evaluate("1") == 1 and bool(held))
        assert same.is_disabled()
        held[0].continue_()
        page.wait_for_selector(f"{key} >> text=moves #{archive.original} to the trash")
        assert same.is_enabled()


def test_two_browsers_on_the_same_card(
    chrome: Browser, fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """The first one wins; the second reads so, although it was the last card there, and what it wanted is not done."""
    fake.add_user("eve", superuser=True)
    key = f'[data-key="{archive.identical}"]'
    with (
        served(fake, tmp_path, **TRASH) as at,
        watching(chrome, at) as first,
        watching(chrome, at, user="eve") as second,
    ):
        second.page.goto(f"{at.url}/review/?relation=identical")
        second.page.keyboard.press("j")
        for watched in (first, second):
            until(lambda watched=watched: watched.page.locator(f"{key} .lines li").count() == 1)  # type: ignore[misc]
        second.page.click(f'{key} .choose[data-keep="{archive.copy}"]')
        second.page.wait_for_selector(f"text=moves #{archive.original} to the trash")
        first.page.click(f"{key} > .buttons .same")
        first.page.wait_for_selector(key, state="detached")
        second.page.click(f"{key} > .buttons .same")
        second.page.wait_for_selector(key, state="detached")
        second.page.wait_for_selector(".empty")
        until(lambda: bool(second.page.inner_text("#message")))
        assert "Nothing was written" in second.page.inner_text("#message")
        second.complaints.clear()  # the browser notes the refusal
        until(lambda: fake.trashed == [archive.copy])


def test_history_and_times_in_the_zone_of_the_person(
    chrome: Browser, at: BesideFake, archive: Archive
) -> None:
    with watching(chrome, at, timezone_id="Asia/Tokyo") as watched:
        page, key = watched.page, f'[data-key="{archive.scanned}"]'
        page.click(f"{key} > .buttons .not-same")
        page.wait_for_selector(key, state="detached")

        def is_listed() -> bool:
            page.goto(f"{at.url}/review/history")
            return page.locator("tbody tr").count() == 1

        until(is_listed)
        shown = page.inner_text("tbody time")
        given = str(page.get_attribute("tbody time", "datetime"))
        hour = (int(given[11:13]) + 9) % 24
        assert f"{hour % 12 or 12}:{given[14:16]}" in shown
        assert watched.violations() == []
        page.click("tbody button")
        page.wait_for_selector(key)
