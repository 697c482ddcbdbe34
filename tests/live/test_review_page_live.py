"""The review page beside a real Paperless, in a real Chromium: log in, see both pages, decide, undo; then `retract`.

`retract` deletes our tags on that server, so it is a server for tests alone, as for the other live tests.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from tests.e2e.review_page.browser_kit import Watched, browser
from tests.e2e.serve_kit import Service, free_port, until
from tests.live.servers import Server
from tests.live.texts import Texts

pytestmark = pytest.mark.live


@pytest.fixture
def pair(real: Server) -> tuple[int, int]:
    """A letter and its rescan, examined."""
    texts = Texts(secrets.randbelow(10**6))
    letter = texts.letter()
    found = real.consume(letter, "letter"), real.consume(texts.scanned_again(letter), "scan")
    real.run("setup")
    real.run("backfill", "--quiet")
    return found


@pytest.fixture
def at(real: Server, pair: tuple[int, int]) -> Iterator[Service]:
    paperless = {name: value for name, value in real.environ().items() if name.startswith("DEDUPE_")}
    made = Service(place=real.index_dir.parent, paperless=paperless, port=free_port())
    made.options = {
        "DEDUPE_INDEX_DIR": str(real.index_dir),
        "DEDUPE_SPOOL_DIR": str(real.index_dir / "spool"),
        "DEDUPE_REVIEW": "true",
    }
    made.start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.kill()


def test_a_person_decides_and_undoes(real: Server, pair: tuple[int, int], at: Service) -> None:
    letter, scan = pair
    card = f'[data-key="{scan}:{letter}"]'
    with browser() as chrome:
        watched = Watched(chrome.new_page())
        page = watched.page
        page.set_default_timeout(120_000)  # a real Paperless on a busy machine
        page.goto(f"{at.url}/review/")
        page.click("summary")
        page.fill("#token", real.token_file.read_text())
        page.click("text=Log in >> nth=-1")
        page.wait_for_selector(card)
        page.locator(card).scroll_into_view_if_needed()
        loaded = "found => found.length === 2 && found.every(one => one.naturalWidth > 100)"
        until(lambda: bool(page.eval_on_selector_all(f"{card} img", loaded)), 120)
        page.click(f'{card} button[value="same"]')
        page.wait_for_selector(card, state="detached")
        until(lambda: "dedupe:confirmed" in real.shown(scan).tags, 180)
        page.click("#undo button")
        page.wait_for_selector(card)
        until(lambda: "dedupe:rescan" in real.shown(scan).tags, 180)
        assert "dedupe:confirmed" not in real.shown(scan).tags
        assert watched.complaints == []
        assert watched.hosts == {f"127.0.0.1:{at.port}"}


def test_retract_leaves_nothing_of_ours(real: Server, pair: tuple[int, int]) -> None:
    scan = pair[1]
    tag = real.client.create_tag(f"mine {secrets.token_hex(3)}", color="#aabbcc")
    real.client.modify_tags([scan], add=[tag.id])
    real.client.add_note(scan, "Paid on Monday")
    real.run("retract")
    shown = real.shown(scan)
    assert (shown.tags, shown.notes, shown.links) == (frozenset({tag.name}), ("Paid on Monday",), ())
    assert [one.name for one in real.client.tags() if one.name.startswith("dedupe:")] == []
    assert [one.name for one in real.client.custom_fields() if one.name == "Similar documents"] == []
    assert [one.name for one in real.client.saved_views() if one.name == "Suspected duplicates"] == []
    real.client.delete_label("tags", tag.id)
