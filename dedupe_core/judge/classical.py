"""The classical method, for comparison: one similarity, one threshold, no evidence."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from dedupe_core.fingerprint.signature import resemblance
from dedupe_core.judge.judge import exact_verdict
from dedupe_core.model import Fingerprint, Observation, Relation, Statement, StatementKind, Verdict
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
    percent = tuple(round(100 * value) for value in (similarity, policy.threshold))
    said = Statement(StatementKind.SIMILARITY, counts=percent)
    evidence = (Observation("jaccard", round(jaccard, 4)), Observation("fuzzy", round(fuzzy, 4)))
    sure = round(min(similarity, 0.99), 3)
    return Verdict(subject.id, other.id, relation, sure, flagged, (said,), evidence)


def _mean(a: float, weight_a: float, b: float, weight_b: float) -> float:
    """Weighted; the weights need not add up to 1."""
    return (weight_a * a + weight_b * b) / (weight_a + weight_b)
