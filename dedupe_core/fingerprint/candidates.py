"""Raw look-up results in, ranked candidates out; what is rare counts more than what is frequent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dedupe_core.model import Candidate

# A key that only two documents have says more than one that a whole family shares; an exact key says all.
_EXACT_WEIGHT, _FACT_WEIGHT, _BAND_WEIGHT, _PART_WEIGHT = 100.0, 3.0, 1.0, 0.7

# One or two sampled passages in common are a phrase, not a part.
_FEWEST_PASSAGES = 3
_FREQUENT_PASSAGE = 24  # documents: general terms on the back of every invoice, and the like


def key_weights(kinds: Sequence[int], sizes: NDArray[np.uint16]) -> NDArray[np.float64]:
    """The weight of a hit on each key, given how many documents share that key.

    `kinds` counts the exact, fact, band and part keys, in this order.
    """
    kind = np.repeat([_EXACT_WEIGHT, _FACT_WEIGHT, _BAND_WEIGHT, _PART_WEIGHT], kinds)
    weights = np.asarray(kind / np.sqrt(np.maximum(sizes, 1)), np.float64)
    weights[(kind == _PART_WEIGHT) & (sizes > _FREQUENT_PASSAGE)] = 0.0
    return weights


def ranked(
    ids: NDArray[np.uint32],
    key_index: NDArray[np.uint16],
    weights: NDArray[np.float64],
    kinds: Sequence[int],
    limit: int,
) -> list[Candidate]:
    """At most `limit` candidates, the likeliest first; ties go to the newer document."""
    if not len(ids):
        return []
    first_band, first_part = kinds[0] + kinds[1], kinds[0] + kinds[1] + kinds[2]
    documents, place = _numbered(ids)
    of_part = key_index >= first_part
    found = weights[key_index]
    passages = np.bincount(place, of_part & (found > 0), len(documents))
    counted = ~of_part | (passages >= _FEWEST_PASSAGES)[place]
    scores = np.bincount(place, found * counted, len(documents))
    bands = np.bincount(place, (key_index >= first_band) & ~of_part, len(documents)).astype(np.int64)
    best = np.lexsort((-documents.astype(np.int64), -scores))[:limit]
    best = best[scores[best] > 0]
    return list(map(Candidate, documents[best].tolist(), bands[best].tolist(), scores[best].tolist()))


def _numbered(ids: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """The distinct ids, ascending, and which of them each is; np.unique takes twice as long."""
    order = np.argsort(ids, kind="stable")
    ascending = ids[order]
    is_new = np.ones(len(ids), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    place = np.empty(len(ids), np.intp)
    place[order] = np.cumsum(is_new) - 1
    return ascending[is_new], place
