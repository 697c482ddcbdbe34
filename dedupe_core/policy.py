"""What is tuned without a backfill: thresholds and caps, one frozen value with a reason beside every number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    # From this calibrated confidence on a person is told. Lower finds more and alarms more: see docs/accuracy.md.
    flag_threshold: float = 0.6
    # Below this, and without a relation of its own, a pair of one form is called a sibling, else unrelated.
    sibling_resemblance: float = 0.12
    # Caps: whatever the similarity, the confidence stays below the flag threshold.
    contradiction_cap: float = 0.3  # the dates contradict and so does a reference or a changed number
    too_little_cap: float = 0.5  # a dozen words, and no date or number in common
    short_words: int = 12
    # A clean contradiction needs clean reading: at 3 errors in 100 letters a four-digit year is wrong in 1 of 9.
    clean_error_rate: float = 0.03
    # Bounds on the work of one examination: a family of 3,000 siblings costs no more than one of 50.
    candidates: int = 32  # looked at as neighbours: what they all share is template
    compared: int = 16  # at most, compared in full: those that share most of what is rare


DEFAULT = Policy()
