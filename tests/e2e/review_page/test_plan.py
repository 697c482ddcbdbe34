"""What a card promises is what happens: the plan before the click, what a person chooses and confirms, and two at once."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from hook.review.journal import Do
from hook.review.kept.instructions import Instruction, Instructions
from tests.e2e import review_kit
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review_kit import TRASH
from tests.e2e.review_page.page_kit import Archive, Plain, entered, examined
from tests.e2e.serve_kit import until
from tests.fakes import Before, FakePaperless
from tests.live.texts import Texts


def misread(fake: FakePaperless, place: Path) -> tuple[int, int]:
    """A letter and its scan, in which two words were read as other words."""
    text = Texts(21).letter()
    again = text.replace("brought back clean", "brought back clear").replace(
        "in your cellar", "in your collar"
    )
    first = fake.add_document(text, "Letter", added="2025-01-01T10:00:00")
    second = fake.add_document(again, "Scan", added="2025-02-01T10:00:00")
    fake.add_document(Texts(22).letter(), "Another", added="2025-01-03T10:00:00")
    examined(fake, place, **TRASH)
    return first, second


def plan(person: Plain, key: str, **chosen: str) -> str:
    more = "".join(f"&{name}={value}" for name, value in chosen.items())
    return unescape(person.get(f"/plan?card={key.replace(' ', '+')}{more}").text)


def ticks(text: str) -> list[str]:
    """The keys of the places to look at; the last one is that of all."""
    return re.findall(r'type="checkbox" name="looked" value="(\w+)"', text)


def only_card(person: Plain) -> str:
    (key,) = person.get().cards
    return key


def test_a_place_that_nobody_looked_at_is_in_the_way_and_nothing_is_written(
    fake: FakePaperless, tmp_path: Path
) -> None:
    """The card says so before; whoever presses all the same is told, and gets the places to confirm."""
    first, second = misread(fake, tmp_path)
    with entered(fake, tmp_path, **TRASH) as (_, person):
        key = only_card(person)
        text = plan(person, key)
        assert f'"clean" in #{first}, "clear" in #{second}' in text
        assert "after you looked" in text
        refused = person.decide("same", key)
        assert refused.status == 409
        half = person.post("/decide", {"action": "same", "key": key, "looked": ticks(text)[:1]})
        assert half.status == 409
        assert [seen for seen in fake.writes if "bulk_edit" in seen.path] == []
        assert person.get().cards == [key]
        assert person.decide("not-same", key).status < 400
        assert person.get(f"/plan?card={key}").status == 204  # asked while the card was decided on: no error


@pytest.mark.parametrize("is_all", [True, False], ids=["all at once", "one by one"])
def test_what_a_person_looked_at_is_recorded_and_honoured(
    fake: FakePaperless, tmp_path: Path, is_all: bool
) -> None:
    first, second = misread(fake, tmp_path)
    with entered(fake, tmp_path, **TRASH) as (at, person):
        key = only_card(person)
        keys = ticks(plan(person, key))
        looked = keys[-1:] if is_all else keys[:-1]
        done = person.post(
            "/decide", {"action": "same", "key": key, "looked": looked}, Accept="application/json"
        )
        assert f"moves #{second} to the trash, #{first} is kept" in done.text
        until(lambda: fake.trashed == [second])
        at.stop()
    (decision,) = review_kit.decisions(Desk(fake, tmp_path))
    assert (decision.by, decision.looked, decision.action) == ("admin", 2, "trash")


@pytest.mark.parametrize(
    ("setting", "do", "words"),
    [
        ("trash", "keep", "keeps all documents"),
        ("keep", "trash", "moves #{n} to the trash, #{m} is kept"),
        ("keep", "version", "makes #{n} a file version of #{m}"),
    ],
)
def test_the_person_chooses_what_to_do_in_this_case(
    fake: FakePaperless, tmp_path: Path, archive: Archive, setting: str, do: str, words: str
) -> None:
    """Against the setting."""
    n, m = archive.rescan, archive.letter
    with entered(fake, tmp_path, DEDUPE_ON_CONFIRM=setting) as (at, person):
        assert words.format(n=n, m=m) in plan(person, f"{n}:{m}", do=do)
        person.post("/decide", {"action": "same", "key": f"{n}:{m}", "do": do})
        until(lambda: len(review_kit.decisions(Desk(fake, tmp_path))) == 1)
        at.settle()
        assert fake.trashed == ([] if do == "keep" else [n])
        assert len(fake.document(m).versions) == (do == "version")


def test_an_impossible_decision_says_why_before_it_is_made(fake: FakePaperless, tmp_path: Path) -> None:
    """The kept one belongs to anna, so bert could lose access to his: keeping both is still possible."""
    fake.add_user("anna")
    first, _ = misread(fake, tmp_path)
    with entered(fake, tmp_path, **TRASH) as (_, person):
        key = only_card(person)
        fake.edit(first, owner="anna")
        text = plan(person, key)
        assert "not possible: #1 belongs to a user" in text
        assert "data-ready" not in text
        looked = ticks(text)
        assert person.post("/decide", {"action": "same", "key": key, "looked": looked}).status == 409
        assert "data-ready" in plan(person, key, do="keep")
        assert fake.trashed == []


def test_one_whose_plan_is_overtaken_is_told_who_decided(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """The other one's tag arrives while the plan of this one is made: it is not called a place to look at."""
    key = archive.identical
    with entered(fake, tmp_path, **TRASH) as (_, person):

        def overtake() -> None:
            claim = Instruction(archive.copy, (archive.original,), Do.DISMISS, by="eve")
            with opened(Desk(fake, tmp_path)) as open_archive:
                assert Instructions(open_archive.index).claim([claim], ()) is None
            fake.tag(archive.copy, "dedupe:not-duplicate")

        fake.faults.add("GET", f"/api/documents/{archive.copy}/", Before(overtake), times=1)
        assert "eve has just decided on" in person.decide("same", key, Accept="application/json").text
        assert fake.trashed == []


def test_a_group_keeps_one_document_and_moves_the_others(fake: FakePaperless, tmp_path: Path) -> None:
    """One suggestion, and the heading is about one pair: its relation with its own confidence."""
    texts = Texts(41)
    letter = texts.letter()
    papers = [letter, letter, texts.scanned_again(letter)]
    numbers = [
        fake.add_document(text, f"Copy {place}", added=f"2025-01-0{place + 1}T10:00:00")
        for place, text in enumerate(papers)
    ]
    examined(fake, tmp_path, **TRASH)
    with entered(fake, tmp_path, **TRASH) as (_, person):
        page = person.get()
        assert len(page.cards) == 1
        assert page.text.count("Suggestion: keep this one") == 1
        heading = re.search(r"<h2>(.*?)</h2>", page.text)
        assert heading is not None
        assert "identical" in heading[1]
        assert "100% sure" in heading[1]
        text = plan(person, page.cards[0], keep=str(numbers[0]))
        person.post(
            "/decide",
            {
                "action": "same",
                "key": page.cards[0].split(" "),
                "keep": str(numbers[0]),
                "looked": ticks(text),
            },
        )
        until(lambda: fake.trashed == numbers[1:])
        assert person.get().cards == []


@pytest.mark.parametrize(
    ("owner", "words"),
    [(None, "the right to change documents"), ("anna", "but not change them")],
    ids=["by the rights of the user", "by those of the documents"],
)
def test_who_may_only_look_gets_a_calm_hint_and_no_buttons(
    fake: FakePaperless, tmp_path: Path, owner: str | None, words: str
) -> None:
    """Paperless says of a document without an owner that everybody may change it, whatever the user may do."""
    fake.add_user("anna")
    rights = {"view_document", "view_tag", "view_customfield", "view_uisettings"} if owner is None else None
    fake.add_user("reader", permissions=rights)
    text = Texts(3).letter()
    for title in ("One", "Two"):
        fake.share(fake.add_document(text, title, owner=owner), "reader")
    examined(fake, tmp_path)
    with entered(fake, tmp_path, user="reader") as (_, person):
        page = person.get()
        assert len(page.cards) == 1
        assert words in page.text
        assert 'action="decide"' not in page.text
        assert 'class="problem"' not in page.text
        assert person.decide("same", page.cards[0]).status in (403, 409)


def test_a_pair_that_is_being_moved_is_no_card(fake: FakePaperless, tmp_path: Path, archive: Archive) -> None:
    """Seen beside a busy Paperless: the tag is removed before the trash, and the decision is stored after it."""
    moving, rest = archive.identical, archive.scanned
    with entered(fake, tmp_path, **TRASH) as (_, person):
        lists = list[list[str]]()
        assert person.get().cards == [moving, rest]
        look = Before(lambda: lists.append(person.get().cards))
        fake.faults.add("DELETE", f"/api/documents/{archive.copy}/", look, times=1)
        person.decide("same", moving)
        until(lambda: fake.trashed == [archive.copy])
        assert lists == [[rest]]
