"""What no similarity outvotes: dates and references that were read clearly and contradict, or too little to go by."""

from __future__ import annotations

from dedupe_core.compare.evidence import Evidence
from dedupe_core.model import Relation
from dedupe_core.policy import Policy


def cap(evidence: Evidence, relation: Relation, policy: Policy) -> tuple[float, bool]:
    """How sure it may be at most, and whether it must not be reported."""
    if relation is Relation.RESCAN and is_contradicted(evidence, policy):
        return policy.contradiction_cap, True
    if is_too_little(evidence, policy):
        return policy.too_little_cap, True
    return 1.0, False


def is_contradicted(evidence: Evidence, policy: Policy) -> bool:
    """Clearly read on both sides: other dates and other references, and none in common."""
    dates, references = evidence.dates, evidence.references
    if evidence.measures["ledger_error_rate"] > policy.clean_error_rate:
        return False
    if dates.shared or dates.near_a or not (dates.only_a and dates.only_b):
        return False
    return bool(references.absent_a and references.absent_b)


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
