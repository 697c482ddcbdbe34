"""The keys of documents by kind, and what the index finds by them, ranked."""

from __future__ import annotations

from dedupe_core.fingerprint.candidates import key_weights, ranked
from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, part_keys
from dedupe_core.model import Candidate, Fingerprint
from dedupe_core.recipe import Recipe
from hook.index.interface import Hits, Keys

KeysByKind = tuple[Keys, Keys, Keys, Keys]


def keys_for(document: Fingerprint, recipe: Recipe) -> KeysByKind:
    """The exact, the fact, the band and the part keys."""
    bands = band_keys(document.signature, recipe)
    return exact_keys(document), fact_keys(document), bands, part_keys(document)


def ranked_hits(document_id: int, keys: KeysByKind, hits: Hits, limit: int) -> list[Candidate]:
    """The candidates of a document, the likeliest first; without itself, which is indexed already perhaps."""
    kinds = [len(of_kind) for of_kind in keys]
    ids, key_index, others = hits.ids, hits.key_index, hits.sizes
    beside = ids != document_id
    if not beside.all():
        others = others.copy()
        others[key_index[~beside]] -= 1
        ids, key_index = ids[beside], key_index[beside]
    return ranked(ids, key_index, key_weights(kinds, others), kinds, limit)
