"""Two fingerprints in, how much of each text is in the other out: counted where the texts are whole."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dedupe_core.fingerprint.shingles import Hashes, distinct, shingle_hashes
from dedupe_core.model import Fingerprint
from dedupe_core.recipe import Recipe, Shingle
from dedupe_core.text.normalise import KEPT_CHARS


@dataclass(frozen=True, slots=True)
class Overlap:
    """C(given, other), C(other, given) and the Jaccard similarity of the passages; `counted`: not estimated."""

    of_given: float = 0.0
    of_other: float = 0.0
    similarity: float = 0.0
    counted: bool = True


SAME = Overlap(1.0, 1.0, 1.0)


def passages(found: Fingerprint, recipe: Recipe) -> Hashes | None:
    """Every passage of a text once, ascending; None if the index keeps only the head and the tail of it.

    A passage is `part_size` letters of the OCR skeleton: 10 letters or digits, whatever is between them.
    """
    if not is_whole(found):
        return None
    return distinct(
        shingle_hashes(found.text, replace(recipe, shingle=Shingle.CHARACTERS, size=recipe.part_size))
    )


def is_whole(found: Fingerprint) -> bool:
    return len(found.printed or found.text) <= KEPT_CHARS


def counted_overlap(given: Hashes, other: Hashes) -> Overlap:
    """From all passages of both."""
    if not len(given) or not len(other):
        return Overlap()
    shared = len(np.intersect1d(given, other, assume_unique=True))
    return Overlap(shared / len(given), shared / len(other), shared / (len(given) + len(other) - shared))


def estimated_overlap(given: Fingerprint, other: Fingerprint, recipe: Recipe) -> Overlap:
    """From the sampled passages: all that there is of a long text."""
    one, two = (np.frombuffer(side.parts, np.uint32) for side in (given, other))
    bound = min(_bound(one, recipe), _bound(two, recipe))
    return replace(counted_overlap(one[one <= bound], two[two <= bound]), counted=False)


def overlap(given: Fingerprint, other: Fingerprint, recipe: Recipe) -> Overlap:
    """Counted where both texts are whole, else estimated."""
    if same_text(given, other):
        return SAME
    one, two = passages(given, recipe), passages(other, recipe)
    if one is None or two is None:
        return estimated_overlap(given, other, recipe)
    return counted_overlap(one, two)


def same_text(one: Fingerprint, other: Fingerprint) -> bool:
    return bool(one.content_hash) and one.content_hash == other.content_hash


def _bound(sample: Hashes, recipe: Recipe) -> int:
    """A very long text keeps only its smallest hashes: above the largest of them it says nothing."""
    return int(sample[-1]) if len(sample) >= recipe.part_limit else 1 << 32
