"""The classical method, for comparison: one similarity, one threshold, no evidence."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from dedupe_core.fingerprint.signature import resemblance
from dedupe_core.judge.judge import exact_verdict
from dedupe_core.model import Fingerprint, Observation, Relation, Verdict
from dedupe_core.policy import ClassicalPolicy


def judge_classically(
    subject: Fingerprint, others: Sequence[Fingerprint], policy: ClassicalPolicy
) -> list[Verdict]:
    verdicts = [exact_verdict(subject, other) or _by_similarity(subject, other, policy) for other in others]
    return sorted(verdicts, key=lambda verdict: (not verdict.flagged, -verdict.confidence, verdict.other))


def _by_similarity(subject: Fingerprint, other: Fingerprint, policy: ClassicalPolicy) -> Verdict:
    sample = policy.fuzzy_sample_chars
    jaccard = resemblance(subject.signature, other.signature)
    fuzzy = fuzz.ratio(subject.text[:sample], other.text[:sample]) / 100
    similarity = _mean(jaccard, policy.jaccard_weight, fuzzy, policy.fuzzy_weight)
    flagged = similarity >= policy.threshold
    relation = Relation.RESCAN if flagged else Relation.UNRELATED
    reason = f"similarity {similarity:.2f} against a threshold of {policy.threshold:.2f}"
    evidence = (Observation("jaccard", round(jaccard, 4)), Observation("fuzzy", round(fuzzy, 4)))
    return Verdict(
        subject.id,
        other.id,
        relation,
        round(min(similarity, 0.99), 3),
        flagged,
        reason,
        evidence,
        gist=reason,
    )


def _mean(a: float, weight_a: float, b: float, weight_b: float) -> float:
    """Weighted; the weights need not add up to 1."""
    return (weight_a * a + weight_b * b) / (weight_a + weight_b)
