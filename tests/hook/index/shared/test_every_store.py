"""What every store promises: the same questions, the same answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from hook.deadline import Deadline
from hook.errors import AlreadyRunningError, IndexBusy, IndexMissing, RecipeMismatch
from hook.index.ids import number_key
from hook.semantic.embedder import normalised
from hook.semantic.vectors import Vectors
from tests.hook.index.index_kit import RECIPE, found, put, random_keys
from tests.hook.index.shared.conftest import OpenIndex


def test_a_document_is_found_under_each_of_its_keys(open_anywhere: OpenIndex) -> None:
    """Every key leads to its document, and to no other; also for the next process."""
    documents = {number: random_keys(number, 40) for number in range(1, 60)}
    with open_anywhere() as index:
        for number, keys in documents.items():
            put(index, number, keys)
    with open_anywhere(create=False) as index:
        for number, keys in documents.items():
            assert found(index, keys) == {(int(key), number) for key in keys}
        assert (len(index), list(index.ids())) == (59, sorted(documents))
        assert index.check().sound


def test_replacing_and_removing_leave_no_trace(open_anywhere: OpenIndex) -> None:
    """A document that changed is found under its new keys only; a removed one not at all."""
    with open_anywhere() as index:
        put(index, 1, random_keys(1))
        put(index, 1, random_keys(2))
        put(index, 2, random_keys(3))
        assert found(index, random_keys(1)) == set()
        assert len(found(index, random_keys(2))) == 100
        assert (index.remove(2), index.remove(2), 2 in index, 1 in index) == (True, False, False, True)
        assert found(index, random_keys(3)) == set()
        assert (index.get(2), len(index), index.get(1)) == (None, 1, random_keys(2).tobytes())
        assert index.check().sound


def test_an_exchange_stores_and_looks_up(open_anywhere: OpenIndex) -> None:
    """It returns the record from before, and the documents that share keys."""
    shared = random_keys(0, 5)
    with open_anywhere() as index:
        put(index, 1, shared)
        before, hits = index.lookup_and_put(2, shared, shared.tobytes())
        assert before is None
        assert set(hits.ids.tolist()) - {2} == {1}
        assert index.lookup_and_put(2, random_keys(9), random_keys(9).tobytes())[0] == shared.tobytes()
        assert {number for _, number in found(index, shared)} == {1}
        assert index.check().sound


def test_ids_from_zero_to_the_largest(open_anywhere: OpenIndex) -> None:
    """Any 32-bit id but the last one; others are refused."""
    ids = [0, 2**32 - 2, 5, 2**24, 2**31, 1]
    with open_anywhere() as index:
        for number in ids:
            put(index, number, random_keys(0, 30))
        assert {number for _, number in found(index, random_keys(0, 30))} == set(ids)
        assert list(index.ids()) == sorted(ids)
        for impossible in (-1, 2**32 - 1):
            with pytest.raises(ValueError, match="document id"):
                put(index, impossible, random_keys(0))
        assert index.check().sound


def test_a_large_family_does_not_grow_its_buckets(open_anywhere: OpenIndex) -> None:
    """A common key keeps the newest 64 documents and reports that it is full, also after some were removed."""
    template = random_keys(0, 4)
    with open_anywhere() as index:
        for number in range(300):
            keys = np.concatenate([template, random_keys(number + 1, 2)])
            index.lookup_and_put(number, keys, keys.tobytes())
        hits = index.lookup(template)
        assert hits.saturated.all()
        assert hits.sizes.max() <= 81
        assert set(range(300 - 64, 300)) <= set(hits.ids.tolist())
        assert len(found(index, random_keys(1, 2))) == 2
        for number in range(240, 300):
            index.remove(number)
        assert index.lookup(template).saturated.all()
        assert index.check().sound


def test_sizes_are_given_per_key(open_anywhere: OpenIndex) -> None:
    """Also for keys that no document has, and for a key asked for twice."""
    common, rare = random_keys(1, 2)
    with open_anywhere() as index:
        for number in range(10):
            put(index, number, np.array([common] + [rare] * (number == 3), np.uint64))
        hits = index.lookup(np.array([rare, common, random_keys(2, 1)[0], rare], np.uint64))
        assert hits.sizes.tolist() == [1, 10, 0, 1]
        assert hits.ids[hits.key_index == 3].tolist() == [3]


def test_another_recipe_is_refused(open_anywhere: OpenIndex) -> None:
    """The error names both recipes and the command that rebuilds; the index is left as it was."""
    with open_anywhere() as index:
        put(index, 1, random_keys(1))
    with pytest.raises(RecipeMismatch) as refused:
        open_anywhere(recipe_id="another-recipe")
    for word in (RECIPE, "another-recipe", "paperless-dedupe backfill --rebuild"):
        assert word in str(refused.value)
    with open_anywhere() as index:
        assert list(index.ids()) == [1]


def test_create_false_creates_nothing(open_anywhere: OpenIndex) -> None:
    """The error names the command that creates an index."""
    for _ in range(2):
        with pytest.raises(IndexMissing, match="paperless-dedupe backfill"):
            open_anywhere(create=False)


def test_namespaces_are_apart_and_in_order(open_anywhere: OpenIndex) -> None:
    """Items come in key order, a prefix selects, and sequence numbers are never used twice."""
    with open_anywhere() as index:
        names, other = index.namespace("names"), index.namespace("names2")
        keys = [
            b"b",
            b"\xff\xff",
            b"a\x00",
            b"a",
            b"",
            number_key(7) + number_key(2),
            number_key(7) + number_key(1),
        ]
        for key in keys:
            names.put(key, b"v" + key)
        other.put(b"a", b"other")
        assert [key for key, _ in names.items()] == sorted(keys)
        assert [key for key, _ in names.items(b"a")] == [b"a", b"a\x00"]
        assert [key for key, _ in names.items(number_key(7))] == sorted(keys[-2:])
        assert (names.delete(b"a"), names.delete(b"a"), names.get(b"a")) == (True, False, None)
        assert (len(names), list(other.items())) == (len(keys) - 1, [(b"a", b"other")])
        assert [other.append(b"x"), other.append(b"y")] == [1, 2]
        assert other.delete(number_key(2))
        assert len(index) == 0
        index.set_meta("backfill", b"page 3")
        assert (index.get_meta("backfill"), index.get_meta("nothing")) == (b"page 3", None)
    with open_anywhere() as index:
        assert index.namespace("names2").append(b"z") == 3


def test_one_run_and_one_writer_at_a_time(open_anywhere: OpenIndex) -> None:
    """Whoever comes second is refused or waits, and gets it afterwards."""
    with open_anywhere() as one, open_anywhere() as two:
        with one.run_lock(), pytest.raises(AlreadyRunningError), two.run_lock():
            pass
        waiting = two.writing_lock(Deadline(lambda: 0.0, 0.1))
        with one.writing_lock(Deadline.never()), pytest.raises(IndexBusy), waiting:
            pass
        with two.run_lock(), two.writing_lock(Deadline.never()):
            pass


def test_a_damaged_index_is_found_and_repaired(open_anywhere: OpenIndex) -> None:
    """An unreadable record is dropped with its entries; the rest stays."""
    with open_anywhere() as index:
        put(index, 1, random_keys(1))
        index.lookup_and_put(2, random_keys(2), b"not a multiple of eight")
        report = index.check()
        assert report.unreadable_ids == (2,)
        assert index.check(repair=True).repaired
        assert index.check().sound
        assert list(index.ids()) == [1]


def test_what_is_read_alone_is_not_changed_by_others(open_anywhere: OpenIndex) -> None:
    """Two processes that count in the same value lose nothing."""

    def count() -> None:
        with open_anywhere() as index:
            for _ in range(15):
                with index.exclusive():
                    index.set_meta("count", b"%d" % (int(index.get_meta("count") or 0) + 1))

    with ThreadPoolExecutor(2) as threads:
        for one in [threads.submit(count) for _ in range(2)]:
            one.result()
    with open_anywhere() as index:
        assert index.get_meta("count") == b"30"


def test_a_batch_is_known_to_be_open(open_anywhere: OpenIndex) -> None:
    """Nothing slow is done in one: a nested one that ends leaves the outer one open."""
    with open_anywhere() as index:
        with index.batch():
            with index.batch():
                pass
            assert index.in_batch
        assert not index.in_batch


def test_vectors_are_found_on_every_store(open_anywhere: OpenIndex) -> None:
    """The semantic tier works with an index on a server, too."""
    stored = normalised(np.random.default_rng(1).standard_normal((20, 64)).astype(np.float32))
    with open_anywhere() as index:
        vectors = Vectors(index, "model")
        for number, vector in enumerate(stored):
            vectors.put(number, b"12345678", vector)
        vectors.remove(7)
        assert [near.id for near in vectors.nearest(stored[3], 1)] == [3]
        assert 7 not in [near.id for near in vectors.nearest(stored[7], 20)]
        assert len(vectors) == 19
