"""The registry of measures: what evidence measures is what is listed, once, with a direction."""

from __future__ import annotations

from dedupe_core.compare.evidence import glance
from dedupe_core.compare.measures import ALL, DIRECTIONS, GLANCE, OF_THE_PAIR, REGISTRY
from dedupe_core.compare.view import Neighbourhood
from tests.core.core_kit import LETTER, NEXT_LETTER, evidence_on, view_of


def test_every_measure_is_listed_once_and_taken() -> None:
    assert len(set(ALL)) == len(ALL) == len(REGISTRY)
    assert set(evidence_on(LETTER, NEXT_LETTER).measures) == set(ALL)
    assert set(DIRECTIONS) == set(ALL)


def test_a_glance_takes_its_stage_and_no_more() -> None:
    seen = glance(view_of(LETTER, 1), view_of(NEXT_LETTER, 2), Neighbourhood([]))
    assert set(seen.measures) == set(GLANCE)


def test_measures_of_the_pair_do_not_depend_on_the_archive() -> None:
    """The question "edited?" is asked of the pair alone."""
    alone, among = (
        evidence_on(LETTER, NEXT_LETTER),
        evidence_on(LETTER, NEXT_LETTER, LETTER + " x", NEXT_LETTER + " y"),
    )
    assert {name: alone.measures[name] for name in OF_THE_PAIR} == {
        name: among.measures[name] for name in OF_THE_PAIR
    }
