"""Nobody learns from our marks on a document they may see about one they may not see."""

from __future__ import annotations

import pytest

from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import FIELD, decide, sync
from tests.live.texts import Texts

TITLE = "Divorce, second draft"


def pair(desk: Desk, *, private_first: bool = True, scope: str = "owner") -> tuple[int, int]:
    """A private letter of Anna's, and a rescan of it that she shares with Bert; ids of both."""
    for user in ("anna", "bert"):
        desk.fake.add_user(user)
    texts = Texts(31)
    text = texts.letter()
    made: dict[str, int] = {}
    for name in ("private", "shared") if private_first else ("shared", "private"):
        content = text if name == "private" else texts.scanned_again(text)
        made[name] = desk.fake.add_document(content, TITLE if name == "private" else "Letter", owner="anna")
    desk.fake.share(made["shared"], "bert")
    desk.run("setup")
    desk.run("backfill", "--sync", "--quiet", DEDUPE_SCOPE=scope, DEDUPE_TAG_OTHER="true")
    desk.fake.run_tasks()
    return made["private"], made["shared"]


def told(desk: Desk, shown: int) -> str:
    """All that our marks on a document say to whoever may see it."""
    document = desk.fake.document(shown)
    return f"{document.notes} {document.custom_fields.get(FIELD)}"


@pytest.mark.parametrize("private_first", [True, False])
@pytest.mark.parametrize("scope", ["owner", "all"])
def test_a_shared_document_does_not_name_an_unshared_one(desk: Desk, private_first: bool, scope: str) -> None:
    """Neither its title, nor its id, nor what is printed on it; a link would show it too."""
    private, shared = pair(desk, private_first=private_first, scope=scope)
    seen = told(desk, shared)
    assert TITLE not in seen
    assert f"#{private}" not in seen
    assert "agree" not in seen
    assert FIELD not in desk.fake.document(shared).custom_fields
    assert FIELD not in desk.fake.document(private).custom_fields


def test_the_owner_is_told_that_there_is_something(desk: Desk) -> None:
    """The tag and a note without a name: `pending` has the rest."""
    private, shared = pair(desk)
    assert "dedupe:review" in desk.fake.document(shared).tags
    (note,) = desk.fake.document(shared).notes
    assert "not everybody who sees this one may see" in note
    assert f"#{private}" in desk.run("pending")[0]


def again(desk: Desk) -> None:
    desk.run("backfill", "--again", "--quiet")
    desk.fake.run_tasks()


def test_shared_alike_is_named_and_linked(desk: Desk) -> None:
    """The same viewers, also of groups: nothing is left out. A link goes when the viewers change."""
    private, shared = pair(desk)
    rows = desk.fake.state.documents
    desk.fake.share(private, "bert")
    again(desk)
    assert TITLE in told(desk, shared)
    assert desk.fake.document(shared).custom_fields[FIELD] == [private]
    rows[shared].view_groups = {4}
    again(desk)
    assert TITLE not in told(desk, shared)
    rows[private].view_groups = {4, 5}
    again(desk)
    assert TITLE in told(desk, shared)
    rows[private].view_users.clear()
    again(desk)
    assert TITLE not in told(desk, shared)
    assert f"#{private}" not in told(desk, shared)
    assert FIELD not in desk.fake.document(shared).custom_fields


def test_what_cannot_be_known_is_left_out(desk: Desk) -> None:
    """A Paperless that does not show permissions: documents with an owner are not named."""
    desk.fake.options.hides_permissions = True
    private, shared = pair(desk)
    assert TITLE not in told(desk, shared)
    assert f"#{private}" not in told(desk, shared)


def test_nobody_loses_access_by_a_merge(desk: Desk) -> None:
    """Bert sees the one that would go, not the one that would stay: refused, without naming it."""
    private, shared = pair(desk)
    desk.fake.tag(private, "dedupe:keep")
    decide(desk, shared, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
    assert desk.fake.trashed == []
    seen = told(desk, shared)
    assert "Not done" in seen
    assert f"#{private}" not in seen
    sync(desk)
