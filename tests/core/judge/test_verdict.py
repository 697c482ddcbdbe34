"""Verdicts: caps win over everything, 1.0 is kept for equality, and nothing is made of nothing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.agreement import Agreement
from dedupe_core.compare.differences import differences
from dedupe_core.compare.evidence import Evidence
from dedupe_core.compare.measures import ALL
from dedupe_core.compare.printed import read_printed
from dedupe_core.compare.view import Neighbourhood
from dedupe_core.explain.words import brief, reason
from dedupe_core.judge.caps import is_contradicted, is_too_little
from dedupe_core.judge.judge import classify
from dedupe_core.judge.verdict import decide
from dedupe_core.model import Relation
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.policy import Policy
from tests.core.core_kit import LETTER, NEXT_LETTER, PAIRS, print_of, verdict_on, view_of
from tests.corpus.noise import scanned

EXTREMES = (-1000.0, -1.0, 0.0, 0.01, 0.3, 0.6, 0.9, 1.0, 5.0, 50.0, 1000.0)
TOKENS = ("2024-01-02", "2024-02-01", "2023-07-19", "RE202401", "RE202402")


def some_agreement(kind: str, random: Random) -> Agreement[str]:
    shared, only_a, only_b = (frozenset(random.sample(TOKENS, random.randint(0, 2))) for _ in range(3))
    near = {token: "x" for token in only_a if random.random() < 0.2}
    return Agreement(kind, shared, only_a, only_b, near, {})


def some_evidence(seed: int) -> Evidence:
    """Any measures whatsoever, mostly such that similarity could not be higher."""
    random = Random(seed)
    measures = {name: random.choice(EXTREMES) for name in ALL}
    kinds = {kind: some_agreement(kind, random) for kind in ("numbers", "dates", "references")}
    amounts: Agreement[int] = Agreement(
        "amounts", frozenset(random.sample([1, 2], random.randint(0, 2))), frozenset(), frozenset(), {}, {}
    )
    ledger = differences(read_printed(LETTER), read_printed(NEXT_LETTER))
    return Evidence(measures, amounts=amounts, ledger=ledger, left=1, **kinds)


EVIDENCE = st.integers(0, 10**9).map(some_evidence)


@given(EVIDENCE)
def test_a_contradiction_is_never_outvoted(evidence: Evidence) -> None:
    """Another date and another reference, cleanly read: nobody is told of a rescan, whatever the measures say."""
    verdict = decide(print_of("a"), print_of("b", 2), evidence, POLICY)
    if is_contradicted(evidence, POLICY):
        assert verdict.relation is not Relation.RESCAN


@given(EVIDENCE)
def test_too_little_is_never_enough(evidence: Evidence) -> None:
    """A few words without a fact in common are told to nobody."""
    if is_too_little(evidence, POLICY):
        assert not decide(print_of("a"), print_of("b", 2), evidence, POLICY).flagged


@given(EVIDENCE, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_caps_bound_the_confidence_under_any_policy(
    evidence: Evidence, threshold: float, contradiction: float, too_little: float
) -> None:
    """Of what is told, the confidence is at least the threshold and at most its cap."""
    policy = Policy(flag_threshold=threshold, contradiction_cap=contradiction, too_little_cap=too_little)
    verdict = decide(print_of("a"), print_of("b", 2), evidence, policy)
    if verdict.flagged:
        assert round(threshold, 3) <= verdict.confidence <= 0.99
        if is_too_little(evidence, policy) and not is_contradicted(evidence, policy):
            assert verdict.confidence <= round(too_little, 3)
        if verdict.relation is Relation.RESCAN and is_contradicted(evidence, policy):
            assert verdict.confidence <= round(contradiction, 3)


@given(EVIDENCE)
def test_siblings_and_strangers_are_told_to_nobody(evidence: Evidence) -> None:
    """Flagged is what a person should look at; a sibling or an unrelated document is not."""
    verdict = decide(print_of("a"), print_of("b", 2), evidence, POLICY)
    assert verdict.flagged == (verdict.relation not in (Relation.SIBLING, Relation.UNRELATED))
    assert verdict.relation is not Relation.IDENTICAL
    assert 0 < verdict.confidence <= 1


def test_certainty_is_kept_for_equality() -> None:
    """1.0 means equal, not "surely another month"."""
    assert (
        max(
            decide(print_of("a"), print_of("b", 2), some_evidence(seed), POLICY).confidence
            for seed in range(300)
        )
        < 1
    )


@given(PAIRS)
def test_verdicts_are_symmetric(pair: tuple[str, str]) -> None:
    """The same relation, confidence and observations from either side; the direction turns round."""
    one, other = view_of(pair[0], 1), view_of(pair[1], 2)
    around = Neighbourhood([one, other])
    there, back = classify(one, other, around, POLICY), classify(other, one, around, POLICY)
    assert (there.relation, there.confidence, there.flagged) == (back.relation, back.confidence, back.flagged)
    assert there.evidence == back.evidence


def test_a_part_knows_which_side_it_is_on() -> None:
    """From the part the other is the whole, and from the whole the other is the part."""
    evidence = next(found for found in map(some_evidence, range(10_000)) if _is_contained(found))
    part, whole = print_of(LETTER, 1), print_of(f"{LETTER} {NEXT_LETTER}", 2)
    assert decide(part, whole, evidence, POLICY).direction == -1
    assert decide(whole, part, evidence, POLICY).direction == 1


def _is_contained(evidence: Evidence) -> bool:
    return decide(print_of("a"), print_of("b", 2), evidence, POLICY).relation is Relation.CONTAINED


HOUSE_RULES = """Wohnungsbaugenossenschaft Lindenhof eG
Frau Marta Ohlsen
Datum: 12.04.2024

Sehr geehrte Frau Ohlsen,
die Hausordnung wird zum ersten Mai in der Fassung angewandt, die der Vorstand beschlossen hat.
Das Treppenhaus ist von den Mietern im Wechsel zu reinigen, der Plan hängt im Erdgeschoss aus.
{}
Bitte bewahren Sie dieses Schreiben bei Ihrem Mietvertrag auf.
Der Keller ist abgeschlossen zu halten, Fahrräder stehen im Schuppen neben dem Hof.
Mit freundlichen Grüßen
Der Vorstand"""
PETS = "Haustiere dürfen nur mit schriftlicher Zustimmung der Genossenschaft gehalten werden."
BARBECUES = "Das Grillen auf den Balkonen ist wegen der Brandgefahr ab sofort nicht mehr erlaubt."


@pytest.mark.parametrize("noise", ["", "light", "medium"])
def test_a_sentence_that_says_something_else_is_no_scan_of_the_same_paper(noise: str) -> None:
    """Whoever confirms a rescan may have it trashed: an edited letter must not be called one without a doubt."""
    one, other = HOUSE_RULES.format(PETS), HOUSE_RULES.format(BARBECUES)
    for seed in range(6):
        verdict = verdict_on(one, scanned(other, noise, seed) if noise else other)
        assert not verdict.flagged or verdict.relation is Relation.REVISION or verdict.doubts


def test_other_amounts_and_no_date_in_common_are_never_one_paper_without_a_doubt() -> None:
    """Clearly read: a receipt of the same shop, whose date the scanner lost."""
    shop = "Papierladen Sonne, Markt 3, Auental, Telefon 03631 44 71 20, Steuer 155 317 606\n"
    one = shop + "2 Hefte kariert 3,98\nSumme 3,98 EUR\nDanke für Ihren Einkauf und bis bald"
    other = shop + "1 Ordner breit 5,47\nSumme 5,47 EUR\nDanke für Ihren Einkauf und bis bald"
    verdict = verdict_on(one, other)
    assert not verdict.flagged or "5,47" in {doubt.sides[1] for doubt in verdict.doubts}


def test_the_gist_holds_nothing_that_is_printed_on_the_documents() -> None:
    """It goes to the log of Paperless; the dates, amounts and numbers themselves are for the note."""
    rescan = verdict_on(LETTER, scanned(LETTER, "light", 3))
    new = LETTER.replace(
        "Bitte überweisen", "Wir haben die Tarife geändert und danken für Ihre Geduld. Bitte überweisen"
    )
    edited = verdict_on(LETTER, new)
    assert "RE202345588" in reason(rescan.statements)
    assert "2 dates agree; 3 amounts agree; 2 references agree" in brief(rescan.statements)
    for verdict, text in ((rescan, LETTER), (edited, new)):
        facts = print_of(text).facts
        assert brief(verdict.statements)
        said = {*facts.dates, *facts.references, *(f"{cents / 100:.2f}" for cents in facts.amounts)}
        assert said
        assert not [fact for fact in said if fact in brief(verdict.statements)]
