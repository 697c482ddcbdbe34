"""A question about overlap in, how much of the index must be read for it out; and which documents answer it.

"Overlap" is what Alfresco's FINGERPRINT query means by it: the percentage of the given document's passages
that are in the other one. The three narrower questions measure what their names say, see `Ask`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from dedupe_core.fingerprint.overlap import Overlap
from dedupe_core.model import Fingerprint
from dedupe_core.recipe import Recipe

# What the promise for `contains` is about: a part of at least this many sampled passages, a third of a page.
_SMALLEST_PART = 24
# Read whole and looked around: below this chance, the passages of a short text alone would miss too many.
_NEARLY_SURE = 0.99


class Ask(StrEnum):
    """Which share has to reach the wanted overlap."""

    OVERLAPPING = "overlapping"  # of the given document's passages, those in the other one
    CONTAINED_IN = "contained-in"  # the same, and the other one is the longer: the given one is the part
    CONTAINS = "contains"  # of the other one's passages, those in the given one, which is the longer
    SIMILAR = "similar"  # of the passages of both, those in both: the Jaccard similarity


@dataclass(frozen=True, slots=True)
class Reach:
    """How many of the keys are looked up, and the chance that a document which qualifies is found by them.

    `around`: those found are looked around, too: a short text has few passages, but its family has more.
    """

    passages: int
    bands: int
    facts: bool
    promise: float
    around: bool = False


def reach(found: Fingerprint, ask: Ask, overlap: float, probability: float | None, recipe: Recipe) -> Reach:
    """What to read so that a document with that overlap is found with at least that probability.

    Each sampled passage of the given document is in the other with p=overlap, so `n` of them miss it with
    (1-overlap)^n: 8 keys promise 0.8 at 20%, 14 promise 0.95. A text with fewer passages has all of its bands
    read besides. Without a probability everything is read.
    """
    count = len(found.parts) // 4
    if probability is None:
        promise = promise_of(count, count, ask, overlap)
        return Reach(count, recipe.bands, True, promise, around=promise < _NEARLY_SURE)
    needed = needed_passages(count, ask, overlap, probability)
    if needed <= count:
        return Reach(needed, 0, False, promise_of(needed, count, ask, overlap))
    return Reach(count, recipe.bands, True, promise_of(count, count, ask, overlap))


def is_hidden(full: int, read: int, overlap: float) -> bool:
    """Could a document qualify by frequent passages alone, which the index keeps for the newest ones only?

    Three quarters of the overlap: the share of frequent ones among those read is itself an estimate.
    """
    return full >= 2 and full >= 0.75 * overlap * read


def needed_passages(count: int, ask: Ask, overlap: float, probability: float) -> int:
    """May be more than there are: then the promise cannot be kept by passages alone."""
    needed = 1 if overlap >= 1 else math.ceil(math.log(1 - probability) / math.log(1 - overlap) - 1e-09)
    if ask is not Ask.CONTAINS:
        return max(1, needed)
    share = 1 - (1 - probability) ** (1 / (overlap * _SMALLEST_PART))
    return int(max(1, needed, math.ceil(share * count)))


def promise_of(read: int, count: int, ask: Ask, overlap: float) -> float:
    """The least chance that a document which qualifies shares one of the passages read."""
    if not count:
        return 0.0
    by_given = 1 - (1 - overlap) ** read
    if ask is not Ask.CONTAINS:
        return by_given
    share = read / count
    return float(min(by_given, 1 - (1 - share) ** (overlap * _SMALLEST_PART)))


def may_answer(estimated: Overlap, samples: tuple[int, int], ask: Ask, overlap: float) -> bool:
    """Could a count still reach the overlap? Four standard deviations of the estimate, and never for small samples.

    `samples` is how many passages of the given and of the other document the estimate is made from.
    """
    size = samples[1] if ask is Ask.CONTAINS else samples[0]
    if size < _SMALLEST_PART:
        return True
    deviation = math.sqrt(overlap * (1 - overlap) / size)
    return asked_share(estimated, ask) >= overlap - 4 * deviation - 1 / size


def answers(found: Overlap, ask: Ask, overlap: float) -> bool:
    if ask is Ask.CONTAINED_IN:
        return found.of_given >= overlap and found.of_given > found.of_other
    if ask is Ask.CONTAINS:
        return found.of_other >= overlap and found.of_other > found.of_given
    return asked_share(found, ask) >= overlap


def asked_share(found: Overlap, ask: Ask) -> float:
    """The share that the question is about; answers are ordered by it."""
    if ask is Ask.CONTAINS:
        return found.of_other
    return found.similarity if ask is Ask.SIMILAR else found.of_given
