"""The key table against the simplest one there is: every key with its documents, however the pages split."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from hook.index.key_table import (
    EMPTY,
    PAGE_LOAD,
    VACATED,
    KeyTable,
    Shape,
    hash_keys,
)
from hook.index.pages import ONE, Words, unpack


def table(cap: int = BUCKET_CAP, slack: int = BUCKET_SLACK) -> KeyTable:
    return KeyTable(EMPTY, 0, lambda numbers: {}, bucket_cap=cap, bucket_slack=slack)


def hashes(*values: int) -> Words:
    return np.array(values, np.uint32)


def slots(found: KeyTable, value: int) -> list[int]:
    """Of the bucket of one hash, in the order of the page; 0 is a vacated entry."""
    return [int(slot) for slot in found.find(hashes(value)).slots]


SHAPES = [Shape(), Shape(1, 0), Shape(1, 1), Shape(3, 0), Shape(3, 5), Shape(3, 7)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_hash_has_one_page_of_the_table(shape: Shape) -> None:
    """The page gives the low bits of the hash, as many as its level says, and there are no others."""
    some = np.arange(64, dtype=np.uint32)
    pages = shape.pages_of(some)
    levels = shape.levels_of(pages)
    assert set(pages.tolist()) == set(range(shape.pages))
    for value, page, level in zip(some.tolist(), pages.tolist(), levels.tolist(), strict=True):
        assert value % (1 << level) == page
        assert shape.level_of(page) == level


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_growing_splits_one_page_in_two(shape: Shape) -> None:
    """All other pages keep their hashes: no insert rebuilds the table."""
    some = np.arange(256, dtype=np.uint32)
    grown = shape.grown()
    assert grown.pages == shape.pages + 1
    moved = shape.pages_of(some) != grown.pages_of(some)
    assert set(grown.pages_of(some)[moved].tolist()) == {shape.pages}
    assert set(shape.pages_of(some)[moved].tolist()) == {shape.split}


def test_a_table_grows_through_every_level() -> None:
    shape, pages = EMPTY, []
    for _ in range(9):
        pages.append((shape.level, shape.split, shape.pages))
        shape = shape.grown()
    assert pages == [
        (0, 0, 1), (1, 0, 2), (1, 1, 3), (2, 0, 4), (2, 1, 5), (2, 2, 6), (2, 3, 7), (3, 0, 8), (3, 1, 9),
    ]  # fmt: skip


def test_pages_keep_their_mean_load() -> None:
    """A table has as many pages as its entries need, and no more."""
    found = table()
    for number in range(200):
        found.insert(number + 1, hash_keys(np.arange(number * 10, number * 10 + 10, dtype=np.uint64)))
        assert found.entry_count == (number + 1) * 10
        assert (
            (found.shape.pages - 1) * PAGE_LOAD < max(found.entry_count, 1) <= found.shape.pages * PAGE_LOAD
        )


def test_what_was_inserted_is_found_after_any_number_of_splits() -> None:
    found = table()
    keys = [hash_keys(np.array([7 * number, 7 * number + 1], np.uint64)) for number in range(600)]
    for number, both in enumerate(keys, start=1):
        found.insert(number, both)
    assert found.shape.pages > 4
    for number, both in enumerate(keys, start=1):
        seen = found.find(both)
        assert (seen.slots == number).sum() == 2
        assert set(seen.asked[seen.slots == number].tolist()) == {0, 1}
        assert seen.sizes.tolist() == [1, 1]
    assert (
        sum(len(unpack(found.page(page))) for page in range(found.shape.pages)) == found.entry_count == 1200
    )


def test_a_full_bucket_drops_its_lowest_documents() -> None:
    """Above cap and slack, down to the cap: the newest stay, and the slack spares a rewrite for each."""
    found = table(cap=3, slack=2)
    kept = []
    for slot in range(1, 9):
        found.insert(slot, hashes(5))
        kept.append(slots(found, 5))
    assert kept[:5] == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]]
    assert sorted(kept[5]) == [4, 5, 6]
    assert sorted(kept[7]) == [4, 5, 6, 7, 8]
    assert found.entry_count == 5


def test_only_the_overfull_bucket_loses_documents() -> None:
    """Though several buckets are in one page."""
    found = table(cap=2, slack=1)
    for slot in range(1, 4):
        found.insert(slot, hashes(5, 6) if slot < 3 else hashes(5))
    found.insert(9, hashes(5, 6, 7))
    assert (sorted(slots(found, 5)), sorted(slots(found, 6)), slots(found, 7)) == ([3, 9], [1, 2, 9], [9])
    assert found.entry_count == 6


def test_two_buckets_that_are_overfull_at_once_both_keep_their_newest() -> None:
    found = table(cap=3, slack=0)
    for slot in range(1, 6):
        found.insert(slot, hashes(5, 6, 7))
    assert [sorted(slots(found, value)) for value in (5, 6, 7)] == [[3, 4, 5]] * 3
    assert found.entry_count == 9


def test_documents_that_come_out_of_order_drop_by_number_not_by_age() -> None:
    found = table(cap=2, slack=0)
    for slot in (9, 3, 7):
        found.insert(slot, hashes(5))
    assert sorted(slots(found, 5)) == [7, 9]


def test_a_removed_document_leaves_no_entry() -> None:
    found = table(cap=3, slack=2)
    for slot in (1, 2):
        found.insert(slot, hashes(5, 6))
    found.discard(1, hashes(5, 6))
    assert (slots(found, 5), slots(found, 6), found.entry_count) == ([2], [2], 2)


def test_a_full_bucket_still_counts_as_full_after_a_removal() -> None:
    """It may have dropped documents before, and must explain that they are missing: the entry is vacated."""
    found = table(cap=3, slack=2)
    for slot in (1, 2, 3):
        found.insert(slot, hashes(5))
    found.discard(2, hashes(5))
    assert sorted(slots(found, 5)) == [int(VACATED), 1, 3]
    assert (found.find(hashes(5)).sizes.tolist(), found.entry_count) == ([3], 3)
    assert VACATED == 0


def test_a_vacated_entry_is_dropped_first() -> None:
    found = table(cap=3, slack=0)
    for slot in (4, 5, 6):
        found.insert(slot, hashes(5))
    found.discard(5, hashes(5))
    found.insert(7, hashes(5))
    assert sorted(slots(found, 5)) == [4, 6, 7]


def test_removing_a_document_that_is_not_there_changes_nothing() -> None:
    found = table()
    found.insert(1, hashes(5))
    found.discard(2, hashes(5, 6))
    assert (slots(found, 5), found.entry_count) == ([1], 1)


def test_the_last_result_is_kept_until_a_page_changes() -> None:
    """A put mostly follows a look-up of the same keys."""
    found = table()
    found.insert(1, hashes(5))
    first = found.find(hashes(5))
    assert found.find(hashes(5)) is first
    assert found.find(hashes(6)) is not first
    found.insert(2, hashes(5))
    assert slots(found, 5) == [1, 2]


def test_pages_are_read_once_and_only_changed_ones_are_written() -> None:
    stored: dict[int, bytes] = {}
    first = KeyTable(EMPTY, 0, lambda numbers: {})
    first.insert(1, hash_keys(np.arange(400, dtype=np.uint64)))
    stored.update(first.changed_pages())
    asked: list[int] = []

    def read(numbers: Iterable[int]) -> dict[int, bytes]:
        wanted = list(numbers)
        asked.extend(wanted)
        return {number: stored[number] for number in wanted if number in stored}

    second = KeyTable(first.shape, first.entry_count, read)
    key = hash_keys(np.array([3], np.uint64))
    assert second.find(key).slots.tolist() == [1]
    assert second.changed_pages() == {}
    second.insert(2, key)
    assert second.find(key).slots.tolist() == [1, 2]
    assert set(second.changed_pages()) == set(first.shape.pages_of(key).tolist())
    assert asked == first.shape.pages_of(key).tolist()


def test_all_bits_of_a_key_reach_its_hash() -> None:
    """Keys that differ in one bit, high or low, have different hashes."""
    keys = np.array([0, *(1 << bit for bit in range(64))], np.uint64)
    found = hash_keys(keys)
    assert found.dtype == ONE.dtype
    assert len(set(found.tolist())) > 60
