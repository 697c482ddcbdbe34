"""Evidence and policy in, verdict out; caps are applied last and nothing outvotes them."""

from __future__ import annotations

from collections.abc import Mapping

from dedupe_core.compare.differences import Difference
from dedupe_core.compare.evidence import Evidence, Glance
from dedupe_core.compare.places import FAIR_RATE, Kind
from dedupe_core.compare.written import formed
from dedupe_core.explain.reason import UNEXPLAINED, explain
from dedupe_core.fingerprint.overlap import is_whole
from dedupe_core.judge.caps import cap
from dedupe_core.judge.editions import (
    EDITION,
    OWN_PART,
    is_edition,
    is_new_edition,
    is_own_part,
    share_in_long,
)
from dedupe_core.judge.edits import has_edit, is_called_corrected
from dedupe_core.judge.fitted import FITTED
from dedupe_core.judge.special import SURE, is_corrected, is_reprint
from dedupe_core.judge.trees import Ensembles
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import Policy

_EVEN = 0.5
# An edit is looked for in every pair and is rare: "edited" has to be clearly likelier than "misread". In a badly read pair,
# replaced words are mostly misread ones: only what is certain there is an edit.
_EDITED, _EDITED_THERE = 0.7, 0.97
_UNNAMED = 0.2  # below it nothing is reported, so the relation does not matter
# Below this a glance says "another document": see `worth` in scripts/calibrate.py.
_HOPELESS = 0.004
_COVERED = 0.8  # of the words: every revision and nine of ten parts have it, a badly read rescan has not
# Of the shorter text, in order; and how long that is at most, of the longer one.
_WHOLE, _CLEARLY_MORE = 0.95, 0.75

# Where a letter in 50 is misread and two thirds of the words at most are in their order, a text of a third of the length
# is a bad reading of the whole.
_LOST_ERRORS, _LOST_IN_ORDER, _LOST_LENGTH = 0.02, 0.65, 0.3
_ADDITIONS, _ADDED_WORDS = 2, 5
# Where something else is printed: one may be a bad reading. None of 1,673 labelled duplicates has as many as four.
_OTHER_PLACES, _MANY_PLACES = 2, 4
_PART_COVERED, _PART_OF_PAGES, _PART_ERRORS = 0.97, 0.67, 0.003
# A scanner that misreads a letter in 50 loses lines here and there; a page or clauses are lost in one piece of readable words.
_PIECE_ERRORS, _PIECE_IN_ORDER, _PIECE_SHARE, _PIECE_FORMED = 0.02, 0.85, 0.9, 0.85


def is_hopeless(seen: Glance, trees: Ensembles = FITTED) -> bool:
    """True if a full comparison cannot change the verdict."""
    return trees.worth.probability(seen.measures) < _HOPELESS


def decide(
    subject: Fingerprint,
    other: Fingerprint,
    evidence: Evidence,
    policy: Policy,
    trees: Ensembles = FITTED,
    *,
    explained: bool = True,
) -> Verdict:
    """Name the relation of a pair that is not identical, and say how sure that is; without `explained`, the reason is only
    given for a pair that is reported."""
    relation, confidence = _named(subject, other, evidence, policy, trees)
    most, capped = cap(evidence, relation, policy)
    if is_reprint(evidence) and not is_called_corrected(evidence.ledger):
        relation, confidence, most, capped = Relation.RESCAN, max(confidence, SURE), 1.0, False
    elif relation is Relation.RESCAN and not capped and _is_surely_edited(evidence):
        relation = Relation.REVISION
    confidence = min(confidence, most, 0.99)  # 1.0 is kept for real equality
    is_enough = confidence >= _least(relation, evidence.measures, policy)
    flagged = is_enough and not capped  # however low the threshold
    if not flagged:
        relation, confidence = _not_reported(evidence, policy), min(max(1 - confidence, 0.01), 0.999)
    direction = _direction(subject, other, relation)
    said = UNEXPLAINED
    if flagged or explained:
        said = explain(subject, other, relation, evidence, direction, capped=capped and not flagged)
    return Verdict(
        subject.id,
        other.id,
        relation,
        round(confidence, 3),
        flagged,
        said.reason,
        said.observations,
        direction,
        said.brief if flagged else "",
        contradicted=capped and most == policy.contradiction_cap,
    )


def _named(
    subject: Fingerprint, other: Fingerprint, evidence: Evidence, policy: Policy, trees: Ensembles
) -> tuple[Relation, float]:
    """What the trees say, or a rule for pairs that these get wrong."""
    relation, confidence = _likeliest(evidence, trees)
    if (
        not (is_whole(subject) and is_whole(other))
        and (share := share_in_long(evidence.measures)) > confidence
    ):
        relation, confidence = Relation.CONTAINED, share
    if confidence < _least(relation, evidence.measures, policy) and is_own_part(evidence.measures):
        relation, confidence = Relation.CONTAINED, OWN_PART
    if confidence < _least(relation, evidence.measures, policy) and is_edition(evidence.measures):
        relation, confidence = Relation.REVISION, EDITION
    if confidence < _least(relation, evidence.measures, policy) and (
        is_corrected(evidence) or is_new_edition(evidence)
    ):
        relation, confidence = Relation.REVISION, SURE
    return relation, confidence


def _least(relation: Relation, measures: Mapping[str, float], policy: Policy) -> float:
    is_other = measures["certain"] >= _OTHER_PLACES or measures["certain_long_numbers"] > 0
    return policy.least(differs=relation is Relation.REVISION or (relation is Relation.RESCAN and is_other))


def is_surely_other(evidence: Evidence) -> bool:
    """Another name, number or address is printed in a place that was read well: no third copy makes the two one paper."""
    ledger = evidence.ledger
    return ledger.error_rate <= FAIR_RATE and any(
        one.kind is Kind.FIELD and one.certain for one in ledger.differences
    )


def linked_verdict(
    subject: Fingerprint, other: Fingerprint, evidence: Evidence, confidence: float, trees: Ensembles = FITTED
) -> Verdict:
    """The same paper, a part or another edition of it, because another copy is the same paper as both."""
    likeliest, _ = _likeliest(evidence, trees)
    relation = Relation.CONTAINED if likeliest is Relation.CONTAINED else Relation.RESCAN
    is_edited = trees.edited.probability(evidence.measures) >= _EDITED_THERE or _is_surely_edited(evidence)
    if relation is Relation.RESCAN and is_edited:
        relation = Relation.REVISION
    direction = _direction(subject, other, relation)
    said = explain(subject, other, relation, evidence, direction, linked=True)
    return Verdict(
        subject.id, other.id, relation, round(min(confidence, 0.99), 3), True,
        said.reason, said.observations, direction, said.brief,
    )  # fmt: skip


def _direction(subject: Fingerprint, other: Fingerprint, relation: Relation) -> int:
    if relation is not Relation.CONTAINED:
        return 0
    return -1 if (subject.words, subject.id) < (other.words, other.id) else 1


def _likeliest(evidence: Evidence, trees: Ensembles) -> tuple[Relation, float]:
    """Three questions against "another document of the template", then two that name what it is."""
    measures = evidence.measures
    confidence = trees.same.probability(measures)
    if measures["coverage_high"] >= _COVERED:
        confidence = max(
            confidence, trees.revision.probability(measures), trees.contained.probability(measures)
        )
    if confidence < _UNNAMED:
        return Relation.RESCAN, confidence
    if trees.part.probability(measures) >= _EVEN and not _is_half_lost(measures):
        return (Relation.REVISION if is_interleaved(evidence) else Relation.CONTAINED), confidence
    if _is_clear_part(evidence):
        return Relation.CONTAINED, confidence
    if _is_edited(measures, trees):
        return (Relation.CONTAINED if _has_all_and_more(measures) else Relation.REVISION), confidence
    return Relation.RESCAN, confidence


def _is_half_lost(measures: Mapping[str, float]) -> bool:
    """A scanner lost or garbled so much of the shorter text that it is short for that reason, not a part of the other."""
    is_badly_read = measures["ledger_error_rate"] > _LOST_ERRORS and measures["in_order"] < _LOST_IN_ORDER
    return is_badly_read and measures["length_ratio"] >= _LOST_LENGTH


def is_interleaved(evidence: Evidence) -> bool:
    """The longer text has all of the other one, and more between its sentences: clauses were added. A part is in one piece."""
    if evidence.measures["in_order"] < _WHOLE or evidence.measures["length_ratio"] < _EVEN:
        return False
    return sum(one.clean and _is_addition(one) for one in evidence.ledger.differences) >= _ADDITIONS


def _is_addition(one: Difference) -> bool:
    a, b, c, d = one.span
    return one.kind is not Kind.MOVED and abs((b - a) - (d - c)) >= _ADDED_WORDS


def _is_clear_part(evidence: Evidence) -> bool:
    """All of it is in the other text, and no scanner that reads so well loses a third of a page."""
    measures = evidence.measures
    if measures["coverage_high"] < _PART_COVERED or measures["length_ratio"] > _PART_OF_PAGES:
        return False
    return measures["ledger_error_rate"] <= _PART_ERRORS or _is_all_but_a_piece(evidence)


def _is_all_but_a_piece(evidence: Evidence) -> bool:
    """Nearly all that the longer text has more is one run of readable words."""
    measures, ledger = evidence.measures, evidence.ledger
    if measures["ledger_error_rate"] > _PIECE_ERRORS or measures["in_order"] < _PIECE_IN_ORDER:
        return False
    more = abs(len(ledger.left.words) - len(ledger.right.words))
    return any(
        abs((b - a) - (d - c)) >= _PIECE_SHARE * more
        and formed(max(ledger.left.words[a:b], ledger.right.words[c:d], key=len)) >= _PIECE_FORMED
        for a, b, c, d in (one.span for one in ledger.differences)
    )


def _is_edited(measures: Mapping[str, float], trees: Ensembles) -> bool:
    is_badly_read = measures["ledger_error_rate"] > FAIR_RATE
    return trees.edited.probability(measures) >= (_EDITED_THERE if is_badly_read else _EDITED)


def _is_surely_edited(evidence: Evidence) -> bool:
    measures, ledger = evidence.measures, evidence.ledger
    if measures["certain"] + measures["inserted"] >= _MANY_PLACES:
        return True
    return ledger.error_rate <= FAIR_RATE and has_edit(ledger)


def _has_all_and_more(measures: Mapping[str, float]) -> bool:
    """The longer text has the other one word for word, and clearly more before or behind it: nothing was edited."""
    is_whole_there = measures["in_order"] >= _WHOLE and measures["certain"] + measures["inserted"] == 0
    return is_whole_there and measures["length_ratio"] <= _CLEARLY_MORE


def _not_reported(evidence: Evidence, policy: Policy) -> Relation:
    alike = evidence.measures["resemblance"] >= policy.sibling_resemblance
    return Relation.SIBLING if alike or evidence.measures["coverage_low"] >= _EVEN else Relation.UNRELATED
