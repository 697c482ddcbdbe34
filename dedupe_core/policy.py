"""What is tuned without a backfill: thresholds and caps, one frozen value with a reason beside every number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Policy:
    # Lowest calibrated confidence that is reported. Lower finds more, with more false alarms: see docs/accuracy.md.
    flag_threshold: float = 0.5
    # A pair that is not reported is called a sibling from this resemblance on, else unrelated.
    sibling_resemblance: float = 0.12
    # Whatever the similarity, the confidence stays below the flag threshold.
    contradiction_cap: float = 0.3  # the dates contradict and so do the references
    too_little_cap: float = 0.4  # a dozen words, and no date or number in common
    short_words: int = 12
    # A clean contradiction needs clean reading: at 3 errors in 100 letters a four-digit year is wrong in 1 of 9.
    clean_error_rate: float = 0.03
    # Bounds on the work of one examination: a family of 3,000 siblings costs no more than one of 50.
    candidates: int = 32  # read as neighbours: what they all share belongs to the template
    compared: int = 16  # at most, compared in full: those that share most of what is rare


DEFAULT = Policy()
# Smallest and largest value in the policy file.
RANGES: Final = {
    "flag_threshold": (0, 1),
    "sibling_resemblance": (0, 1),
    "contradiction_cap": (0, 1),
    "too_little_cap": (0, 1),
    "short_words": (0, 50),
    "clean_error_rate": (0, 0.2),
    "candidates": (1, 1000),
    "compared": (1, 1000),
}


@dataclass(frozen=True, slots=True)
class ClassicalPolicy:
    """How the recipes of word shingles judge: a weighted mean of two similarities, and one threshold."""

    threshold: float = 0.75
    jaccard_weight: float = 0.55
    fuzzy_weight: float = 0.45
    fuzzy_sample_chars: int = 5000  # of the beginning of each text: the time grows with the square of it


CLASSICAL_DEFAULT = ClassicalPolicy()
CLASSICAL_RANGES: Final = {
    "threshold": (0, 1),
    "jaccard_weight": (0, 1),
    "fuzzy_weight": (0, 1),
    "fuzzy_sample_chars": (1, 50000),
}
