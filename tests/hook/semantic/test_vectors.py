"""Vectors in the index: found again, replaced, removed, never mixed with those of another model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.errors import ModelMismatch
from hook.examination.archive import Archive
from hook.semantic.embedder import Vector, normalised
from hook.semantic.vectors import Vectors

HASH = b"12345678" * 4


def some(count: int, dimension: int = 512, seed: int = 1) -> Vector:
    """Vectors with structure: in a space of 40 directions, as those of texts are."""
    random = np.random.default_rng(seed)
    return normalised(random.standard_normal((count, 40)) @ random.standard_normal((40, dimension)))


def test_the_nearest_are_found(archive: Archive) -> None:
    """As an exact search finds them, over several blocks of codes."""
    vectors, stored = Vectors(archive.index, "m"), some(700)
    with archive.batch():
        for number, vector in enumerate(stored):
            vectors.put(number, HASH, vector)
    for asked in (3, 255, 256, 699):
        exact = np.argsort(-(stored @ stored[asked]))[1:6]
        found = [near.id for near in vectors.nearest(stored[asked], 5, but=asked)]
        assert found == list(exact)


def test_vectors_are_replaced_and_removed(archive: Archive) -> None:
    """A document is there once, with the vector of its last text, whose cosine half precision keeps to three digits."""
    vectors, stored = Vectors(archive.index, "m"), some(4)
    for number in range(3):
        vectors.put(number, HASH, stored[number])
    vectors.put(0, b"other" * 8, stored[3])
    assert (vectors.get(0, HASH), len(vectors)) == (None, 3)
    assert vectors.get(0, b"other" * 8) is not None
    first, *_ = near = vectors.nearest(stored[3], 5)
    assert (first.id, len(near)) == (0, 3)
    cosines = {one.id: one.cosine for one in near}
    assert cosines[1] == pytest.approx(float(stored[1] @ stored[3]), abs=2e-3)
    vectors.remove(1)
    vectors.remove(77)
    assert vectors.get(1, HASH) is None
    assert {one.id for one in vectors.nearest(stored[1], 5)} == {0, 2}


def test_another_process_sees_them(tmp_path: Path) -> None:
    """What was put is in the file, and survives a rebuild of the documents."""
    stored = some(1)
    with Archive.open(tmp_path / "index", RECIPE, POLICY) as archive:
        Vectors(archive.index, "m").put(7, HASH, stored[0])
    with Archive.open(tmp_path / "index", RECIPE, POLICY, empty=True) as archive:
        assert [near.id for near in Vectors(archive.index, "m").nearest(stored[0], 1)] == [7]


def test_another_model_or_length_is_refused(archive: Archive) -> None:
    """The message names both models and the command; after `clear`, the new one is stored."""
    Vectors(archive.index, "one 1.0").put(1, HASH, some(1)[0])
    other = Vectors(archive.index, "two 2.0")
    with pytest.raises(ModelMismatch, match=r"one 1\.0 \(512 dimensions\).*two 2\.0.*backfill --embeddings"):
        other.put(2, HASH, some(1)[0])
    with pytest.raises(ModelMismatch):
        Vectors(archive.index, "one 1.0").check_model(256)
    other.clear()
    other.put(2, HASH, some(1, 256)[0])
    assert list(other.ids()) == [2]
