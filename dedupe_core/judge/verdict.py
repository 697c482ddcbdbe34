"""Evidence and policy in, verdict out; caps are applied last and nothing outvotes them."""

from __future__ import annotations

from dedupe_core.compare.evidence import Evidence, Glance
from dedupe_core.explain.reason import explain, gist
from dedupe_core.explain.story import edition_in_words, part_in_words
from dedupe_core.fingerprint.overlap import is_whole
from dedupe_core.judge.fitted import CONTAINED, CONTAINED_OR_SAME, REVISION, REVISION_OR_SAME, SAME, WORTH
from dedupe_core.judge.rules import (
    has_much_more,
    is_rewritten,
    share_in_long,
    share_of_edition,
    share_of_prose,
)
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import Policy

_EVEN = 0.5
_UNTOLD = 0.2
# Below this a first glance says "another instance": it does of 86% of the pairs that are none of ours, and of 4 of
# 592 that are, in families that were not trained on (scripts/calibrate.py, WORTH).
_HOPELESS = 0.006
_COVERED = 0.8  # of the words: every revision and nine of ten parts have it, a badly read rescan has not
_MOST_NUMBERS = 0.75  # of the rare numbers agree: then what was read for an amount was none


def is_hopeless(seen: Glance) -> bool:
    """Would a close look be in vain? Then nobody needs it."""
    return WORTH.probability(seen.measures) < _HOPELESS


def decide(subject: Fingerprint, other: Fingerprint, evidence: Evidence, policy: Policy) -> Verdict:
    """Name the relation of a pair that is not identical, and say how sure that is."""
    relation, confidence = _likeliest(evidence)
    both_whole = is_whole(subject) and is_whole(other)
    if (share := (share_of_prose if both_whole else share_in_long)(evidence.measures)) > confidence:
        relation, confidence = Relation.CONTAINED, share
    if (share := share_of_edition(evidence.measures)) > confidence:
        relation, confidence = Relation.REVISION, share
    cap, capped = _cap(evidence, relation, policy)
    confidence = min(confidence, cap, 0.99)  # 1.0 is kept for real equality
    flagged = confidence >= policy.flag_threshold and not capped  # however low the threshold
    if not flagged:
        relation, confidence = _not_told(evidence, policy), min(max(1 - confidence, 0.01), 0.999)
    direction = 0
    if relation is Relation.CONTAINED:
        direction = -1 if (subject.words, subject.id) < (other.words, other.id) else 1
    said, briefly = _said(subject, other, relation, direction)
    reason, observations = explain(relation, evidence, direction, capped=capped and not flagged, said=said)
    return Verdict(
        subject.id,
        other.id,
        relation,
        round(confidence, 3),
        flagged,
        reason,
        observations,
        direction,
        gist(relation, evidence, direction, briefly) if flagged else "",
    )


def _likeliest(evidence: Evidence) -> tuple[Relation, float]:
    """Three questions against "another instance of the form", then two that name what it is."""
    measures = evidence.measures
    confidence = SAME.probability(measures)
    if measures["coverage_high"] >= _COVERED:
        confidence = max(confidence, REVISION.probability(measures), CONTAINED.probability(measures))
    if confidence < _UNTOLD:
        return Relation.RESCAN, confidence  # nobody is told, so its name does not matter
    if CONTAINED_OR_SAME.probability(measures) >= _EVEN:
        return Relation.CONTAINED, confidence
    if REVISION_OR_SAME.probability(measures) >= _EVEN or is_rewritten(measures):
        return Relation.REVISION, confidence
    if has_much_more(measures):
        return Relation.CONTAINED, confidence
    return Relation.RESCAN, confidence


def _said(
    subject: Fingerprint, other: Fingerprint, relation: Relation, direction: int
) -> tuple[list[str], list[str]]:
    """What is to say of this very pair, and the same without anything that stands in the documents."""
    if relation is Relation.CONTAINED:
        part = [part_in_words(subject, other, direction)]
        return part, part
    return edition_in_words(subject, other) if relation is Relation.REVISION else ([], [])


def _cap(evidence: Evidence, relation: Relation, policy: Policy) -> tuple[float, bool]:
    if relation is Relation.RESCAN and is_contradicted(evidence, policy):
        return policy.contradiction_cap, True
    if is_too_little(evidence, policy):
        return policy.too_little_cap, True
    return 1.0, False


def is_contradicted(evidence: Evidence, policy: Policy) -> bool:
    """Clearly read on both sides, and no date in common: another reference or number, or other amounts only."""
    dates, measures = evidence.dates, evidence.measures
    if dates.shared or dates.near_a or measures["error_rate"] > policy.clean_error_rate:
        return False
    amounts, references = evidence.amounts, evidence.references
    if amounts.only_a and amounts.only_b and not amounts.shared and measures["numbers_share"] < _MOST_NUMBERS:
        return True
    if not (dates.only_a and dates.only_b):
        return False
    other_reference = bool(references.absent_a and references.absent_b)
    return other_reference or evidence.alignment.numbers_changed > 0 or measures["numbers_changed"] > 0


def is_too_little(evidence: Evidence, policy: Policy) -> bool:
    """A few words alone identify nothing: a form says the same on each of its sheets."""
    if evidence.measures["length"] >= policy.short_words:
        return False
    return not (
        evidence.numbers.shared
        or evidence.dates.shared
        or evidence.amounts.shared
        or evidence.references.shared
    )


def _not_told(evidence: Evidence, policy: Policy) -> Relation:
    alike = evidence.measures["resemblance"] >= policy.sibling_resemblance
    return Relation.SIBLING if alike or evidence.measures["coverage_low"] >= _EVEN else Relation.UNRELATED
