"""The fake's lists, filters, versions and visibility behave as the real Paperless was seen to behave."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import httpx

from tests.fakes import FakePaperless
from tests.fakes.client import connect


def ids(api: httpx.Client, **query: Any) -> list[int]:
    answer = api.get("/api/documents/", params={"fields": "id", "ordering": "id", **query})
    assert answer.status_code == 200, answer.text
    return [row["id"] for row in answer.json()["results"]]


def test_pages_carry_count_links_and_every_id(fake: FakePaperless, api: httpx.Client) -> None:
    """A page names how many there are, its neighbours, and up to API version 9 the ids of all pages."""
    for number in range(5):
        fake.add_document(content=f"text {number}")
    first = api.get("/api/documents/", params={"page_size": 2, "ordering": "id"}).json()
    assert first["count"] == 5 and first["all"] == [1, 2, 3, 4, 5] and first["previous"] is None
    second = api.get(first["next"]).json()
    assert [row["id"] for row in second["results"]] == [3, 4]
    last = api.get(second["next"]).json()
    assert last["next"] is None and [row["id"] for row in last["results"]] == [5]
    with connect(fake, version=10) as newer:
        assert "all" not in newer.get("/api/documents/").json()


def test_page_size_rules(fake: FakePaperless, api: httpx.Client) -> None:
    """25 by default, also for 0 or nonsense; a page past the end is a 404."""
    for _ in range(30):
        fake.add_document()
    assert len(ids(api)) == len(ids(api, page_size=0)) == len(ids(api, page_size="x")) == 25
    assert len(ids(api, page_size=1_000_000)) == 30
    beyond = api.get("/api/documents/", params={"page": 3})
    assert (beyond.status_code, beyond.json()) == (404, {"detail": "Invalid page."})


def test_unknown_filters_are_ignored_and_bad_values_refused(fake: FakePaperless, api: httpx.Client) -> None:
    """``id__gt`` does not exist and returns everything; a date that is none is a 400."""
    fake.add_document()
    fake.add_document()
    assert ids(api, id__gt=1) == [1, 2]
    assert ids(api, ordering="nonsense", no_such_filter="x") == [2, 1]
    assert ids(api, tags__id__all="x") == [1, 2]
    bad = api.get("/api/documents/", params={"modified__gte": "yesterday"})
    assert (bad.status_code, bad.json()) == (400, {"modified__gte": ["Enter a valid date/time."]})
    assert api.get("/api/documents/?id__in=1,x").status_code == 400


def test_a_plus_in_a_time_must_be_encoded(fake: FakePaperless, api: httpx.Client) -> None:
    """``+01:00`` arrives as a space unless written ``%2B``."""
    fake.add_document(added="2026-05-01T12:00:00+00:00")
    assert api.get("/api/documents/?modified__gte=2026-05-01T13:00:00%2B01:00").json()["count"] == 1
    assert api.get("/api/documents/?modified__gte=2026-05-01T12:00:01Z").json()["count"] == 0
    assert api.get("/api/documents/?modified__gte=2026-05-01T13:00:00+01:00").status_code == 400


def test_the_filters_the_product_uses(fake: FakePaperless, api: httpx.Client) -> None:
    """Ids, checksum, tags, owner, dates, custom fields, words."""
    fake.add_user("anna")
    score, link = fake.add_custom_field("Score", "float"), fake.add_custom_field("Similar", "documentlink")
    fake.add_document(
        content="alpha invoice", checksum="AB12", tags=["paid"], created="2026-01-05", owner="anna"
    )
    fake.add_document(content="beta letter", tags=["paid", "work"], created="2026-02-05")
    fake.add_document(content="gamma", custom_fields={"Score": 0.95, "Similar": [2]})
    paid, work = fake.tag_id("paid"), fake.tag_id("work")
    assert ids(api, id__in="1,3,99") == [1, 3]
    assert ids(api, id=2) == [2]
    assert ids(api, checksum__iexact=fake.document(2).checksum) == [2]
    assert ids(api, tags__id__all=f"{paid},{work}") == [2]
    assert ids(api, tags__id__in=f"{paid},{work}") == [1, 2]
    assert ids(api, tags__id__none=paid) == [3]
    assert ids(api, tags__name__iexact="WORK") == [2]
    assert ids(api, is_tagged="false") == [3]
    assert ids(api, owner__id__none=fake.user_id("anna")) == [2, 3]
    assert ids(api, created__gte="2026-02-01", created__lt="2026-03-01") == [2]
    assert ids(api, custom_fields__id__all=score) == [3]
    assert ids(api, custom_field_query=json.dumps([score, "gt", 0.9])) == [3]
    assert ids(api, custom_field_query=json.dumps(["NOT", [score, "exists", True]])) == [1, 2]
    assert ids(api, query="INVOICE alpha") == [1]
    refused = api.get("/api/documents/", params={"custom_field_query": json.dumps([link, "gt", 1])})
    assert refused.status_code == 400


def test_fields_trim_and_text_can_be_cut(fake: FakePaperless, api: httpx.Client) -> None:
    """``fields`` trims list and detail alike; ``truncate_content`` keeps 550 characters."""
    number = fake.add_document(content="x" * 2000)
    row = api.get("/api/documents/", params={"fields": "id,content", "truncate_content": "true"}).json()
    assert row["results"] == [{"id": number, "content": "x" * 550}]
    assert api.get(f"/api/documents/{number}/", params={"fields": "title"}).json() == {"title": "Document 1"}


def test_modified_does_not_move_on_reprocess(fake: FakePaperless, api: httpx.Client) -> None:
    """After a re-OCR the text differs and nothing else tells."""
    number = fake.add_document(content="old")
    before = fake.document(number)
    fake.reprocess(number, "new")
    after = api.get(f"/api/documents/{number}/").json()
    assert after["content"] == "new"
    assert fake.document(number).modified == before.modified
    assert fake.document(number).checksum == before.checksum
    assert api.get(f"/api/documents/{number}/download/?original=true").content == b"old"


def test_exact_duplicates_are_named_in_the_detail_only(fake: FakePaperless, api: httpx.Client) -> None:
    """Paperless 3 names documents of the same checksum, the trash included; in lists the field is empty."""
    first, second = fake.add_document(content="same", title="a"), fake.add_document(content="same", title="b")
    fake.trash(first)
    (twin,) = api.get(f"/api/documents/{second}/").json()["duplicate_documents"]
    assert (twin["id"], twin["title"]) == (first, "a") and twin["deleted_at"] is not None
    (listed,) = api.get("/api/documents/").json()["results"]
    assert listed["duplicate_documents"] == []


def test_version_rows_are_reached_through_root_only(fake: FakePaperless, api: httpx.Client) -> None:
    """A version id is 404 as a document, ``/root/`` leads on; the root shows the newest text."""
    root = fake.add_document(content="one")
    version = fake.add_version(root, "two", label="rescanned")
    assert api.get(f"/api/documents/{version}/").status_code == 404
    assert api.get(f"/api/documents/{version}/root/").json() == {"root_id": root}
    assert api.get(f"/api/documents/{root}/root/").json() == {"root_id": root}
    shown = api.get(f"/api/documents/{root}/").json()
    assert shown["content"] == "two"
    assert [(v["id"], v["is_root"]) for v in shown["versions"]] == [(version, False), (root, True)]
    assert api.get(f"/api/documents/{root}/?version={root}").json()["content"] == "one"
    assert ids(api) == [root]
    assert api.post(f"/api/documents/{version}/notes/", json={"note": "lost"}).status_code == 200
    edit = {"documents": [version], "method": "add_tag", "parameters": {"tag": fake.add_tag("lost")}}
    assert api.post("/api/documents/bulk_edit/", json=edit).status_code == 200
    assert fake.document(root).notes == () and fake.document(version).notes == ("lost",)
    assert fake.document(root).tags == frozenset() and fake.document(version).tags == {"lost"}


def test_an_endpoint_that_is_missing_looks_like_the_login_page(api: httpx.Client) -> None:
    """2.20 has no ``/root/``; a forgotten slash or an unknown path ends at the web page's login, too."""
    with FakePaperless("2.20.15") as old, connect(old) as former:
        number = old.add_document()
        answer = former.get(f"/api/documents/{number}/root/")
        assert answer.status_code == 302 and "/accounts/login/" in answer.headers["location"]
        assert "versions" not in former.get(f"/api/documents/{number}/").json()
        assert former.post("/api/documents/delete/", json={"documents": [1]}).status_code == 405
        assert former.post(f"/api/documents/{number}/update_version/").status_code == 403
        assert len(former.get(f"/api/documents/{number}/metadata/").json()["original_checksum"]) == 32
    followed = api.get("/api/documents", follow_redirects=True)
    assert followed.status_code == 200 and followed.headers["content-type"].startswith("text/html")
    assert api.get("/api/documents/nonsense/").status_code == 404


def test_a_document_appears_only_after_its_commit(fake: FakePaperless, api: httpx.Client) -> None:
    """The first GETs are 404, as for a webhook that is faster than the transaction."""
    number = fake.add_document()
    fake.appear_later(number, n_gets=2)
    assert ids(api) == []
    assert api.get(f"/api/documents/{number}/root/").status_code == 404
    answers = [api.get(f"/api/documents/{number}/").status_code for _ in range(3)]
    assert answers == [404, 404, 200] and ids(api) == [number]


def test_others_documents_are_invisible(fake: FakePaperless) -> None:
    """A normal user sees own, unowned and shared documents; a superuser all; notes of others are a 403."""
    anna = fake.add_user("anna")
    fake.add_user("ben")
    own, unowned = fake.add_document(owner="anna"), fake.add_document()
    hidden, shared = fake.add_document(owner="ben"), fake.add_document(owner="ben")
    fake.share(shared, "anna")
    with connect(fake, anna) as api:
        assert ids(api) == [own, unowned, shared]
        assert api.get(f"/api/documents/{hidden}/").status_code == 404
        for path in ("notes", "metadata"):
            refused = api.get(f"/api/documents/{hidden}/{path}/")
            assert refused.status_code == 403 and refused.text.startswith("Insufficient permissions")
        assert api.patch(f"/api/documents/{shared}/", json={"title": "x"}).status_code == 403
        edit = {"documents": [own, hidden], "method": "remove_tag", "parameters": {"tag": fake.add_tag("t")}}
        assert api.post("/api/documents/bulk_edit/", json=edit).status_code == 403
    with connect(fake) as admin:
        assert ids(admin) == [own, unowned, hidden, shared]


def test_order_is_stable_and_empty_values_come_first(fake: FakePaperless, api: httpx.Client) -> None:
    """Sorting by ASN puts documents without one first, as SQLite does."""
    for asn in (7, None, 3):
        fake.add_document(archive_serial_number=asn, created=dt.date(2026, 1, 1))
    assert ids(api, ordering="archive_serial_number") == [2, 3, 1]
    assert ids(api, ordering="-archive_serial_number") == [1, 3, 2]
    assert ids(api, ordering="") == [3, 2, 1]
