"""The review page over HTTP: what is shown to whom, decisions as tags, undo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hook.findings.decisions import Kind
from tests.e2e import review_kit
from tests.e2e.archive_kit import Desk
from tests.e2e.review_page.page_kit import Archive, Plain, entered, examined, fill, logged_in, served
from tests.e2e.serve_kit import BesideFake, until
from tests.fakes import FakePaperless, reply


def decided(fake: FakePaperless, place: Path) -> dict[tuple[int, int], Kind]:
    return {(one.a, one.b): one.kind for one in review_kit.decisions(Desk(fake, place))}


def test_cards_come_surest_first_with_what_a_person_needs(person: Plain, archive: Archive) -> None:
    page = person.get()
    assert page.cards == archive.keys
    for words in ("Notice again", "Water Board", "100% sure", "same paper again", "Suggestion: keep this one",
                  "5 of 5 documents examined", "keeps all documents", "inbox"):  # fmt: skip
        assert words in page.text
    assert f"/documents/{archive.rescan}" in page.text


def test_same_sets_the_tag_of_the_person_and_is_carried_out(
    at: BesideFake, fake: FakePaperless, archive: Archive, tmp_path: Path
) -> None:
    """One write, with the person's token, of the tag that the person would set; the service does the rest."""
    fake.add_user("eve", superuser=True)
    person = logged_in(at, "eve")
    fake.forget_requests()
    assert person.decide("same", archive.scanned).status == 303
    until(lambda: "dedupe:confirmed" in fake.document(archive.rescan).tags)
    writes = [seen for seen in fake.writes if seen.user == "eve"]
    assert [seen.body["method"] for seen in writes] == ["modify_tags"]
    assert writes[0].body["parameters"] == {"add_tags": [fake.tag_id("dedupe:confirm")], "remove_tags": []}
    assert person.get().cards == [archive.identical]
    at.stop()
    assert decided(fake, tmp_path) == {(archive.letter, archive.rescan): Kind.CONFIRMED}


def test_not_the_same_and_skip(
    at: BesideFake, person: Plain, fake: FakePaperless, archive: Archive, tmp_path: Path
) -> None:
    assert person.decide("not-same", archive.scanned).status == 303
    assert person.decide("skip", archive.identical).status == 303
    until(lambda: "dedupe:rescan" not in fake.document(archive.rescan).tags)
    until(lambda: "dedupe:identical" not in fake.document(archive.copy).tags)
    assert "dedupe:skip" in fake.document(archive.copy).tags
    assert "Nothing waits for a decision" in person.get().text
    at.stop()
    assert decided(fake, tmp_path) == {(archive.letter, archive.rescan): Kind.DISMISSED}


@pytest.mark.parametrize("action", ["same", "not-same", "skip"])
def test_undo_before_and_after_the_service_has_acted(
    fake: FakePaperless, tmp_path: Path, archive: Archive, action: str
) -> None:
    """The finding is shown again, and nothing of the decision is left."""
    before = fake.document(archive.rescan)
    with entered(fake, tmp_path) as (at, person):
        person.decide(action, archive.scanned)
        until(lambda: fake.document(archive.rescan).tags != before.tags)
        done = person.post("/undo", {}, Accept="application/json")
        assert done.status == 200, done.text
        at.settle()
        until(lambda: fake.document(archive.rescan).tags == before.tags)
        until(lambda: person.get().cards == archive.keys)
        assert person.post("/undo", {}, Accept="application/json").status == 409
        at.stop()
    assert fake.document(archive.rescan).tags == before.tags
    assert decided(fake, tmp_path) == {}


def test_undo_is_refused_to_a_person_who_may_not_change_the_documents(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """The service would do it with its own token, so it asks Paperless first."""
    fake.add_user("eve")
    with entered(fake, tmp_path, DEDUPE_ON_CONFIRM="trash", user="eve") as (_, person):
        person.decide("same", archive.identical)
        until(lambda: fake.trashed == [archive.copy])
        fake.edit(archive.original, owner="admin")
        refused = person.post("/undo", {}, Accept="application/json")
        assert (refused.status, refused.text) == (409, '{"message": "You may not change these documents."}')
        assert fake.trashed == [archive.copy]


def test_a_finding_that_changed_since_the_page_was_loaded_is_not_decided(
    person: Plain, fake: FakePaperless, archive: Archive
) -> None:
    fake.forget_requests()
    for key in (f"{archive.rescan}:{archive.original}", f"{archive.letter}:{archive.rescan}", "x", ""):
        assert person.decide("same", key).status == 409
    assert person.decide("nonsense", archive.identical).status == 409
    assert fake.writes == []


@pytest.mark.parametrize("is_of_one", [False, True], ids=["all identical ones", "all of a correspondent"])
def test_many_at_once(fake: FakePaperless, tmp_path: Path, is_of_one: bool) -> None:
    """The question names what will happen; one call sets the tags; the findings of others stay."""
    both = fill(fake), fill(fake, seed=8)
    examined(fake, tmp_path)
    board = fake.state.documents[both[0].letter].correspondent
    query = f"?correspondent={board}" if is_of_one else ""
    subjects = [each.rescan if is_of_one else each.copy for each in both]
    with entered(fake, tmp_path) as (_, person):
        link = "Confirm all of Water Board" if is_of_one else "Confirm all 2 identical ones"
        assert link in person.get(f"/{query}").text
        asked = person.get(f"/bulk{query}").text
        assert "keeps all documents" in asked
        pairs = re.findall(r'name="key" value="([^"]+)"', asked)
        assert sorted(pairs) == sorted(each.keys[is_of_one] for each in both)
        fake.forget_requests()
        assert person.decide("same", *pairs).status == 303
        mine = next(seen for seen in fake.writes if seen.path.endswith("bulk_edit/"))
        assert mine.body["documents"] == subjects
        until(lambda: all("dedupe:confirmed" in fake.document(number).tags for number in subjects))
        assert len(person.get().cards) == 2


def test_filters(person: Plain, fake: FakePaperless, archive: Archive) -> None:
    identical, rescan = archive.keys
    board = fake.state.documents[archive.letter].correspondent
    assert person.get("/?relation=rescan").cards == [rescan]
    assert person.get("/?relation=identical").cards == [identical]
    assert person.get(f"/?correspondent={board}").cards == [rescan]
    assert person.get("/?relation=nonsense&page=999&correspondent=-1").cards == [identical, rescan]


def test_a_second_user_sees_only_what_paperless_shows_them(fake: FakePaperless, tmp_path: Path) -> None:
    """Neither cards, titles, texts, counts nor pictures of others; the pictures are asked for with their own token."""
    for name in ("anna", "bert"):
        fake.add_user(name)
    annas, berts = fill(fake, owner="anna"), fill(fake, owner="bert", seed=8)
    examined(fake, tmp_path)
    with served(fake, tmp_path) as at:
        anna, bert = Plain(at.port), Plain(at.port)
        assert sorted(anna.enter("anna").cards) == sorted(annas.keys)
        page = bert.enter("bert")
        assert sorted(page.cards) == sorted(berts.keys)
        assert "5 of 5 documents examined" in page.text
        assert bert.get(f"/thumb/{berts.letter}").body.startswith(b"\x89PNG")
        fake.forget_requests()
        assert bert.get(f"/thumb/{annas.letter}").status == 404
        assert {seen.user for seen in fake.requests} == {"bert"}
        assert bert.decide("same", annas.identical).status == 409
        fake.share(annas.copy, "bert")
        assert bert.get().cards == page.cards  # the other document of that pair is still anna's


def test_a_picture_that_is_not_an_image_is_not_passed_on(
    person: Plain, fake: FakePaperless, archive: Archive
) -> None:
    path = f"documents/{archive.letter}/thumb/"
    for body in ("<script>alert(1)</script>", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"):
        fake.faults.add("GET", path, reply(200, body))
        assert person.get(f"/thumb/{archive.letter}").status == 404
        fake.faults.clear()


def test_a_token_that_is_revoked_ends_the_session(at: BesideFake, fake: FakePaperless) -> None:
    token = fake.add_user("anna")
    person = logged_in(at, "anna")
    fake.revoke_token(token)
    assert "Log in" in person.get().text
    assert person.cookie.endswith("=")


def test_paperless_that_is_down_is_reported_and_nothing_breaks(person: Plain, fake: FakePaperless) -> None:
    fake.down()
    answer = person.get()
    assert (answer.status, "Paperless does not answer" in answer.text) == (502, True)
    fake.up()
    assert person.get().status == 200
