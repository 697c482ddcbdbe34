"""Which documents have a key: the table `posting` of the database.

A key keeps its newest documents: 3,000 letters of one template take 64 to 80 entries, not 3,000. A document that is removed from a
full bucket leaves an entry that says so, with a negative number: such a bucket may have dropped documents before, and it must still
count as full to explain that they are missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hook.errors import IndexDamaged
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK, Keys
from hook.index.store import Store

Hashes = NDArray[np.int64]
Sizes = NDArray[np.intp]

# Keys asked for in one statement. A document has about 110, and SQLite takes a repeated one once.
KEYS_AT_ONCE: Final = (16, 64, 128, 512)
MIX: Final = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: all bits of a key reach the upper 32
# 32 bits of a key, as a signed number: 4 bytes in SQLite. With 100,000 documents, a look-up has 0.3 false hits.
_HASH_SHIFT: Final = np.uint64(32)
_SIGN: Final = 2**31

CREATE: Final = "CREATE TABLE posting(key INTEGER, doc INTEGER, PRIMARY KEY(key, doc)) WITHOUT ROWID"
SELECT: Final = "SELECT key, doc FROM posting WHERE key IN ({})"
SELECT_SIZES: Final = "SELECT key, COUNT(*) FROM posting WHERE key IN ({}) GROUP BY key"
SELECT_OWN: Final = "SELECT key FROM posting WHERE doc = {} AND key IN ({{}})"
INSERT: Final = "INSERT OR IGNORE INTO posting VALUES (?, ?)"
DELETE: Final = "DELETE FROM posting WHERE key = ? AND doc = ?"
VACATE: Final = "UPDATE OR REPLACE posting SET doc = -1 - doc WHERE key = ? AND doc = ?"
DROP_LOWEST: Final = "DELETE FROM posting WHERE key = ?1 AND doc IN (SELECT doc FROM posting WHERE key = ?1 ORDER BY doc LIMIT ?2)"


@dataclass(frozen=True, slots=True)
class Found:
    """The documents that have the hashes asked for: `ids[i]` has hash number `asked[i]`."""

    ids: NDArray[np.int64]
    asked: NDArray[np.intp]
    sizes: Sizes  # per hash: entries in its bucket, also of removed documents


def hash_keys(keys: Keys) -> Hashes:
    return (np.asarray(keys, np.uint64) * MIX >> _HASH_SHIFT).astype(np.int64) - _SIGN


def distinct(keys: Keys) -> Hashes:
    return np.unique(hash_keys(keys))


def find(store: Store, hashes: Hashes) -> Found:
    """In the order of the hashes."""
    wanted, place = np.unique(hashes, return_inverse=True)
    rows = store.fetch_in(SELECT, wanted.tolist(), KEYS_AT_ONCE)
    keys, ids = _numbers(rows).reshape(-1, 2).T
    order = np.argsort(keys, kind="stable")
    starts, ends = (np.searchsorted(keys[order], wanted, side)[place] for side in ("left", "right"))
    sizes = ends - starts
    asked = np.repeat(np.arange(len(hashes)), sizes)
    within = np.arange(len(asked)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ids = ids[order][np.repeat(starts, sizes) + within]
    taken = ids >= 0
    return Found(ids[taken], asked[taken], sizes)


def add(store: Store, document_id: int, hashes: Hashes, sizes: Sizes) -> None:
    """Under each of the hashes, whose buckets have these sizes; an overfull one drops its lowest numbers."""
    for place in np.flatnonzero(sizes >= BUCKET_CAP + BUCKET_SLACK).tolist():
        store.sql(DROP_LOWEST, (int(hashes[place]), int(sizes[place]) - BUCKET_CAP + 1))
    store.sql_each(INSERT, [(key, document_id) for key in hashes.tolist()])


def discard(store: Store, document_id: int, hashes: Hashes) -> None:
    full = sizes_of(store, hashes) >= BUCKET_CAP
    store.sql_each(VACATE, [(key, document_id) for key in hashes[full].tolist()])
    store.sql_each(DELETE, [(key, document_id) for key in hashes[~full].tolist()])


def sizes_of(store: Store, hashes: Hashes) -> Sizes:
    sizes = dict(store.fetch_in(SELECT_SIZES, hashes.tolist(), KEYS_AT_ONCE))
    return np.array([sizes.get(key, 0) for key in hashes.tolist()], np.intp)


def missing(store: Store, document_id: int, hashes: Hashes) -> Hashes:
    """Those under which a look-up would not find the document."""
    rows = store.fetch_in(SELECT_OWN.format(document_id), hashes.tolist(), KEYS_AT_ONCE)
    return np.setdiff1d(hashes, _numbers(rows), assume_unique=True)


def count(store: Store) -> int:
    """Entries of documents, without those of removed ones."""
    return int(store.fetch("SELECT COUNT(*) FROM posting WHERE doc >= 0")[0][0])


def renew(store: Store) -> None:
    """An empty table, whatever was there."""
    store.sql("DROP TABLE IF EXISTS posting")
    store.sql(CREATE)


def _numbers(rows: list[tuple[Any, ...]]) -> NDArray[np.int64]:
    try:
        return np.fromiter(chain.from_iterable(rows), np.int64)
    except (ValueError, TypeError, OverflowError) as error:  # SQLite stores what a damaged page says
        raise IndexDamaged(None, "an entry of the table of keys is not a number") from error
