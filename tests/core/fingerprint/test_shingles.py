"""Shingles: equal passages have equal hashes, wherever they stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.fingerprint.shingles import mixed, shingle_hashes
from dedupe_core.recipe import CLASSICAL, DEFAULT


@given(st.text("abcde", min_size=6, max_size=60), st.text("abcde ", max_size=20))
def test_a_passage_keeps_its_shingles_wherever_it_stands(passage: str, before: str) -> None:
    inside = shingle_hashes(before + passage, DEFAULT)
    assert set(shingle_hashes(passage, DEFAULT).tolist()) <= set(inside.tolist())


@given(st.lists(st.text("abcde", min_size=1), max_size=12), st.integers(1, 6))
def test_as_many_shingles_as_windows(words: list[str], size: int) -> None:
    """One a place, repeats included; none where the text is shorter than a shingle."""
    hashes = shingle_hashes(" ".join(words), replace(CLASSICAL, size=size))
    assert len(hashes) == max(0, len(words) - size + 1)


def test_distinct_shingles_have_distinct_hashes() -> None:
    """36^3 three-character shingles of a 32-bit hash meet 0.3 times by chance; one window apart, never."""
    alphabet = "acdefhjkmnpqrtuvwxy347"  # none of which the skeleton makes one
    texts = [a + b + c for a in alphabet for b in alphabet for c in alphabet]
    recipe = replace(DEFAULT, size=3)
    assert len({int(shingle_hashes(text, recipe)[0]) for text in texts}) >= len(texts) - 1


@pytest.mark.parametrize("count", [0, 1, 10_000])
def test_mixing_loses_nothing(count: int) -> None:
    """A bijection: as many values after it as before."""
    assert len(np.unique(mixed(np.arange(count, dtype=np.uint32)))) == count
