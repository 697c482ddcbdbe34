"""What the client does against a Paperless behind a real socket, 2.20 and 3.0, traps included."""

from __future__ import annotations

import datetime as dt
import io

import pytest

from hook import errors
from hook.paperless.client import Paperless
from tests.fakes import After, Before, FakePaperless, reply
from tests.hook.paperless.conftest import Wires


@pytest.fixture(params=["2.20.15", "3.0.5"])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def paperless(fake: FakePaperless, wire_to: Wires) -> Paperless:
    return Paperless(wire_to(fake.url))


def test_document(fake: FakePaperless, paperless: Paperless) -> None:
    """All that an examination needs comes with one answer."""
    field = fake.add_custom_field("Amount", "float")
    number = fake.add_document(
        "text",
        "Bill",
        owner="admin",
        tags=["a"],
        created="2024-01-15",
        page_count=3,
        archive_serial_number=17,
        correspondent="ACME",
        custom_fields={"Amount": 1.5},
        original_filename="scan.pdf",
    )
    document = paperless.document(number)
    assert (document.id, document.title, document.content) == (number, "Bill", "text")
    assert (document.created, document.page_count, document.archive_serial_number) == ("2024-01-15", 3, 17)
    assert document.owner == fake._user("admin").id
    assert document.tags == (fake.tag_id("a"),)
    assert document.field_value(field) == 1.5
    assert document.field_value(field + 1) is None
    assert document.correspondent is not None
    assert document.original_file_name == "scan.pdf"
    assert len(document.checksum) == (64 if fake.state.version.startswith("3") else 0)


def test_text_never_shows(paperless: Paperless, fake: FakePaperless) -> None:
    """A document in a log line shows its id and title, not its text."""
    number = fake.add_document("very private", notes=["also private"])
    assert "private" not in repr(paperless.document(number, fields=["id", "content", "notes"]))


# documents that are not there yet, and file versions


def test_a_document_before_its_commit_is_awaited(fake: FakePaperless, paperless: Paperless) -> None:
    """A webhook is sent before the transaction ends: the first GETs are 404."""
    fake.faults.add("GET", r"/documents/7/\?", Before(lambda: fake.add_document("text", id=7)), skip=3)
    assert paperless.await_document(7).content == "text"


def test_a_document_that_never_comes(fake: FakePaperless, paperless: Paperless) -> None:
    """Patience ends, and far from the deadline."""
    with pytest.raises(errors.NotFoundError):
        paperless.await_document(99, patience_s=3.0)
    assert 5 <= sum(seen.path == "/api/documents/99/" for seen in fake.requests) <= 10


def test_waiting_respects_the_deadline(fake: FakePaperless, wire_to: Wires) -> None:
    with pytest.raises(errors.NotFoundError):
        Paperless(wire_to(fake.url, seconds=0.25)).await_document(99, patience_s=60)
    assert sum(seen.path == "/api/documents/99/" for seen in fake.requests) == 2


@pytest.mark.parametrize("version", ["3.0.5"])
def test_a_file_version_leads_to_its_root_at_once(fake: FakePaperless, paperless: Paperless) -> None:
    """The hook is run with the id of a version, which is a 404; its text belongs to the root."""
    root = fake.add_document("old")
    document = paperless.await_document(fake.add_version(root, "new"))
    assert (document.id, document.content) == (root, "new")
    assert len(fake.requests) == 3


# lists


def test_documents_are_streamed_in_order(
    fake: FakePaperless, paperless: Paperless, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every document once, a page at a time, nothing fetched ahead of need."""
    monkeypatch.setattr("hook.paperless.api.PAGE_SIZE", 3)
    ids = [fake.add_document(f"text {n}") for n in range(7)]
    stream = paperless.documents_by_id(paperless.document_ids())
    assert next(stream).content == "text 0"
    assert len(fake.requests) == 2
    assert [document.id for document in stream] == ids[1:]
    assert len(fake.requests) == 4


def test_a_deletion_meanwhile_hides_no_other_document(
    fake: FakePaperless, paperless: Paperless, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With numbered pages the document after the gap would slip to a page that was read already."""
    monkeypatch.setattr("hook.paperless.api.PAGE_SIZE", 2)
    ids = [fake.add_document(f"text {n}") for n in range(6)]
    stream = paperless.documents_by_id(paperless.document_ids())
    seen = [next(stream).id, next(stream).id]
    fake.trash(ids[0])
    fake.trash(ids[3])
    assert seen + [document.id for document in stream] == [ids[0], ids[1], ids[2], ids[4], ids[5]]


def test_filters(fake: FakePaperless, paperless: Paperless) -> None:
    """Dates with their offset and lists arrive as Paperless expects them."""
    old = fake.add_document("old", added="2024-01-01T10:00:00+00:00", tags=["a"])
    new = fake.add_document("new", added="2024-03-01T10:00:00+00:00", tags=["b"])
    moment = dt.datetime(2024, 2, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    assert paperless.document_ids(modified__gte=moment) == [new]
    assert paperless.document_ids(tags__id__in=[fake.tag_id("a"), fake.tag_id("b")]) == [old, new]
    assert paperless.document_ids(ordering="-id") == [new, old]


def test_an_unknown_filter_is_refused_here(fake: FakePaperless, paperless: Paperless) -> None:
    """Paperless ignores it silently and returns the whole archive."""
    with pytest.raises(ValueError, match="id__gt"):
        paperless.document_ids(id__gt=5)
    assert fake.requests == []


def test_ids_without_the_all_list(fake: FakePaperless, paperless: Paperless) -> None:
    """A Paperless that has dropped `all` is read by pages."""
    ids = [fake.add_document("x") for _ in range(3)]
    fake.faults.add(
        "GET", "page_size=1&|page_size=1$", reply(200, '{"count":3,"results":[]}', "application/json")
    )
    assert paperless.document_ids() == ids


def test_a_list_that_shrinks_ends(fake: FakePaperless, paperless: Paperless) -> None:
    """A page past the end is a 404, and means only that tags were deleted meanwhile."""
    for number in range(260):
        fake.add_tag(f"tag {number:03}")

    def delete_most() -> None:
        for number in range(30):
            fake.delete_tag(f"tag {number:03}")

    fake.faults.add("GET", "/tags/", After(delete_most))
    assert len(paperless.tags()) == 250


# tags


def test_find_tag_prefers_everybodys(fake: FakePaperless, paperless: Paperless) -> None:
    """Names are unique per owner: a user's own tag of that name must not be taken for ours."""
    fake.add_tag("dedupe:rescan", owner="admin")
    ours = fake.add_tag("dedupe:rescan")
    assert (found := paperless.find_tag("dedupe:rescan")) is not None
    assert found.id == ours
    assert paperless.find_tag("dedupe:none") is None


def test_nothing_to_modify_is_no_call(fake: FakePaperless, paperless: Paperless) -> None:
    """Each bulk edit costs the user's only worker about 5 s."""
    paperless.modify_tags([1])
    paperless.modify_tags([], add=[1])
    paperless.modify_custom_fields([1])
    paperless.restore([])
    assert fake.requests == []


# notes, files, tasks


def test_download_is_bounded(fake: FakePaperless, paperless: Paperless) -> None:
    number = fake.add_document("x", data=b"0" * 1000)
    with pytest.raises(errors.TooLargeError):
        paperless.download_original(number, io.BytesIO(), limit_bytes=999)
    assert paperless.download_original(number, io.BytesIO(), limit_bytes=1000) == 1000
    with pytest.raises(errors.NotFoundError):
        paperless.download_original(99, io.BytesIO())


# shapes


@pytest.mark.parametrize("body", ['{"id": "7"}', "{}", "[]", '"x"', "null", '{"id": 1, "content": {"a": 1}}'])
def test_json_of_another_shape(fake: FakePaperless, paperless: Paperless, body: str) -> None:
    """Another program that speaks JSON is told apart from Paperless, without a traceback of ours."""
    fake.faults.add("GET", "/documents/1/", reply(200, body, "application/json"))
    with pytest.raises(errors.AnswerError, match="unexpected form"):
        paperless.document(1)
