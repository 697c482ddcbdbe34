"""Judging: the exact tier first, then what is worth comparing, bounded, the surest first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.explain.words import reason
from dedupe_core.judge.group import is_same_paper
from dedupe_core.judge.judge import classify, exact_verdict, judge, rank_candidates
from dedupe_core.model import Relation
from dedupe_core.policy import DEFAULT as POLICY
from tests.core.core_kit import LETTER, NEXT_LETTER, TEXTS, print_of, view_of
from tests.corpus.noise import scanned
from tests.live.texts import Texts

GARBAGE = st.text(" \t\n\f\0.,~|'-_*§¤…\ud800\udfff\u0301", max_size=60)
TICKET = "Bus 12 Platz 7 gilt 90 Minuten heute"


def family(count: int, first_id: int = 100) -> list[View]:
    """Letters of one form, each with its own facts."""
    return [
        view_of(NEXT_LETTER.replace("RE-2023-51207", f"RE-2023-{60000 + 13 * n}").replace("175,56", f"{n + 90},{n % 90 + 10}")
                .replace("06.03.2023", f"{n % 27 + 1:02}.{n % 11 + 1:02}.2022"), first_id + n)
        for n in range(count)
    ]  # fmt: skip


def test_two_identical_tickets_are_identical() -> None:
    """Eight words are too few for shingles of words, and enough for the exact tier."""
    verdict = classify(view_of(TICKET, 1), view_of(TICKET.upper(), 2), Neighbourhood([]), POLICY)
    assert (verdict.relation, verdict.confidence, verdict.flagged) == (Relation.IDENTICAL, 1.0, True)
    assert reason(verdict.statements) == "same text, character for character"


def test_same_file_and_same_text() -> None:
    """Both are said."""
    verdict = exact_verdict(print_of(LETTER, 1, "ab"), print_of(LETTER, 2, "ab"))
    assert verdict is not None
    assert [one.name for one in verdict.evidence] == ["checksum", "content_hash"]


@given(GARBAGE, GARBAGE)
def test_garbage_matches_nothing(one: str, other: str) -> None:
    """Pages that OCR could not read are never told of, not even those that are equal."""
    subject = view_of(one, 1)
    others = [view_of(other, 2), view_of(one, 3), view_of("", 4)]
    assert not any(verdict.flagged for verdict in judge(subject, others, POLICY))


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_the_surest_comes_first_and_each_other_once(texts: list[str]) -> None:
    """What a person is told of stands before what not, by falling confidence."""
    subject, *others = (view_of(text, number) for number, text in enumerate([LETTER, *texts, LETTER], 1))
    verdicts = judge(subject, others, POLICY)
    order = [(not verdict.flagged, -verdict.confidence, verdict.other) for verdict in verdicts]
    assert order == sorted(order)
    assert len({verdict.other for verdict in verdicts}) == len(verdicts)
    assert verdicts[0].relation is Relation.IDENTICAL
    assert all(verdict.subject == 1 for verdict in verdicts)


def test_no_more_than_allowed_are_compared_in_full() -> None:
    """A family of siblings costs no more than the policy says."""
    verdicts = judge(view_of(LETTER, 1), family(40), POLICY, everything=True)
    assert len(verdicts) == POLICY.compared


def test_a_glance_is_enough_for_most_siblings() -> None:
    """Another date, another number, another amount: no close look is needed, and nobody is told."""
    assert judge(view_of(LETTER, 1), family(40), POLICY) == []


def test_only_what_is_reported_is_explained_if_that_is_asked_for() -> None:
    """Nobody reads the other reasons; the verdicts are the same."""
    others = [view_of(scanned(LETTER, "light", 1), 2), *family(3)]
    explained = judge(view_of(LETTER, 1), others, POLICY, everything=True)
    brief = judge(view_of(LETTER, 1), others, POLICY, everything=True, explained=False)
    assert {verdict.flagged for verdict in brief} == {True, False}
    for one, other in zip(brief, explained, strict=True):
        expected = other if other.flagged else replace(other, statements=(), evidence=())
        assert one == expected


def test_the_scans_of_a_paper_that_was_scanned_many_times_are_reported() -> None:
    """Its copies are not a family of which all that they share would be the template: of 48 scans, 47 at least."""
    missed = 0
    for run in range(4700, 4712):
        texts = Texts(run)
        copies = [view_of(letter := texts.letter(), 1)]
        for number in range(2, 6):
            scan = view_of(texts.scanned_again(letter), number)
            missed += not any(map(is_same_paper, judge(scan, copies, POLICY)))
            copies.append(scan)
    assert missed <= 1


def test_identical_documents_do_not_use_up_the_comparisons() -> None:
    """Forty copies of the file and one rescan: all are named."""
    copies = [view_of(LETTER, 100 + n) for n in range(40)]
    verdicts = judge(view_of(LETTER, 1), [*copies, view_of(scanned(LETTER, "light", 2), 2)], POLICY)
    assert [verdict.relation for verdict in verdicts] == [Relation.IDENTICAL] * 40 + [Relation.RESCAN]


@pytest.mark.parametrize("place", [0, 20, 40])
def test_the_rescan_in_a_large_family_is_compared(place: int) -> None:
    """Whoever shares what is rare is chosen, not whoever comes first."""
    others = family(40)
    others.insert(place, view_of(scanned(LETTER, "medium", 4), 2))
    chosen = rank_candidates(view_of(LETTER, 1), others, Neighbourhood(others), POLICY.compared)
    assert chosen[0].id == 2
    told = [verdict for verdict in judge(view_of(LETTER, 1), others, POLICY) if verdict.flagged]
    assert [(verdict.other, verdict.relation) for verdict in told] == [(2, Relation.RESCAN)]


@settings(max_examples=15)
@given(st.randoms())
def test_the_order_of_the_others_makes_no_difference(random: object) -> None:
    """The same neighbours in any order give the same verdicts."""
    others = [*family(6), view_of(scanned(LETTER, "medium", 4), 2)]
    shuffled = others.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert judge(view_of(LETTER, 1), others, POLICY) == judge(view_of(LETTER, 1), shuffled, POLICY)
