"""Statements: what agrees or differs is named, for every relation, and said in one line."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.explain.words import reason
from dedupe_core.model import Relation, StatementKind
from dedupe_core.statements.statements import exact, observations, statements
from tests.core.core_kit import LETTER, NEXT_LETTER, PAIRS, evidence_on, print_of, verdict_on
from tests.corpus.noise import scanned


def said(relation: Relation, one: str, other: str, direction: int = 0, *, capped: bool = False) -> str:
    evidence = evidence_on(one, other)
    return reason(
        statements(print_of(one, 1), print_of(other, 2), relation, evidence, direction, capped=capped)
    )


EXPLAINED = [relation for relation in Relation if relation not in (Relation.IDENTICAL, Relation.TRANSLATED)]


def test_a_rescan_says_what_agrees() -> None:
    """Dates, amounts and references by name, and how many words were misread."""
    words = reason(verdict_on(LETTER, scanned(LETTER, "light", 4), NEXT_LETTER).statements)
    assert "2023-02-03, 2023-02-17 agree" in words
    assert "RE202345588" in words
    assert "OCR difference" in words


def test_a_sibling_says_what_differs() -> None:
    """The other month by its date, amount and reference."""
    words = reason(verdict_on(LETTER, NEXT_LETTER).statements)
    assert "same template, different document" in words
    assert "different dates: 2023-0" in words
    assert "RE202351207 / RE202345588" in words or "RE202345588 / RE202351207" in words
    assert "agree" not in words


def test_many_facts_are_counted_and_some_are_named() -> None:
    """A sentence is no list: three by name, the others by number."""
    dates = " ".join(f"{day:02}.05.2024" for day in range(1, 11))
    words = said(Relation.RESCAN, f"Termine {dates}", f"Termin {dates}")
    assert "10 dates agree (2024-05-01, 2024-05-02, 2024-05-03, …)" in words


@pytest.mark.parametrize(("direction", "head"), [(-1, "#1 is part of #2"), (1, "#2 is part of #1")])
def test_a_part_says_which_is_part_of_which(direction: int, head: str) -> None:
    words = said(Relation.CONTAINED, LETTER, f"{LETTER} {NEXT_LETTER}", direction)
    assert words.startswith(head)


def test_percentages_are_rounded_down() -> None:
    """99.6% is not all of it."""
    words = said(Relation.CONTAINED, LETTER + " x1y2z3 q8w9", f"{LETTER} {NEXT_LETTER}", -1)
    assert "100% of #1 appears in #2" not in words


def test_amounts_that_differ_are_not_hidden_by_one_that_agrees() -> None:
    words = said(Relation.RESCAN, LETTER, LETTER.replace("88,15", "91,15"))
    assert "different amounts: 88.15 / 91.15" in words or "different amounts: 91.15 / 88.15" in words


def test_a_badly_read_pair_says_that_an_edit_may_hide_in_it() -> None:
    words = said(Relation.RESCAN, LETTER, scanned(LETTER, "heavy", 4))
    assert "too badly read to exclude an edit" in words


def test_a_revision_says_what_changed() -> None:
    words = said(Relation.REVISION, LETTER, LETTER.replace("88,15", "91,15"))
    assert '"88,15" became "91,15"' in words or '"91,15" became "88,15"' in words


def test_a_cap_is_said() -> None:
    """Whoever wonders why the same template was not reported reads it."""
    words = said(Relation.SIBLING, LETTER, NEXT_LETTER, capped=True)
    assert words.endswith("; too little is certain to call it the same paper")


@given(PAIRS)
def test_every_relation_of_any_pair_can_be_explained(pair: tuple[str, str]) -> None:
    """One line, not empty, bounded, whatever is in the texts."""
    for relation in EXPLAINED:
        words = said(relation, *pair, direction=-1)
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
        (True, True, StatementKind.SAME_FILE_AND_TEXT),
        (True, False, StatementKind.SAME_TEXT),
        (False, True, StatementKind.SAME_FILE),
    ],
)
def test_what_is_equal_is_said(same_text: bool, same_file: bool, kind: StatementKind) -> None:
    statement, seen = exact(same_text=same_text, same_file=same_file)
    assert statement.kind is kind
    assert [one.value for one in seen] == [1.0] * (same_text + same_file)
