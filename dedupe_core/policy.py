"""What is tuned without a backfill: thresholds and caps, one frozen value with a reason beside every number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from dedupe_core.recipe import ranges_of

Share = Annotated[float, (0, 1)]
Count = Annotated[int, (1, 1000)]


@dataclass(frozen=True, slots=True)
class Policy:
    # Lowest calibrated confidence that is reported. Lower finds more, with more false alarms: see docs/accuracy.md.
    flag_threshold: Share = 0.5
    # A pair that is not reported is called a sibling from this resemblance on, else unrelated.
    sibling_resemblance: Share = 0.12
    # Whatever the similarity, the confidence stays below the flag threshold.
    contradiction_cap: Share = 0.3  # the dates contradict and so do the references
    too_little_cap: Share = 0.4  # a dozen words, and no date or number in common
    short_words: Annotated[int, (0, 50)] = 12
    # A clean contradiction needs clean reading: at 3 errors in 100 letters a four-digit year is wrong in 1 of 9.
    clean_error_rate: Annotated[float, (0, 0.2)] = 0.03
    # Bounds on the work of one examination: a family of 3,000 siblings costs no more than one of 50.
    candidates: Count = 32  # read as neighbours: what they all share belongs to the template
    compared: Count = 16  # at most, compared in full: those that share most of what is rare


DEFAULT = Policy()
RANGES: Final = ranges_of(Policy)


@dataclass(frozen=True, slots=True)
class ClassicalPolicy:
    """How the recipes of word shingles judge: a weighted mean of two similarities, and one threshold."""

    threshold: Share = 0.75
    jaccard_weight: Share = 0.55
    fuzzy_weight: Share = 0.45
    # Of the beginning of each text: the time grows with the square of it.
    fuzzy_sample_chars: Annotated[int, (1, 50000)] = 5000


CLASSICAL_DEFAULT = ClassicalPolicy()
CLASSICAL_RANGES: Final = ranges_of(ClassicalPolicy)
