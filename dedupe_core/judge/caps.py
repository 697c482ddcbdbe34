"""What no similarity outvotes: contradictions that were read clearly, too little to go by."""

from __future__ import annotations

from collections.abc import Mapping

from dedupe_core.compare.evidence import Evidence
from dedupe_core.model import Relation
from dedupe_core.policy import Policy

_MOST_NUMBERS = 0.75  # of the rare numbers agree: then what was read for an amount was none
# Errors a letter: where a text was read this well, another day is printed where another day was read.
_SURE_DATE = 0.004


def cap(evidence: Evidence, relation: Relation, policy: Policy) -> tuple[float, bool]:
    """How sure it may be at most, and whether it must not be reported."""
    if relation is Relation.RESCAN and is_contradicted(evidence, policy):
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
