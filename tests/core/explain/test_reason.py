"""Explanations: one sentence that names what agrees or differs, for every relation, of one line."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.explain.reason import explain, explain_exact
from dedupe_core.model import Relation
from tests.core.core_kit import LETTER, NEXT_LETTER, PAIRS, evidence_on, verdict_on
from tests.corpus.noise import scanned

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
    assert "same form" in reason
    assert "date 2023-0" in reason
    assert "RE202351207 against RE202345588" in reason or "RE202345588 against RE202351207" in reason
    assert "agree" not in reason


def test_many_facts_are_counted_and_some_are_named() -> None:
    """A sentence is no list: three by name, the others by number."""
    dates = " ".join(f"{day:02}.05.2024" for day in range(1, 11))
    reason, _ = explain(Relation.RESCAN, evidence_on(f"Termine {dates}", f"Termin {dates}"))
    assert "10 dates (2024-05-01, 2024-05-02, 2024-05-03, ...) agree" in reason


@pytest.mark.parametrize(
    ("direction", "words"),
    [(-1, "it is part of the other"), (1, "the other is part of it"), (0, "one is part of the other")],
)
def test_a_part_says_which_is_part_of_which(direction: int, words: str) -> None:
    reason, _ = explain(Relation.CONTAINED, evidence_on(LETTER, f"{LETTER} {NEXT_LETTER}"), direction)
    assert reason.startswith(words)


def test_a_cap_is_said() -> None:
    """Whoever wonders why the same form was not told of reads it."""
    evidence = evidence_on(LETTER, NEXT_LETTER)
    plain, capped = (explain(Relation.SIBLING, evidence, capped=capped)[0] for capped in (False, True))
    assert capped.startswith(plain)
    assert len(capped) > len(plain)


@given(PAIRS)
def test_every_relation_of_any_pair_can_be_explained(pair: tuple[str, str]) -> None:
    """One line, not empty, bounded, whatever stands in the texts; every observation has a name."""
    evidence = evidence_on(*pair)
    for relation in EXPLAINED:
        reason, observations = explain(relation, evidence)
        assert reason.strip()
        assert "\n" not in reason
        assert len(reason) < 700
        assert len({one.name for one in observations}) == len(observations)
        assert all(one.name for one in observations)


def test_the_observations_carry_the_facts() -> None:
    """Per kind of fact: how many agree, nearly agree, and differ."""
    _, observations = explain(Relation.SIBLING, evidence_on(LETTER, NEXT_LETTER))
    words = {one.name: one.words for one in observations}
    assert words["dates_agree"] == "0 agree, 0 nearly, 2 against 2 differ"


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
