"""Evidence and policy in, verdict out; caps are applied last and nothing outvotes them."""

from __future__ import annotations

from collections.abc import Mapping

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
_EDITION_WORDS, _EDITION_PASSAGES, _EDITION_LENGTH = 100, 12, 0.6
_EDITION_COVERED, _EDITION_EQUAL, _EDITION_ERRORS = 0.95, 0.85, 0.01
_ADDED_WORDS, _REPLACED_WORDS = 6, 2
_SENTENCE, _SENTENCE_WORDS = 40, 4  # letters in a row, and words that the other side has nowhere
_IN_ORDER = 0.1
_PHRASE, _CLEAR, _OTHER_WORDS = 10, 0.005, 1.5
_MOST_WORDS, _FEWER_WORDS, _DOZENS = 0.9, 0.7, 25
_MOST_NUMBERS = 0.75  # of the rare numbers agree: then what was read for an amount was none
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
    if (share := _share_of_edition(evidence)) > confidence:
        relation, confidence = Relation.REVISION, share
    cap, capped = _cap(evidence, relation, policy)
    confidence = min(confidence, cap, 0.99)  # 1.0 is kept for real equality
    flagged = confidence >= policy.flag_threshold and not capped  # however low the threshold
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
    if REVISION_OR_SAME.probability(measures) >= _EVEN or _is_rewritten(measures):
        return Relation.REVISION, confidence
    if _has_much_more(measures):
        return Relation.CONTAINED, confidence
    return Relation.RESCAN, confidence


def _is_rewritten(measures: Mapping[str, float]) -> bool:
    """A sentence says something else on either side, in its place: no scan of one paper. If it is clearly
    read, a few words are enough, and fewer beside another amount."""
    if measures["error_rate"] <= _CLEAR and measures["disorder"] <= _IN_ORDER / 2:
        is_other_amount = not measures["amounts_share"] and not measures["top_amount"]
        words = _OTHER_WORDS if is_other_amount else _SENTENCE_WORDS - 1
        return measures["passage_replaced"] >= _PHRASE and measures["words_absent"] >= words
    return (
        measures["passage_replaced"] >= _SENTENCE
        and measures["aligned_content"] >= _SENTENCE_WORDS
        and measures["disorder"] <= _IN_ORDER
    )


def _has_much_more(measures: Mapping[str, float]) -> bool:
    """The one has all of the other's words and dozens of its own, clearly read: it is the larger paper."""
    return (
        measures["error_rate"] <= _EDITION_ERRORS
        and measures["coverage_high"] >= _MOST_WORDS
        and measures["coverage_low"] <= _FEWER_WORDS
        and measures["words_absent_high"] >= _DOZENS
    )


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


def _share_of_edition(evidence: Evidence) -> float:
    """How much of the prose two editions share, if one has sentences more; else 0.

    What a form changes from one instance to the next is replaced, not added: then words are absent on both
    sides. For editions of which the date and the amounts have changed as on the next bill.
    """
    measures = evidence.measures
    is_own = measures["passages_shared"] >= _EDITION_PASSAGES and measures["passages_own"] >= _PROSE_OWN
    is_long = measures["length"] >= _EDITION_WORDS and measures["length_ratio"] > _EDITION_LENGTH
    is_there = measures["coverage_high"] >= _EDITION_COVERED and measures["aligned_equal"] >= _EDITION_EQUAL
    has_more = measures["words_absent_high"] >= _ADDED_WORDS and measures["words_absent"] <= _REPLACED_WORDS
    is_clean = measures["error_rate"] <= _EDITION_ERRORS
    is_edition = is_own and is_long and is_there and has_more and is_clean
    return measures["passages_share_low"] if is_edition else 0.0


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
