"""Small papers for tests: lines printed on a page, shifted and turned as a scanner does, and opened as files are."""

from __future__ import annotations

import math

from tests.hook.ink.hostile import one_page, stream

LETTER = (
    "Harbour Water Company Limited",
    "12 Quay Street, Port Ellen PE4 9TR",
    "Invoice number 20231184 of 14 March 2024",
    "Dear Mr Macdonald, please find below the charges",
    "for the water that was delivered to your house.",
    "Standing charge for the quarter 38.20",
    "Metered supply, 62 cubic metres 119.40",
    "Repair of the stop valve 47.15",
    "Total to be paid by 30 April 2024 204.75",
    "Account 63021607, sort code 04-57-35.",
    "Thank you for paying in time.",
)


def paper(
    lines: tuple[str, ...] = LETTER,
    *,
    turn: float = 0.0,
    x: float = 72.0,
    y: float = 720.0,
    size: float = 12.0,
    last_first: bool = False,
    stain: tuple[float, float, float, float] | None = None,
) -> bytes:
    """A PDF; `turn` in degrees about the lower left corner. `last_first`: the last line comes first in the text layer.
    `stain` is black: its lower left corner, width and height."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    rows = [b"(%s) Tj T*" % line.replace("(", "\\(").replace(")", "\\)").encode("latin-1") for line in lines]
    if last_first:
        down = b"0 %.1f Td " % (-1.5 * size * (len(rows) - 1))
        rows = [down + rows[-1], b"0 %.1f Td" % (1.5 * size * len(rows)), *rows[:-1]]
    text = f"q {cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} 0 0 cm BT /F1 {size} Tf {1.5 * size} TL {x} {y} Td ".encode()
    black = b" %.1f %.1f %.1f %.1f re f" % stain if stain else b""
    return one_page(stream(text + b" ".join(rows) + b" ET Q" + black))


def words(lines: tuple[str, ...] = LETTER) -> tuple[str, ...]:
    return tuple(" ".join(lines).split())


def replaced(old: str, new: str, lines: tuple[str, ...] = LETTER) -> tuple[str, ...]:
    return tuple(line.replace(old, new) for line in lines)
