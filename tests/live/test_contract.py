"""What the product relies on in Paperless: each request that it sends, and the answer that it counts on.

The fake is checked by the suite, a real server by `-m live`; so the other tests may trust the fake.
"""

from __future__ import annotations

import io
import random
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.errors import NotFoundError, RefusedError, RightsError
from hook.paperless.client import Paperless
from hook.paperless.values import HEAD_FIELDS
from tests.fakes import FakePaperless
from tests.live.conftest import real_server
from tests.live.servers import Server, token_file


@pytest.fixture(params=["2.20.15", "3.0.5", pytest.param("real", marks=pytest.mark.live)])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Without the hook, which would write tags of its own."""
    if request.param == "real":
        for server in real_server(tmp_path):
            server.runs_hook = True
            yield server
        return
    with FakePaperless(request.param, task_delay_s=0.01) as fake:
        server = Server(
            fake.url, token_file(tmp_path, fake.token), tmp_path / "index", runs_hook=True, is_fake=True
        )
        yield server
        server.close()


@pytest.fixture
def client(server: Server) -> Paperless:
    return server.client


@pytest.fixture
def unique() -> str:
    """A real server keeps what earlier runs have left."""
    return word(random.Random(secrets.token_hex()))


def word(chance: random.Random) -> str:
    return "".join(chance.choices("abdehkmnprtuwxyz", k=8))


def letter(unique: str, number: int) -> str:
    """Unlike any other, so that a hook does not mark it. More than 50 characters: Paperless reads a page with fewer
    by OCR, which took "tn" for "in"."""
    chance = random.Random(f"{unique} {number}")
    return " ".join(word(chance) for _ in range(8))


@pytest.fixture
def pair(server: Server, unique: str) -> tuple[int, int]:
    first, second = (server.send(letter(unique, n), f"letter {unique} {n}") for n in (1, 2))
    return (
        server.consumed(first, letter(unique, 1), f"letter {unique} 1"),
        server.consumed(second, letter(unique, 2), f"letter {unique} 2"),
    )


def test_documents(server: Server, client: Paperless, pair: tuple[int, int], unique: str) -> None:
    """Read one by one and by lists; a filter that Paperless did not know would return everything."""
    one, two = pair
    document = client.document(one)
    assert document.content.strip() == letter(unique, 1)
    assert (document.title, document.archive_serial_number) == (f"letter {unique} 1", None)
    checksum = client.metadata(one).original_checksum
    has_versions = client.server_info().has_file_versions
    assert (len(checksum), len(document.checksum)) == ((64, 64) if has_versions else (32, 0))
    assert client.document(two, fields=HEAD_FIELDS).content == ""
    assert [found.id for found in client.documents_by_id([two, 2**31 - 1, one])] == [two, one]
    assert client.document_ids(checksum__iexact=checksum.upper()) == [one]
    assert client.document_ids(id__in=[one, 2**31 - 1]) == [one]
    for name in ("added", "modified"):
        since = {f"{name}__gte": getattr(client.document(two), name)}
        assert two in client.document_ids(**since)
        assert one not in client.document_ids(**since)
    client.patch_document(one, {"archive_serial_number": None})
    by_change = client.document_ids(ordering="-modified")
    assert by_change.index(one) < by_change.index(two)
    assert client.resolve_root(one) == (one if has_versions else None)
    assert client.resolve_root(2**31 - 1) is None
    assert client.may_change(one)
    assert not client.may_change(2**31 - 1)
    with pytest.raises(NotFoundError):
        client.document(2**31 - 1)
    with pytest.raises(NotFoundError):
        client.download_original(2**31 - 1, io.BytesIO())
    assert client.thumbnail(one)


def test_tags(client: Paperless, pair: tuple[int, int], unique: str) -> None:
    """Everybody's; a child brings its parent, and a parent that goes takes its children along."""
    one, two = pair
    top = client.create_tag(f"top {unique}", color="#e6194b")
    child = client.create_tag(f"child {unique}", color="#f58231", parent=top.id, match="kept")
    assert (child.parent, child.owner, child.match) == (top.id, None, "kept")
    assert client.create_tag(f"child {unique}", color="#000000") == child  # the name is taken
    assert client.find_tag(f"CHILD {unique}") == child
    assert client.tags([child.id, 2**31 - 1]) == [child]
    client.set_tag_match(child.id, "other")
    assert client.tags([child.id])[0].match == "other"
    client.modify_tags([one], add=[child.id])
    assert set(client.document(one).tags) == {top.id, child.id}
    assert client.document_ids(tags__id__in=[child.id, 2**31 - 1]) == [one]
    client.modify_tags([one, two], remove=[top.id])
    assert not client.document(one).tags
    for documents, tags in (([one, 2**31 - 1], [top.id]), ([one], [2**31 - 1])):
        with pytest.raises(RefusedError, match="don't exist"):
            client.modify_tags(documents, add=tags)
    assert not client.document(one).tags
    client.modify_tags([one], add=[child.id])
    client.delete_label("tags", top.id)
    assert not client.document(one).tags
    assert client.find_tag(f"child {unique}") is None


def test_links(client: Paperless, pair: tuple[int, int], unique: str) -> None:
    """Symmetric; dropped from the other side by PATCH only; refused to the trash; without a word to oneself."""
    one, two = pair
    field = client.create_custom_field(f"Link {unique}", "documentlink")
    other = client.create_custom_field(f"Other {unique}", "string")
    assert client.create_custom_field(f"Link {unique}", "string") == field  # the name is taken
    assert client.find_custom_field(f"link {unique}") == field
    client.set_field_extra(other.id, {"kept": "here"})
    assert {known.id: known.extra for known in client.custom_fields()}[other.id]["kept"] == "here"

    def links() -> list[object]:
        return [client.document(number).field_value(field.id) for number in pair]

    try:
        client.modify_custom_fields([one], add={other.id: "mine"})
        client.modify_custom_fields([one], add={field.id: [two]})
        assert links() == [[two], [one]]
        assert set(client.document_ids(custom_fields__id__all=[field.id])) == {one, two}
        client.modify_custom_fields([one], add={field.id: []})
        assert links() == [[], [one]]
        client.patch_document(two, {"custom_fields": [{"field": field.id, "value": [one]}]})
        client.patch_document(two, {"custom_fields": [{"field": field.id, "value": []}]})
        assert links() == [[], []]
        assert client.document(one).field_value(other.id) == "mine"
        client.modify_custom_fields([one], add={field.id: [one, two]})
        assert links() == [[], []]
        client.modify_custom_fields([one], add={field.id: [two]})
        client.delete_document(two)
        assert client.document(one).field_value(field.id) == [two]
        for write in (
            lambda: client.modify_custom_fields([one], add={field.id: [two]}),
            lambda: client.patch_document(one, {"custom_fields": [{"field": field.id, "value": [two]}]}),
        ):
            with pytest.raises(RefusedError, match="don't exist"):
                write()
        client.restore([two])
        client.modify_custom_fields([one], remove=[field.id])
        assert links() == [None, []]
    finally:
        for known in (field, other):
            client.delete_label("custom_fields", known.id)


def test_notes(client: Paperless, pair: tuple[int, int]) -> None:
    (note,) = client.add_note(pair[0], "looks like #3")
    assert note.text == "looks like #3"
    assert note.username == client.server_info().username
    assert client.notes(pair[0]) == (note,)
    listed = client.documents_by_id(pair, fields=("id", "notes"))
    assert [found.notes for found in listed] == [(note,), ()]
    assert client.delete_note(pair[0], note.id) == ()
    with pytest.raises(NotFoundError):
        client.delete_note(pair[0], note.id)


def test_trash(client: Paperless, pair: tuple[int, int], unique: str) -> None:
    """A 404 but for its file; back with all it had. Its serial number stays taken meanwhile."""
    one, two = pair
    serial = secrets.randbelow(2**31)
    client.add_note(one, "mine")
    client.patch_document(one, {"archive_serial_number": serial})
    client.delete_document(one)
    for read in (client.document, client.notes, client.metadata):
        with pytest.raises(NotFoundError):
            read(one)
    assert client.download(one, io.BytesIO())
    assert client.document_ids(id__in=[one]) == []
    trashed = next(found for found in client.trash() if found.id == one)
    assert trashed.title == f"letter {unique} 1"
    with pytest.raises(RefusedError, match="trash"):
        client.patch_document(two, {"archive_serial_number": serial})
    client.restore([one])
    assert client.document(one).archive_serial_number == serial
    assert [note.text for note in client.notes(one)] == ["mine"]
    with pytest.raises(RefusedError):
        client.restore([one])
    with pytest.raises(RefusedError, match="already exists"):
        client.patch_document(two, {"archive_serial_number": serial})


def test_file_versions(server: Server, client: Paperless, pair: tuple[int, int], unique: str) -> None:
    """3.x: the root shows the text of its newest file; the id of a file leads to the root. 2.20 has none."""
    one, two = pair
    file = io.BytesIO()
    client.download_original(two, file)
    file.seek(0)
    if not client.server_info().has_file_versions:
        with pytest.raises(RightsError, match="file versions came with"):
            client.update_version(one, "two.pdf", file)
        return
    task = server.finished(client.update_version(one, "two.pdf", file, label="rescan"))
    assert (task.status, client.document(one).content.strip()) == ("success", letter(unique, 2))
    newest, oldest = client.file_versions(one)
    assert (newest.id, newest.is_root, oldest.id) == (task.document, False, one)
    assert (client.resolve_root(newest.id), client.await_document(newest.id).id) == (one, one)
    assert client.document_ids(checksum__iexact=newest.checksum) == [two]
    client.delete_version(one, newest.id)
    assert client.document(one).content.strip() == letter(unique, 1)
    assert newest.id in {trashed.id for trashed in client.trash()}
    server.uploaded.remove(newest.id)


def test_views_and_workflows(client: Paperless, unique: str) -> None:
    """Pinned for the user who creates it; the secret of a webhook is not shown."""
    pins = {"show_on_dashboard": True, "show_in_sidebar": True}
    view = client.create_saved_view({"name": unique, "filter_rules": [], "sort_field": "added", **pins})
    assert view.raw.items() >= pins.items()
    assert unique in [known.name for known in client.saved_views()]
    client.delete_label("saved_views", view.id)
    params = {"doc_url": "{{doc_url}}"}
    hook = {"url": "http://127.0.0.1:9/events", "use_params": True, "as_json": True, "params": params}
    action = {"type": 4, "webhook": {**hook, "headers": {"X-Secret": "hush"}, "include_document": False}}
    wanted = {"name": unique, "order": 1, "enabled": True, "triggers": [{"type": 2}], "actions": [action]}
    workflow = client.create_workflow(wanted)
    assert "hush" not in repr(workflow)
    assert workflow.raw["actions"][0]["webhook"].items() >= hook.items()
    with pytest.raises(RefusedError, match="already exists"):
        client.create_workflow(wanted)
    assert client.patch_workflow(workflow.id, {**wanted, "enabled": False}).enabled is False
    client.delete_label("workflows", workflow.id)
    assert unique not in [known.name for known in client.workflows()]
