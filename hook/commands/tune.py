"""Measures the threshold on your own decisions, and proposes another one if it fits them better.

Below 20 decisions nothing is proposed. --apply writes the proposal into the policy file (DEDUPE_POLICY_FILE, else
policy.toml in the index directory). Caps are never raised: a pair with contradicting dates or numbers is not
reported, whatever you decided on others.

With --json one object: "schema": 1, "decisions", "threshold", "proposed" (null if there is none), "precision",
"told" (pairs that are reported), "false_alarms", "missed", "would_change" (pairs), "bands" (from, to, pairs, mean
confidence, share confirmed).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dedupe_core.policy import Policy
from hook.commands.options import add_json
from hook.commands.terminal import print_json
from hook.examination.archive import Archive, NotIndexed
from hook.findings.decisions import SAME_FILE, Decision, Decisions, Kind
from hook.findings.wording import many
from hook.review_page.lists.tuning import Sample, bands
from hook.session import open_archive, policy_of, settings_of
from hook.settings.policy_file import FILE, write_policy

LEAST: Final = 20  # fewer decisions could be chance
GAIN: Final = 2  # wrong pairs fewer, at least: a difference of one could be chance, too
GAIN_SHARE: Final = 0.1  # and this share of all decisions on pairs that are not identical
STEP: Final = 0.01


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
    fuzzy = [sample for sample in samples if not sample.is_exact]
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
    return [one for one in samples if (one.confidence >= before) != (one.confidence >= after)]


def sample_of(decision: Decision, archive: Archive) -> Sample:
    """As judged today if both are still indexed, else as it was reported."""
    try:
        verdict = archive.explain(decision.a, decision.b)
    except NotIndexed:
        confidence = decision.confidence
    else:  # of a pair that is not reported, the confidence is that it is unrelated or a sibling
        confidence = verdict.confidence if verdict.flagged else round(1 - verdict.confidence, 3)
    return Sample(decision.a, decision.b, confidence, decision.kind is Kind.CONFIRMED)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--apply", action="store_true", help="write the proposal into the policy file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    policy = policy_of(settings)
    with open_archive(settings, create=False) as archive:
        decided = [one for one in Decisions(archive.index) if one.action != SAME_FILE]  # by a person
        samples = [sample_of(decision, archive) for decision in decided]
    threshold = policy.flag_threshold
    proposed = propose(samples, policy, threshold)
    if args.json:
        print_json(as_json(samples, threshold, proposed))
    else:
        print("\n".join(report(samples, threshold, proposed)))
    if args.apply and proposed is not None:
        path = settings.policy_file or settings.index_dir / FILE
        write_policy(path, flag_threshold=proposed)
        if not args.json:
            print(f"Written to {path}. `paperless-dedupe backfill --again` applies it to existing documents.")
            if settings.flag_threshold is not None:
                print("DEDUPE_FLAG_THRESHOLD is set and overrides it: unset it.")
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
        figures_of_band = f"{band.pairs:5}   {band.confidence:.2f}   {band.confirmed:9.2f}"
        yield f"{band.start:.2f} to {band.end:.2f}   {figures_of_band}"
    if len(samples) < LEAST:
        yield f"Nothing is proposed below {LEAST} decisions; {LEAST - len(samples)} more are needed."
    elif proposed is None:
        yield "No other threshold fits your decisions clearly better."
    else:
        yield f"Proposed: threshold {proposed:.2f}: {_figures(figures(samples, proposed))}"
        for one in changes(samples, threshold, proposed):
            change = "reported" if one.confidence >= proposed else "no longer reported"
            decided = "confirmed" if one.is_right else "dismissed"
            yield f"  #{one.a} and #{one.b} ({one.confidence:.2f}, you {decided} it): {change}"


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
        "would_change": [[one.a, one.b] for one in changed],
        "bands": [[one.start, one.end, one.pairs, one.confidence, one.confirmed] for one in bands(samples)],
    }


def _figures(found: Figures) -> str:
    precision = "none reported" if found.precision is None else f"precision {found.precision:.2f}"
    return f"{precision}, {many(found.false_alarms, 'false alarm')}, {found.missed} missed"
