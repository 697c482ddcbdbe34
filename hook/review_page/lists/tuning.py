"""Confidences and decisions as figures for the eye: a histogram, and stated confidence against what was right. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

BINS: Final = 25  # of 2% each, from 50% to 100%
LOWEST: Final = 0.5
BANDS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Sample:
    """A decided pair: our confidence that it is to be reported, and whether the user confirmed it."""

    a: int
    b: int
    confidence: float
    is_right: bool

    @property
    def is_exact(self) -> bool:
        """The same text or file: the threshold has no effect on it."""
        return self.confidence >= 1


@dataclass(frozen=True, slots=True)
class Band:
    """Reliability: of the pairs in this range of confidence, the mean confidence and the share confirmed."""

    start: float
    end: float
    pairs: int
    confidence: float
    confirmed: float


@dataclass(frozen=True, slots=True)
class Bar:
    """Pairs whose confidence is at least `start`, up to the next bar; the last one includes 100%."""

    start: float
    waiting: int = 0
    confirmed: int = 0
    dismissed: int = 0

    @property
    def total(self) -> int:
        return self.waiting + self.confirmed + self.dismissed


def bands(samples: Sequence[Sample]) -> list[Band]:
    found = []
    for start, end in zip(BANDS, (*BANDS[1:], 2.0), strict=True):
        inside = [sample for sample in samples if start <= sample.confidence < end]
        if inside:
            mean = sum(sample.confidence for sample in inside) / len(inside)
            confirmed = sum(sample.is_right for sample in inside) / len(inside)
            found.append(Band(start, min(end, 1.0), len(inside), round(mean, 3), round(confirmed, 3)))
    return found


def histogram(waiting: Iterable[float], samples: Iterable[Sample]) -> list[Bar]:
    samples = list(samples)
    counted = [
        _counted(waiting),
        _counted(one.confidence for one in samples if one.is_right),
        _counted(one.confidence for one in samples if not one.is_right),
    ]
    width = (1 - LOWEST) / BINS
    return [
        Bar(round(LOWEST + place * width, 4), *(counts[place] for counts in counted)) for place in range(BINS)
    ]


def reported_at(threshold: float, confidences: Iterable[float]) -> int:
    return sum(1 for one in confidences if one >= threshold)


def _counted(confidences: Iterable[float]) -> list[int]:
    counts = [0] * BINS
    for one in confidences:
        counts[min(BINS - 1, max(0, int((one - LOWEST) / (1 - LOWEST) * BINS + 1e-9)))] += 1
    return counts
