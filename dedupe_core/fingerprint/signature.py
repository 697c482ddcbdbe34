"""Shingle hashes in, MinHash signature out: computed by datasketch (scheme affine32, seed 1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dedupe_core.fingerprint.minhash import MinHash
from dedupe_core.fingerprint.shingles import Hashes
from dedupe_core.recipe import Recipe

_SEED = 1
# 512 hashes x 192 permutations x 4 bytes: 0.4 MB, stays in the cache. All 4096 at once take three times as long.
_CHUNK = 512
EMPTY = np.uint32(0xFFFFFFFF)


@lru_cache(maxsize=4)
def _empty_minhash(permutations: int) -> Any:
    """Copied for each document: its permutations are drawn once."""
    return MinHash(num_perm=permutations, seed=_SEED, scheme="affine32", hashfunc=_as_they_are)


def _as_they_are(hashes: Hashes) -> Hashes:
    """The hash function given to datasketch, which it calls once per item. An item here is an array of hashes."""
    return hashes


def signature(hashes: Hashes, recipe: Recipe) -> NDArray[np.uint32]:
    """The MinHash values of a set of shingle hashes; of an empty set all values are EMPTY."""
    minhash = _empty_minhash(recipe.permutations).copy()
    chosen = sampled(hashes, recipe.sample)
    for start in range(0, len(chosen), _CHUNK):
        minhash.update_batch([chosen[start : start + _CHUNK]])
    values: NDArray[np.uint32] = minhash.hashvalues
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
