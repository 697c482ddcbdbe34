"""The rules of a verdict one by one: the trees give fixed probabilities, so that only the rules decide."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from dedupe_core.compare.agreement import Agreement
from dedupe_core.compare.differences import differences
from dedupe_core.compare.evidence import Evidence, Glance
from dedupe_core.compare.measures import ALL
from dedupe_core.compare.printed import read_printed
from dedupe_core.explain.words import reason
from dedupe_core.judge.caps import is_contradicted, is_too_little
from dedupe_core.judge.trees import Ensemble, Ensembles
from dedupe_core.judge.verdict import can_skip, decide
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.policy import Policy
from dedupe_core.text.normalise import KEPT_CHARS
from tests.core.core_kit import LETTER, NEXT_LETTER, print_of, view_of

NOTHING: dict[str, Any] = {
    "shared": frozenset(),
    "only_a": frozenset(),
    "only_b": frozenset(),
    "near_a": {},
    "near_b": {},
}
LEDGER = differences(read_printed(LETTER), read_printed(LETTER))
ONE, OTHER = print_of(LETTER, 1), print_of(NEXT_LETTER, 2)
LONG = replace(OTHER, printed="", text="x" * (KEPT_CHARS + 1))


def always(probability: float) -> Ensemble:
    """Says the same of every pair."""
    return Ensemble((), math.log(probability / (1 - probability)), ())


def trees(**probabilities: float) -> Ensembles:
    names = ("worth", "same", "revision", "contained", "edited", "part")
    return Ensembles(**{name: always(probabilities.get(name, 0.01)) for name in names})


def evidence(agreements: dict[str, dict[str, Any]] | None = None, /, **measures: float) -> Evidence:
    """Of two readable texts that have nothing in common but what is given."""
    kinds = ("numbers", "dates", "amounts", "references")
    found: dict[str, Agreement[Any]] = {
        kind: Agreement(kind, **{**NOTHING, **(agreements or {}).get(kind, {})}) for kind in kinds
    }
    values = {**dict.fromkeys(ALL, 0.0), "length": 100.0, "length_ratio": 1.0, **measures}
    return Evidence(values, ledger=LEDGER, left=1, **found)


def verdict(
    found: Evidence, a: Fingerprint = ONE, b: Fingerprint = OTHER, policy: Policy = POLICY, /, **said: float
) -> Verdict:
    return decide(a, b, found, policy, trees(**said))


@pytest.mark.parametrize(
    ("said", "relation"),
    [
        ({"same": 0.9}, Relation.RESCAN),
        ({"same": 0.9, "edited": 0.85}, Relation.RESCAN),
        ({"same": 0.9, "edited": 0.95}, Relation.REVISION),
        ({"same": 0.9, "part": 0.9}, Relation.CONTAINED),
        ({"same": 0.9, "part": 0.9, "edited": 0.95}, Relation.CONTAINED),
    ],
)
def test_two_questions_name_what_is_reported(said: dict[str, float], relation: Relation) -> None:
    """A part first; then an edit, which has to be clearly likelier than a misreading; else a rescan."""
    found = verdict(evidence(), **said)
    assert (found.relation, found.confidence, found.flagged) == (relation, 0.9, True)


@pytest.mark.parametrize("question", ["revision", "contained"])
def test_a_revision_or_a_part_has_most_words_of_the_other(question: str) -> None:
    """These questions count only for a text whose words are in the other one."""
    said = {"same": 0.05, question: 0.9, "edited": 0.95}
    assert verdict(evidence(coverage_exact=0.95), **said).flagged
    assert not verdict(evidence(coverage_exact=0.3), **said).flagged


PART_OF_LONG = {"contained_high": 0.9, "length_ratio": 0.1, "passages_shared": 40.0, "passages_own": 0.95}


@pytest.mark.parametrize(
    ("but", "other", "said", "expected"),
    [
        ({}, LONG, {}, (Relation.CONTAINED, 0.9)),
        ({"contained_high": 0.7}, LONG, {"same": 0.95}, (Relation.RESCAN, 0.95)),
        ({}, OTHER, {}, None),
        ({"contained_high": 0.2}, LONG, {}, None),
        ({"length_ratio": 0.9}, LONG, {}, None),
        ({"passages_shared": 3.0}, LONG, {}, None),
        ({"passages_own": 0.1}, LONG, {}, None),
    ],
    ids=[
        "a part",
        "surer as a rescan",
        "both are kept whole",
        "few of it",
        "as long",
        "any two have some",
        "terms",
    ],
)
def test_a_part_of_a_very_long_text_is_known_by_its_passages(
    but: dict[str, float], other: Fingerprint, said: dict[str, float], expected: tuple[Relation, float] | None
) -> None:
    """The index keeps only the ends of a long text; passages prove a part if they are many and its own."""
    for pair in ((ONE, other), (other, ONE)):
        found = verdict(evidence(**{**PART_OF_LONG, **but}), *pair, **said)
        assert ((found.relation, found.confidence) if found.flagged else None) == expected


@pytest.mark.parametrize(("same", "confidence"), [(0.999999, 0.99), (0.87654, 0.877)])
def test_a_confidence_has_three_digits_and_stays_below_equality(same: float, confidence: float) -> None:
    """1.0 is kept for equal texts and files."""
    assert verdict(evidence(), same=same).confidence == confidence


def test_the_threshold_itself_is_reported() -> None:
    """From the threshold on, and nothing below it."""
    same = always(0.7).probability({})
    assert verdict(evidence(), ONE, OTHER, replace(POLICY, flag_threshold=same), same=0.7).flagged
    assert not verdict(evidence(), ONE, OTHER, replace(POLICY, flag_threshold=same + 1e-9), same=0.7).flagged


@pytest.mark.parametrize(("same", "confidence"), [(0.1, 0.9), (1e-9, 0.999)])
def test_what_is_not_reported_says_how_sure_that_is(same: float, confidence: float) -> None:
    """The confidence of "not reported" is what is left to 1, and never 1 itself."""
    found = verdict(evidence(), same=same)
    assert (found.flagged, found.confidence) == (False, confidence)
    assert found.direction == 0


def test_caps_hold_at_any_threshold_and_are_said() -> None:
    """`explain` says why a pair that looks alike is not reported; others do not get that sentence."""
    words = "too little is certain"
    capped = verdict(evidence(length=1), ONE, OTHER, replace(POLICY, flag_threshold=0.0), same=0.9)
    assert (capped.flagged, words in reason(capped.statements)) == (False, True)
    assert words not in reason(verdict(evidence(), same=0.9).statements)
    assert words not in reason(verdict(evidence(), same=0.1).statements)


@pytest.mark.parametrize(
    ("measures", "relation"),
    [
        ({}, Relation.UNRELATED),
        ({"resemblance": 0.9}, Relation.SIBLING),
        ({"in_order_high": 0.9}, Relation.SIBLING),
    ],
)
def test_what_is_not_reported_is_a_sibling_if_the_texts_are_alike(
    measures: dict[str, float], relation: Relation
) -> None:
    assert verdict(evidence(**measures)).relation is relation


def differing(*, near: bool = False) -> dict[str, Any]:
    """A fact on each side that the other lacks; perhaps one of them misread."""
    slips = {1: 2} if near else {}
    return {"only_a": frozenset({1}), "only_b": frozenset({2}), "near_a": slips, "near_b": {}}


BOTH = {"dates": differing(), "references": differing()}


@pytest.mark.parametrize(
    ("agreements", "measures", "is_one"),
    [
        ({"dates": differing()}, {}, False),
        (BOTH, {}, True),
        ({"dates": differing(), "references": differing(near=True)}, {}, False),
        ({"references": differing()}, {}, False),
        ({"amounts": differing()}, {}, False),
        ({"dates": {"only_a": frozenset({1})}, "references": differing()}, {}, False),
        ({"dates": {"only_b": frozenset({1})}, "references": differing()}, {}, False),
        ({"dates": differing(), "references": {**differing(), "near_b": {2: 1}}}, {}, False),
        ({"dates": {**differing(), "shared": frozenset({3})}, "references": differing()}, {}, False),
        (BOTH, {"ledger_error_rate": POLICY.clean_error_rate}, True),
        (BOTH, {"ledger_error_rate": POLICY.clean_error_rate + 0.01}, False),
    ],
)
def test_what_contradicts(
    agreements: dict[str, dict[str, Any]], measures: dict[str, float], is_one: bool
) -> None:
    """Other dates and, beside them, other references, where both were read well: at any threshold."""
    found = evidence(agreements, **measures)
    assert is_contradicted(found, POLICY) is is_one
    assert verdict(found, same=0.9).flagged is not is_one
    assert verdict(found, ONE, OTHER, replace(POLICY, flag_threshold=0.0), same=0.9).flagged is not is_one


def test_a_contradiction_speaks_against_a_rescan_only() -> None:
    """An edited document has another date and another number by nature; a part has those of its whole."""
    found = evidence({"dates": differing(), "references": differing()})
    assert verdict(found, same=0.9, edited=0.95).flagged
    assert verdict(found, same=0.9, part=0.9).flagged


@pytest.mark.parametrize("kind", ["numbers", "dates", "amounts", "references"])
def test_one_fact_in_common_makes_a_few_words_enough(kind: str) -> None:
    shared = {kind: {"shared": frozenset({1})}}
    assert is_too_little(evidence(length=POLICY.short_words - 1), POLICY)
    assert not is_too_little(evidence(length=POLICY.short_words), POLICY)
    assert not is_too_little(evidence(shared, length=1), POLICY)


def test_a_glance_ends_the_comparison_only_of_hopeless_pairs() -> None:
    """What a glance says is possible is compared in full."""
    dates: Agreement[Any] = Agreement("dates", **NOTHING)
    seen = Glance(view_of(LETTER, 1), view_of(NEXT_LETTER, 2), {}, dates, dates, dates, dates)
    assert can_skip(seen, trees(worth=1e-6)) is True
    assert can_skip(seen, trees(worth=0.05)) is False
