"""The classical recipe: one similarity of two parts against one threshold, and the exact tier."""

from __future__ import annotations

import pytest

from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.classical import judge_classically
from dedupe_core.model import Document, Fingerprint, Relation
from dedupe_core.policy import ClassicalPolicy
from dedupe_core.recipe import CLASSICAL
from tests.core.core_kit import LETTER, NEXT_LETTER


def classical(content: str, document_id: int) -> Fingerprint:
    return fingerprint(Document(document_id, content), CLASSICAL)


def test_it_weighs_jaccard_and_fuzzy_similarity() -> None:
    """0.55 and 0.45 of them, against 0.75."""
    policy = ClassicalPolicy()
    (verdict,) = judge_classically(classical(LETTER, 1), [classical(NEXT_LETTER, 2)], policy)
    jaccard, fuzzy = (one.value for one in verdict.evidence)
    assert verdict.confidence == pytest.approx(0.55 * jaccard + 0.45 * fuzzy, abs=1e-3)
    assert verdict.flagged == (verdict.confidence >= 0.75)


def test_it_cannot_tell_the_next_month() -> None:
    """Which is why it is here: long letters of one form are alike enough for it."""
    wording = " ".join(f"clause{n}" for n in range(400))
    (verdict,) = judge_classically(
        classical(f"{LETTER} {wording}", 1), [classical(f"{NEXT_LETTER} {wording}", 2)], ClassicalPolicy()
    )
    assert (verdict.relation, verdict.flagged) == (Relation.RESCAN, True)


def test_equal_texts_are_identical_and_come_first() -> None:
    """The exact tier is the same for every recipe."""
    others = [classical(NEXT_LETTER, 2), classical(LETTER, 3)]
    verdicts = judge_classically(classical(LETTER, 1), others, ClassicalPolicy())
    assert [verdict.other for verdict in verdicts] == [3, 2]
    assert verdicts[0].relation is Relation.IDENTICAL


def test_only_a_sample_is_compared_letter_by_letter() -> None:
    """The cost of a pair of long texts is bounded by the sample."""
    head = "word " * 1000
    pair = classical(head + "a" * 50_000, 1), classical(head + "b" * 50_000, 2)
    (verdict,) = judge_classically(pair[0], [pair[1]], ClassicalPolicy(fuzzy_sample_chars=5000))
    assert {one.name: one.value for one in verdict.evidence}["fuzzy"] == 1


@pytest.mark.parametrize(("threshold", "relation"), [(0.0, Relation.RESCAN), (1.0, Relation.UNRELATED)])
def test_the_threshold_alone_decides(threshold: float, relation: Relation) -> None:
    """And the reason names both numbers."""
    others = [classical(NEXT_LETTER, 2)]
    (verdict,) = judge_classically(classical(LETTER, 1), others, ClassicalPolicy(threshold=threshold))
    assert (verdict.relation, verdict.flagged) == (relation, relation is Relation.RESCAN)
    assert [one.counts[1] for one in verdict.statements] == [100 * threshold]
