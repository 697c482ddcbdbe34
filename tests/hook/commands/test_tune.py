"""Tuning: from a person's own decisions, never on a few of them, never past a cap."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Relation
from dedupe_core.policy import DEFAULT, Policy
from hook.commands.tune import LEAST, Sample, allowed, changes, figures, propose, report
from hook.findings.decisions import Decision, Decisions, Kind
from hook.session import open_archive, settings_of
from tests.e2e.archive_kit import Desk

SAMPLES = st.lists(
    st.builds(Sample, st.just(1), st.just(2), st.integers(0, 100).map(lambda n: n / 100), st.booleans()),
    max_size=60,
)


def samples(*groups: tuple[int, float, bool]) -> list[Sample]:
    return [
        Sample(10 * n, 10 * n + 1, sure, right)
        for n, (sure, right) in enumerate((s, r) for count, s, r in groups for _ in range(count))
    ]


def test_below_twenty_decisions_nothing_is_proposed() -> None:
    found = samples((10, 0.65, False), (9, 0.95, True))
    assert propose(found, DEFAULT, 0.6) is None
    assert "1 more are needed" in list(report(found, 0.6, None))[-1]


def test_false_alarms_raise_the_threshold() -> None:
    found = samples((8, 0.65, False), (20, 0.9, True))
    proposed = propose(found, DEFAULT, 0.6)
    assert proposed is not None
    assert 0.65 < proposed <= 0.9
    assert figures(found, proposed).wrong == 0
    assert len(changes(found, 0.6, proposed)) == 8
    lines = list(report(found, 0.6, proposed))
    assert "28 decisions: 20 confirmed, 8 dismissed" in lines[0]
    assert "precision 0.71, 8 false alarms, 0 missed" in lines[1]
    assert sum("no longer reported" in line for line in lines) == 8


def test_missed_pairs_lower_it() -> None:
    found = samples((8, 0.7, True), (20, 0.95, True), (3, 0.55, False))
    proposed = propose(found, DEFAULT, 0.9)
    assert proposed is not None
    assert 0.55 < proposed <= 0.7


@pytest.mark.parametrize("groups", [[(30, 1.0, False)], [(1, 0.65, False), (40, 0.9, True)]])
def test_exact_copies_and_a_small_gain_change_nothing(groups: list[tuple[int, float, bool]]) -> None:
    """People dismiss exact copies, too, and no number below 1 changes that; a gain of one pair is chance."""
    assert propose(samples(*groups), DEFAULT, 0.6) is None


@given(SAMPLES, st.floats(0.3, 0.95), st.floats(0.3, 0.8), st.floats(0.3, 0.8))
def test_a_cap_is_never_lifted(found: list[Sample], threshold: float, one: float, two: float) -> None:
    """A threshold at or below a cap would tell of the pairs that it holds back."""
    policy = Policy(contradiction_cap=one, too_little_cap=two)
    proposed = propose(found, policy, threshold)
    assert proposed is None or proposed > max(one, two)
    assert all(at > max(one, two) for at in allowed(policy))


@given(SAMPLES, st.floats(0.51, 0.95))
def test_a_proposal_is_clearly_better(found: list[Sample], threshold: float) -> None:
    proposed = propose(found, DEFAULT, threshold)
    if proposed is not None:
        assert len(found) >= LEAST
        assert figures(found, proposed).wrong <= figures(found, threshold).wrong - 2


def test_the_command_judges_what_people_decided(desk: Desk) -> None:
    """And says which setting to make; a setting that does it ends the proposal."""
    with open_archive(settings_of(desk.environ())) as archive:
        Decisions(archive.index).put(
            Decision(2 * n, 2 * n + 1, Kind.CONFIRMED if n < 20 else Kind.DISMISSED, Relation.RESCAN, sure)
            for n, sure in enumerate([0.9] * 20 + [0.65] * 8)
        )
    setting = re.search(r"Set DEDUPE_FLAG_THRESHOLD=(\S+) and", desk.run("tune")[0])
    assert setting is not None
    assert '"proposed": null' in desk.run("tune", "--json", DEDUPE_FLAG_THRESHOLD=setting[1])[0]
