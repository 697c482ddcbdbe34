"""The index gives back what was put, finds it by its keys, and stays consistent."""

from pathlib import Path

import numpy as np
import pytest

from hook.errors import FormatMismatch, IndexDamaged, IndexFault, IndexMissing, RecipeMismatch
from hook.index.ids import number_key
from hook.index.index import Index
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from tests.hook.index.index_kit import RECIPE, content, found, keys_of, open_index, put, random_keys


def test_a_document_is_found_under_each_of_its_keys(tmp_path: Path) -> None:
    """After many splits every key still leads to its document, and to no other."""
    documents = {number: random_keys(number) for number in range(1, 301)}
    with open_index(tmp_path / "index") as index:
        for number, keys in documents.items():
            put(index, number, keys)
        for number, keys in documents.items():
            assert found(index, keys) == {(int(key), number) for key in keys}
        assert index.check().sound


def test_what_was_put_is_there_in_the_next_process(tmp_path: Path) -> None:
    """Closing and opening again changes nothing."""
    with open_index(tmp_path) as index:
        index.put(7, random_keys(7), random_keys(7).tobytes())
        before = content(index)
    with open_index(tmp_path, create=False) as index:
        assert content(index) == before
        assert index.get(7) == random_keys(7).tobytes()
        assert (7 in index, 8 in index, len(index), list(index.ids())) == (True, False, 1, [7])


def test_replacing_forgets_the_old_keys(tmp_path: Path) -> None:
    """A document that changed is found under its new keys only, and counts once."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        put(index, 1, random_keys(2))
        assert found(index, random_keys(1)) == set()
        assert len(found(index, random_keys(2))) == 100
        assert len(index) == 1
        assert index.check().sound


def test_putting_the_same_again_changes_nothing(tmp_path: Path) -> None:
    """put is idempotent, down to the bytes of the pages."""
    with open_index(tmp_path) as index:
        for number in range(20):
            put(index, number, random_keys(number))
        before = content(index)
        put(index, 3, random_keys(3))
        assert content(index) == before


def test_removing_leaves_no_trace(tmp_path: Path) -> None:
    """A removed document is not found, not counted, and can be removed only once."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        put(index, 2, random_keys(2))
        assert index.remove(1) is True
        assert index.remove(1) is False
        assert found(index, random_keys(1)) == set()
        assert (index.get(1), len(index)) == (None, 1)
        assert index.check() == index.check(repair=True)
        assert index.check().entry_count == 100


def test_ids_from_zero_to_the_largest(tmp_path: Path) -> None:
    """Any 32-bit id but the last one, in any order; others are refused before anything is written."""
    ids = [0, 2**32 - 2, 5, 2**24, 2**31, 1, 2**24 - 1]
    shared = random_keys(0, 30)
    with open_index(tmp_path) as index:
        for number in ids:
            put(index, number, shared)
        assert {document_id for _, document_id in found(index, shared)} == set(ids)
        assert list(index.ids()) == sorted(ids)
        for impossible in (-1, 2**32 - 1):
            with pytest.raises(ValueError, match="document id"):
                put(index, impossible, shared)
        assert index.check().sound


def test_a_document_without_keys_is_kept(tmp_path: Path) -> None:
    """Empty text gives no keys: the record is stored, and a look-up with no keys finds nothing."""
    nothing = np.empty(0, np.uint64)
    with open_index(tmp_path) as index:
        put(index, 1, nothing)
        assert index.get(1) == b""
        assert len(index.lookup(nothing).ids) == 0
        put(index, 1, random_keys(1))
        put(index, 1, nothing)
        assert index.check().entry_count == 0


def test_a_key_given_twice_counts_once(tmp_path: Path) -> None:
    """Keys are a set; a key that is looked up twice gives two answers."""
    key = random_keys(1, 1)
    with open_index(tmp_path) as index:
        put(index, 1, np.repeat(key, 5))
        assert index.lookup(key).sizes.tolist() == [1]
        assert index.lookup(np.repeat(key, 2)).key_index.tolist() == [0, 1]


def test_bucket_sizes_tell_rare_keys_from_frequent_ones(tmp_path: Path) -> None:
    """Sizes are given per key, also for keys that no document has."""
    common, rare = random_keys(1, 2)
    with open_index(tmp_path) as index:
        for number in range(10):
            put(index, number, np.array([common] + [rare] * (number == 3), np.uint64))
        hits = index.lookup(np.array([rare, common, random_keys(2, 1)[0]], np.uint64))
        assert hits.sizes.tolist() == [1, 10, 0]
        assert hits.ids[hits.key_index == 0].tolist() == [3]
        assert not hits.saturated.any()


def test_a_large_family_does_not_grow_its_buckets(tmp_path: Path) -> None:
    """3,000 documents of one template: their common keys keep the newest, report that they are full, and `check` accepts it."""
    template = random_keys(0, 20)
    with open_index(tmp_path) as index:
        for start in range(0, 3000, 500):
            with index.batch():
                for number in range(start, start + 500):
                    put(index, number, np.concatenate([template, random_keys(number + 1, 3)]))
        hits = index.lookup(template)
        assert hits.saturated.all()
        assert hits.sizes.max() <= BUCKET_CAP + BUCKET_SLACK
        assert set(range(3000 - BUCKET_CAP, 3000)) <= set(hits.ids.tolist())
        assert len(found(index, random_keys(1, 3))) == 3  # the own keys of an old one are not forgotten
        report = index.check()
        assert report.sound
        assert report.entry_count < 3000 * 3 + 20 * (BUCKET_CAP + BUCKET_SLACK)


def test_removals_from_a_full_bucket_leave_it_known_as_full(tmp_path: Path) -> None:
    """Documents that a full bucket dropped are not damage, also after those that it kept were removed."""
    key = random_keys(0, 1)
    with open_index(tmp_path) as index:
        with index.batch():
            for number in range(200):
                put(index, number, key)
        for number in range(120, 200):
            index.remove(number)
        hits = index.lookup(key)
        assert hits.saturated.all()
        assert not set(hits.ids.tolist()) & set(range(120, 200))
        assert index.check().sound
        for number in range(300, 400):
            put(index, number, key)
        assert set(range(400 - BUCKET_CAP, 400)) <= set(index.lookup(key).ids.tolist())


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
    """Inside, look-ups see what was put; after an error nothing of it is left."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        before = content(index)
        with pytest.raises(KeyboardInterrupt), index.batch():  # the puts belong to the batch
            for number in range(2, 50):
                put(index, number, random_keys(number))
            index.remove(1)
            assert len(found(index, random_keys(49))) == 100
            assert len(index) == 48
            raise KeyboardInterrupt
        assert content(index) == before
        assert len(index) == 1


def test_a_batch_is_the_same_as_its_puts_one_by_one(tmp_path: Path) -> None:
    """Grouping changes the cost, not the content."""
    with open_index(tmp_path / "single") as single, open_index(tmp_path / "batch") as batch:
        for number in range(100):
            put(single, number, random_keys(number))
        with batch.batch():
            for number in range(100):
                put(batch, number, random_keys(number))
        assert content(single) == content(batch)


def test_a_batch_with_a_failed_change_is_not_committed(tmp_path: Path) -> None:
    """If the error of a put is swallowed inside a batch, the batch fails at its end: no partial change stays."""
    with open_index(tmp_path) as index:
        index.put(1, random_keys(1), b"not a multiple of eight")
        before = content(index)
        with pytest.raises(IndexFault, match="rolled back"), index.batch():  # as above
            put(index, 2, random_keys(2))
            with pytest.raises(IndexDamaged):
                put(index, 1, random_keys(3))
        assert content(index) == before


def test_a_batch_of_one_process_is_invisible_to_another_until_it_ends(tmp_path: Path) -> None:
    """Readers go on with the state before, and never wait."""
    with open_index(tmp_path) as writer, open_index(tmp_path, timeout_s=0.1) as reader:
        with writer.batch():
            put(writer, 1, random_keys(1))
            assert found(reader, random_keys(1)) == set()
            assert len(reader) == 0
        assert len(found(reader, random_keys(1))) == 100


def test_a_lookup_asks_as_often_in_a_large_index_as_in_a_small_one(tmp_path: Path) -> None:
    """Once for the keys, and once for the state, whatever the size of the archive."""
    with open_index(tmp_path) as index:
        for size in (10, 1000):
            with index.batch():
                for number in range(size):
                    put(index, number, random_keys(number))
            asked: list[str] = []
            index._store._cache._con.set_trace_callback(asked.append)
            index.lookup(random_keys(1))
            index._store._cache._con.set_trace_callback(None)
            assert len([statement for statement in asked if statement.startswith("SELECT")]) == 2


def test_create_false_creates_nothing(tmp_path: Path) -> None:
    """The error names the command that creates an index."""
    with pytest.raises(IndexMissing, match="paperless-dedupe backfill"):
        open_index(tmp_path / "nothing", create=False)
    assert not (tmp_path / "nothing").exists()


def test_another_recipe_is_refused_and_named(tmp_path: Path) -> None:
    """The error names both recipes and the command that rebuilds; the index is left as it was."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
    with pytest.raises(RecipeMismatch) as refused:
        open_index(tmp_path, recipe_id="another-recipe")
    for word in (RECIPE, "another-recipe", "paperless-dedupe backfill --rebuild"):
        assert word in str(refused.value)
    with open_index(tmp_path) as index:
        assert len(index) == 1


def test_a_rebuild_by_another_process_stops_those_with_the_old_recipe(tmp_path: Path) -> None:
    """Keys of two recipes never mix in one index, not even by a process that runs for days."""
    with open_index(tmp_path) as old:
        put(old, 1, random_keys(1))
        Index.rebuild(tmp_path, "another-recipe", keys_of=keys_of).close()
        with pytest.raises(RecipeMismatch):
            put(old, 2, random_keys(2))
        with pytest.raises(RecipeMismatch):
            old.lookup(random_keys(1))


def test_another_format_is_refused(tmp_path: Path) -> None:
    """An index of a later version is not touched."""
    with open_index(tmp_path) as index:
        state = index._store.get("state")
        assert state is not None
        index._store.set("state", b"\xff\x00" + state[2:])
    with pytest.raises(FormatMismatch, match="format 255"):
        open_index(tmp_path)


def test_a_rebuild_keeps_meta_and_namespaces(tmp_path: Path) -> None:
    """Decisions survive; documents and keys do not."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        index.set_meta("backfill", b"page 3")
        index.namespace("decisions").put(b"1:2", b"dismissed")
    with Index.rebuild(tmp_path, "another-recipe", keys_of=keys_of) as index:
        assert (len(index), index.get(1), found(index, random_keys(1))) == (0, None, set())
        assert index.get_meta("backfill") == b"page 3"
        assert index.namespace("decisions").get(b"1:2") == b"dismissed"
        put(index, 1, random_keys(1))
        assert index.check().sound


def test_namespaces_are_apart_and_in_order(tmp_path: Path) -> None:
    """Equal keys in two namespaces are different entries; items come in key order; a prefix selects."""
    with open_index(tmp_path) as index:
        queue, other = index.namespace("queue"), index.namespace("queue2")
        for key in (b"b", b"\xff\xff", b"a\x00", b"a", b"\xff", b""):
            queue.put(key, b"v" + key)
        other.put(b"a", b"other")
        assert [key for key, _ in queue.items()] == [b"", b"a", b"a\x00", b"b", b"\xff", b"\xff\xff"]
        assert list(queue.items(b"a")) == [(b"a", b"va"), (b"a\x00", b"va\x00")]
        assert list(queue.items(b"\xff")) == [(b"\xff", b"v\xff"), (b"\xff\xff", b"v\xff\xff")]
        assert (queue.delete(b"a"), queue.delete(b"a"), queue.get(b"a")) == (True, False, None)
        assert (len(queue), list(other.items())) == (5, [(b"a", b"other")])
        assert len(index) == 0


def test_a_sequence_number_is_never_used_twice(tmp_path: Path) -> None:
    """They increase, they order the items, and a deletion or a new process does not reset them."""
    with open_index(tmp_path) as index:
        queue = index.namespace("queue")
        assert [queue.append(b"%d" % number) for number in range(300)] == list(range(1, 301))
        assert [value for _, value in queue.items()] == [b"%d" % number for number in range(300)]
        assert all(queue.delete(number_key(number)) for number in range(1, 301))
    with open_index(tmp_path) as index:
        assert index.namespace("queue").append(b"next") == 301


def test_namespace_changes_join_a_batch(tmp_path: Path) -> None:
    """A document and the queue entry that asked for it change together or not at all."""
    with open_index(tmp_path) as index:
        queue = index.namespace("queue")
        queue.put(b"1", b"waiting")
        with pytest.raises(ZeroDivisionError), index.batch():  # both belong to the batch
            put(index, 1, random_keys(1))
            queue.delete(b"1")
            raise ZeroDivisionError
        assert (len(index), queue.get(b"1")) == (0, b"waiting")
        with index.batch():
            put(index, 1, random_keys(1))
            queue.delete(b"1")
        assert (len(index), queue.get(b"1")) == (1, None)


def test_an_error_of_the_caller_passes_through_a_batch(tmp_path: Path) -> None:
    """An OSError raised by the work inside is not taken for one of the index."""
    with open_index(tmp_path) as index, pytest.raises(ConnectionError), index.batch():
        raise ConnectionError("the network")
