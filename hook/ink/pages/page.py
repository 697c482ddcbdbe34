"""Words with their boxes, pages and their pixels: the values that are passed around. Points, from the top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

POINTS_PER_INCH = 72.0


class Box(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def joined(self, other: Box) -> Box:
        return Box(
            min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1)
        )

    def grown(self, dx: float, dy: float) -> Box:
        return Box(self.x0 - dx, self.y0 - dy, self.x1 + dx, self.y1 + dy)

    def is_beside(self, other: Box) -> bool:
        """True if the two are on one line: half of the smaller height is common to both."""
        common = min(self.y1, other.y1) - max(self.y0, other.y0)
        return common > 0.5 * min(self.height, other.height)


class Word(NamedTuple):
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Page:
    width: float
    height: float
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Pixels:
    """A grey page: a byte a pixel, 255 is white; rows have `stride` bytes."""

    width: int
    height: int
    stride: int
    scale: float  # pixels a point
    data: bytes
