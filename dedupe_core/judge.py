"""A subject and the documents that resemble it in, verdicts out; bounded, symmetric, deterministic."""

from __future__ import annotations

from collections.abc import Sequence

from dedupe_core.evidence import Evidence, compare, containment
from dedupe_core.explain import explain_exact
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import Policy
from dedupe_core.signature import resemblance
from dedupe_core.verdict import decide
from dedupe_core.view import Neighbourhood, View

# Worth comparing: the shorter text's words stand on the other, or fewer of them beside a long number on both.
# Or sampled passages of one stand in the other, wherever. Every number is below what related pairs of the labelled
# corpus have, and spares half of the unrelated.
_RESEMBLING = 0.06
_SHARED_WORDS, _SHARED_BESIDE_NUMBER = 0.38, 0.25
_LONG_NUMBER = 6
_SHARED_PASSAGES, _FEWEST_PASSAGES = 0.3, 3


def judge(subject: View, others: Sequence[View], policy: Policy) -> list[Verdict]:
    """Verdicts on the subject against each document worth comparing, the surest first."""
    around = Neighbourhood(others)
    verdicts = [
        verdict for other in others if (verdict := exact_verdict(subject.fingerprint, other.fingerprint))
    ]
    settled = {verdict.other for verdict in verdicts}
    for other in most_promising(
        subject, [one for one in others if one.id not in settled], around, policy.compared
    ):
        verdicts.append(classify(subject, other, around, policy))
    return sorted(verdicts, key=lambda verdict: (not verdict.flagged, -verdict.confidence, verdict.other))


def classify(subject: View, other: View, around: Neighbourhood, policy: Policy) -> Verdict:
    """The verdict on one pair among its neighbours."""
    exact = exact_verdict(subject.fingerprint, other.fingerprint)
    return exact or decide(subject.fingerprint, other.fingerprint, compare(subject, other, around), policy)


def exact_verdict(subject: Fingerprint, other: Fingerprint) -> Verdict | None:
    """The exact tier: the same text, or the same file. Empty text equals nothing."""
    same_text = bool(subject.content_hash) and subject.content_hash == other.content_hash
    same_file = bool(subject.checksum) and subject.checksum.lower() == other.checksum.lower()
    if not same_text and not same_file:
        return None
    reason, evidence = explain_exact(same_text=same_text, same_file=same_file)
    return Verdict(subject.id, other.id, Relation.IDENTICAL, 1.0, True, reason, evidence)


def most_promising(subject: View, others: Sequence[View], around: Neighbourhood, limit: int) -> list[View]:
    """Those that share most of what is rare, at most `limit`."""
    worth = [other for other in others if _worth_comparing(subject, other)]
    if len(worth) <= limit:
        return worth
    scored = [(_promise(subject, other, around), other) for other in worth]
    return [other for _, other in sorted(scored, key=lambda pair: (-pair[0], pair[1].id))[:limit]]


def _worth_comparing(subject: View, other: View) -> bool:
    if not (subject.words and other.words):
        return True
    shared = len(subject.words & other.words) / min(len(subject.words), len(other.words))
    if shared < _SHARED_BESIDE_NUMBER:
        return _is_part(subject, other)
    if any(len(number) >= _LONG_NUMBER for number in subject.numbers & other.numbers):
        return True
    alike = resemblance(subject.fingerprint.signature, other.fingerprint.signature)
    return (shared >= _SHARED_WORDS and alike >= _RESEMBLING) or _is_part(subject, other)


def _is_part(subject: View, other: View) -> bool:
    passages = len(subject.parts & other.parts)
    return passages >= _FEWEST_PASSAGES and max(containment(subject, other)) >= _SHARED_PASSAGES


def _promise(subject: View, other: View, around: Neighbourhood) -> float:
    rare = around.rarity("numbers", subject.numbers & other.numbers, subject, other)
    rare += around.rarity("dates", subject.dates & other.dates, subject, other)
    fewer = 1 + min(len(subject.numbers), len(other.numbers))
    alike = resemblance(subject.fingerprint.signature, other.fingerprint.signature)
    return rare / fewer + 2 * alike + max(containment(subject, other))


__all__ = ["Evidence", "classify", "exact_verdict", "judge", "most_promising"]
