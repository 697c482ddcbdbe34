"""Which documents have a key: the table `posting` of the database, with a row for each key and all its documents in it.

A key keeps its newest documents: 3,000 letters of one template take 64 to 80 entries, not 3,000. A document that is removed from a
full bucket leaves an entry that says so: such a bucket may have dropped documents before, and it must still count as full to explain
that they are missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hook.errors import IndexDamaged
from hook.index.ids import MAX_ID
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK, MAX_KEYS, Hits, Keys
from hook.index.store import IN_LIST, Store

Hashes = NDArray[np.int64]
Ids = NDArray[np.uint32]
Buckets = dict[int, bytes]  # by hash; without those that are empty

ROWS_AT_ONCE: Final = 1000
MIX: Final = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: all bits of a key reach the upper 32
# 32 bits of a key: 5 bytes in SQLite. With 100,000 documents, a look-up has 0.3 false hits.
_HASH_SHIFT: Final = np.uint64(32)
_ENTRY: Final = np.dtype("<u4")
_REMOVED: Final = MAX_ID + 1
_MOST_BYTES: Final = (BUCKET_CAP + BUCKET_SLACK) * _ENTRY.itemsize

# One row a key, not one an entry: a look-up beside 10,000 documents takes 0.12 ms instead of 0.33, and the table 0.8 kB a document
# instead of 1.25.
CREATE: Final = """CREATE TABLE main.posting(
    key INTEGER PRIMARY KEY, docs BLOB NOT NULL CHECK (typeof(docs) = 'blob' AND length(docs) % 4 = 0)
)"""  # integrity_check reads the rule as well
SELECT: Final = f"SELECT key, docs FROM posting WHERE key {IN_LIST}"
REPLACE: Final = "REPLACE INTO posting VALUES (?, ?)"
DELETE: Final = "DELETE FROM posting WHERE key = ?"


def hash_keys(keys: Keys) -> Hashes:
    return (np.asarray(keys, np.uint64) * MIX >> _HASH_SHIFT).astype(np.int64)


def distinct(keys: Keys) -> Hashes:
    return np.unique(hash_keys(keys))


def read(store: Store, hashes: Hashes) -> Buckets:
    return dict(store.fetch(SELECT, [json.dumps(hashes.tolist())]))


def find(buckets: Buckets, hashes: Hashes) -> Hits:
    """In the order of the hashes. A size counts entries of removed documents as well."""
    if len(hashes) > MAX_KEYS:
        raise ValueError(f"{len(hashes)} keys; at most {MAX_KEYS} are looked up at once")
    ids, sizes = _entries([buckets.get(key, b"") for key in hashes.tolist()])
    asked = np.repeat(np.arange(len(hashes), dtype=np.uint16), sizes)
    is_there = ids != _REMOVED
    return Hits(ids[is_there], asked[is_there], np.minimum(sizes, MAX_KEYS).astype(np.uint16))


def add(store: Store, document_id: int, hashes: Hashes, buckets: Buckets | None = None) -> None:
    """Under each of the hashes, which have these buckets; an overfull one drops its lowest numbers."""
    buckets = read(store, hashes) if buckets is None else buckets
    known = find(buckets, hashes)
    hashes = np.delete(hashes, known.key_index[known.ids == document_id])
    entry = document_id.to_bytes(_ENTRY.itemsize, "little")
    store.sql_each(REPLACE, [(key, _with_room(buckets.get(key, b"")) + entry) for key in hashes.tolist()])


def discard(store: Store, document_id: int, hashes: Hashes) -> None:
    buckets = read(store, hashes)
    left = {key: _without(document_id, bucket) for key, bucket in buckets.items()}
    changed = [(key, bucket) for key, bucket in left.items() if bucket not in (b"", buckets[key])]
    store.sql_each(REPLACE, changed)
    store.sql_each(DELETE, [(key,) for key, bucket in left.items() if not bucket])


def missing(store: Store, document_id: int, hashes: Hashes) -> tuple[int, int]:
    """Under how many a look-up would not find the document, and how many of these cannot be explained by a full bucket."""
    hits = find(read(store, hashes), hashes)
    sizes = np.delete(hits.sizes, hits.key_index[hits.ids == document_id])
    return len(sizes), int((sizes < BUCKET_CAP).sum())


def count(store: Store) -> int:
    """Entries of documents, without those of removed ones."""
    cursor = store.sql("SELECT docs FROM posting")
    some = iter(lambda: cursor.fetchmany(ROWS_AT_ONCE), [])
    return sum(int((_entries(docs for (docs,) in rows)[0] != _REMOVED).sum()) for rows in some)


def renew(store: Store) -> None:
    """An empty table, whatever was there."""
    store.sql("DROP TABLE IF EXISTS main.posting")
    store.sql(CREATE)


def _entries(buckets: Iterable[bytes]) -> tuple[Ids, NDArray[np.intp]]:
    """Of all buckets together, and the number of each."""
    try:
        buckets = list(buckets)
        sizes, rest = np.divmod(np.fromiter(map(len, buckets), np.intp, len(buckets)), _ENTRY.itemsize)
        if rest.any():
            raise ValueError("not a list of numbers")
        return np.frombuffer(b"".join(buckets), _ENTRY), sizes
    except (ValueError, TypeError) as error:  # SQLite stores what a damaged page says
        raise IndexDamaged(None, "an entry of the table of keys is not a number") from error


def _with_room(bucket: bytes) -> bytes:
    if len(bucket) < _MOST_BYTES:
        return bucket
    ids = _entries([bucket])[0]
    order = np.argsort(ids + np.uint32(1))  # 0 for removed ones, which go first
    return ids[order[-BUCKET_CAP + 1 :]].tobytes()


def _without(document_id: int, bucket: bytes) -> bytes:
    ids = _entries([bucket])[0].copy()
    if len(ids) < BUCKET_CAP:
        ids = ids[ids != document_id]
    ids[ids == document_id] = _REMOVED
    return ids.tobytes()
