"""Words on pages, registration, and the likeness of ink: each by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dedupe_core.compare.spans import Span
from hook.ink.likeness import likeness
from hook.ink.located import Spot, locate
from hook.ink.pages.page import Box, Page, Pixels, Word
from hook.ink.places import Places
from hook.ink.raster import sheet_of
from hook.ink.registration import inverse, projected, register

IDENTITY = np.array([[1.0, 0, 0], [0, 1.0, 0]])


def _page(*rows: str) -> Page:
    """Words of ten points a letter, rows of twenty points."""
    words = [
        Word(
            word,
            Box(10.0 * line.index(word), 20.0 * row, 10.0 * (line.index(word) + len(word)), 20.0 * row + 12),
        )
        for row, line in enumerate(rows)
        for word in line.split()
    ]
    return Page(600, 800, tuple(words))


def test_a_word_broken_at_the_end_of_a_line_has_two_spots() -> None:
    found = locate(["the", "verfahrensdauern", "are"], [_page("the Verfahrens-", "dauern are")])
    assert [len(spots) for spots in found.spots] == [1, 2, 1]
    assert found.only(1) is None and found.share == 1


def test_a_word_that_is_found_at_that_of_another_names_its_partner() -> None:
    """The last line was read first. The texts have the first words of both as partners, and the pages have not: who is found
    at the first line asks where its word is; a word that is open itself has no partner."""
    page = _page("Thank harbour water", "alpha bravo carol delta", "Thank you")
    words = [word.text for word in page.words]
    again = replace(page, words=page.words[-2:] + page.words[:-2])
    spans = Span(1, 1, 1, 3), Span(7, 9, 9, 9)
    places = Places(words, [word.text for word in again.words], [page], [again], spans)
    assert places.displaced(Spot(0, page.words[0].box), flip=True) == [Spot(0, again.words[0].box)]
    assert places.displaced(Spot(0, page.words[-1].box), flip=True) == []
    contrary = Places(
        words, [word.text for word in again.words], [page], [again], [Span(0, 0, 0, 2), spans[1]]
    )
    assert contrary.displaced(Spot(0, page.words[0].box), flip=True) == [None]


@pytest.mark.parametrize("wrong", [0.0, 0.3, 0.45])
def test_a_homography_is_found_among_wrong_pairs(wrong: float) -> None:
    """Up to almost half of the words may be paired wrongly."""
    rng = np.random.default_rng(3)
    source = rng.uniform(0, 600, (80, 2))
    matrix = np.array([[1.02, 0.03, 5], [-0.02, 0.99, -8], [2e-5, -3e-5, 1]])
    target = projected(matrix, source) + rng.normal(0, 0.3, (80, 2))
    target[: int(80 * wrong)] = rng.uniform(0, 600, (int(80 * wrong), 2))
    found = register(source, target)
    assert found is not None
    assert np.abs(found.mapped(source[60:]) - projected(matrix, source[60:])).max() < 1.0
    back = inverse(found).mapped(found.mapped(source[60:]))
    assert np.abs(back - source[60:]).max() < 1e-6
    here = source[70]
    assert np.abs(found.local(*here) @ np.array([*here, 1.0]) - target[70]).max() < 1.0


def test_words_without_a_common_plane_are_not_registered() -> None:
    rng = np.random.default_rng(4)
    assert register(rng.uniform(0, 600, (60, 2)), rng.uniform(0, 600, (60, 2))) is None
    few = rng.uniform(0, 600, (3, 2))
    assert register(few, few) is None


def _pixels(grey: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Pixels:
    rows, columns = grey.shape
    return Pixels(columns, rows, columns, 200 / 72, np.clip(grey, 0, 255).astype(np.uint8).tobytes())


def _strokes(seed: int = 1) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Something like a line of letters on a page of 200 x 400 pixels."""
    rng = np.random.default_rng(seed)
    page = np.full((200, 400), 255.0)
    for x in range(60, 340, 18):
        for _ in range(3):
            top, left = 80 + rng.integers(0, 20), x + rng.integers(0, 10)
            page[top : top + rng.integers(3, 14), left : left + rng.integers(2, 9)] = 20
    return page


PLACE = Box(60 * 0.36, 78 * 0.36, 340 * 0.36, 112 * 0.36)


def test_the_same_ink_is_alike_under_another_light_and_shifted() -> None:
    """Darker paper, a shadow over the page and two pixels beside it: what a second scan does."""
    page = _strokes()
    other = np.roll(page, (2, -2), axis=(0, 1)) * np.linspace(0.6, 0.9, 400)[None, :] + 10
    found = likeness(sheet_of(_pixels(page)), sheet_of(_pixels(other)), IDENTITY, PLACE)
    assert found.windows > 0.95 and found.blots > 0.9


def test_a_stroke_that_only_one_side_has_shows() -> None:
    page = _strokes()
    other = page.copy()
    other[84:92, 200:206] = 20 if other[84:92, 200:206].mean() > 128 else 255
    found = likeness(sheet_of(_pixels(page)), sheet_of(_pixels(other)), IDENTITY, PLACE)
    assert found.blots < 0.6


def test_two_blank_places_are_alike_and_a_blank_one_is_not_like_a_word() -> None:
    blank = sheet_of(_pixels(np.full((200, 400), 250.0)))
    assert likeness(blank, blank, IDENTITY, PLACE).windows > 0.99
    assert likeness(sheet_of(_pixels(_strokes())), blank, IDENTITY, PLACE).windows < 0.3


@pytest.mark.parametrize("at", [(-9, 5, -2, 20), (5, -9, 20, -1), (61, 5, 70, 20), (5, 81, 20, 90)])
def test_beyond_the_edge_there_is_paper(at: tuple[int, int, int, int]) -> None:
    """Also within the few pixels that are read around a crop to blur it."""
    black = Pixels(60, 80, 60, 1.0, bytes(60 * 80))
    ink = sheet_of(black).ink(*at)
    assert ink.shape == (at[3] - at[1], at[2] - at[0]) and not ink.any()
