"""Signatures: bit for bit those of datasketch, bounded in cost, and an estimate of the resemblance."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.fingerprint.shingles import Hashes
from dedupe_core.fingerprint.signature import packed, resemblance, sampled, signature
from dedupe_core.recipe import NAMED, Recipe


def recipe_with(permutations: int, sample: int = 4096) -> Recipe:
    return Recipe(permutations=permutations, bands=1, rows=1, sample=sample)


def of_datasketch(hashes: list[int], permutations: int) -> list[int]:
    reference = MinHash(num_perm=permutations, seed=1, scheme="affine32", hashfunc=lambda value: value)
    reference.update_batch(hashes)
    values: list[int] = reference.hashvalues.tolist()
    return values


@pytest.mark.parametrize(
    ("recipe", "digest"),
    [
        ("default", "17db7cefe0a4f19e8b1399fdd1162892"),
        ("classical", "ddc822b74727c02361dcb1562ce0d260"),
        ("classical-5", "295efcc4f06a50cb51206a4026f106ca"),
    ],
)
def test_signatures_are_those_that_existing_indexes_hold(recipe: str, digest: str) -> None:
    """The values of the first release, for less and more than a chunk, and for more hashes than are sampled."""
    random = np.random.RandomState(7)  # its stream is frozen, unlike that of default_rng
    made = hashlib.blake2b(digest_size=16)
    for count in (1, 5, 600, 5000):
        made.update(signature(random.randint(0, 1 << 32, count, dtype=np.uint32), NAMED[recipe]).tobytes())
    assert made.hexdigest() == digest


@given(st.lists(st.integers(0, 2**32 - 1), max_size=50), st.integers(1, 600))
def test_signatures_are_those_of_datasketch(hashes: list[int], permutations: int) -> None:
    """MinHash(affine32, seed 1) of the same 32-bit hashes: also at the edges of the range, with repeats, and for every number
    of permutations."""
    ours = signature(np.array(hashes, np.uint32), recipe_with(permutations))
    assert ours.tolist() == of_datasketch(hashes, permutations)


@given(st.lists(st.integers(0, 500), min_size=1, max_size=200), st.integers(1, 50), st.randoms())
def test_the_sample_does_not_depend_on_the_order(hashes: list[int], count: int, random: object) -> None:
    """A long text is sampled by the values of its shingles, so the same text with swapped pages is the same."""
    shuffled = hashes.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    recipe = recipe_with(16, sample=count)
    ours, theirs = (signature(np.array(some, np.uint32), recipe) for some in (hashes, shuffled))
    if len(set(hashes)) == len(hashes) or len(hashes) > count:
        assert ours.tolist() == theirs.tolist()
    assert len(sampled(np.array(hashes, np.uint32), count)) <= max(count, 0)


def shares_of(common: int, own: int) -> tuple[Hashes, Hashes]:
    values = np.random.default_rng(common).integers(0, 1 << 32, common + 2 * own, dtype=np.uint32)
    return values[: common + own], np.concatenate((values[:common], values[common + own :]))


@pytest.mark.parametrize(("common", "own"), [(0, 1000), (500, 500), (900, 100), (1000, 0), (2000, 4000)])
def test_resemblance_estimates_the_jaccard_similarity(common: int, own: int) -> None:
    """Within four standard deviations at 1024 permutations, also where the sets were sampled and one byte is kept."""
    recipe = recipe_with(1024, sample=3000)
    one, other = (packed(signature(hashes, recipe)) for hashes in shares_of(common, own))
    jaccard = common / (common + 2 * own)
    assert resemblance(one, other) == pytest.approx(jaccard, abs=4 * (0.25 / 1024) ** 0.5)


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_resemblance_is_symmetric_and_between_0_and_1(one: bytes, other: bytes) -> None:
    """Signatures of other lengths, or none at all, resemble nothing."""
    found = resemblance(one, other)
    assert found == resemblance(other, one)
    assert 0 <= found <= 1
    assert found == 0 or len(one) == len(other) > 0
    assert resemblance(one, one) == bool(one)
