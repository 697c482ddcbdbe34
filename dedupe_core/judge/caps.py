"""What no similarity outvotes: contradictions that were read clearly, too little to go by."""

from __future__ import annotations

from dedupe_core.compare.evidence import Evidence
from dedupe_core.model import Relation
from dedupe_core.policy import Policy

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
    """Clearly read on both sides, and another first date; or no date in common, and other amounts or references only."""
    dates, amounts, references = evidence.dates, evidence.amounts, evidence.references
    error_rate = evidence.measures["ledger_error_rate"]
    if (
        evidence.measures["first_date"] == 0
        and evidence.measures["dates_contradict"]
        and error_rate < _SURE_DATE
    ):
        return True
    if dates.shared or dates.near_a or error_rate > policy.clean_error_rate:
        return False
    if amounts.only_a and amounts.only_b and not amounts.shared:
        return True
    return bool(dates.only_a and dates.only_b and references.absent_a and references.absent_b)


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
