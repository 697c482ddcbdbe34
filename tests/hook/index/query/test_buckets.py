"""A batch that says which keys it needs finds and stores the same as one that does not."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hook.index.key_table import EMPTY, KeyTable, hash_keys
from hook.index.pages import Words, gather

HASHES = hash_keys(np.arange(40, dtype=np.uint64))
Document = tuple[int, set[int]]


def table(cap: int = 64, slack: int = 16) -> KeyTable:
    return KeyTable(EMPTY, 0, lambda numbers: {}, bucket_cap=cap, bucket_slack=slack)


def entries(found: KeyTable) -> list[tuple[int, int]]:
    """Every entry, by its hash and document."""
    found.changed_pages()  # ends the batch
    numbers = np.arange(found.shape.pages, dtype=np.uint32)
    held, counts = gather([found.page(number) for number in numbers.tolist()])
    hashes = held.residuals << np.repeat(found.shape.levels_of(numbers), counts) | np.repeat(numbers, counts)
    return sorted(zip(hashes.tolist(), held.slots.tolist(), strict=True))


def hits(found: KeyTable, hashes: Words) -> tuple[list[tuple[int, int]], list[int]]:
    """Which document has which key, and the sizes; within a bucket the order is that of the page, and means nothing."""
    answer = found.find(hashes)
    return sorted(zip(answer.asked.tolist(), answer.slots.tolist(), strict=True)), answer.sizes.tolist()


def chosen(numbers: set[int]) -> Words:
    return HASHES[np.array(sorted(numbers), np.intp)]


@given(
    batches=st.lists(
        st.lists(st.tuples(st.integers(1, 30), st.sets(st.integers(0, 7), min_size=1)), max_size=12),
        max_size=6,
    ),
    foreseen=st.booleans(),
)
def test_a_batch_finds_and_stores_what_single_documents_do(
    batches: list[list[Document]], foreseen: bool
) -> None:
    """In buckets of three, so that the lowest documents are dropped within a batch, too; also if one key was not named."""
    one_by_one, at_once = table(cap=3, slack=1), table(cap=3, slack=1)
    for batch in batches:
        named = set().union(*(keys for _, keys in batch[: None if foreseen else -1]))
        at_once.expect(chosen(named))
        for slot, keys in batch:
            assert hits(at_once, chosen(keys)) == hits(one_by_one, chosen(keys))
            one_by_one.insert(slot, chosen(keys))
            at_once.insert(slot, chosen(keys))
    assert at_once.entry_count == one_by_one.entry_count
    assert entries(at_once) == entries(one_by_one)


def test_a_batch_that_splits_hundreds_of_pages_is_found_afterwards() -> None:
    """Documents in any order, of which the steps are too large for the pages, and pages of every level."""
    random = np.random.default_rng(1)
    one_by_one, at_once = table(), table()
    for batch in np.array_split(random.permutation(300) * 1_000_003 % 2**31 + 1, 5):
        keys = [np.unique(hash_keys(random.integers(0, 30_000, 150, dtype=np.uint64))) for _ in batch]
        at_once.expect(np.concatenate(keys))
        for slot, hashes in zip(batch.tolist(), keys, strict=True):
            assert hits(at_once, hashes) == hits(one_by_one, hashes)
            at_once.insert(slot, hashes)
            one_by_one.insert(slot, hashes)
    assert entries(at_once) == entries(one_by_one)
    assert at_once.shape == one_by_one.shape
    assert at_once.shape.level >= 7


def test_a_document_that_is_replaced_in_a_batch_loses_its_old_keys() -> None:
    found = table()
    found.expect(HASHES[:4])
    found.insert(1, HASHES[:3])
    found.discard(1, HASHES[:2])
    found.insert(2, HASHES[:2])
    assert found.find(HASHES[:4]).slots.tolist() == [2, 2, 1]


def test_pages_are_unpacked_once_a_batch() -> None:
    """Neither a look-up nor an insert of a key that was named loads a page."""
    asked: list[int] = []

    def read(numbers: object) -> dict[int, bytes]:
        asked.append(1)
        return {}

    found = KeyTable(EMPTY, 0, read)
    found.expect(HASHES)
    for slot in range(1, 10):
        found.find(HASHES[slot : slot + 5])
        found.insert(slot, HASHES[slot : slot + 5])
        assert found._pages == {0: b""}  # nothing is packed before the batch ends
    assert asked == [1]
    assert len(found.changed_pages()[0]) > 0
