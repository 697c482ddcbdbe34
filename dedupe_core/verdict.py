"""Evidence and policy in, verdict out; caps are applied last and nothing outvotes them."""

from __future__ import annotations

from dedupe_core.evidence import Evidence, Glance
from dedupe_core.explain import explain
from dedupe_core.fitted import CONTAINED, CONTAINED_OR_SAME, REVISION, REVISION_OR_SAME, SAME, WORTH
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.overlap import is_whole
from dedupe_core.policy import Policy
from dedupe_core.story import edition_in_words, part_in_words

_EVEN = 0.5
_UNTOLD = 0.2
# Below this a first glance says "another instance": four of five pairs that are, and of 600 that are related
# and in families that were not trained on, two or three that no close look would have told either.
_HOPELESS = 0.006
_COVERED = 0.8  # of the words: every revision and nine of ten parts have it, a badly read rescan has not
# A part of a text so long that the index keeps only its ends is known by its sampled passages alone: half of
# them stand there (10 letters survive 5% of misread letters with p=0.6), and they are no boilerplate.
_PART_SHARE, _PART_PASSAGES, _PART_OWN, _PART_LENGTH = 0.5, 8, 0.6, 0.4
_PROSE_SHARE, _PROSE_PASSAGES, _PROSE_OWN, _PROSE_COVERED = 0.75, 20, 0.8, 0.85


def is_hopeless(seen: Glance) -> bool:
    """Would a close look be in vain? Then nobody needs it."""
    return WORTH.probability(seen.measures) < _HOPELESS


def decide(subject: Fingerprint, other: Fingerprint, evidence: Evidence, policy: Policy) -> Verdict:
    """Name the relation of a pair that is not identical, and say how sure that is."""
    relation, confidence = _likeliest(evidence)
    both_whole = is_whole(subject) and is_whole(other)
    if (share := (_share_of_prose if both_whole else _share_in_long)(evidence)) > confidence:
        relation, confidence = Relation.CONTAINED, share
    cap, capped = _cap(evidence, relation, policy)
    confidence = min(confidence, cap, 0.99)  # 1.0 is kept for real equality
    flagged = confidence >= policy.flag_threshold
    if not flagged:
        relation, confidence = _not_told(evidence, policy), min(max(1 - confidence, 0.01), 0.999)
    direction = 0
    if relation is Relation.CONTAINED:
        direction = -1 if (subject.words, subject.id) < (other.words, other.id) else 1
    said = _said(subject, other, relation, direction)
    reason, observations = explain(relation, evidence, direction, capped=capped and not flagged, said=said)
    return Verdict(
        subject.id, other.id, relation, round(confidence, 3), flagged, reason, observations, direction
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
    if REVISION_OR_SAME.probability(measures) >= _EVEN:
        return Relation.REVISION, confidence
    return Relation.RESCAN, confidence


def _share_in_long(evidence: Evidence) -> float:
    """How much of the shorter text stands in the long one, if that is no boilerplate; else 0."""
    measures = evidence.measures
    is_own = measures["passages_shared"] >= _PART_PASSAGES and measures["passages_own"] >= _PART_OWN
    is_part = measures["contained_high"] >= _PART_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_part else 0.0


def _share_of_prose(evidence: Evidence) -> float:
    """The same where both texts are known whole: then its words and numbers must all stand there, too.

    For pages without a date or number, of which the fitted questions see nothing that identifies; on the
    labelled corpus it raises no alarm of its own.
    """
    measures = evidence.measures
    is_own = measures["passages_shared"] >= _PROSE_PASSAGES and measures["passages_own"] >= _PROSE_OWN
    is_there = measures["coverage_high"] >= _PROSE_COVERED and not measures["dates_contradict"]
    is_there = is_there and measures["numbers_absent"] <= 0.1 * (measures["numbers"] + 1)
    is_part = measures["contained_high"] >= _PROSE_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_there and is_part else 0.0


def _said(subject: Fingerprint, other: Fingerprint, relation: Relation, direction: int) -> list[str]:
    if relation is Relation.CONTAINED:
        return [part_in_words(subject, other, direction)]
    return edition_in_words(subject, other) if relation is Relation.REVISION else []


def _cap(evidence: Evidence, relation: Relation, policy: Policy) -> tuple[float, bool]:
    if relation is Relation.RESCAN and is_contradicted(evidence, policy):
        return policy.contradiction_cap, True
    if is_too_little(evidence, policy):
        return policy.too_little_cap, True
    return 1.0, False


def is_contradicted(evidence: Evidence, policy: Policy) -> bool:
    """Clearly read on both sides: no date in common, and another reference or number in its place."""
    dates, references = evidence.dates, evidence.references
    if dates.shared or dates.near_a or not (dates.only_a and dates.only_b):
        return False
    if evidence.measures["error_rate"] > policy.clean_error_rate:
        return False
    other_reference = bool(references.absent_a and references.absent_b)
    return (
        other_reference or evidence.alignment.numbers_changed > 0 or evidence.measures["numbers_changed"] > 0
    )


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
