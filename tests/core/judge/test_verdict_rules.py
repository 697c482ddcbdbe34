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
from dedupe_core.judge.caps import is_contradicted, is_other_part, is_too_little
from dedupe_core.judge.trees import Ensemble, Ensembles
from dedupe_core.judge.verdict import decide, is_hopeless
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.policy import Policy
from dedupe_core.text.normalise import KEPT_CHARS
from tests.core.compare.parts_kit import prose
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
    kinds = ("words", "numbers", "dates", "amounts", "references")
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
        ({"same": 0.9, "edited": 0.6}, Relation.RESCAN),
        ({"same": 0.9, "edited": 0.9}, Relation.REVISION),
        ({"same": 0.9, "part": 0.9}, Relation.CONTAINED),
        ({"same": 0.9, "part": 0.9, "edited": 0.9}, Relation.CONTAINED),
    ],
)
def test_two_questions_name_what_is_reported(said: dict[str, float], relation: Relation) -> None:
    """A part first; then an edit, which has to be clearly likelier than a misreading; else a rescan."""
    found = verdict(evidence(), **said)
    assert (found.relation, found.confidence, found.flagged) == (relation, 0.9, True)


@pytest.mark.parametrize(
    ("places", "relation"),
    [
        ({"certain": 4}, Relation.REVISION),
        ({"certain": 2, "inserted": 2}, Relation.REVISION),
        ({"certain": 2, "inserted": 1}, Relation.RESCAN),
    ],
)
def test_where_something_else_is_printed_in_many_places_it_is_edited(
    places: dict[str, float], relation: Relation
) -> None:
    """However badly it was read, and whatever the trees say: no scanner does that four times."""
    assert verdict(evidence(**places), same=0.99, edited=0.1).relation is relation


@pytest.mark.parametrize("question", ["revision", "contained"])
def test_a_revision_or_a_part_has_most_words_of_the_other(question: str) -> None:
    """These questions count only for a text whose words are in the other one."""
    said = {"same": 0.05, question: 0.9, "edited": 0.9}
    assert verdict(evidence(coverage_high=0.95), **said).flagged
    assert not verdict(evidence(coverage_high=0.3), **said).flagged


ALL_AND_MORE = {"in_order": 1.0, "length_ratio": 0.4}


def test_a_text_with_all_of_another_and_more_contains_it() -> None:
    found = verdict(evidence(**ALL_AND_MORE), same=0.9, edited=0.9)
    assert found.relation is Relation.CONTAINED


@pytest.mark.parametrize(
    "but", [{"certain": 1}, {"inserted": 1}, {"certain": 1, "inserted": 1}, {"in_order": 0.5}, {"length_ratio": 1}]
)  # fmt: skip
def test_a_text_that_differs_elsewhere_is_a_revision(but: dict[str, float]) -> None:
    """A word replaced or inserted, words missing, or nothing more than the other has."""
    found = verdict(evidence(**{**ALL_AND_MORE, **but}), same=0.9, edited=0.9)
    assert found.relation is Relation.REVISION


FIRST, MIDDLE, LAST = (prose(seed, 60) for seed in (5, 6, 7))
PART_OF_A_SCAN = {"coverage_high": 0.98, "length_ratio": 0.66, "in_order": 0.9, "ledger_error_rate": 0.015}
STAINS = " ".join(["~|", "ee;", "_ae", "rn|"] * 15)


def pair_of(one: str, other: str, /, **measures: float) -> Evidence:
    return replace(evidence(**measures), ledger=differences(read_printed(one), read_printed(other)))


@pytest.mark.parametrize(
    "one", [f"{FIRST}\n{LAST}", f"{FIRST}\n{MIDDLE}", f"{MIDDLE}\n{LAST}"], ids=["middle", "end", "beginning"]
)
def test_a_copy_that_lacks_one_piece_is_a_part(one: str) -> None:
    """However it was read: a scanner loses lines here and there, not a third of a page and nothing else."""
    whole = f"{FIRST}\n{MIDDLE}\n{LAST}"
    assert verdict(pair_of(one, whole, **PART_OF_A_SCAN), same=0.9).relation is Relation.CONTAINED
    assert verdict(pair_of(whole, one, **PART_OF_A_SCAN), same=0.9).relation is Relation.CONTAINED


@pytest.mark.parametrize(
    ("other", "but"),
    [
        (f"{FIRST}\n{STAINS}\n{LAST}", {}),
        (f"{MIDDLE}\n{FIRST}\n{MIDDLE}\n{LAST}\n{MIDDLE}", {}),
        (f"{FIRST}\n{MIDDLE}\n{LAST}", {"ledger_error_rate": 0.03}),
        (f"{FIRST}\n{MIDDLE}\n{LAST}", {"in_order": 0.7}),
        (f"{FIRST}\n{MIDDLE}\n{LAST}", {"coverage_high": 0.9}),
        (f"{FIRST}\n{MIDDLE}\n{LAST}", {"length_ratio": 0.75}),
    ],
    ids=["stains", "here-and-there", "badly-read", "out-of-order", "other-words", "nearly-as-long"],
)
def test_a_copy_that_was_read_badly_is_a_rescan(other: str, but: dict[str, float]) -> None:
    """Lines that are lost here and there, a stain in place of words, or bad reading explain why one is shorter."""
    found = pair_of(f"{FIRST}\n{LAST}", other, **{**PART_OF_A_SCAN, **but})
    assert verdict(found, same=0.9).relation is Relation.RESCAN


EDITION = {
    "coverage_high": 0.99, "in_order": 0.95, "length": 400.0, "length_ratio": 0.9, "passages_shared": 30.0,
    "passages_own": 0.95, "inserted_words": 20.0,
}  # fmt: skip


@pytest.mark.parametrize("words", ["inserted_words", "inserted_lines_words", "left_over_words"])
def test_an_edition_of_one_origin_is_reported_whatever_the_trees_say(words: str) -> None:
    """Dates and amounts of an edition change as those of a bill do; its running text does not."""
    found = verdict(evidence(**{**EDITION, "inserted_words": 0, words: 20}))
    assert (found.relation, found.flagged) == (Relation.REVISION, True)


@pytest.mark.parametrize(
    "but",
    [
        {"coverage_high": 0.5}, {"in_order": 0.3}, {"length": 20.0}, {"length_ratio": 0.2}, {"passages_shared": 2.0},
        {"passages_own": 0.1}, {"inserted_words": 0.0}, {"ledger_error_rate": 0.2}, {"references_conflict": 1.0},
        {"certain_names": 1.0, "length": 90.0},
    ],
)  # fmt: skip
def test_an_edition_needs_every_sign_of_it(but: dict[str, float]) -> None:
    """Else two documents of a template would be editions of each other."""
    assert not verdict(evidence(**{**EDITION, **but})).flagged


def test_an_edition_does_not_replace_a_finding_of_the_trees() -> None:
    assert verdict(evidence(**EDITION), same=0.95).relation is Relation.RESCAN


REWRITTEN = {
    "coverage_high": 0.85, "in_order": 0.5, "length": 900.0, "length_ratio": 0.5, "passages_shared": 40.0, "passages_own": 0.7,
}  # fmt: skip


def test_long_texts_that_share_passages_with_nothing_else_are_editions() -> None:
    """However much was rewritten, and whatever else differs but addresses."""
    found = verdict(evidence(**REWRITTEN, ledger_error_rate=0.05, references_conflict=2.0))
    assert (found.relation, found.flagged) == (Relation.REVISION, True)


@pytest.mark.parametrize(
    "but",
    [
        {"coverage_high": 0.7}, {"in_order": 0.3}, {"length": 300.0}, {"length_ratio": 0.2}, {"passages_shared": 20.0},
        {"passages_own": 0.3}, {"certain_contacts": 1.0},
    ],
)  # fmt: skip
def test_a_rewritten_edition_needs_every_sign_of_it(but: dict[str, float]) -> None:
    assert not verdict(evidence(**{**REWRITTEN, **but})).flagged


OWN_PART = {
    "contained_high": 0.7, "coverage_high": 0.95, "length_ratio": 0.5, "passages_shared": 8.0, "passages_own": 0.9,
}  # fmt: skip


def test_a_part_whose_passages_nothing_else_has_is_reported_whatever_the_trees_say() -> None:
    found = verdict(evidence(**OWN_PART))
    assert (found.relation, found.flagged) == (Relation.CONTAINED, True)


@pytest.mark.parametrize(
    "but",
    [{"contained_high": 0.4}, {"coverage_high": 0.8}, {"length_ratio": 0.8}, {"passages_shared": 4.0}, {"passages_own": 0.3}],
)  # fmt: skip
def test_an_own_part_needs_every_sign_of_it(but: dict[str, float]) -> None:
    assert not verdict(evidence(**{**OWN_PART, **but})).flagged


def test_a_change_that_a_rule_sees_does_not_lift_a_contradiction() -> None:
    """Next month's letter with another number written out is another letter, not an edition of this one."""
    texts = [
        LETTER + LETTER.replace("\n", " ") + f" Sie haben {number} Wochen Zeit."
        for number in ("zwei", "drei")
    ]
    found = replace(
        evidence({"dates": differing(), "references": differing()}),
        ledger=differences(*(read_printed(text) for text in texts)),
    )
    assert verdict(replace(found, dates=evidence().dates), same=0.9).relation is Relation.REVISION
    assert not verdict(found, same=0.9).flagged


PART_OF_LONG = {"contained_high": 0.9, "length_ratio": 0.1, "passages_shared": 40.0, "passages_own": 0.95}


@pytest.mark.parametrize("pair", [(ONE, LONG), (LONG, ONE)])
def test_a_part_of_a_very_long_text_is_known_by_its_passages(pair: tuple[Fingerprint, Fingerprint]) -> None:
    """The index keeps only the ends of a long text; the share of the passages is the confidence."""
    found = verdict(evidence(**PART_OF_LONG), *pair)
    assert (found.relation, found.confidence, found.flagged) == (Relation.CONTAINED, 0.9, True)


@pytest.mark.parametrize(
    "but", [{"contained_high": 0.2}, {"length_ratio": 0.9}, {"passages_shared": 3.0}, {"passages_own": 0.1}]
)
def test_passages_prove_a_part_only_if_they_are_many_and_its_own(but: dict[str, float]) -> None:
    """General terms are in many documents, and a few passages are in any two."""
    assert not verdict(evidence(**{**PART_OF_LONG, **but}), ONE, LONG).flagged


def test_passages_are_not_asked_where_both_texts_are_kept() -> None:
    assert not verdict(evidence(**PART_OF_LONG)).flagged


def test_passages_do_not_weaken_a_surer_finding() -> None:
    found = verdict(evidence(**{**PART_OF_LONG, "contained_high": 0.7}), ONE, LONG, same=0.95)
    assert (found.relation, found.confidence) == (Relation.RESCAN, 0.95)


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
    assert (found.gist, found.direction) == ("", 0)


def test_a_capped_pair_is_never_quite_sure_to_be_another() -> None:
    """With a cap of 1 the similarity itself is what is left to 1."""
    policy = replace(POLICY, too_little_cap=1.0, flag_threshold=0.0)
    found = verdict(evidence(length=1), ONE, OTHER, policy, same=0.9999)
    assert (found.flagged, found.confidence) == (False, 0.01)


def test_caps_hold_at_any_threshold_and_are_said() -> None:
    """`explain` says why a pair that looks alike is not reported; others do not get that sentence."""
    words = "too little is certain"
    capped = verdict(evidence(length=1), ONE, OTHER, replace(POLICY, flag_threshold=0.0), same=0.9)
    assert (capped.flagged, words in capped.reason) == (False, True)
    assert words not in verdict(evidence(), same=0.9).reason
    assert words not in verdict(evidence(), same=0.1).reason


def test_only_a_part_has_a_direction() -> None:
    assert verdict(evidence(), same=0.9).direction == 0
    assert verdict(evidence(), same=0.9, part=0.9).direction in (-1, 1)


def test_the_reported_gist_says_what_it_is() -> None:
    assert verdict(evidence(), same=0.9).gist
    assert verdict(evidence(), same=0.1).gist == ""


@pytest.mark.parametrize(
    ("measures", "relation"),
    [
        ({}, Relation.UNRELATED),
        ({"resemblance": 0.9}, Relation.SIBLING),
        ({"coverage_low": 0.9}, Relation.SIBLING),
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


@pytest.mark.parametrize(
    ("agreements", "measures", "is_one"),
    [
        ({"dates": differing()}, {}, False),
        ({"dates": differing(), "references": differing()}, {}, True),
        ({"dates": differing(), "references": differing(near=True)}, {}, False),
        ({"dates": differing()}, {"certain_long_numbers": 1}, True),
        ({"dates": differing()}, {"numbers_changed": 1}, True),
        ({"references": differing()}, {"numbers_changed": 1}, False),
        ({"amounts": differing()}, {}, True),
        ({"amounts": differing()}, {"numbers_share": 0.99}, False),
        ({"amounts": {**differing(), "shared": frozenset({3})}}, {}, False),
        ({"amounts": {"only_a": frozenset({1})}}, {}, False),
        ({"amounts": {"only_b": frozenset({1})}}, {}, False),
        ({"dates": {"only_a": frozenset({1})}, "references": differing()}, {}, False),
        ({"dates": {"only_b": frozenset({1})}, "references": differing()}, {}, False),
        ({"dates": differing(), "references": {**differing(), "near_b": {2: 1}}}, {}, False),
        ({"dates": {"shared": frozenset({1})}, "amounts": differing()}, {}, False),
    ],
)
def test_what_contradicts(
    agreements: dict[str, dict[str, Any]], measures: dict[str, float], is_one: bool
) -> None:
    """Other dates and, beside them, another reference or number; or other amounts and no date in common."""
    found = evidence(agreements, **measures)
    assert is_contradicted(found, POLICY) is is_one
    assert verdict(found, same=0.9).flagged is not is_one


def test_a_contradiction_holds_at_any_threshold() -> None:
    """Whoever wants to see everything still does not see another paper as a rescan."""
    found = evidence({"dates": differing(), "references": differing()})
    assert not verdict(found, ONE, OTHER, replace(POLICY, flag_threshold=0.0), same=0.9).flagged


def test_a_contradiction_speaks_against_a_rescan_only() -> None:
    """An edited document has another date and another number by nature; a part has those of its whole."""
    found = evidence({"dates": differing(), "references": differing()})
    assert verdict(found, same=0.9, edited=0.9).flagged
    assert not verdict(found, same=0.9, part=0.9).flagged


@pytest.mark.parametrize(
    ("agreements", "error_rate", "is_one"),
    [
        ({"dates": differing(), "references": differing()}, 0.0, True),
        ({"dates": differing(), "references": differing()}, POLICY.clean_error_rate + 0.01, False),
        ({"dates": {**differing(), "shared": frozenset({3})}, "references": differing()}, 0.0, False),
        ({"dates": differing(), "references": {**differing(), "near_a": {1: 2}}}, 0.0, False),
        ({"dates": {"only_b": frozenset({1})}, "references": differing()}, 0.0, False),
        ({"dates": differing()}, 0.0, False),
    ],
)
def test_a_part_whose_date_and_number_the_whole_lacks(
    agreements: dict[str, dict[str, Any]], error_rate: float, is_one: bool
) -> None:
    """Next month's bill is in no bundle of the others, however much of its text is."""
    found = evidence(agreements, error_rate=error_rate)
    assert is_other_part(found, POLICY) is is_one
    assert verdict(found, same=0.9, part=0.9).flagged is not is_one


@pytest.mark.parametrize("kind", ["numbers", "dates", "amounts", "references"])
def test_one_fact_in_common_makes_a_few_words_enough(kind: str) -> None:
    shared = {kind: {"shared": frozenset({1})}}
    assert is_too_little(evidence(length=POLICY.short_words - 1), POLICY)
    assert not is_too_little(evidence(length=POLICY.short_words), POLICY)
    assert not is_too_little(evidence(shared, length=1), POLICY)


def test_a_glance_ends_the_comparison_only_of_hopeless_pairs() -> None:
    """What a glance says is possible is compared in full."""
    words: Agreement[Any] = Agreement("words", **NOTHING)
    seen = Glance(view_of(LETTER, 1), view_of(NEXT_LETTER, 2), {}, words, words, words, words, words)
    assert is_hopeless(seen, trees(worth=1e-6)) is True
    assert is_hopeless(seen, trees(worth=0.05)) is False


HALF_LOST = {"ledger_error_rate": 0.04, "in_order": 0.5, "length_ratio": 0.4}


def test_a_reading_that_lost_half_of_the_page_is_no_part_of_it() -> None:
    """It is short because it was read badly."""
    assert verdict(evidence(**HALF_LOST), same=0.9, part=0.9).relation is Relation.RESCAN


@pytest.mark.parametrize("but", [{"ledger_error_rate": 0.01}, {"in_order": 0.8}, {"length_ratio": 0.2}])
def test_a_part_is_shorter_or_better_read(but: dict[str, float]) -> None:
    assert verdict(evidence(**{**HALF_LOST, **but}), same=0.9, part=0.9).relation is Relation.CONTAINED


CLEAR_PART = {"coverage_high": 0.99, "length_ratio": 0.6, "ledger_error_rate": 0.001}


def test_a_page_of_a_contract_that_was_read_well_is_a_part() -> None:
    """No scanner that reads every word loses a third of the text."""
    assert verdict(evidence(**CLEAR_PART), same=0.9).relation is Relation.CONTAINED


@pytest.mark.parametrize("but", [{"coverage_high": 0.9}, {"length_ratio": 0.8}, {"ledger_error_rate": 0.01}])
def test_a_reading_with_lost_lines_is_a_rescan(but: dict[str, float]) -> None:
    assert verdict(evidence(**{**CLEAR_PART, **but}), same=0.9).relation is Relation.RESCAN


RENEWAL = {"first_date": 0.0, "dates_contradict": 1.0, "ledger_error_rate": 0.001}


@pytest.mark.parametrize("how", ["dates_contradict", "dates_slipped"])
def test_another_day_on_a_paper_that_was_read_well_is_another_paper(how: str) -> None:
    """A prescription is renewed with the same birth date and insurance number: those do not make it the same paper."""
    agreements = {"dates": {"shared": frozenset({"1994-10-14"})}}
    found = evidence(agreements, **{**RENEWAL, "dates_contradict": 0.0, how: 1.0})
    assert is_contradicted(found, POLICY)
    said = verdict(found, same=0.97)
    assert (said.flagged, said.contradicted) == (False, True)
    assert not verdict(evidence(length=5.0), same=0.97).contradicted


@pytest.mark.parametrize(
    "but", [{"first_date": 1.0}, {"first_date": 0.5}, {"dates_contradict": 0.0}, {"ledger_error_rate": 0.01}]
)
def test_a_date_elsewhere_or_one_that_may_be_misread_is_not_enough(but: dict[str, float]) -> None:
    agreements = {"dates": {"shared": frozenset({"1994-10-14"})}}
    assert verdict(evidence(agreements, **{**RENEWAL, **but}), same=0.97).flagged


@pytest.mark.parametrize(
    ("measures", "said"),
    [({}, {"edited": 0.9}), ({"certain": 2.0}, {}), ({"certain_long_numbers": 1.0}, {})],
    ids=["a revision", "two places surely differ", "a number surely differs"],
)
def test_where_content_differs_more_certainty_is_needed(
    measures: dict[str, float], said: dict[str, float]
) -> None:
    between = (POLICY.flag_threshold + POLICY.revision_threshold) / 2
    assert verdict(evidence(), same=between).flagged
    assert not verdict(evidence(**measures), same=between, **said).flagged
    assert verdict(evidence(**measures), same=POLICY.revision_threshold + 0.01, **said).flagged


def test_a_higher_threshold_of_the_user_holds_for_revisions_too() -> None:
    strict = replace(POLICY, flag_threshold=0.9)
    assert not verdict(evidence(), ONE, OTHER, strict, same=0.8, edited=0.9).flagged


LEASE = """Mietvertrag über Wohnraum zwischen Birgit Uhlig (Vermieterin) und Jonas Pohl (Mieter).
Vermietet wird die Wohnung im zweiten Obergeschoss mit drei Zimmern, Küche und Bad.
Das Mietverhältnis beginnt am 26. Juli 2021 und läuft auf unbestimmte Zeit.
Die Miete beträgt 994,04 Euro im Monat und ist am dritten Werktag fällig.
Schönheitsreparaturen übernimmt der Mieter nach Bedarf und fachgerecht.
Kleine Haustiere sind gestattet. Änderungen bedürfen der Textform."""
CLAUSES = {
    "Zeit.": "Zeit. Die Kündigung ist für beide Seiten frühestens nach einem Jahr zulässig.",
    "fachgerecht.": "fachgerecht. Farbige Wände sind bei Auszug in neutralem Ton zu streichen.",
}


def amended(*places: str) -> str:
    text = LEASE
    for place in places:
        text = text.replace(place, CLAUSES[place])
    return text


def interleaved(other: str) -> Evidence:
    """The measures of a part, the ledger of the two texts."""
    found = differences(read_printed(LEASE), read_printed(other))
    return replace(evidence(in_order=1.0, length_ratio=0.75), ledger=found)


def test_clauses_that_were_added_between_others_make_a_revision() -> None:
    """A part is in one piece."""
    found = interleaved(amended("Zeit.", "fachgerecht."))
    assert verdict(found, same=0.9, part=0.9).relation is Relation.REVISION


@pytest.mark.parametrize(
    "more",
    [amended("Zeit."), LEASE + "\nAnlage: Hausordnung der Wohnanlage und Übergabeprotokoll vom Einzug."],
)
def test_one_piece_more_is_a_part(more: str) -> None:
    assert verdict(interleaved(more), same=0.9, part=0.9).relation is Relation.CONTAINED
