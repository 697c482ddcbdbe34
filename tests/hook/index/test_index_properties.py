"""Properties: whatever is done to the index, it equals a dictionary; whatever is packed comes back."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hook.index.ids import MAX_ID
from hook.index.key_table import EMPTY, KeyTable, hash_keys
from hook.index.pages import Entries, append, gather, gather_residuals, pack, unpack
from tests.hook.index.index_kit import found, open_index

KEY_POOL = np.random.default_rng(5).integers(0, 2**64, 60, dtype=np.uint64)

ids = st.one_of(st.integers(0, 12), st.integers(0, MAX_ID))
key_sets = st.lists(st.integers(0, len(KEY_POOL) - 1), max_size=40)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("put"), ids, key_sets),
        st.tuples(st.just("remove"), ids, st.just([])),
    ),
    max_size=30,
)


@settings(deadline=None, max_examples=60)
@given(changes=changes, batched=st.booleans())
def test_any_sequence_of_changes_equals_a_dictionary(
    changes: list[tuple[str, int, list[int]]], batched: bool
) -> None:
    """Put, replace and remove in any order: records, counts, look-ups and `check` agree with a plain dict."""
    model: dict[int, set[int]] = {}
    with tempfile.TemporaryDirectory() as directory, open_index(Path(directory)) as index:
        for chunk in [changes] if batched else [[change] for change in changes]:
            with index.batch():
                for verb, document_id, chosen in chunk:
                    if verb == "remove":
                        assert index.remove(document_id) == (model.pop(document_id, None) is not None)
                        continue
                    keys = KEY_POOL[np.array(chosen, np.intp)]
                    index.put(document_id, keys, keys.tobytes())
                    model[document_id] = {int(key) for key in keys}
        assert found(index, KEY_POOL) == {(key, number) for number, keys in model.items() for key in keys}
        assert list(index.ids()) == sorted(model)
        assert len(index) == len(model)
        assert index.check().sound


@settings(deadline=None, max_examples=50)
@given(records=st.dictionaries(st.integers(0, MAX_ID), st.binary(max_size=3000), max_size=10))
def test_a_record_comes_back_as_it_was(records: dict[int, bytes]) -> None:
    """Any bytes, under any id."""
    with tempfile.TemporaryDirectory() as directory, open_index(Path(directory)) as index:
        with index.batch():
            for document_id, record in records.items():
                index.put(document_id, KEY_POOL, record)
        assert index.get_many(index.ids()) == records


slots = st.one_of(st.integers(0, 300), st.integers(0, 2**32 - 1))


@given(level=st.integers(0, 31), slots=st.lists(slots, max_size=50), data=st.data())
def test_a_page_gives_back_its_entries(level: int, slots: list[int], data: st.DataObject) -> None:
    """Grown one by one: the same entries in the same order. Packed at once: in an order that takes no more bytes."""
    top = 2 ** (32 - level) - 1
    residuals = data.draw(st.lists(st.integers(0, top), min_size=len(slots), max_size=len(slots)))
    entries = Entries(np.array(residuals, np.uint32), np.array(slots, np.uint32))
    grown = b""
    for residual, slot in zip(residuals, slots, strict=True):
        grown = append(grown, level, residual, slot)
    assert unpack(grown).residuals.tolist() == residuals
    assert unpack(grown).slots.tolist() == slots
    packed = unpack(pack(entries, level))
    assert sorted(zip(packed.slots.tolist(), packed.residuals.tolist(), strict=True)) == sorted(
        zip(slots, residuals, strict=True)
    )
    assert len(pack(entries, level)) <= len(grown)


@given(
    st.lists(
        st.tuples(st.integers(0, 31), st.lists(st.tuples(st.integers(0, 1), slots), max_size=8)), max_size=12
    )
)
def test_pages_side_by_side_are_the_pages_one_by_one(shapes: list[tuple[int, list[tuple[int, int]]]]) -> None:
    """Gathering pages of any levels and widths, empty ones too, concatenates them."""
    pages = [
        pack(
            Entries(
                np.array([residual for residual, _ in pairs], np.uint32),
                np.array([slot for _, slot in pairs], np.uint32),
            ),
            level,
        )
        for level, pairs in shapes
    ]
    entries, counts = gather(pages)
    singly = [unpack(page) for page in pages]
    assert counts.tolist() == [len(page) for page in singly]
    assert entries.slots.tolist() == [slot for page in singly for slot in page.slots.tolist()]
    assert entries.residuals.tolist() == [residual for page in singly for residual in page.residuals.tolist()]
    assert gather_residuals(pages)[0].tolist() == entries.residuals.tolist()


@given(
    changes=st.lists(st.tuples(st.booleans(), st.integers(1, 12), st.sets(st.integers(0, 5))), max_size=60)
)
def test_small_buckets_forget_only_when_full(changes: list[tuple[bool, int, set[int]]]) -> None:
    """Six keys of one page, buckets of three: nothing is found that was not put, and what is missing was put into
    a bucket that is known to be full."""
    hashes = hash_keys(KEY_POOL[:6])
    table = KeyTable(EMPTY, 0, lambda numbers: {}, bucket_cap=3, bucket_slack=1)
    model: dict[int, set[int]] = {}
    for is_put, slot, keys in changes:
        known = model.pop(slot, set())
        table.discard(slot, hashes[sorted(known - keys) if is_put else sorted(known)])
        if is_put:
            table.insert(slot, hashes[sorted(keys - known)])
            model[slot] = keys
    answer = table.find(hashes)
    kept = {
        (key, slot) for key, slot in zip(answer.asked.tolist(), answer.slots.tolist(), strict=True) if slot
    }
    put = {(key, slot) for slot, keys in model.items() for key in keys}
    assert kept <= put
    assert all(answer.sizes[key] >= 3 for key, _ in put - kept)
    assert answer.sizes.max() <= 4
    assert table.entry_count == answer.sizes.sum()


def test_growing_never_moves_an_entry_out_of_reach() -> None:
    """A table that was split hundreds of times finds every entry."""
    table = KeyTable(EMPTY, 0, lambda numbers: {})
    hashes = hash_keys(np.random.default_rng(1).integers(0, 2**64, 60_000, dtype=np.uint64))
    for slot, chunk in enumerate(np.split(hashes, 300), start=1):
        table.insert(slot, np.unique(chunk))
    assert table.shape.level >= 8
    answer = table.find(hashes)
    expected = np.repeat(np.arange(1, 301), 200)
    assert all(np.bincount(answer.asked[answer.slots == expected[answer.asked]]) >= 1)
