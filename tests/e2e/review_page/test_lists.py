"""Lists of the page beside its cards: what was not carried out, with its next step; and the history, with undo."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from tests.e2e import review_kit
from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import TRASH
from tests.e2e.review_page.page_kit import Archive, Plain, entered, examined, logged_in, served
from tests.e2e.review_page.test_plan import misread
from tests.e2e.serve_kit import BesideFake, until
from tests.fakes import FakePaperless
from tests.live.texts import Texts

AGAIN = "Decide again"


def shown(answer_text: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", answer_text))


def test_a_refused_decision_is_on_a_list_with_its_reason_and_the_way_back(
    fake: FakePaperless, tmp_path: Path
) -> None:
    """By a tag that was set in Paperless: the card does not vanish without a word, and comes back with its plan."""
    first, second = misread(fake, tmp_path)
    with entered(fake, tmp_path, **TRASH) as (at, person):
        (key,) = person.get().cards
        fake.tag(second, "dedupe:confirm")
        at.post(second)
        until(lambda: AGAIN in person.get().text)
        page = person.get()
        assert page.cards == []
        assert "1 decision was not carried out" in shown(page.text)
        assert f'"clean" in #{first}, "clear" in #{second}' in shown(page.text)
        assert person.post("/again", {"document": [str(first), str(second)]}).status == 303
        assert "dedupe:confirm" not in fake.document(second).tags
        page = person.get()
        assert (page.cards, AGAIN in page.text) == ([key], False)
        until(lambda: not any("Not done" in note for note in fake.document(second).notes))


def test_two_tags_that_contradict_each_other_are_on_the_list(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    with entered(fake, tmp_path) as (at, person):
        for tag in ("dedupe:confirm", "dedupe:not-duplicate"):
            fake.tag(archive.copy, tag)
        at.post(archive.copy)
        until(lambda: "two decision tags" in person.get().text)
        person.post("/again", {"document": [str(archive.copy)]})
        until(lambda: archive.identical in person.get().cards)


def test_the_list_is_only_of_documents_that_the_person_sees(fake: FakePaperless, tmp_path: Path) -> None:
    fake.add_user("anna")
    fake.add_user("bert")
    text = Texts(21).letter()
    for one in (text, text.replace("brought back clean", "brought back clear")):
        fake.add_document(one, "Letter", owner="anna")
    examined(fake, tmp_path, **TRASH)
    with served(fake, tmp_path, **TRASH) as at:
        anna, bert = logged_in(at, "anna"), logged_in(at, "bert")
        (key,) = anna.get().cards
        number = int(key.partition(":")[0])
        fake.tag(number, "dedupe:confirm")
        at.post(number)
        until(lambda: AGAIN in anna.get().text)
        page = bert.get()
        assert AGAIN not in page.text
        assert "clear" not in page.text
        bert.post("/again", {"document": ["1", "2"]})
        assert "dedupe:confirm" in fake.document(number).tags


def test_the_history_says_who_when_what_and_undoes(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """Also what somebody else decided, and after the service was started again."""
    fake.add_user("eve", superuser=True)
    with served(fake, tmp_path, PAPERLESS_EMPTY_TRASH_DELAY="7", **TRASH) as at:
        eve = logged_in(at, "eve")
        eve.decide("same", archive.identical)
        eve.decide("not-same", archive.scanned)
        until(lambda: len(review_kit.decisions(Desk(fake, tmp_path))) == 2)
        until(lambda: fake.trashed == [archive.copy])  # it is decided first
        at.kill()
        at.start()
        person = logged_in(at)
        moved = f"#{archive.copy} moved to the trash"
        until(lambda: moved in " ".join(shown(person.get("/history").text).split()))
        page = person.get("/history")
        words = " ".join(shown(page.text).split())
        assert "after 7 days" in words
        assert f"#{archive.copy} moved to the trash, #{archive.original} kept" in words
        assert "not the same" in words
        assert words.count(" eve ") == 2
        assert re.search(r'<time datetime="\d{4}-\d\d-\d\dT[\d:]+\+00:00">', page.text)
        pair = f"{archive.original}:{archive.copy}"
        assert person.post("/undo", {"pair": pair}).status == 303
        until(lambda: fake.trashed == [])
        assert person.post("/undo", {"pair": f"{archive.letter}:{archive.rescan}"}).status == 303
        until(lambda: len(person.get().cards) == 2)
        assert "No decisions yet" in person.get("/history").text
        assert person.post("/undo", {"pair": pair}).status == 409


def test_after_the_trash_was_emptied_there_is_nothing_to_undo(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    with entered(fake, tmp_path, **TRASH) as (_, person):
        person.decide("same", archive.identical)
        until(lambda: len(review_kit.decisions(Desk(fake, tmp_path))) == 1)
        fake.empty_trash()
        refused = person.post(
            "/undo", {"pair": f"{archive.original}:{archive.copy}"}, Accept="application/json"
        )
        assert refused.status == 409
        assert "is not in the trash any more" in refused.text


def test_who_may_not_change_the_documents_undoes_nothing(fake: FakePaperless, tmp_path: Path) -> None:
    fake.add_user("anna")
    fake.add_user("reader")
    text = Texts(3).letter()
    numbers = [fake.add_document(text, "Letter", owner="anna") for _ in range(2)]
    for number in numbers:
        fake.share(number, "reader")
    examined(fake, tmp_path)
    with served(fake, tmp_path) as at:
        anna, reader = logged_in(at, "anna"), logged_in(at, "reader")
        anna.decide("not-same", f"{numbers[1]}:{numbers[0]}")
        until(lambda: len(review_kit.decisions(Desk(fake, tmp_path))) == 1)
        assert reader.post("/undo", {"pair": f"{numbers[0]}:{numbers[1]}"}).status == 409
        assert len(review_kit.decisions(Desk(fake, tmp_path))) == 1


def test_the_root_leads_to_the_page_and_new_people_get_three_lines(
    at: BesideFake, person: Plain, archive: Archive
) -> None:
    page = person.get()
    found = re.search(r'<details class="help" open>.*?</details>', page.text)
    assert found is not None
    assert found[0].count("<li>") == 3
    person.decide("not-same", archive.identical)
    until(lambda: '<details class="help">' in person.get().text)
    assert at.ask("GET", "/")[0] == 307
