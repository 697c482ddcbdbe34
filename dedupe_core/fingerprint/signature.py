"""Shingle hashes in, MinHash signature out, bit for bit what datasketch 2 computes (scheme affine32).

datasketch is not imported: its package pulls in scipy, half a second that every document would pay
(tests/core/fingerprint/test_signature.py holds the two to the same values).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dedupe_core.fingerprint.shingles import Hashes, mixed
from dedupe_core.recipe import Recipe

_SEED = 1
_CHUNK = 1024  # 256 permutations x 1024 hashes x 4 bytes: one megabyte, stays in the cache of a small CPU
EMPTY = np.uint32(0xFFFFFFFF)


@lru_cache(maxsize=4)
def _permutations(count: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    generator = np.random.RandomState(_SEED)
    a = generator.randint(0, 1 << 31, count, dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    b = generator.randint(0, 1 << 32, count, dtype=np.uint32)
    return a[:, None], b[:, None]


def signature(hashes: Hashes, recipe: Recipe) -> NDArray[np.uint32]:
    """The MinHash values of a set of shingle hashes; of an empty set all values are EMPTY."""
    a, b = _permutations(recipe.permutations)
    premixed = mixed(sampled(hashes, recipe.sample))
    values = np.full(recipe.permutations, EMPTY, np.uint32)
    for start in range(0, len(premixed), _CHUNK):
        permuted = a * premixed[start : start + _CHUNK]
        permuted += b
        np.minimum(values, permuted.min(axis=1), out=values)
    return values


def sampled(hashes: Hashes, count: int) -> Hashes:
    """The `count` smallest hashes: the same choice whatever the order of the text (bottom-k sampling)."""
    if len(hashes) <= count:
        return hashes
    distinct = np.unique(hashes)
    return distinct[:count]


def packed(values: NDArray[np.uint32]) -> bytes:
    """One byte a value is kept: enough to rank candidates (chance agreement 1 in 256), a quarter of the room."""
    return values.astype(np.uint8).tobytes()


def resemblance(a: bytes, b: bytes) -> float:
    """The estimated Jaccard similarity of two packed signatures, corrected for chance agreement."""
    left, right = np.frombuffer(a, np.uint8), np.frombuffer(b, np.uint8)
    if len(left) != len(right) or not len(left):
        return 0.0
    share = float(np.count_nonzero(left == right)) / len(left)
    return max(0.0, (share - 1 / 256) / (1 - 1 / 256))
