"""Evidence and policy in, verdict out; caps are applied last and nothing outvotes them."""

from __future__ import annotations

from collections.abc import Mapping

from dedupe_core.compare.differences import Difference, Ledger
from dedupe_core.compare.evidence import Evidence, Glance
from dedupe_core.compare.places import Kind
from dedupe_core.explain.reason import UNEXPLAINED, explain
from dedupe_core.fingerprint.overlap import is_whole
from dedupe_core.judge.edits import has_edit
from dedupe_core.judge.fitted import FITTED
from dedupe_core.judge.special import (
    SURE,
    is_corrected,
    is_filled_in,
    is_new_edition,
    is_reprint,
)
from dedupe_core.judge.trees import Ensembles
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import Policy

_EVEN = 0.5
# An edit is looked for in every pair and is rare: "edited" has to be clearly likelier than "misread". Above the error rate
# (a letter in 80) replaced words are mostly misread ones: only what is certain there is an edit.
_EDITED, _BADLY_READ, _EDITED_THERE = 0.7, 0.012, 0.97
_UNNAMED = 0.2  # below it nothing is reported, so the relation does not matter
# Below this a glance says "another document": see `worth` in scripts/calibrate.py.
_HOPELESS = 0.004
_COVERED = 0.8  # of the words: every revision and nine of ten parts have it, a badly read rescan has not
_MOST_NUMBERS = 0.75  # of the rare numbers agree: then what was read for an amount was none

# Another edition: most of the words of the shorter text are in the longer one and in order, and words of running text
# differ, not only fields; no reference, web or mail address was replaced, which makes it another paper of a template. A
# shorter text has passages that are in no other document, so that it is not a template; a text of 500 words and more needs
# none, because its older editions have the same. Of the pairs of three labelled corpora that have all this, 48 are
# revisions, parts or duplicates, 2 siblings and 2 unrelated.
_EDITION, _EDITION_WORDS, _EDITION_PASSAGES, _EDITION_OWN = 0.8, 60, 8, 0.6
_EDITION_COVERED, _EDITION_IN_ORDER, _EDITION_LENGTH, _EDITION_ERRORS, _OTHER_WORDS = 0.9, 0.7, 0.6, 0.015, 4
# Two long texts that share most of their passages with each other and with no other document are editions of one text,
# however much was rewritten between them: none of the pairs of the labelled corpora that have this is a sibling.
_OWN_LONG_PASSAGES, _OWN_LONG_SHARE, _OWN_LONG_COVERED, _OWN_LONG_IN_ORDER, _OWN_LONG_LENGTH = (
    30,
    0.5,
    0.84,
    0.45,
    0.4,
)
_LONG_EDITION, _LONG_COVERED, _LONG_IN_ORDER, _LONG_OTHER_WORDS = 500, 0.88, 0.8, 8

_WHOLE, _CLEARLY_MORE = (
    0.95,
    0.75,
)  # of the shorter text in order; the shorter is at most this much of the longer

# A part of a text so long that the index keeps only its ends is known by its sampled passages alone: half of
# them are in it (10 letters survive 5% of misread letters with p=0.6), and no neighbour has them.
_PART_SHARE, _PART_PASSAGES, _PART_OWN, _PART_LENGTH = 0.5, 8, 0.6, 0.4
# The same of shorter texts, where the words are at hand, too.
_OWN_PART, _OWN_PART_SHARE, _OWN_PART_PASSAGES, _OWN_PART_COVERED, _OWN_PART_LENGTH = 0.8, 0.6, 6, 0.9, 0.6


# Where a letter in 50 is misread and two thirds of the words at most are in their order, a text of a third of the length
# is a bad reading of the whole.
_LOST_ERRORS, _LOST_IN_ORDER, _LOST_LENGTH = 0.02, 0.65, 0.3
_ADDITIONS, _ADDED_WORDS = 2, 5
_OTHER_PLACES = 2  # where something else is printed: one may be a bad reading
_PART_COVERED, _PART_OF_PAGES, _PART_ERRORS = 0.97, 0.67, 0.003
# Errors a letter: where a text was read this well, another day is printed where another day was read.
_SURE_DATE = 0.004


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
    cap, capped = _cap(evidence, relation, policy)
    if is_reprint(evidence):
        relation, confidence, cap, capped = Relation.RESCAN, max(confidence, SURE), 1.0, False
    elif relation is Relation.RESCAN and not capped and _is_clean_edit(evidence.ledger):
        relation = Relation.REVISION
    confidence = min(confidence, cap, 0.99)  # 1.0 is kept for real equality
    flagged = (
        confidence >= _least(relation, evidence.measures, policy) and not capped
    )  # however low the threshold
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
        contradicted=capped and cap == policy.contradiction_cap,
    )


def _named(
    subject: Fingerprint, other: Fingerprint, evidence: Evidence, policy: Policy, trees: Ensembles
) -> tuple[Relation, float]:
    """What the trees say, or a rule for pairs that these get wrong."""
    relation, confidence = _likeliest(evidence, trees)
    if (
        not (is_whole(subject) and is_whole(other))
        and (share := _share_in_long(evidence.measures)) > confidence
    ):
        relation, confidence = Relation.CONTAINED, share
    if confidence < _least(relation, evidence.measures, policy) and is_own_part(evidence.measures):
        relation, confidence = Relation.CONTAINED, _OWN_PART
    if confidence < _least(relation, evidence.measures, policy) and is_edition(evidence.measures):
        relation, confidence = Relation.REVISION, _EDITION
    if confidence < _least(relation, evidence.measures, policy) and (
        is_corrected(evidence) or is_new_edition(evidence)
    ):
        relation, confidence = Relation.REVISION, SURE
    return relation, confidence


def _least(relation: Relation, measures: Mapping[str, float], policy: Policy) -> float:
    is_other = measures["certain"] >= _OTHER_PLACES or measures["certain_long_numbers"] > 0
    return policy.least(differs=relation is Relation.REVISION or (relation is Relation.RESCAN and is_other))


def linked_verdict(
    subject: Fingerprint, other: Fingerprint, evidence: Evidence, confidence: float, trees: Ensembles = FITTED
) -> Verdict:
    """The same paper or a part of it, because another copy is the same paper as both."""
    likeliest, _ = _likeliest(evidence, trees)
    relation = Relation.CONTAINED if likeliest is Relation.CONTAINED else Relation.RESCAN
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
    if _is_clear_part(measures):
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


def _is_clear_part(measures: Mapping[str, float]) -> bool:
    """All of it is in the other text, and no scanner that reads so well loses a third of a page."""
    is_there = measures["coverage_high"] >= _PART_COVERED and measures["length_ratio"] <= _PART_OF_PAGES
    return is_there and measures["ledger_error_rate"] <= _PART_ERRORS


def _is_edited(measures: Mapping[str, float], trees: Ensembles) -> bool:
    is_badly_read = measures["ledger_error_rate"] > _BADLY_READ
    return trees.edited.probability(measures) >= (_EDITED_THERE if is_badly_read else _EDITED)


def _is_clean_edit(ledger: Ledger) -> bool:
    return ledger.error_rate <= _BADLY_READ and has_edit(ledger)


def _has_all_and_more(measures: Mapping[str, float]) -> bool:
    """The longer text has the other one word for word, and clearly more before or behind it: nothing was edited."""
    is_whole_there = measures["in_order"] >= _WHOLE and measures["certain"] + measures["inserted"] == 0
    return is_whole_there and measures["length_ratio"] <= _CLEARLY_MORE


def is_edition(measures: Mapping[str, float]) -> bool:
    """True for two texts of one origin, of which one was rewritten in places, whatever became of dates and amounts."""
    if _is_long_own_edition(measures):
        return True
    if measures["ledger_error_rate"] > _EDITION_ERRORS or measures["length_ratio"] < _EDITION_LENGTH:
        return False
    if (
        measures["references_conflict"] > 0
        or measures["certain_contacts"] > 0
        or measures["left_over_contacts"] >= 1
    ):
        return False
    return _is_own_edition(measures) or _is_long_edition(measures)


def _is_own_edition(measures: Mapping[str, float]) -> bool:
    is_own = measures["passages_shared"] >= _EDITION_PASSAGES and measures["passages_own"] >= _EDITION_OWN
    is_there = measures["coverage_high"] >= _EDITION_COVERED and measures["in_order"] >= _EDITION_IN_ORDER
    return (
        is_own and is_there and measures["length"] >= _EDITION_WORDS and _rewritten(measures) >= _OTHER_WORDS
    )


def _is_long_edition(measures: Mapping[str, float]) -> bool:
    is_there = measures["coverage_high"] >= _LONG_COVERED and measures["in_order"] >= _LONG_IN_ORDER
    other_words = _rewritten(measures) + measures["left_over_words_high"]
    return is_there and measures["length"] >= _LONG_EDITION and other_words >= _LONG_OTHER_WORDS


def _is_long_own_edition(measures: Mapping[str, float]) -> bool:
    is_own = measures["passages_own"] >= _OWN_LONG_SHARE and measures["passages_shared"] >= _OWN_LONG_PASSAGES
    is_there = measures["coverage_high"] >= _OWN_LONG_COVERED and measures["in_order"] >= _OWN_LONG_IN_ORDER
    is_long = measures["length"] >= _LONG_EDITION and measures["length_ratio"] >= _OWN_LONG_LENGTH
    return is_own and is_there and is_long and not measures["certain_contacts"]


def _rewritten(measures: Mapping[str, float]) -> float:
    return measures["inserted_words"] + measures["inserted_lines_words"] + measures["left_over_words"]


def _share_in_long(measures: Mapping[str, float]) -> float:
    """How much of the shorter text is in the long one, if it is not boilerplate; else 0."""
    is_own = measures["passages_shared"] >= _PART_PASSAGES and measures["passages_own"] >= _PART_OWN
    is_part = measures["contained_high"] >= _PART_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_part else 0.0


def is_own_part(measures: Mapping[str, float]) -> bool:
    """Most passages and nearly all words of the shorter text are in the longer one, and no other document has them."""
    is_own = measures["passages_own"] >= _PART_OWN and measures["passages_shared"] >= _OWN_PART_PASSAGES
    is_there = (
        measures["contained_high"] >= _OWN_PART_SHARE and measures["coverage_high"] >= _OWN_PART_COVERED
    )
    return is_own and is_there and measures["length_ratio"] <= _OWN_PART_LENGTH


def _cap(evidence: Evidence, relation: Relation, policy: Policy) -> tuple[float, bool]:
    if relation is Relation.RESCAN and is_contradicted(evidence, policy):
        return policy.contradiction_cap, True
    if is_filled_in(evidence.ledger):
        return policy.contradiction_cap, True
    if relation is Relation.CONTAINED and is_other_part(evidence, policy):
        return policy.contradiction_cap, True
    if is_too_little(evidence, policy):
        return policy.too_little_cap, True
    return 1.0, False


def is_contradicted(evidence: Evidence, policy: Policy) -> bool:
    """Clearly read on both sides, and another first date; or no date in common and another reference or number, or other
    amounts only."""
    dates, measures = evidence.dates, evidence.measures
    if _is_of_another_day(measures):
        return True
    if dates.shared or dates.near_a or measures["error_rate"] > policy.clean_error_rate:
        return False
    amounts, references = evidence.amounts, evidence.references
    if amounts.only_a and amounts.only_b and not amounts.shared and measures["numbers_share"] < _MOST_NUMBERS:
        return True
    if not (dates.only_a and dates.only_b):
        return False
    other_reference = bool(references.absent_a and references.absent_b)
    return other_reference or measures["certain_long_numbers"] > 0 or measures["numbers_changed"] > 0


def _is_of_another_day(measures: Mapping[str, float]) -> bool:
    """A renewal has the birth date and the numbers of the last one, and says so on another day."""
    is_other = measures["first_date"] == 0 and measures["dates_contradict"] + measures["dates_slipped"] > 0
    return is_other and measures["ledger_error_rate"] < _SURE_DATE


def is_other_part(evidence: Evidence, policy: Policy) -> bool:
    """Clearly read, and neither the date nor a number of the shorter text is in the longer one: a bill that a bundle lacks."""
    dates, references = evidence.dates, evidence.references
    if evidence.measures["error_rate"] > policy.clean_error_rate:
        return False
    return bool(dates.only_a and not dates.shared and references.absent_a)


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


def _not_reported(evidence: Evidence, policy: Policy) -> Relation:
    alike = evidence.measures["resemblance"] >= policy.sibling_resemblance
    return Relation.SIBLING if alike or evidence.measures["coverage_low"] >= _EVEN else Relation.UNRELATED
