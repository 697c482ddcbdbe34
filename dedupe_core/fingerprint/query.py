"""Which documents answer a question about overlap: the percentage of the given document's passages that are in the other
one. The three narrower questions measure what their names say, see `Ask`."""

from __future__ import annotations

import math
from enum import StrEnum

from dedupe_core.fingerprint.overlap import Overlap
from dedupe_core.model import Fingerprint

_SMALLEST_PART = 24  # sampled passages, a third of a page: an estimate from fewer rules nothing out
_NEARLY_SURE = 0.99


class Ask(StrEnum):
    """Which share has to reach the wanted overlap."""

    OVERLAPPING = "overlapping"  # of the given document's passages, those in the other one
    CONTAINED_IN = "contained-in"  # the same, and the other one is the longer: the given one is the part
    CONTAINS = "contains"  # of the other one's passages, those in the given one, which is the longer
    SIMILAR = "similar"  # of the passages of both, those in both: the Jaccard similarity


def is_short(given: Fingerprint, overlap: float) -> bool:
    """True if its passages alone could miss a document with that overlap: one in 48 is sampled, and each of them is in the
    other document with p=overlap. Such a text has few passages, but its family has more."""
    return (1 - overlap) ** (len(given.parts) // 4) > 1 - _NEARLY_SURE


def is_hidden(full: int, read: int, overlap: float) -> bool:
    """Could a document qualify by frequent passages alone, which the index keeps for the newest ones only?

    Three quarters of the overlap: the share of frequent ones among those read is itself an estimate.
    """
    return full >= 2 and full >= 0.75 * overlap * read


def may_answer(estimated: Overlap, samples: tuple[int, int], ask: Ask, overlap: float) -> bool:
    """Could a count still reach the overlap? Four standard deviations of the estimate, and never for small samples.

    `samples` is how many passages of the given and of the other document the estimate is made from.
    """
    size = samples[1] if ask is Ask.CONTAINS else samples[0]
    if size < _SMALLEST_PART:
        return True
    deviation = math.sqrt(overlap * (1 - overlap) / size)
    return asked_share(estimated, ask) >= overlap - 4 * deviation - 1 / size


def answers(share: Overlap, ask: Ask, overlap: float) -> bool:
    if ask is Ask.CONTAINED_IN:
        return share.of_given >= overlap and share.of_given > share.of_other
    if ask is Ask.CONTAINS:
        return share.of_other >= overlap and share.of_other > share.of_given
    return asked_share(share, ask) >= overlap


def asked_share(share: Overlap, ask: Ask) -> float:
    """The share that the question is about; answers are ordered by it."""
    if ask is Ask.CONTAINS:
        return share.of_other
    return share.similarity if ask is Ask.SIMILAR else share.of_given
