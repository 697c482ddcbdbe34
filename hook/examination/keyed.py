"""The keys of documents: computed once for an examination, and what the index finds by them, ranked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

import numpy as np

from dedupe_core.fingerprint.candidates import key_weights, ranked
from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, part_keys
from dedupe_core.model import Candidate, Fingerprint
from dedupe_core.recipe import Recipe
from hook.examination.codec import decode
from hook.index.interface import Hits, Keys

# Characters of the documents that are read before the first of them is judged: some 10 MB of words.
READ_CHARS: Final = 1_000_000


class Memo:
    """The last decoded record and the last keys. One examination needs its own record up to three times (to
    compare, to see what changed, to replace its keys) and its keys twice (to look up, to store)."""

    def __init__(self, recipe: Recipe) -> None:
        self.decoded = lru_cache(maxsize=1)(decode)
        self.keys = lru_cache(maxsize=1)(partial(keys_for, recipe=recipe))

    def keys_of(self, record: bytes) -> Keys:
        return np.concatenate(self.keys(self.decoded(record)))


def keys_for(found: Fingerprint, recipe: Recipe) -> tuple[Keys, Keys, Keys, Keys]:
    """The exact, the fact, the band and the part keys of a fingerprint."""
    return exact_keys(found), fact_keys(found), band_keys(found.signature, recipe), part_keys(found)


def ranked_hits(document_id: int, keys: Sequence[Keys], hits: Hits, limit: int) -> list[Candidate]:
    """The candidates of a document, the likeliest first; without itself, which is indexed already perhaps."""
    kinds = [len(of_kind) for of_kind in keys]
    ids, key_index, others = hits.ids, hits.key_index, hits.sizes
    beside = ids != document_id
    if not beside.all():
        others = others.copy()
        others[key_index[~beside]] -= 1
        ids, key_index = ids[beside], key_index[beside]
    return ranked(ids, key_index, key_weights(kinds, others), kinds, limit)
