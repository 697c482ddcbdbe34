"""Explanations: one sentence that names what agrees or differs, for every relation, of one line."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.explain.reason import Explanation, explain, explain_exact
from dedupe_core.model import Relation
from tests.core.core_kit import LETTER, NEXT_LETTER, PAIRS, evidence_on, print_of, verdict_on
from tests.corpus.noise import scanned


def explained(
    relation: Relation, one: str, other: str, direction: int = 0, *, capped: bool = False
) -> Explanation:
    return explain(
        print_of(one, 1), print_of(other, 2), relation, evidence_on(one, other), direction, capped=capped
    )


EXPLAINED = [relation for relation in Relation if relation not in (Relation.IDENTICAL, Relation.TRANSLATED)]


def test_a_rescan_says_what_agrees() -> None:
    """Dates, amounts and references by name, and how many words were misread."""
    reason = verdict_on(LETTER, scanned(LETTER, "light", 4), NEXT_LETTER).reason
    assert "2023-02-03, 2023-02-17 agree" in reason
    assert "RE202345588" in reason
    assert "OCR difference" in reason


def test_a_sibling_says_what_differs() -> None:
    """The other month by its date, amount and reference."""
    reason = verdict_on(LETTER, NEXT_LETTER).reason
    assert "same template, different document" in reason
    assert "different dates: 2023-0" in reason
    assert "RE202351207 / RE202345588" in reason or "RE202345588 / RE202351207" in reason
    assert "agree" not in reason


def test_many_facts_are_counted_and_some_are_named() -> None:
    """A sentence is no list: three by name, the others by number."""
    dates = " ".join(f"{day:02}.05.2024" for day in range(1, 11))
    reason = explained(Relation.RESCAN, f"Termine {dates}", f"Termin {dates}").reason
    assert "10 dates (2024-05-01, 2024-05-02, 2024-05-03, ...) agree" in reason


@pytest.mark.parametrize(("direction", "head"), [(-1, "#1 is part of #2"), (1, "#2 is part of #1")])
def test_a_part_says_which_is_part_of_which(direction: int, head: str) -> None:
    reason = explained(Relation.CONTAINED, LETTER, f"{LETTER} {NEXT_LETTER}", direction).reason
    assert reason.startswith(head)


def test_percentages_are_rounded_down() -> None:
    """99.6% is not all of it."""
    assert (
        "100% of #1 appears in #2"
        not in explained(Relation.CONTAINED, LETTER + " x1y2z3 q8w9", f"{LETTER} {NEXT_LETTER}", -1).reason
    )


def test_amounts_that_differ_are_not_hidden_by_one_that_agrees() -> None:
    reason = explained(Relation.RESCAN, LETTER, LETTER.replace("88,15", "91,15")).reason
    assert "different amounts: 88.15 / 91.15" in reason or "different amounts: 91.15 / 88.15" in reason


def test_a_badly_read_pair_says_that_an_edit_may_hide_in_it() -> None:
    reason = explained(Relation.RESCAN, LETTER, scanned(LETTER, "heavy", 4)).reason
    assert "too badly read to exclude an edit" in reason


def test_a_revision_says_what_changed() -> None:
    reason = explained(Relation.REVISION, LETTER, LETTER.replace("88,15", "91,15")).reason
    assert '"88,15" became "91,15"' in reason or '"91,15" became "88,15"' in reason


def test_a_cap_is_said() -> None:
    """Whoever wonders why the same template was not reported reads it."""
    plain, capped = (
        explained(Relation.SIBLING, LETTER, NEXT_LETTER, capped=capped).reason for capped in (False, True)
    )
    assert capped.startswith(plain)
    assert len(capped) > len(plain)


@given(PAIRS)
def test_every_relation_of_any_pair_can_be_explained(pair: tuple[str, str]) -> None:
    """One line, not empty, bounded, whatever is in the texts; every observation has a name."""
    for relation in EXPLAINED:
        found = explained(relation, *pair, direction=-1)
        reason, observations = found.reason, found.observations
        assert reason.strip()
        assert "\n" not in reason
        assert len(reason) < 700
        assert len({one.name for one in observations}) == len(observations)
        assert all(one.name for one in observations)


def test_the_observations_carry_the_facts() -> None:
    """Per kind of fact: how many agree, nearly agree, and differ."""
    observations = explained(Relation.SIBLING, LETTER, NEXT_LETTER).observations
    words = {one.name: one.words for one in observations}
    assert words["dates_agree"] == "0 agree, 0 nearly, 2 / 2 differ"


@pytest.mark.parametrize(
    ("same_text", "same_file", "reason"),
    [
        (True, True, "same file and same text, character for character"),
        (True, False, "same text, character for character"),
        (False, True, "same file, byte for byte"),
    ],
)
def test_what_is_equal_is_said(same_text: bool, same_file: bool, reason: str) -> None:
    said, observations = explain_exact(same_text=same_text, same_file=same_file)
    assert said == reason
    assert len(observations) == same_text + same_file
    assert {one.value for one in observations} == {1.0}
