"""Link lists that name a document in the trash: Paperless refuses every write of such a list, so we write live ids only."""

from __future__ import annotations

import pytest

from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import (
    FIELD,
    TRASH,
    decide,
    decisions,
    findings,
    flagged,
    ours,
    refusals,
    review,
    sync,
    third_copy,
)


def three(desk: Desk) -> tuple[int, int, int]:
    """A letter, its rescan, a third copy that is linked with both."""
    pair = flagged(desk)
    third = third_copy(desk, pair.letter)
    sync(desk)
    assert sorted(desk.fake.document(third).custom_fields[FIELD]) == [pair.letter, pair.rescan]
    return pair.letter, pair.rescan, third


def decided_after_one_was_trashed(
    desk: Desk, trashed: int, tag: str, **more: str
) -> tuple[tuple[int, int, int], list[int]]:
    """Before any sync knows of it. All three, and those that are left."""
    numbers = three(desk)
    desk.fake.trash(numbers[trashed])
    desk.fake.tag(numbers[2], tag)
    review(desk, **more)
    for _ in range(2):
        sync(desk, **more)
    return numbers, [number for number in numbers if number != numbers[trashed]]


@pytest.mark.parametrize("trashed", [0, 1])
def test_confirm_after_the_person_trashed_one_of_three(desk: Desk, trashed: int) -> None:
    """The other two become one all the same, and no note says that one was deleted."""
    numbers, left = decided_after_one_was_trashed(desk, trashed, "dedupe:confirm", **TRASH)
    assert len(desk.fake.trashed) == 2
    (kept,) = set(left) - set(desk.fake.trashed)
    tags, _, links = ours(desk.fake.document(kept))
    assert not refusals(desk, numbers[2])
    assert (tags & {"dedupe:review", "dedupe:rescan", "dedupe:confirm"}, links) == (set(), [])


@pytest.mark.parametrize("trashed", [0, 1])
def test_dismissal_after_the_person_trashed_one_of_three(desk: Desk, trashed: int) -> None:
    """It settles: no marks, no links, nothing left to do in the next run."""
    numbers, left = decided_after_one_was_trashed(desk, trashed, "dedupe:not-duplicate")
    for number in left:
        tags, notes, links = ours(desk.fake.document(number))
        assert (tags, notes, set(links) - {numbers[trashed]}) == (set(), [], set())
    assert tuple(sorted(left)) in {(one.a, one.b) for one in decisions(desk)}
    desk.fake.forget_requests()
    sync(desk)
    assert desk.fake.writes == []


def test_a_restored_document_gets_its_link_back(desk: Desk) -> None:
    """By the sync that finds it again."""
    letter, rescan, third = three(desk)
    desk.fake.trash(rescan)
    sync(desk)
    assert desk.fake.document(third).custom_fields[FIELD] == [letter]
    desk.fake.restore(rescan)
    sync(desk)
    assert sorted(desk.fake.document(third).custom_fields[FIELD]) == [letter, rescan]
    assert (third, rescan) in findings(desk)


def test_a_link_field_of_the_person_that_names_the_trash_is_left_alone(desk: Desk) -> None:
    """Ours is changed without writing theirs: Paperless would refuse their list too."""
    desk.fake.add_custom_field("See also", "documentlink")
    pair = flagged(desk)
    old = desk.fake.add_document("an old contract")
    desk.fake.edit(pair.rescan, archive_serial_number=4)
    number = desk.fake.custom_field_id("See also")
    desk.fake.state.documents[pair.rescan].custom_fields[number] = [old]
    desk.fake.trash(old)
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    sync(desk)
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])
    assert ours(desk.fake.document(pair.letter)) == (set(), [], [])
    assert desk.fake.document(pair.rescan).custom_fields["See also"] == [old]


def test_a_person_s_links_into_the_trash_do_not_stop_a_merge(desk: Desk) -> None:
    """The kept document takes over what is alive of them."""
    desk.fake.add_custom_field("See also", "documentlink")
    pair = flagged(desk, letter={"archive_serial_number": 5})
    old, other = desk.fake.add_document("an old contract"), desk.fake.add_document("a new contract")
    number = desk.fake.custom_field_id("See also")
    desk.fake.state.documents[pair.rescan].custom_fields[number] = [old, other]
    desk.fake.trash(old)
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert pair.rescan in desk.fake.trashed
    assert desk.fake.document(pair.letter).custom_fields["See also"] == [other]


@pytest.mark.parametrize("filed", [False, True])
def test_no_empty_field_stays_behind(desk: Desk, filed: bool) -> None:
    """Dismissed: the link field is gone from both documents, also where they have other fields."""
    fields = {"Amount": "12.50"} if filed else {}
    pair = flagged(desk, letter={"custom_fields": fields}, rescan={"custom_fields": fields})
    decide(desk, pair.rescan, "dedupe:not-duplicate")
    for number in (pair.letter, pair.rescan):
        assert dict(desk.fake.document(number).custom_fields) == fields
