"""Candidates: what is rare and shared comes first, and never more than asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
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


FAMILY = [1, 2, 60, 60, 60, 60, 60, 1, 1, 1, 1]
RANKED = {
    "no hits": ([], (1,) * 11, []),
    "an exact hit, however many bands and facts another shares": ([*((2, key) for key in range(1, 11)), (1, 0)], (1,) * 11, [1, 2]),
    "a number that two have says more than a band that sixty have": ([(1, 3), (1, 4), (2, 1)], FAMILY, [2, 1]),
    "of the same evidence the higher id": ([(1, 3), (9, 3), (5, 3)], (1,) * 11, [9, 5, 1]),
    "one or two passages are no part": ([(1, 7), (1, 8)], (1,) * 11, []),
    "three sampled passages are": ([(1, 7), (1, 8), (1, 9)], (1,) * 11, [1]),
}  # fmt: skip


@pytest.mark.parametrize(("hits", "sizes", "ids"), RANKED.values(), ids=RANKED)
def test_what_comes_first(hits: list[tuple[int, int]], sizes: Sequence[int], ids: list[int]) -> None:
    assert [found.id for found in rank(hits, sizes)] == ids


def test_bands_are_counted() -> None:
    """A candidate says how many bands led to it; facts and parts are no bands."""
    assert rank([(1, 1), (1, 3), (1, 4), (1, 7), (1, 8), (1, 9)])[0].bands == 2


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
