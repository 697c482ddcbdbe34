"""Pages without text: the same picture scanned again looks the same, another one does not."""

from __future__ import annotations

import numpy as np
import pytest

from hook.ink.pages.page import Pixels
from hook.ink.pictures.compare import CANDIDATE_BITS, LOOKS_THE_SAME, alike, perceptual_hash, reduced

Grey = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def drawing(seed: int) -> Grey:
    """Boxes and bars on white paper."""
    rng = np.random.default_rng(seed)
    page = np.full((560, 400), 250.0)
    for _ in range(25):
        y, x = rng.integers(20, 480), rng.integers(20, 330)
        page[y : y + rng.integers(4, 70), x : x + rng.integers(4, 60)] = rng.integers(0, 200)
    return page


def _scanned(page: Grey, seed: int) -> Pixels:
    """Moved a little, darker towards a side, grainy."""
    rng = np.random.default_rng(seed)
    moved = np.roll(page, (3, -4), axis=(0, 1)) * np.linspace(0.85, 1, page.shape[1])[None, :]
    grey = np.clip(moved + rng.normal(0, 6, page.shape), 0, 255).astype(np.uint8)
    return Pixels(page.shape[1], page.shape[0], page.shape[1], 1.0, grey.tobytes())


@pytest.mark.parametrize("seed", range(4))
def test_a_picture_scanned_again_looks_the_same(seed: int) -> None:
    first, second = _scanned(drawing(seed), 10), _scanned(drawing(seed)[:, :], 20)
    assert (perceptual_hash(first) ^ perceptual_hash(second)).bit_count() <= CANDIDATE_BITS
    assert alike(reduced(first), reduced(second)) >= LOOKS_THE_SAME


@pytest.mark.parametrize("seed", range(4))
def test_another_picture_does_not(seed: int) -> None:
    first, second = _scanned(drawing(seed), 10), _scanned(drawing(seed + 100), 20)
    assert alike(reduced(first), reduced(second)) < LOOKS_THE_SAME


def test_blank_pages_look_like_nothing() -> None:
    blank = _scanned(np.full((560, 400), 250.0), 1)
    assert alike(reduced(blank), reduced(blank)) == 0
