"""Two fingerprints in, how much of each text stands in the other out: counted where the texts are whole."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dedupe_core.features import Hashes, part_hashes
from dedupe_core.model import Fingerprint
from dedupe_core.recipe import Recipe
from dedupe_core.text import KEPT_CHARS

_ALL = 1 << 31


@dataclass(frozen=True, slots=True)
class Overlap:
    """C(given, other), C(other, given) and the Jaccard similarity of the passages; `counted`: not estimated."""

    of_given: float = 0.0
    of_other: float = 0.0
    similarity: float = 0.0
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Passages:
    """Every passage of a text (`whole`) and the sample of them that the index has; ascending hashes."""

    fingerprint: Fingerprint
    whole: Hashes | None
    sample: Hashes


def passages(found: Fingerprint, recipe: Recipe) -> Passages:
    """A passage is `part_size` letters of the OCR skeleton: 10 letters or digits, whatever stands between."""
    sample = np.frombuffer(found.parts, np.uint32)
    if not is_whole(found):
        return Passages(found, None, sample)
    return Passages(found, part_hashes(found.text, replace(recipe, part_rate=1, part_limit=_ALL)), sample)


def is_whole(found: Fingerprint) -> bool:
    """Is the text that the index keeps all of it? Of a long one it keeps the head and the tail."""
    return len(found.text) <= KEPT_CHARS


def overlap(given: Passages, other: Passages, recipe: Recipe) -> Overlap:
    """Counted on all passages; of a long text estimated from the sample."""
    if same_text(given.fingerprint, other.fingerprint):
        return Overlap(1.0, 1.0, 1.0)
    if given.whole is not None and other.whole is not None:
        return _shares(given.whole, other.whole, counted=True)
    bound = min(_bound(given.sample, recipe), _bound(other.sample, recipe))
    left, right = (side.sample[side.sample <= bound] for side in (given, other))
    return _shares(left, right, counted=False)


def same_text(one: Fingerprint, other: Fingerprint) -> bool:
    return bool(one.content_hash) and one.content_hash == other.content_hash


def _bound(sample: Hashes, recipe: Recipe) -> int:
    """A very long text keeps only its smallest hashes: above the largest of them it says nothing."""
    return int(sample[-1]) if len(sample) >= recipe.part_limit else 1 << 32


def _shares(left: Hashes, right: Hashes, *, counted: bool) -> Overlap:
    if not len(left) or not len(right):
        return Overlap(counted=counted)
    shared = len(np.intersect1d(left, right, assume_unique=True))
    return Overlap(
        shared / len(left), shared / len(right), shared / (len(left) + len(right) - shared), counted=counted
    )
