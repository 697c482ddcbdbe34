"""The review page beside a real Paperless, in a real Chromium: log in, see both pages, decide, undo, two at once; then
`retract`.

`retract` deletes our tags on that server, so it is a server for tests alone, as for the other live tests.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.e2e.review_page.browser_kit import Watched, browser
from tests.e2e.serve_kit import Service, free_port, until
from tests.live.servers import Server
from tests.live.texts import Texts

pytestmark = pytest.mark.live
PATIENCE_S = 180.0  # a real Paperless on a busy machine
DESK = ViewportSize(width=1280, height=900)
RIGHTS = ("document", "tag", "correspondent", "documenttype", "customfield", "note", "uisettings")


@dataclass(frozen=True)
class Person:
    name: str
    password: str
    number: int


@dataclass(frozen=True)
class Papers:
    """`scan` is a rescan of `letter`, `copy` has the text of `notice`."""

    letter: int
    scan: int
    notice: int
    copy: int

    @property
    def rescan_card(self) -> str:
        return f'[data-key="{self.scan}:{self.letter}"]'

    @property
    def identical_card(self) -> str:
        return f'[data-key="{self.copy}:{self.notice}"]'


@pytest.fixture
def people(real: Server) -> Iterator[tuple[Person, Person]]:
    """Two new users with a password; the first gets the documents."""
    made = []
    rights = [f"{verb}_{thing}" for thing in RIGHTS for verb in ("view", "change")]
    for name in ("first", "second"):
        username, password = f"{name}-{secrets.token_hex(4)}", secrets.token_hex(8)
        number = real.create("users", username=username, password=password, user_permissions=rights)
        made.append(Person(username, password, number))
    yield made[0], made[1]
    for one in made:
        real.remove("users", one.number)


@pytest.fixture
def papers(real: Server) -> Papers:
    texts = Texts(secrets.randbelow(10**6))
    letter, notice = texts.letter(), texts.letter()
    found = Papers(
        real.consume(letter, "letter"),
        real.consume(texts.scanned_again(letter), "scan"),
        real.consume(notice, "notice"),
        real.consume(notice, "notice again", comment="another file"),
    )
    real.run("setup")
    return found


@pytest.fixture
def at(real: Server, papers: Papers, people: tuple[Person, Person]) -> Iterator[Service]:
    for number in (papers.letter, papers.scan, papers.notice, papers.copy):
        real.own(number, people[0].number)
    real.run("backfill", "--quiet")
    paperless = {name: value for name, value in real.environ().items() if name.startswith("DEDUPE_")}
    made = Service(place=real.index_dir.parent, paperless=paperless, port=free_port())
    made.options = {
        "DEDUPE_INDEX_DIR": str(real.index_dir),
        "DEDUPE_REVIEW": "true",
    }
    made.start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.kill()


@contextmanager
def seen(chrome: Browser, at: Service, who: Person) -> Iterator[Watched]:
    """A page of this person; afterwards: nothing was asked of another host, and the browser found no error."""
    context = chrome.new_context(viewport=DESK)
    watched = Watched(context.new_page())
    watched.page.set_default_timeout(PATIENCE_S * 1000)
    watched.log_in(at.url, who.name, who.password)
    yield watched
    assert watched.complaints == []
    assert watched.hosts == {f"127.0.0.1:{at.port}"}
    context.close()


def tags(real: Server, number: int) -> frozenset[str]:
    return real.shown(number).tags


def test_people_decide(real: Server, papers: Papers, people: tuple[Person, Person], at: Service) -> None:
    with browser() as chrome:
        with seen(chrome, at, people[0]) as watched:
            by_button_and_undo(real, papers, watched)
            with seen(chrome, at, people[0]) as other:
                two_at_once(real, papers, watched, other)
        with seen(chrome, at, people[1]) as watched:
            assert watched.cards() == []


def by_button_and_undo(real: Server, papers: Papers, watched: Watched) -> None:
    """Both page images are loaded; a decision appears in Paperless, and is taken back."""
    page, card = watched.page, papers.rescan_card
    page.locator(card).scroll_into_view_if_needed()
    loaded = "found => found.length === 2 && found.every(one => one.naturalWidth > 100)"
    until(lambda: bool(page.eval_on_selector_all(f"{card} img", loaded)), PATIENCE_S)
    page.click(f'{card} button[value="same"]')
    page.wait_for_selector(card, state="detached")
    until(lambda: "dedupe:confirmed" in tags(real, papers.scan), PATIENCE_S)
    page.click("#undo button")
    page.wait_for_selector(card)
    until(lambda: "dedupe:rescan" in tags(real, papers.scan), PATIENCE_S)
    assert "dedupe:confirmed" not in tags(real, papers.scan)


def two_at_once(real: Server, papers: Papers, one: Watched, other: Watched) -> None:
    """Two browsers, and each wants something else: one wins, the other is told, and only what the winner wanted is done."""
    card = papers.identical_card
    for watched in (one, other):
        watched.page.wait_for_selector(f"{card} .lines li")
    for watched, action in ((one, "same"), (other, "not-same")):
        watched.page.evaluate(f"""document.querySelector('{card} > .buttons [value="{action}"]').click()""")
    told = "Nothing was written"
    until(lambda: any(told in watched.page.inner_text("#message") for watched in (one, other)), PATIENCE_S)
    (loser,) = (watched for watched in (one, other) if told in watched.page.inner_text("#message"))
    loser.complaints.clear()  # the browser notes the refusal
    until(lambda: "dedupe:identical" not in tags(real, papers.copy), PATIENCE_S)
    assert ("dedupe:confirmed" in tags(real, papers.copy)) == (loser is other)


def of_a_person(real: Server, number: int) -> str:
    """A tag and a note of a person on a document; the name of the tag."""
    tag = real.client.create_tag(f"mine {secrets.token_hex(3)}", color="#aabbcc")
    real.client.modify_tags([number], add=[tag.id])
    real.client.add_note(number, "Paid on Monday")
    real.client.add_note(number, "Not done: ask the bank")
    return tag.name


def nothing_of_ours_is_left(real: Server, papers: Papers, tag: str) -> None:
    shown = real.shown(papers.scan)
    mine = ("Paid on Monday", "Not done: ask the bank")
    assert (shown.tags, set(shown.notes), shown.links) == (frozenset({tag}), set(mine), ())
    for number in (papers.letter, papers.notice, papers.copy):
        other = real.shown(number)
        assert (other.tags, other.notes, other.links) == (frozenset(), (), ())
    assert [one.name for one in real.client.tags() if one.name.startswith("dedupe:")] == []
    assert [one.name for one in real.client.custom_fields() if one.name == "Similar documents"] == []
    assert [one.name for one in real.client.saved_views() if one.name == "Suspected duplicates"] == []
    assert [one.name for one in real.client.workflows() if "dedupe" in one.name] == []
    (found,) = (one for one in real.client.tags() if one.name == tag)
    real.client.delete_label("tags", found.id)


def test_retract_leaves_nothing_of_ours(real: Server, papers: Papers) -> None:
    """After a confirmed pair, with the workflows; what a person wrote in our words stays."""
    tag = of_a_person(real, papers.scan)
    real.run("setup", "--webhooks", "http://127.0.0.1:9", DEDUPE_SECRET="s")
    real.tag(papers.copy, "dedupe:confirm")
    real.run("backfill", "--sync", "--quiet")
    assert "dedupe:confirmed" in tags(real, papers.copy)
    real.run("retract")
    nothing_of_ours_is_left(real, papers, tag)
