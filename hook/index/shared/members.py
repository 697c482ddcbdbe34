"""Keys as pages of integers: which page a key is on, and the integer that stands for a key and a document there.

The first bits of a key's hash are the number of its page. A page is a Redis set of 63-bit integers: 31 bits of the hash,
then the document id. Sets of up to 512 integers are stored compactly, 8 bytes an entry, and adding or removing commutes:
no lock, and nothing is read before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hook.index.interface import BUCKET_CAP, BUCKET_SLACK, Hits, Keys

# 262,144 pages of 105 bytes beside their entries: 27 MB when all are in use. 412 entries each at 1,000,000 documents; from 1,200,000
# on, pages are not stored compactly any more.
PAGE_BITS: Final = 18
FULL_MARK: Final = 2**32 - 1  # no document has this id: the bucket has dropped documents
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: all bits of a key reach the upper ones
_REST_BITS = 31
_REST = np.uint64(2**_REST_BITS - 1)
_AFTER_REST = np.uint64(64 - PAGE_BITS - _REST_BITS)
_HIGH = np.uint64(32)

Numbers = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Hashed:
    """Distinct or not, as the keys were given."""

    hashes: Numbers

    @classmethod
    def of(cls, keys: Keys) -> Hashed:
        return cls(np.asarray(keys, np.uint64) * _MIX)

    def distinct(self) -> Hashed:
        return Hashed(np.unique(self.hashes))

    def pages(self) -> list[int]:
        pages: list[int] = (self.hashes >> np.uint64(64 - PAGE_BITS)).tolist()
        return pages

    def members(self, document_id: int) -> list[int]:
        members: list[int] = (self._rests << _HIGH | np.uint64(document_id)).tolist()
        return members

    @property
    def _rests(self) -> Numbers:
        return self.hashes >> _AFTER_REST & _REST

    def hits(self, pages: Sequence[Sequence[bytes]]) -> tuple[Hits, dict[int, list[int]]]:
        """What the pages say of the keys, and by key number what overfull buckets should drop."""
        counts = np.fromiter(map(len, pages), np.intp, len(pages))
        entries = np.fromiter(map(int, chain.from_iterable(pages)), np.uint64, int(counts.sum()))
        asked = np.repeat(np.arange(len(pages)), counts)
        matching = entries >> _HIGH == self._rests[asked]
        ids, asked = entries[matching] & np.uint64(FULL_MARK), asked[matching]
        marked = np.unique(asked[ids == FULL_MARK])
        ids, asked = ids[ids != FULL_MARK], asked[ids != FULL_MARK]
        sizes = np.bincount(asked, minlength=len(pages))
        dropped = {
            int(number): sorted(ids[asked == number].tolist())[:-BUCKET_CAP]
            for number in np.flatnonzero(sizes > BUCKET_CAP + BUCKET_SLACK)
        }
        sizes[marked] = np.maximum(sizes[marked], BUCKET_CAP)
        hits = Hits(ids.astype(np.uint32), asked.astype(np.uint16), sizes.astype(np.uint16))
        return hits, dropped
