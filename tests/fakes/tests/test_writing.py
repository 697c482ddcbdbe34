"""The fake's writes have the traps of the real ones: lossy PATCH, late ``modified``, one-sided links."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

from tests.fakes import FakePaperless
from tests.fakes.client import connect


def bulk(api: httpx.Client, documents: list[int], method: str, **parameters: Any) -> httpx.Response:
    body = {"documents": documents, "method": method, "parameters": parameters}
    return api.post("/api/documents/bulk_edit/", json=body)


def set_fields(api: httpx.Client, documents: list[int], **values: Any) -> httpx.Response:
    named = {name.removeprefix("f"): value for name, value in values.items()}
    return bulk(api, documents, "modify_custom_fields", add_custom_fields=named, remove_custom_fields=[])


# tags


def test_bulk_edit_moves_modified_later(fake: FakePaperless, api: httpx.Client) -> None:
    """The tag is there at once, ``modified`` moves when the queued task has run."""
    number, tag = fake.add_document(), fake.add_tag("dup")
    before = fake.document(number).modified
    assert bulk(api, [number], "add_tag", tag=tag).json() == {"result": "OK"}
    assert fake.document(number).tags == {"dup"} and fake.document(number).modified == before
    assert fake.queued_tasks == 1
    assert fake.run_tasks() == 1 and fake.queued_tasks == 0
    assert fake.document(number).modified > before


def test_no_op_add_tag_costs_nothing_but_modify_tags_does(fake: FakePaperless, api: httpx.Client) -> None:
    """Every queued task takes the user's worker some seconds, so the difference matters."""
    number, tag = fake.add_document(tags=["dup"]), fake.tag_id("dup")
    bulk(api, [number], "add_tag", tag=tag)
    bulk(api, [number], "remove_tag", tag=fake.add_tag("other"))
    assert fake.queued_tasks == 0
    bulk(api, [number], "modify_tags", add_tags=[tag], remove_tags=[])
    assert fake.queued_tasks == 1


def test_nested_tags(fake: FakePaperless, api: httpx.Client) -> None:
    """A child brings its ancestors, removing a parent removes its descendants."""
    number = fake.add_document()
    top = fake.add_tag("dedupe:review")
    child = fake.add_tag("dedupe:rescan", parent="dedupe:review")
    bulk(api, [number], "modify_tags", add_tags=[child], remove_tags=[])
    assert fake.document(number).tags == {"dedupe:review", "dedupe:rescan"}
    bulk(api, [number], "remove_tag", tag=child)
    assert fake.document(number).tags == {"dedupe:review"}
    fake.tag(number, "dedupe:rescan")
    bulk(api, [number], "remove_tag", tag=top)
    assert fake.document(number).tags == frozenset()


@pytest.mark.parametrize(
    ("method", "parameters", "words"),
    [
        ("modify_tags", {"add_tags": []}, "remove_tags not specified"),
        ("modify_tags", {"add_tags": [99], "remove_tags": []}, "Some tags in add_tags don't exist"),
        ("add_tag", {"tag": 99}, "Tag does not exist"),
        ("add_tag", {}, "tag not specified"),
        ("modify_custom_fields", {"add_custom_fields": {}}, "remove_custom_fields not specified"),
        ("no_such_method", {}, "is not a valid choice"),
    ],
)
def test_bulk_edit_refusals(
    fake: FakePaperless, api: httpx.Client, method: str, parameters: dict[str, Any], words: str
) -> None:
    """Missing keys and unknown tags are a 400 that says so."""
    answer = bulk(api, [fake.add_document()], method, **parameters)
    assert answer.status_code == 400 and words in answer.text


def test_bulk_edit_is_all_or_nothing(fake: FakePaperless, api: httpx.Client) -> None:
    """An unknown, trashed or repeated document refuses the call for all."""
    good, gone, tag = fake.add_document(), fake.add_document(), fake.add_tag("dup")
    fake.trash(gone)
    for documents in ([good, gone], [good, 99], [good, good]):
        answer = bulk(api, documents, "add_tag", tag=tag)
        words = "Some documents in documents don't exist or were specified twice."
        assert (answer.status_code, answer.json()) == (400, {"documents": [words]})
    assert fake.document(good).tags == frozenset()


def test_patch_replaces_what_others_added(fake: FakePaperless, api: httpx.Client) -> None:
    """Tags and fields that are not named are lost; ``modified`` moves at once and no task is queued."""
    fake.add_custom_field("Score", "float")
    fake.add_custom_field("Kept", "string")
    number = fake.add_document(tags=["a"], custom_fields={"Score": 0.5, "Kept": "no"})
    before = fake.document(number).modified
    fake.tag(number, "added meanwhile")
    body = {"tags": [fake.tag_id("a")], "custom_fields": [{"field": 1, "value": 0.9}]}
    assert api.patch(f"/api/documents/{number}/", json=body).status_code == 200
    after = fake.document(number)
    assert after.tags == {"a"} and after.custom_fields == {"Score": 0.9}
    assert after.modified > before and fake.queued_tasks == 0


def test_tags_are_unique_per_owner_and_hidden_from_others(fake: FakePaperless, api: httpx.Client) -> None:
    """Without ``owner`` a tag is the caller's own; ``owner: null`` makes it everybody's."""
    with connect(fake, fake.add_user("bot")) as bot:
        assert bot.post("/api/tags/", json={"name": "mine"}).json()["matching_algorithm"] == 1
        assert bot.post("/api/tags/", json={"name": "ours", "owner": None}).status_code == 201
        again = bot.post("/api/tags/", json={"name": "ours", "owner": None})
        words = "Object violates owner / name unique constraint"
        assert (again.status_code, again.json()) == (400, {"error": words})
    with connect(fake, fake.add_user("anna")) as anna:
        seen = [tag["name"] for tag in anna.get("/api/tags/").json()["results"]]
        assert seen == ["ours"]
        assert anna.post("/api/tags/", json={"name": "mine"}).status_code == 201
        assert anna.get("/api/tags/?name__iexact=OURS").json()["count"] == 1
    assert api.get("/api/tags/").json()["count"] == 3
    assert api.post("/api/tags/", json={"name": "x", "parent": 99}).status_code == 400


def test_six_creates_at_once_give_one_tag(fake: FakePaperless) -> None:
    """One 201, five 400: whoever gets the 400 looks again."""
    codes: list[int] = []

    def create() -> None:
        with connect(fake) as api:
            codes.append(api.post("/api/tags/", json={"name": "dup", "owner": None}).status_code)

    threads = [threading.Thread(target=create) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [201, 400, 400, 400, 400, 400]


def test_a_deleted_tag_leaves_the_documents(fake: FakePaperless, api: httpx.Client) -> None:
    """Its children go with it; ``modified`` of the documents does not move."""
    fake.add_tag("top")
    fake.add_tag("child", parent="top")
    number = fake.add_document(tags=["child", "other"])
    before = fake.document(number).modified
    assert api.delete(f"/api/tags/{fake.tag_id('top')}/").status_code == 204
    assert fake.document(number).tags == {"other"} and fake.tag_names == ["other"]
    assert fake.document(number).modified == before


# notes


def test_notes(fake: FakePaperless, api: httpx.Client) -> None:
    """Every call answers with the whole list; notes move ``modified`` and queue nothing."""
    number = fake.add_document()
    before = fake.document(number).modified
    (note,) = api.post(f"/api/documents/{number}/notes/", json={"note": "looks like #7"}).json()
    assert note["note"] == "looks like #7" and note["user"]["username"] == "admin"
    assert api.get(f"/api/documents/{number}/notes/").json() == [note]
    assert fake.document(number).modified > before and fake.queued_tasks == 0
    assert api.delete(f"/api/documents/{number}/notes/").status_code == 400
    assert api.delete(f"/api/documents/{number}/notes/?id=99").status_code == 404
    assert api.delete(f"/api/documents/{number}/notes/?id={note['id']}").json() == []


def test_a_note_that_cannot_be_saved_is_a_200(fake: FakePaperless, api: httpx.Client) -> None:
    """The status says nothing: only the shape of the body tells."""
    answer = api.post(f"/api/documents/{fake.add_document()}/notes/", json={"text": "wrong key"})
    assert answer.status_code == 200 and "error" in answer.json()


# custom fields and links


def test_custom_fields_are_set_one_by_one(fake: FakePaperless, api: httpx.Client) -> None:
    """``modify_custom_fields`` leaves the others alone."""
    score = api.post("/api/custom_fields/", json={"name": "Score", "data_type": "float"}).json()["id"]
    fake.add_custom_field("Mine", "string")
    number = fake.add_document(custom_fields={"Mine": "stays"})
    assert set_fields(api, [number], **{f"f{score}": 0.97}).status_code == 200
    assert fake.document(number).custom_fields == {"Mine": "stays", "Score": 0.97}
    again = api.post("/api/custom_fields/", json={"name": "Score", "data_type": "string"})
    assert again.json() == {"name": ["custom field with this name already exists."]}
    assert api.post("/api/custom_fields/", json={"name": "Odd", "data_type": "blob"}).status_code == 400
    assert api.get("/api/custom_fields/?name__iexact=score").json()["results"][0]["document_count"] == 1


def test_a_value_only_the_database_refuses_is_plain_text(fake: FakePaperless, api: httpx.Client) -> None:
    """A float that is none: 400 without JSON from bulk_edit, 500 from PATCH."""
    fake.add_custom_field("Score", "float")
    number = fake.add_document()
    answer = set_fields(api, [number], f1="much")
    assert answer.status_code == 400 and answer.text.startswith("Error performing bulk edit")
    patch = api.patch(f"/api/documents/{number}/", json={"custom_fields": [{"field": 1, "value": "much"}]})
    assert patch.status_code == 500


def test_links_appear_on_both_sides(fake: FakePaperless, api: httpx.Client) -> None:
    """3 -> [1, 2] puts 3 on both; their ``modified`` moves at once."""
    fake.add_custom_field("Similar", "documentlink")
    one, two, three = fake.add_document(), fake.add_document(), fake.add_document()
    before = fake.document(one).modified
    assert set_fields(api, [three], f1=[one, two]).status_code == 200
    for number, links in ((one, [three]), (two, [three]), (three, [one, two])):
        assert fake.document(number).custom_fields == {"Similar": links}
    assert fake.document(one).modified > before


def test_shrinking_by_bulk_edit_leaves_a_stale_link(fake: FakePaperless, api: httpx.Client) -> None:
    """Trap (a): the other side keeps its link, unless PATCH does it."""
    fake.add_custom_field("Similar", "documentlink")
    one, two = fake.add_document(), fake.add_document()
    set_fields(api, [two], f1=[one])
    set_fields(api, [two], f1=[])
    assert fake.document(one).custom_fields == {"Similar": [two]}
    set_fields(api, [two], f1=[one])
    api.patch(f"/api/documents/{two}/", json={"custom_fields": [{"field": 1, "value": []}]})
    assert fake.document(one).custom_fields == {"Similar": []}


def test_removing_the_field_takes_the_reverse_link(fake: FakePaperless, api: httpx.Client) -> None:
    """By bulk_edit's removal and by a PATCH that does not name the field."""
    fake.add_custom_field("Similar", "documentlink")
    one, two = fake.add_document(), fake.add_document()
    set_fields(api, [two], f1=[one])
    bulk(api, [two], "modify_custom_fields", add_custom_fields={}, remove_custom_fields=[1])
    assert fake.document(one).custom_fields == {"Similar": []} and fake.document(two).custom_fields == {}
    set_fields(api, [two], f1=[one])
    api.patch(f"/api/documents/{two}/", json={"custom_fields": []})
    assert fake.document(one).custom_fields == {"Similar": []}


def test_a_self_link_is_skipped_silently(fake: FakePaperless, api: httpx.Client) -> None:
    """Trap (c): 200, and the whole list is not stored for that document."""
    fake.add_custom_field("Similar", "documentlink")
    one, two = fake.add_document(), fake.add_document()
    assert set_fields(api, [one], f1=[one, two]).status_code == 200
    assert fake.document(one).custom_fields == {} and fake.document(two).custom_fields == {}


def test_links_to_nowhere_and_into_the_trash(fake: FakePaperless, api: httpx.Client) -> None:
    """Traps (d) and (e): a new link there is a 400, an old one stays in the value."""
    fake.add_custom_field("Similar", "documentlink")
    one, two = fake.add_document(), fake.add_document()
    set_fields(api, [one], f1=[two])
    fake.trash(two)
    assert fake.document(one).custom_fields == {"Similar": [two]}
    for target in (two, 99):
        answer = set_fields(api, [one], f1=[target])
        assert answer.status_code == 400 and "don't exist or were specified twice" in answer.text
    fake.restore(two)
    assert fake.document(two).custom_fields == {"Similar": [one]}


def test_a_link_needs_rights_on_the_target(fake: FakePaperless) -> None:
    """Trap (f): 403 in JSON, though the document itself is the caller's."""
    fake.add_custom_field("Similar", "documentlink")
    bot = fake.add_user("bot")
    fake.add_user("anna")
    own, other = fake.add_document(owner="bot"), fake.add_document(owner="anna")
    fake.share(other, "bot")
    with connect(fake, bot) as api:
        answer = set_fields(api, [own], f1=[other])
    assert (answer.status_code, answer.json()) == (403, {"detail": "Insufficient permissions."})


def test_links_written_at_once_get_lost(fake: FakePaperless, api: httpx.Client) -> None:
    """Trap (b): reading and writing the other side is no transaction; a lock around link writes is needed."""
    fake.add_custom_field("Similar", "documentlink")
    target, first, second = fake.add_document(), fake.add_document(), fake.add_document()

    def meanwhile() -> None:
        fake.options.link_gap = None
        with connect(fake) as other:
            set_fields(other, [second], f1=[target]).raise_for_status()

    fake.options.link_gap = meanwhile
    set_fields(api, [first], f1=[target]).raise_for_status()
    assert fake.document(second).custom_fields == {"Similar": [target]}
    assert fake.document(target).custom_fields == {"Similar": [first]}


# archive serial numbers


def test_an_asn_is_unique_across_the_trash(fake: FakePaperless, api: httpx.Client) -> None:
    """A trashed document keeps its number to itself until the trash is emptied."""
    first, second = fake.add_document(archive_serial_number=7), fake.add_document()
    taken = api.patch(f"/api/documents/{second}/", json={"archive_serial_number": 7})
    assert taken.json() == {
        "archive_serial_number": ["document with this archive serial number already exists."]
    }
    fake.trash(first)
    trashed = api.patch(f"/api/documents/{second}/", json={"archive_serial_number": 7})
    assert trashed.status_code == 400 and "already exists in the trash" in trashed.text
    fake.empty_trash()
    assert api.patch(f"/api/documents/{second}/", json={"archive_serial_number": 7}).status_code == 200


def test_patch_names_what_it_does_not_know(fake: FakePaperless, api: httpx.Client) -> None:
    """Unknown ids are a 400 for each column; nothing is half done."""
    number = fake.add_document(title="kept")
    for name, value in (("tags", [9]), ("correspondent", 9), ("custom_fields", [{"field": 9, "value": 1}])):
        answer = api.patch(f"/api/documents/{number}/", json={"title": "new", name: value})
        assert answer.status_code == 400 and name in answer.json()
    assert fake.document(number).title == "kept"
