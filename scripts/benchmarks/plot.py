"""A plot with logarithmic axes as SVG, written by hand: no library for a dozen lines and points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 40, 50
COLOURS = ("#0b5fa5", "#b3541e", "#4a7c2c", "#7a3e9d", "#555555")

Points = Sequence[tuple[float, float]]


def log_log(title: str, across: str, up: str, series: Mapping[str, Points]) -> str:
    """A line for each series; the axes begin and end at powers of ten."""
    points = [point for one in series.values() for point in one]
    x, y = (_Axis.over([point[place] for point in points]) for place in (0, 1))
    body = [_text(LEFT, TOP - 16, title, "bold"), *_grid(x, y), _text(LEFT, HEIGHT - 8, across)]
    body.append(_text(8, TOP - 16, up))
    for number, (name, found) in enumerate(series.items()):
        body += _line(name, found, x, y, COLOURS[number % len(COLOURS)], number)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<title>{escape(title)}</title>\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


class _Axis:
    """Powers of ten from `first` to `last`."""

    def __init__(self, first: int, last: int) -> None:
        self.first, self.last = first, max(last, first + 1)

    @classmethod
    def over(cls, values: Sequence[float]) -> _Axis:
        return cls(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))))

    def place(self, value: float, start: float, end: float) -> float:
        return start + (math.log10(value) - self.first) / (self.last - self.first) * (end - start)


def _grid(x: _Axis, y: _Axis) -> list[str]:
    lines = []
    for power in range(x.first, x.last + 1):
        at = x.place(10.0**power, LEFT, WIDTH - RIGHT)
        lines.append(_stroke(at, TOP, at, HEIGHT - BOTTOM, "#dddddd", 1))
        lines.append(_text(at - 10, HEIGHT - BOTTOM + 16, f"{10.0**power:g}"))
    for power in range(y.first, y.last + 1):
        at = y.place(10.0**power, HEIGHT - BOTTOM, TOP)
        lines.append(_stroke(LEFT, at, WIDTH - RIGHT, at, "#dddddd", 1))
        lines.append(_text(14, at + 4, f"{10.0**power:g}"))
    return lines


def _line(name: str, points: Points, x: _Axis, y: _Axis, colour: str, number: int) -> list[str]:
    placed = [
        (x.place(a, LEFT, WIDTH - RIGHT), y.place(b, HEIGHT - BOTTOM, TOP)) for a, b in points if a > 0 < b
    ]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in placed)
    at = TOP + 18 * number + 10
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in placed),
        _stroke(WIDTH - RIGHT + 16, at - 4, WIDTH - RIGHT + 36, at - 4, colour, 2),
        _text(WIDTH - RIGHT + 42, at, name),
    ]


def _stroke(a: float, b: float, c: float, d: float, colour: str, width: int) -> str:
    return f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _text(x: float, y: float, text: str, weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-weight="{weight}">{escape(text)}</text>'
