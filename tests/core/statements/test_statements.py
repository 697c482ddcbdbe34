"""Statements: what agrees or differs is named, for every relation, and said in one line."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.explain.words import reason
from dedupe_core.model import Field, Relation, Statement
from dedupe_core.model import StatementKind as Kind
from dedupe_core.statements.statements import exact, observations, statements
from tests.core.core_kit import LETTER, NEXT_LETTER, PAIRS, evidence_on, print_of
from tests.corpus.noise import scanned

MADE = [relation for relation in Relation if relation not in (Relation.IDENTICAL, Relation.TRANSLATED)]
CHANGED = LETTER.replace("88,15", "91,15")


def made(relation: Relation, one: str, other: str, direction: int = 0) -> tuple[Statement, ...]:
    return statements(print_of(one, 1), print_of(other, 2), relation, evidence_on(one, other), direction)


def test_a_rescan_names_the_facts_that_agree_and_counts_misread_words() -> None:
    found = {(one.kind, one.field): one for one in made(Relation.RESCAN, LETTER, scanned(LETTER, "light", 4))}
    assert found[Kind.AGREES, Field.DATE].sides == ("2023-02-03", "2023-02-17")
    assert "RE202345588" in found[Kind.AGREES, Field.REFERENCE].sides
    assert found[Kind.OCR_DIFFERENCES, ""].counts > (0,)


def test_a_sibling_names_the_facts_that_differ() -> None:
    head, *found = made(Relation.SIBLING, LETTER, NEXT_LETTER)
    assert head.kind is Kind.SAME_TEMPLATE
    assert {one.kind for one in found} == {Kind.DIFFERS}
    sides = {one.field: set(one.sides) for one in found}
    assert sides[Field.REFERENCE] == {"RE202351207", "RE202345588"} and Field.DATE in sides


def test_of_many_facts_three_are_named_and_all_are_counted() -> None:
    dates = " ".join(f"{day:02}.05.2024" for day in range(1, 11))
    (agrees,) = [one for one in made(Relation.RESCAN, f"Termine {dates}", f"Termin {dates}") if one.sides]
    assert (agrees.sides, agrees.counts) == (("2024-05-01", "2024-05-02", "2024-05-03"), (10,))


@pytest.mark.parametrize(("direction", "documents"), [(-1, (1, 2)), (1, (2, 1))])
def test_a_part_says_which_is_part_of_which(direction: int, documents: tuple[int, int]) -> None:
    """Percentages are rounded down: 99.6% is not all of it."""
    part, *_ = made(Relation.CONTAINED, LETTER + " x1y2z3 q8w9", f"{LETTER} {NEXT_LETTER}", direction)
    assert (part.kind, part.documents) == (Kind.PART, documents)
    assert part.counts[0] < 100


def test_amounts_that_differ_are_not_hidden_by_one_that_agrees() -> None:
    found = made(Relation.RESCAN, LETTER, CHANGED)
    assert [set(one.sides) for one in found if one.kind is Kind.DIFFERS] == [{"88.15", "91.15"}]


def test_a_badly_read_pair_says_that_an_edit_may_hide_in_it() -> None:
    assert Statement(Kind.BADLY_READ) in made(Relation.RESCAN, LETTER, scanned(LETTER, "heavy", 4))


@given(PAIRS)
def test_every_relation_of_any_pair_can_be_explained(pair: tuple[str, str]) -> None:
    """One line, not empty, bounded, whatever is in the texts."""
    for relation in MADE:
        words = reason(made(relation, *pair, direction=-1))
        assert words.strip()
        assert "\n" not in words
        assert len(words) < 1000


def test_the_observations_carry_the_facts() -> None:
    """Per kind of fact: how many agree, nearly agree, and are only in one of the two."""
    seen = {one.name: one.value for one in observations(evidence_on(LETTER, NEXT_LETTER))}
    assert (seen["dates_agree"], seen["dates_differ"], "dates_near" in seen) == (0, 4, False)


@pytest.mark.parametrize(
    ("same_text", "same_file", "kind"),
    [
        (True, True, Kind.SAME_FILE_AND_TEXT),
        (True, False, Kind.SAME_TEXT),
        (False, True, Kind.SAME_FILE),
    ],
)
def test_what_is_equal_is_said(same_text: bool, same_file: bool, kind: Kind) -> None:
    statement, seen = exact(same_text=same_text, same_file=same_file)
    assert statement.kind is kind
    assert [one.value for one in seen] == [1.0] * (same_text + same_file)
