"""The verdicts on one document agree with each other: rule by rule."""

from __future__ import annotations

import pytest

from dedupe_core.compare.view import View
from dedupe_core.explain.words import reason
from dedupe_core.judge.group import Ask, only_one_paper, surest_links, without_copies
from dedupe_core.judge.judge import judge
from dedupe_core.model import Relation, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from tests.core.core_kit import LETTER, NEXT_LETTER, view_of
from tests.core.judge.test_judge_rules import trees


def same_as(
    other: int, confidence: float, relation: Relation = Relation.RESCAN, flagged: bool = True
) -> Verdict:
    return Verdict(1, other, relation, confidence, flagged)


OTHERS = [view_of(LETTER, 2), view_of(NEXT_LETTER, 3), view_of(NEXT_LETTER.replace("Wasser", "Strom"), 4)]
VIEWS = {one.id: one for one in OTHERS}


def answers(**known: float) -> Ask:
    """`of_2_3=0.99`: the documents 2 and 3 are the same paper with this probability; all others surely are not."""

    def ask(one: View, other: View) -> Verdict:
        low, high = sorted((one.id, other.id))
        likely = known.get(f"of_{low}_{high}", 0.01)
        is_same = likely >= POLICY.flag_threshold
        relation = Relation.RESCAN if is_same else Relation.SIBLING
        sure = likely if is_same else 1 - likely
        return Verdict(one.id, other.id, relation, sure, is_same)

    return ask


def judged(*verdicts: Verdict) -> list[Verdict]:
    """Each two of the others are surely two papers."""
    return only_one_paper(verdicts, VIEWS, POLICY, answers())


def test_the_odds_are_shared_among_different_papers() -> None:
    """9:1 and 3:1 and 1 for neither: 9 of 13, and 3 of 13 for the other one, which is not reported."""
    first, second = judged(same_as(2, 0.9), same_as(3, 0.75))
    assert (first.confidence, first.flagged, first.relation) == (round(9 / 13, 3), True, Relation.RESCAN)
    assert (second.confidence, second.flagged, second.relation) == (
        round(10 / 13, 3),
        False,
        Relation.SIBLING,
    )
    assert reason(second.statements) == "but as similar to #2, which is a different document"


def test_of_two_that_are_as_good_neither_is_reported() -> None:
    """Letters of two months, and a scan that is as much like the one as like the other: 0.53 and 0.44 of the odds."""
    found = judged(same_as(2, 0.95), same_as(3, 0.94))
    assert [(one.flagged, one.relation) for one in found] == [(False, Relation.SIBLING)] * 2


@pytest.mark.parametrize(
    "verdicts",
    [
        [same_as(2, 0.9)],
        [same_as(2, 0.9), same_as(3, 0.8, flagged=False)],
        [same_as(2, 0.9), same_as(3, 0.8, Relation.REVISION)],
        [same_as(2, 0.9, Relation.CONTAINED), same_as(3, 0.8)],
        [same_as(2, 1.0, Relation.IDENTICAL), same_as(3, 1.0, Relation.IDENTICAL)],
    ],
)
def test_what_does_not_rule_out_another(verdicts: list[Verdict]) -> None:
    """A single one, what is not reported, a revision, a part; and exact copies do not rule each other out."""
    assert judged(*verdicts) == verdicts


def test_an_exact_copy_rules_out_a_rescan_of_another_paper() -> None:
    exact, other = same_as(2, 1.0, Relation.IDENTICAL), same_as(3, 0.9)
    first, second = judged(exact, other)
    assert first == exact
    assert not second.flagged


@pytest.mark.parametrize("same", [0.2, 0.31, 0.5, 0.9])
def test_others_that_may_be_one_paper_do_not_rule_each_other_out(same: float) -> None:
    """Only those that are surely different do."""
    verdicts = [same_as(2, 0.9), same_as(3, 0.8)]
    assert only_one_paper(verdicts, VIEWS, POLICY, answers(of_2_3=same)) == verdicts


def other_paper(other: int, confidence: float) -> Verdict:
    return same_as(other, confidence, Relation.SIBLING, flagged=False)


def test_a_copy_that_could_be_another_document_is_not_reported() -> None:
    """A badly read letter, 0.7 like the subject and 0.95 like another letter, which the subject is not."""
    first, second = only_one_paper(
        [same_as(2, 0.7), other_paper(3, 0.99)], VIEWS, POLICY, answers(of_2_3=0.95)
    )
    assert (first.flagged, first.relation) == (False, Relation.SIBLING)
    assert reason(first.statements).endswith("as similar to #3, which is a different document")
    assert second == other_paper(3, 0.99)


@pytest.mark.parametrize(
    ("verdicts", "known"),
    [
        ([same_as(2, 0.95), other_paper(3, 0.99)], 0.95),
        ([same_as(2, 0.7), other_paper(3, 0.6)], 0.95),
        ([same_as(2, 0.7), other_paper(3, 0.99)], 0.2),
    ],
    ids=["hardly doubted", "the subject may be the other one, too", "the copy is not the other one"],
)
def test_what_does_not_make_a_copy_another_document(verdicts: list[Verdict], known: float) -> None:
    assert only_one_paper(verdicts, VIEWS, POLICY, answers(of_2_3=known)) == verdicts


def test_a_copy_is_compared_with_the_three_documents_that_are_most_like_it() -> None:
    """Of those that the subject is not; and not at all if other copies speak against it."""
    texts = [LETTER, *(" ".join(LETTER.split()[: 40 - 8 * number]) for number in range(5))]
    views = {number: view_of(text, number) for number, text in enumerate(texts, start=2)}
    different = [other_paper(number, 0.99) for number in (7, 6, 5, 4, 3)]
    asked_for = []

    def ask(one: View, other: View) -> Verdict:
        asked_for.append((one.id, other.id))
        return Verdict(one.id, other.id, Relation.SIBLING, 0.99, False)

    only_one_paper([same_as(2, 0.7), *different], views, POLICY, ask)
    assert asked_for == [(2, 3), (2, 4), (2, 5)]
    asked_for.clear()
    only_one_paper([same_as(2, 0.7), same_as(3, 0.7), *different[:3]], views, POLICY, ask)
    assert asked_for == [(2, 3)]


def test_a_copy_of_a_copy_is_a_copy() -> None:
    """As sure as both links together."""
    links = surest_links([same_as(2, 0.9), other_paper(3, 0.55)], VIEWS, POLICY, answers(of_2_3=0.98))
    assert links == {3: pytest.approx(0.9 * 0.98)}


@pytest.mark.parametrize(
    ("verdicts", "known"),
    [
        ([same_as(2, 0.9), other_paper(3, 0.75)], 0.98),
        ([same_as(2, 0.9, Relation.REVISION), other_paper(3, 0.55)], 0.98),
        ([same_as(2, 0.6), other_paper(3, 0.55)], 0.7),
        ([same_as(2, 0.9), other_paper(3, 0.55)], 0.4),
        ([same_as(2, 0.9), same_as(3, 0.66, Relation.REVISION)], 0.98),
    ],
    ids=[
        "hardly likely",
        "not of a revision",
        "two weak links",
        "no link",
        "reported already",
    ],
)
def test_what_is_no_copy_of_a_copy(verdicts: list[Verdict], known: float) -> None:
    assert surest_links(verdicts, VIEWS, POLICY, answers(of_2_3=known)) == {}


def test_few_links_are_asked_for_however_large_the_family_is() -> None:
    """Each question is a comparison: the three documents that are nearest to being reported, with five copies at most."""
    views = {number: view_of(LETTER, number) for number in range(2, 40)}
    copies = [same_as(number, 0.9) for number in range(2, 20)]
    doubtful = [other_paper(number, 0.5 + number / 1000) for number in range(20, 40)]
    asked_for = []

    def ask(one: View, other: View) -> Verdict:
        asked_for.append(other.id)
        return Verdict(one.id, other.id, Relation.SIBLING, 0.9, False)

    assert surest_links([*copies, *doubtful], views, POLICY, ask) == {}
    assert sorted(set(asked_for)) == [20, 21, 22]
    assert len(asked_for) == 15


def test_the_verdict_on_a_linked_copy_says_so() -> None:
    """A doubtful pair is reported, because another copy is the same paper as both; the other copy is not named."""
    subject = view_of(LETTER, 1)
    others = [view_of(LETTER, 2), view_of(LETTER.replace("Wasser", "Wassar"), 3)]
    found = judge(subject, others, POLICY, trees=trees(worth=0.9, same=0.45))
    assert [(one.other, one.flagged) for one in found] == [(2, True), (3, False)]
    linked = [view_of(LETTER, 2, "file"), view_of(LETTER.replace("Wasser", "Wassar"), 3, "file")]
    found = judge(subject, linked, POLICY, trees=trees(worth=0.9, same=0.45))
    assert [(one.other, one.flagged, one.relation) for one in found] == [
        (2, True, Relation.IDENTICAL),
        (3, True, Relation.RESCAN),
    ]
    assert "another copy is the same paper as both" in reason(found[1].statements)
    assert "#2" not in reason(found[1].statements)


def test_a_copy_does_not_link_papers_that_surely_differ() -> None:
    """A letter to somebody else, which a badly read copy of it is as much like as this one."""
    text = LETTER.replace("Jakob Brandt", "Konstantin Wiesner").replace("Herr Brandt", "Herr Wiesner")
    others = [view_of(LETTER, 2, "file"), view_of(text, 3, "file")]
    found = judge(view_of(LETTER, 1), others, POLICY, trees=trees(worth=0.9, same=0.45))
    assert [(one.other, one.flagged) for one in found] == [(2, True), (3, False)]


def asked_again(*verdicts: Verdict, **known: float) -> dict[int, frozenset[int]]:
    """Which documents were asked about once more, and without which others."""
    again: dict[int, frozenset[int]] = {}

    def without(other: View, copies: frozenset[int]) -> Verdict:
        again[other.id] = copies
        return same_as(other.id, 0.8)

    found = without_copies(verdicts, VIEWS, answers(**known), without)
    assert [verdict.flagged for verdict in found] == [
        verdict.flagged or verdict.other in again for verdict in verdicts
    ]
    return again


def different(other: int, confidence: float) -> Verdict:
    return same_as(other, confidence, Relation.SIBLING, flagged=False)


def test_what_is_doubtful_is_asked_again_without_its_copies_and_those_of_the_subject() -> None:
    assert asked_again(different(2, 0.6), different(3, 0.7), different(4, 0.7), of_2_3=0.95) == {
        2: {3},
        3: {2},
    }
    assert asked_again(different(2, 0.6), same_as(3, 0.9)) == {2: {3}}


def test_what_is_sure_or_has_no_copies_is_not_asked_again() -> None:
    assert asked_again(different(2, 0.99), same_as(3, 0.9), of_2_3=0.95) == {}
    assert asked_again(different(2, 0.6), different(3, 0.6)) == {}
