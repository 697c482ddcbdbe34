"""What only an index in a directory has: batches that are all or nothing, its own format, few questions to SQLite.

What every store promises is in shared/test_every_store.py.
"""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook.errors import IndexDamaged, IndexFault, RecipeMismatch
from hook.index.ids import MAX_ID
from hook.index.index import Index
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from tests.hook.index.index_kit import content, found, keys_of, open_index, put, random_keys

KEY = np.array([7], np.uint64)


def test_numbers_that_come_late_do_not_displace_newer_ones(tmp_path: Path) -> None:
    """A full bucket drops the lowest numbers, whatever the order in which they came; the same number is there once."""
    key = random_keys(0, 1)
    numbers = np.random.default_rng(1).permutation(1000).tolist()
    with open_index(tmp_path) as index:
        with index.batch():
            for number in numbers:
                put(index, number, key)
            index._store.delete(numbers[-1])  # its record is lost, not its entry
            put(index, numbers[-1], key)
        hits = index.lookup(key)
        assert len(hits.ids) == hits.sizes[0] == len(set(hits.ids.tolist()))
        assert set(range(1000 - BUCKET_CAP + 1, 1000)) <= set(hits.ids.tolist())


def test_a_damaged_bucket_is_an_error_that_says_so(tmp_path: Path) -> None:
    """Two buckets with half an entry each do not make one."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1, 2))
        index._store.sql("PRAGMA ignore_check_constraints = ON")
        index._store.sql("UPDATE posting SET docs = x'0700'")
        with pytest.raises(IndexDamaged, match="check --repair"):
            index.lookup(random_keys(1, 2))


def test_a_batch_sees_its_own_puts_and_is_all_or_nothing(tmp_path: Path) -> None:
    """Inside, look-ups see what was put; after an error nothing of it is left, also of a namespace: a document and the
    entry that asked for it change together or not at all."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        index.namespace("pending").put(b"1", b"waiting")
        before = content(index)
        with pytest.raises(KeyboardInterrupt), index.batch():  # the puts belong to the batch
            for number in range(2, 50):
                put(index, number, random_keys(number))
            index.remove(1)
            index.namespace("pending").delete(b"1")
            assert len(found(index, random_keys(49))) == 100
            assert len(index) == 48
            raise KeyboardInterrupt
        assert content(index) == before
        assert (len(index), index.namespace("pending").get(b"1")) == (1, b"waiting")


def test_a_batch_with_a_failed_change_is_not_committed(tmp_path: Path) -> None:
    """If the error of a put is swallowed inside a batch, the batch fails at its end: no partial change stays."""
    with open_index(tmp_path) as index:
        index.lookup_and_put(1, random_keys(1), b"not a multiple of eight")
        before = content(index)
        with pytest.raises(IndexFault, match="rolled back"), index.batch():  # as above
            put(index, 2, random_keys(2))
            with pytest.raises(IndexDamaged):
                put(index, 1, random_keys(3))
        assert content(index) == before


def test_a_lookup_asks_as_often_in_a_large_index_as_in_a_small_one(tmp_path: Path) -> None:
    """Once for the keys, and once for the state, whatever the size of the archive."""
    with open_index(tmp_path) as index:
        for size in (10, 1000):
            with index.batch():
                for number in range(size):
                    put(index, number, random_keys(number))
            asked: list[str] = []
            index._store.connection.sqlite.set_trace_callback(asked.append)
            index.lookup(random_keys(1))
            index._store.connection.sqlite.set_trace_callback(None)
            assert len([statement for statement in asked if statement.startswith("SELECT")]) == 2


def test_a_rebuild_by_another_process_stops_those_with_the_old_recipe(tmp_path: Path) -> None:
    """Keys of two recipes never mix in one index, not even by a process that runs for days."""
    with open_index(tmp_path) as old:
        put(old, 1, random_keys(1))
        Index.rebuild(tmp_path, "another-recipe", keys_of=keys_of).close()
        with pytest.raises(RecipeMismatch):
            put(old, 2, random_keys(2))
        with pytest.raises(RecipeMismatch):
            old.lookup(random_keys(1))


# The numbers that an index is stored with, as figures: another one is another format, or takes what people have


def test_as_many_keys_are_looked_up_as_16_bits_can_number(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        index.lookup(random_keys(1, 65_535))
        with pytest.raises(ValueError, match="at most 65535"):
            index.lookup(random_keys(1, 65_536))


def test_a_value_has_16_megabytes_at_most(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        largest = bytes(16 * 2**20)
        index._store.set("key", largest)
        assert index._store.get("key") == largest
        with pytest.raises(ValueError, match="the limit is 16777216"):
            index._store.set("key", largest + b"1")


# Properties: whatever is done to the index, it equals a dictionary

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
                    index.lookup_and_put(document_id, keys, keys.tobytes())
                    model[document_id] = {int(key) for key in keys}
        assert found(index, KEY_POOL) == {(key, number) for number, keys in model.items() for key in keys}
        assert list(index.ids()) == sorted(model)
        assert len(index) == len(model)
        assert index.check().sound


@given(
    changes=st.lists(st.tuples(st.booleans(), st.integers(1, 200), st.sets(st.integers(0, 3))), max_size=60),
    family=st.integers(0, 150),
)
def test_buckets_forget_only_when_full(changes: list[tuple[bool, int, set[int]]], family: int) -> None:
    """Nothing is found that was not put, and what is missing was put into a bucket that is known to be full."""
    keys = KEY_POOL[:4]
    model: dict[int, set[int]] = {}
    with tempfile.TemporaryDirectory() as directory, open_index(Path(directory)) as index, index.batch():
        begun = [(True, number, {0, 1}) for number in range(1000, 1000 + family)]
        for is_put, number, chosen in [*begun, *changes, *changes[::-1]]:
            if is_put:
                index.lookup_and_put(number, keys[sorted(chosen)], keys[sorted(chosen)].tobytes())
                model[number] = chosen
            else:
                assert index.remove(number) == (model.pop(number, None) is not None)
        hits = index.lookup(keys)
        kept = set(zip(hits.key_index.tolist(), hits.ids.tolist(), strict=True))
        put = {(key, number) for number, chosen in model.items() for key in chosen}
        assert kept <= put
        assert all(hits.saturated[key] for key, _ in put - kept)
        assert hits.sizes.max() <= BUCKET_CAP + BUCKET_SLACK
