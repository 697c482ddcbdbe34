"""Raw look-up results in, ranked candidates out; what is rare counts more than what is frequent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dedupe_core.model import Candidate

# A key that only two documents have says more than one that a whole family shares; an exact key says all.
_EXACT_WEIGHT, _FACT_WEIGHT, _BAND_WEIGHT = 100.0, 3.0, 1.0


def key_weights(exact: int, facts: int, bands: int, sizes: NDArray[np.uint16]) -> NDArray[np.float64]:
    """The weight of a hit on each key, given how many documents share that key."""
    kind = np.repeat([_EXACT_WEIGHT, _FACT_WEIGHT, _BAND_WEIGHT], [exact, facts, bands])
    return np.asarray(kind / np.sqrt(np.maximum(sizes, 1)), np.float64)


def ranked(
    ids: NDArray[np.uint32],
    key_index: NDArray[np.uint16],
    weights: NDArray[np.float64],
    first_band: int,
    limit: int,
) -> list[Candidate]:
    """At most `limit` candidates, the likeliest first; ties go to the newer document."""
    if not len(ids):
        return []
    documents, place = np.unique(ids, return_inverse=True)
    scores = np.bincount(place, weights[key_index], len(documents))
    bands = np.bincount(place, key_index >= first_band, len(documents))
    best = np.lexsort((-documents.astype(np.int64), -scores))[:limit]
    return [Candidate(int(documents[i]), int(bands[i]), float(scores[i])) for i in best]
