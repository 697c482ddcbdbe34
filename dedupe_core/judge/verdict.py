"""Evidence and policy in, verdict out; caps are applied last and nothing outvotes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dedupe_core.compare.doubts import doubts_of
from dedupe_core.compare.evidence import Evidence, Glance
from dedupe_core.compare.places import FAIR_RATE, Kind
from dedupe_core.fingerprint.overlap import is_whole
from dedupe_core.judge.caps import cap
from dedupe_core.judge.fitted import FITTED
from dedupe_core.judge.trees import Ensembles
from dedupe_core.model import Fingerprint, Relation, Statement, Verdict
from dedupe_core.policy import Policy
from dedupe_core.statements.statements import observations, statements

_EVEN, _PART = 0.5, 0.4
# An edit is looked for in every pair and is rare: "edited" has to be clearly likelier than "misread". Of left-out sources,
# 5 of 771 duplicates are above it and 68 of 86 versions; at 0.8 it is 12 and 69.
_EDITED = 0.9
_UNNAMED = 0.2  # below it nothing is reported, so the relation does not matter
# Below this a glance says "another document": see `worth` in scripts/corpus/fit/trees.py.
_NOT_WORTH = 0.003
_COVERED = 0.7  # of the words: revisions and parts have it, a badly read rescan has not
# A part of a text so long that the index keeps only its ends is known by its sampled passages alone: half of
# them are in it (10 letters survive 5% of misread letters with p=0.6), and no neighbour has them.
_PART_SHARE, _PART_PASSAGES, _PART_OWN, _PART_LENGTH = 0.5, 8, 0.6, 0.4


def can_skip(seen: Glance, trees: Ensembles = FITTED) -> bool:
    """True if a full comparison cannot change the verdict."""
    return trees.worth.probability(seen.measures) < _NOT_WORTH


def decide(
    subject: Fingerprint,
    other: Fingerprint,
    evidence: Evidence,
    policy: Policy,
    trees: Ensembles = FITTED,
    *,
    explained: bool = True,
) -> Verdict:
    """Name the relation of a pair that is not identical, and say how sure that is; without `explained`, statements are only
    made on a pair that is reported."""
    relation, confidence = _named(subject, other, evidence, trees)
    most, capped = cap(evidence, relation, policy)
    confidence = min(confidence, most, 0.99)  # 1.0 is kept for real equality
    is_enough = confidence >= policy.flag_threshold
    flagged = is_enough and not capped  # however low the threshold
    if not flagged:
        relation, confidence = _not_reported(evidence, policy), min(max(1 - confidence, 0.01), 0.999)
    direction = _direction(subject, other, relation)
    verdict = Verdict(subject.id, other.id, relation, round(confidence, 3), flagged, direction=direction)
    if not (flagged or explained):
        return verdict
    doubts = _doubts(subject, relation, evidence)
    said = statements(subject, other, relation, evidence, direction, capped=capped, doubts=doubts)
    return replace(verdict, statements=said, evidence=observations(evidence))


def _named(
    subject: Fingerprint, other: Fingerprint, evidence: Evidence, trees: Ensembles
) -> tuple[Relation, float]:
    """What the trees say; of texts that the index keeps in part, what their passages say if that is more."""
    relation, confidence = _likeliest(evidence, trees)
    is_long = not (is_whole(subject) and is_whole(other))
    if is_long and (share := _share_in_long(evidence.measures)) > confidence:
        return Relation.CONTAINED, share
    return relation, confidence


def _share_in_long(measures: Mapping[str, float]) -> float:
    """How much of the shorter text is in the long one, if it is not boilerplate; else 0."""
    is_own = measures["passages_shared"] >= _PART_PASSAGES and measures["passages_own"] >= _PART_OWN
    is_part = measures["contained_high"] >= _PART_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_part else 0.0


def has_certain_conflict(evidence: Evidence) -> bool:
    """Another name, number or address is printed in a place that was read well: no third copy makes the two one paper."""
    ledger = evidence.ledger
    return ledger.error_rate <= FAIR_RATE and any(
        difference.kind is Kind.FIELD and difference.certain for difference in ledger.differences
    )


def linked_verdict(
    subject: Fingerprint, other: Fingerprint, evidence: Evidence, confidence: float, trees: Ensembles = FITTED
) -> Verdict:
    """The same paper, a part or another edition of it, because another copy is the same paper as both."""
    likeliest, _ = _likeliest(evidence, trees)
    relation = Relation.CONTAINED if likeliest is Relation.CONTAINED else Relation.RESCAN
    is_edited = trees.edited.probability(evidence.measures) >= _EDITED
    if relation is Relation.RESCAN and is_edited:
        relation = Relation.REVISION
    direction = _direction(subject, other, relation)
    doubts = _doubts(subject, relation, evidence)
    said = statements(subject, other, relation, evidence, direction, linked=True, doubts=doubts)
    sure = round(min(confidence, 0.99), 3)
    return Verdict(subject.id, other.id, relation, sure, True, said, observations(evidence), direction)


def _doubts(subject: Fingerprint, relation: Relation, evidence: Evidence) -> tuple[Statement, ...]:
    if relation not in (Relation.RESCAN, Relation.CONTAINED):
        return ()
    is_left = subject.id == evidence.left
    return doubts_of(evidence.ledger, is_left=is_left, in_part=relation is Relation.CONTAINED)


def _direction(subject: Fingerprint, other: Fingerprint, relation: Relation) -> int:
    if relation is not Relation.CONTAINED:
        return 0
    return -1 if (subject.words, subject.id) < (other.words, other.id) else 1


def _likeliest(evidence: Evidence, trees: Ensembles) -> tuple[Relation, float]:
    """Three questions against "another document of the template", then two that name what it is."""
    measures = evidence.measures
    confidence = trees.same.probability(measures)
    if measures["coverage_exact"] >= _COVERED:
        confidence = max(
            confidence, trees.revision.probability(measures), trees.contained.probability(measures)
        )
    if confidence < _UNNAMED:
        return Relation.RESCAN, confidence
    if trees.part.probability(measures) >= _PART:
        return Relation.CONTAINED, confidence
    if trees.edited.probability(measures) >= _EDITED:
        return Relation.REVISION, confidence
    return Relation.RESCAN, confidence


def _not_reported(evidence: Evidence, policy: Policy) -> Relation:
    alike = evidence.measures["resemblance"] >= policy.sibling_resemblance
    return Relation.SIBLING if alike or evidence.measures["in_order_high"] >= _EVEN else Relation.UNRELATED
