"""Measures the threshold on the user's own decisions, and proposes another one if it fits them better."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from dedupe_core.policy import Policy
from hook.commands.terminal import print_json
from hook.examination.archive import Archive, NotIndexed
from hook.findings.decisions import SAME_FILE, Decision, Decisions, Kind
from hook.findings.wording import many
from hook.session import open_archive, settings_of

LEAST: Final = 20  # fewer decisions could be chance
GAIN: Final = 2  # wrong pairs fewer, at least: a difference of one could be chance, too
GAIN_SHARE: Final = 0.1  # and this share of all decisions on pairs that are not identical
STEP: Final = 0.01
RANGES: Final = tuple(pairwise((0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 2.0)))


@dataclass(frozen=True, slots=True)
class Sample:
    """A decided pair: our confidence that it is to be reported, and whether the user confirmed it."""

    a: int
    b: int
    confidence: float
    is_right: bool


class Band(NamedTuple):
    """Reliability: of the pairs in this range of confidence, the mean confidence and the share confirmed."""

    start: float
    end: float
    pairs: int
    confidence: float
    confirmed: float


def bands(samples: Sequence[Sample]) -> list[Band]:
    made = []
    for start, end in RANGES:
        inside = [sample for sample in samples if start <= sample.confidence < end]
        if inside:
            mean = sum(sample.confidence for sample in inside) / len(inside)
            confirmed = sum(sample.is_right for sample in inside) / len(inside)
            made.append(Band(start, min(end, 1.0), len(inside), round(mean, 3), round(confirmed, 3)))
    return made


@dataclass(frozen=True, slots=True)
class Figures:
    """What a threshold does on the decided pairs: reported, of these confirmed, and confirmed but not reported."""

    reported: int
    right: int
    missed: int

    @property
    def false_alarms(self) -> int:
        return self.reported - self.right

    @property
    def wrong(self) -> int:
        return self.false_alarms + self.missed

    @property
    def precision(self) -> float | None:
        return self.right / self.reported if self.reported else None


def figures(samples: Iterable[Sample], threshold: float) -> Figures:
    samples = list(samples)
    reported = [sample for sample in samples if sample.confidence >= threshold]
    right = sum(sample.is_right for sample in reported)
    return Figures(len(reported), right, sum(sample.is_right for sample in samples) - right)


def propose(samples: Sequence[Sample], policy: Policy, threshold: float) -> float | None:
    """The threshold with the fewest wrong pairs, if it is clearly better than the current one; never below a cap."""
    fuzzy = [sample for sample in samples if sample.confidence < 1]  # on the others it has no effect
    if len(samples) < LEAST or not fuzzy:
        return None
    candidates = allowed(policy)
    best = min(candidates, key=lambda at: (figures(fuzzy, at).wrong, abs(at - threshold)))
    gain = figures(fuzzy, threshold).wrong - figures(fuzzy, best).wrong
    return best if gain >= max(GAIN, GAIN_SHARE * len(fuzzy)) else None


def allowed(policy: Policy) -> list[float]:
    """A threshold at or below a cap would report the pairs that the cap holds back."""
    cap = max(policy.contradiction_cap, policy.too_little_cap)
    return [round(n * STEP, 2) for n in range(1, 100) if round(n * STEP, 2) > cap]


def changes(samples: Iterable[Sample], before: float, after: float) -> list[Sample]:
    """The decided pairs that are reported at one of the thresholds only."""
    return [sample for sample in samples if (sample.confidence >= before) != (sample.confidence >= after)]


def sample_of(decision: Decision, archive: Archive) -> Sample:
    """As judged today if both are still indexed, else as it was reported."""
    try:
        verdict = archive.explain(decision.a, decision.b)
    except NotIndexed:
        confidence = decision.confidence
    else:  # of a pair that is not reported, the confidence is that it is unrelated or a sibling
        confidence = verdict.confidence if verdict.flagged else round(1 - verdict.confidence, 3)
    return Sample(decision.a, decision.b, confidence, decision.kind is Kind.CONFIRMED)


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with open_archive(settings, create=False) as archive:
        by_people = (decision for decision in Decisions(archive.index) if decision.action != SAME_FILE)
        samples = [sample_of(decision, archive) for decision in by_people]
        policy = archive.judging.policy
    threshold = policy.flag_threshold
    proposed = propose(samples, policy, threshold)
    if args.json:
        print_json(as_json(samples, threshold, proposed))
    else:
        print("\n".join(report(samples, threshold, proposed)))
    return 0


def report(samples: Sequence[Sample], threshold: float, proposed: float | None) -> Iterator[str]:
    if not samples:
        yield "No decisions yet. You make them with tags in Paperless: see docs/reviewing.md."
        return
    now = figures(samples, threshold)
    confirmed = sum(sample.is_right for sample in samples)
    yield f"{many(len(samples), 'decision')}: {confirmed} confirmed, {len(samples) - confirmed} dismissed"
    yield f"Threshold {threshold:.2f}: {_figures(now)}"
    yield "Confidence     pairs   mean   confirmed"
    for band in bands(samples):
        span = f"{band.start:.2f} to {band.end:.2f}"
        yield f"{span}   {band.pairs:5}   {band.confidence:.2f}   {band.confirmed:9.2f}"
    if len(samples) < LEAST:
        yield f"Nothing is proposed below {LEAST} decisions; {LEAST - len(samples)} more are needed."
    elif proposed is None:
        yield "No other threshold fits your decisions clearly better."
    else:
        yield f"Proposed: threshold {proposed:.2f}: {_figures(figures(samples, proposed))}"
        yield f"Set DEDUPE_FLAG_THRESHOLD={proposed:.2f} and run `paperless-dedupe backfill --again`."
        for sample in changes(samples, threshold, proposed):
            change = "reported" if sample.confidence >= proposed else "no longer reported"
            decided = "confirmed" if sample.is_right else "dismissed"
            yield f"  #{sample.a} and #{sample.b} ({sample.confidence:.2f}, you {decided} it): {change}"


def as_json(samples: Sequence[Sample], threshold: float, proposed: float | None) -> dict[str, Any]:
    now = figures(samples, threshold)
    changed = changes(samples, threshold, proposed) if proposed is not None else []
    return {
        "decisions": len(samples),
        "threshold": threshold,
        "proposed": proposed,
        "precision": now.precision,
        "told": now.reported,
        "false_alarms": now.false_alarms,
        "missed": now.missed,
        "would_change": [[sample.a, sample.b] for sample in changed],
        "bands": list(map(list, bands(samples))),
    }


def _figures(at: Figures) -> str:
    precision = "none reported" if at.precision is None else f"precision {at.precision:.2f}"
    return f"{precision}, {many(at.false_alarms, 'false alarm')}, {at.missed} missed"
