"""Candidates: what is rare and shared comes first, and never more than asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.fingerprint.candidates import key_weights, ranked
from dedupe_core.model import Candidate

KINDS = (1, 2, 4, 4)  # exact, fact, band and part keys


def rank(
    hits: Sequence[tuple[int, int]], sizes: Sequence[int] = (1,) * 11, limit: int = 10
) -> list[Candidate]:
    """Hits are (document, key number)."""
    ids = np.array([document for document, _ in hits], np.uint32)
    keys = np.array([key for _, key in hits], np.uint16)
    weights = key_weights(KINDS, np.array(sizes, np.uint16))
    return ranked(ids, keys, weights, KINDS, limit)


def test_no_hits_no_candidates() -> None:
    assert rank([]) == []


def test_an_exact_hit_outranks_everything() -> None:
    """The same text or file comes first, however many bands and facts others share."""
    everything_else = [(2, key) for key in range(1, 11)]
    assert [found.id for found in rank([*everything_else, (1, 0)])] == [1, 2]


def test_a_rare_key_outranks_one_that_a_family_shares() -> None:
    """A number that two documents have says more than a band that sixty have."""
    sizes = [1, 2, 60, 60, 60, 60, 60, 1, 1, 1, 1]
    assert [found.id for found in rank([(1, 3), (1, 4), (2, 1)], sizes)] == [2, 1]


def test_ties_go_to_the_newer_document() -> None:
    """Of the same evidence the higher id comes first; the order of the hits makes no difference."""
    assert [found.id for found in rank([(1, 3), (9, 3), (5, 3)])] == [9, 5, 1]


def test_bands_are_counted() -> None:
    """A candidate says how many bands led to it; facts and parts are no bands."""
    assert rank([(1, 1), (1, 3), (1, 4), (1, 7), (1, 8), (1, 9)])[0].bands == 2


def test_one_or_two_passages_are_no_part() -> None:
    """A phrase in common does not make a candidate; three sampled passages do."""
    assert rank([(1, 7), (1, 8)]) == []
    assert [found.id for found in rank([(1, 7), (1, 8), (1, 9)])] == [1]


HITS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), max_size=60, unique=True)


@given(HITS, st.integers(1, 40), st.randoms())
def test_ranking_is_bounded_and_does_not_depend_on_the_order_of_hits(
    hits: list[tuple[int, int]], limit: int, random: object
) -> None:
    """At most `limit`, each document once, by descending weight."""
    shuffled = hits.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = rank(hits, limit=limit)
    assert [one.id for one in found] == [one.id for one in rank(shuffled, limit=limit)]
    assert len(found) <= limit
    assert len({one.id for one in found}) == len(found)
    assert [round(one.rarity, 9) for one in found] == sorted(
        (round(one.rarity, 9) for one in found), reverse=True
    )
