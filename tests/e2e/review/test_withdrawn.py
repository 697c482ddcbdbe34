"""A decision that is withdrawn while it is carried out, or that contradicts itself, moves nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hook.review.journal import Stage
from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import (
    TRASH,
    Flagged,
    World,
    decide,
    decisions,
    flagged,
    operations,
    people,
    refusals,
    review,
    sync,
)
from tests.fakes import After, Before

CONFIRM, KEEP, SKIP = "dedupe:confirm", "dedupe:keep", "dedupe:skip"
NOT_DUPLICATE, VERSION = "dedupe:not-duplicate", "dedupe:make-version"
Change = Callable[[Desk, Flagged], None]


def rich(desk: Desk) -> Flagged:
    """A pair with much to take over; the letter is kept."""
    pair = flagged(
        desk,
        letter={"archive_serial_number": 5},
        rescan={"tags": ["Tax"], "notes": ["ask Anna"], "correspondent": "Board"},
    )
    desk.fake.tag(pair.rescan, CONFIRM)
    return pair


def rewrite(desk: Desk, number: int) -> None:
    desk.fake.edit(number, content=desk.fake.document(number).content + "\nReceived 3 May.\n")


CHANGES: dict[str, Change] = {
    "unconfirm": lambda desk, pair: desk.fake.untag(pair.rescan, CONFIRM),
    "keep the other": lambda desk, pair: desk.fake.tag(pair.rescan, KEEP),
    "dismiss": lambda desk, pair: desk.fake.tag(pair.rescan, NOT_DUPLICATE),
    "dismiss on the kept one": lambda desk, pair: desk.fake.tag(pair.letter, NOT_DUPLICATE),
    "skip": lambda desk, pair: desk.fake.tag(pair.rescan, SKIP),
    "rewrite": lambda desk, pair: rewrite(desk, pair.rescan),
    "rewrite the kept one": lambda desk, pair: rewrite(desk, pair.letter),
}


def carried_out(desk: Desk) -> list[tuple[str, str]]:
    """The requests of a run that picks the decision up."""
    desk.fake.forget_requests()
    review(desk, **TRASH)
    return [(seen.method, seen.path.partition("?")[0]) for seen in desk.fake.requests]


def places(requests: list[tuple[str, str]], pair: Flagged) -> tuple[int, int]:
    """The numbers of the two last looks: the one before the tags are removed, and the one before the trash."""
    trash = requests.index(("DELETE", f"/api/documents/{pair.rescan}/"))
    assert requests[trash - 1] == ("GET", "/api/documents/")
    assert requests[trash - 2] == ("POST", "/api/documents/bulk_edit/")
    assert requests[trash - 3] == ("GET", "/api/documents/")
    return trash - 3, trash - 1


def test_tags_and_texts_are_read_in_the_last_request_before_the_trash(desk: Desk) -> None:
    """Between the last look at the tag that asks for it and the trash are its removal and one more look."""
    pair = rich(desk)
    requests = carried_out(desk)
    assert desk.fake.trashed == [pair.rescan]
    first, last = places(requests, pair)
    assert last == first + 2 > 20


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_before_the_last_look_stops_it(desk: Desk, name: str) -> None:
    """At every request of the merge one of the changes, at the last ones all: it is not trashed, and both are as before."""
    pair = rich(desk)
    world = World(desk)
    before = [people(desk.fake.document(one)) for one in (pair.letter, pair.rescan)]
    first, last = places(carried_out(desk), pair)
    reached = first if name == "unconfirm" else last
    offset, change = list(CHANGES).index(name), CHANGES[name]
    for number in (n for n in range(reached + 1) if n > reached - 3 or n % len(CHANGES) == offset):
        world.restore()
        desk.fake.faults.add("*", "/api/", Before(lambda: change(desk, pair)), skip=number)
        carried_out(desk)
        assert pair.rescan not in desk.fake.trashed, f"before request {number}"
        if desk.fake.trashed:  # what the person asked for instead, in time
            assert (name, desk.fake.trashed) == ("keep the other", [pair.letter])
            continue
        after = [people(desk.fake.document(one)) for one in (pair.letter, pair.rescan)]
        if not name.startswith("rewrite"):
            assert after == before, f"before request {number}"
        assert all(one.stage is Stage.ROLLED_BACK for one in operations(desk))
        assert not any(one.action for one in decisions(desk))


def half_way(desk: Desk, pair: Flagged, change: Change) -> None:
    """The change comes when the first thing was taken over."""
    desk.fake.faults.add("PATCH", f"/api/documents/{pair.letter}/", Before(lambda: change(desk, pair)))
    review(desk, **TRASH)


def test_a_removed_tag_is_not_set_again_and_a_note_says_why(desk: Desk) -> None:
    pair = rich(desk)
    half_way(desk, pair, CHANGES["unconfirm"])
    assert CONFIRM not in desk.fake.document(pair.rescan).tags
    (note,) = refusals(desk, pair.letter, pair.rescan)
    assert f"the decision was withdrawn: #{pair.rescan} no longer has dedupe:confirm" in note
    sync(desk, **TRASH)
    assert desk.fake.trashed == []
    decide(desk, pair.rescan, CONFIRM, **TRASH)
    assert desk.fake.trashed == [pair.rescan]


def test_what_the_person_asks_for_instead_is_done_by_the_next_run(desk: Desk) -> None:
    """`dedupe:keep` on the one that was to go: the other one goes."""
    pair = rich(desk)
    half_way(desk, pair, CHANGES["keep the other"])
    assert desk.fake.trashed == []
    assert f"#{pair.rescan} has dedupe:keep now" in refusals(desk, pair.letter, pair.rescan)[0]
    sync(desk, **TRASH)
    assert desk.fake.trashed == [pair.letter]


def test_the_same_on_the_other_document_withdraws_nothing(desk: Desk) -> None:
    pair = rich(desk)
    half_way(desk, pair, lambda desk, pair: desk.fake.tag(pair.letter, CONFIRM))
    assert desk.fake.trashed == [pair.rescan]
    assert CONFIRM not in desk.fake.document(pair.letter).tags


@pytest.mark.parametrize(
    "tags", [(CONFIRM, SKIP), (VERSION, SKIP), (CONFIRM, NOT_DUPLICATE), (CONFIRM, VERSION)]
)
@pytest.mark.parametrize("together", [True, False])
def test_contradicting_tags_are_refused(desk: Desk, tags: tuple[str, str], together: bool) -> None:
    """On one document, or one on each; with a note, and all tags stay."""
    pair = flagged(desk)
    desk.fake.tag(pair.rescan, tags[0])
    desk.fake.tag(pair.rescan if together else pair.letter, tags[1])
    review(desk, **TRASH)
    assert desk.fake.trashed == []
    if together or NOT_DUPLICATE not in tags:  # else that one is carried out: it moves nothing
        assert tags[0] in desk.fake.document(pair.rescan).tags
        assert not any(one.action for one in decisions(desk))
        assert refusals(desk, pair.letter, pair.rescan)


def test_undo_of_an_operation_that_waits_does_not_begin_again(desk: Desk) -> None:
    """Paperless has not attached the file yet; the tag that asks for it is still there, and goes with the undo."""
    pair = flagged(desk)
    desk.fake.tag(pair.rescan, VERSION)
    review(desk, 0.0)
    assert [one.stage for one in operations(desk)] == [Stage.OPEN]
    desk.run("undo", str(pair.rescan))
    assert VERSION not in desk.fake.document(pair.rescan).tags
    sync(desk)
    assert not {pair.letter, pair.rescan} & set(desk.fake.trashed)
    assert [one.stage for one in operations(desk)] == [Stage.ROLLED_BACK]


@pytest.mark.parametrize("moment", [Before, After])
@pytest.mark.parametrize("emptied", [False, True])
def test_the_other_one_is_restored(desk: Desk, moment: type[Before | After], emptied: bool) -> None:
    """If somebody trashes the one to keep in the moment of our trash; also if the trash was emptied of it."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan={"tags": ["Tax"], "notes": ["ask Anna"]})

    def somebody() -> None:
        desk.fake.trash(pair.letter)
        if emptied:
            desk.fake.state.expunge(desk.fake.state.documents[pair.letter])

    desk.fake.faults.add("DELETE", f"/api/documents/{pair.rescan}/$", moment(somebody))
    err = decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == ([] if emptied else [pair.letter])
    assert "Tax" in desk.fake.document(pair.rescan).tags
    (note,) = refusals(desk, pair.rescan)
    assert f"#{pair.letter} was deleted" in note
    assert "as before" in err
    assert [one.stage for one in operations(desk)] == [Stage.ROLLED_BACK]
    assert decisions(desk) == []
    sync(desk, **TRASH)
    assert pair.rescan not in desk.fake.trashed
