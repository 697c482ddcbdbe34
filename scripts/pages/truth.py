"""Whether a place is truly different: known from the papers that were printed, by position."""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.spans import Span
from dedupe_core.text.words import word_key
from hook.ink.located import Located
from hook.ink.pages.page import Box, Word
from hook.ink.pages.paper import Paper
from hook.ink.registration import projected
from scripts.pages.cases import Case, Scan

SECONDS = 600.0  # for a file: on a busy machine the time of the product may be too short
_COVERED = 0.4  # of the smaller of two boxes


class Truth:
    def __init__(self, case: Case) -> None:
        left, right = _words(case.left), _words(case.right)
        x, y = ([word_key(word.text) for _, word in side] for side in (left, right))
        changed: tuple[list[int], list[int]] = ([], [])
        for op in Levenshtein.opcodes(x, y):
            if op.tag != "equal":
                changed[0].extend(range(op.src_start, op.src_end))
                changed[1].extend(range(op.dest_start, op.dest_end))
        self._left = [_moved(case.left, *left[n]) for n in changed[0]]
        self._right = [_moved(case.right, *right[n]) for n in changed[1]]

    def differs(self, span: Span, left: Located, right: Located) -> bool:
        a, b, c, d = span
        here = [spot for found in left.spots[a:b] for spot in found]
        there = [spot for found in right.spots[c:d] for spot in found]
        return any(
            spot.page == page and _covers(spot.box, box) for spot in here for page, box in self._left
        ) or any(spot.page == page and _covers(spot.box, box) for spot in there for page, box in self._right)


def _words(scan: Scan) -> list[tuple[int, Word]]:
    with Paper(scan.paper, seconds=SECONDS) as paper:
        return [
            (number, word)
            for number, page in enumerate(paper.pages)
            for word in page.words
            if word_key(word.text)
        ]


def _moved(scan: Scan, page: int, word: Word) -> tuple[int, Box]:
    """Where the scanner put it."""
    box = word.box
    if not scan.matrices:
        return page, box
    corners = projected(
        scan.matrices[page], np.array([(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)])
    )
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return page, Box(float(x0), float(y0), float(x1), float(y1))


def _covers(one: Box, other: Box) -> bool:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    if width <= 0 or height <= 0:
        return False
    smaller = min(one.width * one.height, other.width * other.height)
    return width * height > _COVERED * smaller
