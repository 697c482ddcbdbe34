"""Text as lines on paper, and the order in which a reader meets them: rows of a table, or one column after the other."""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass

PAGE = "--- page"
CELL = "||"
BROKEN = 0.1  # of the tables lose their last column from some row on; it is read after the others


@dataclass(frozen=True, slots=True)
class Layout:
    """How one sender prints."""

    width: int  # characters a line
    gap: str  # between the cells of a row in a digital text
    leaders: bool  # dots between a label and its value
    colons: bool
    blank_lines: bool  # kept in a digital text
    indent: str

    @classmethod
    def draw(cls, rng: random.Random) -> Layout:
        return cls(
            rng.choice((62, 70, 76, 84, 92, 104, 116)), rng.choice((" ", " ", "  ", "      ")), rng.random() < 0.12,
            rng.random() < 0.5, rng.random() < 0.5, rng.choice(("", "", "", "   ")),
        )  # fmt: skip


def pages(text: str) -> list[str]:
    return [page.strip("\n") for page in text.split(PAGE)]


def printed(text: str, layout: Layout, *, wrap: bool = True) -> list[list[str]]:
    """Rows of cells; prose is wrapped at the width of the paper."""
    rows: list[list[str]] = []
    for line in text.split("\n"):
        if CELL in line:
            rows.append([cell.strip() for cell in line.split(CELL)])
        elif wrap and len(line) > layout.width:
            rows.extend([part] for part in textwrap.wrap(line, layout.width, break_on_hyphens=False))
        else:
            rows.append([line.strip()])
    return [_labelled(row, layout) for row in rows]


def _labelled(row: list[str], layout: Layout) -> list[str]:
    if len(row) != 2 or not row[0] or not row[0][-1].isalpha():
        return row
    if layout.leaders:
        return [row[0] + " " + "." * max(3, 40 - len(row[0])), row[1]]
    return [row[0] + ":", row[1]] if layout.colons and len(row[0]) < 30 else row


def digital(rows: list[list[str]], layout: Layout) -> list[str]:
    """What a text layer gives: row by row."""
    lines = [layout.indent + layout.gap.join(filter(None, row)) for row in rows]
    return lines if layout.blank_lines else [line for line in lines if line.strip()]


def read(rows: list[list[str]], rng: random.Random, by_column: float = 0.22, loose: float = 0.3) -> list[str]:
    """What a scan gives: tables row by row or, `by_column` of them, one column after the other; loose blank lines.

    Some are read in two parts: from a row on, the last column comes after the others.
    """
    columns, broken = rng.random() < by_column, rng.random() < BROKEN
    lines: list[str] = []
    for block in _blocks(rows):
        table = len(block) > 1 and len(block[0]) > 1
        if table and columns:
            for column in range(max(map(len, block))):
                lines += [row[column] for row in block if len(row) > column] + [""]
            continue
        at = rng.randrange(len(block)) if table and broken else len(block)
        lines += [" ".join(filter(None, row)) for row in block[:at]]
        lines += [" ".join(filter(None, row[:-1])) for row in block[at:]] + [row[-1] for row in block[at:]]
    return _spaced(lines, rng, loose)


def _blocks(rows: list[list[str]]) -> list[list[list[str]]]:
    """Consecutive rows of several cells are one table."""
    found: list[list[list[str]]] = []
    for row in rows:
        if found and len(found[-1][-1]) > 1 and len(row) > 1:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _spaced(lines: list[str], rng: random.Random, loose: float) -> list[str]:
    """Single blank lines as an OCR gives them, also where there was a little more space."""
    often = rng.random() * loose
    out: list[str] = []
    for line in lines:
        if line.strip():
            if out and out[-1] and rng.random() < often:
                out.append("")
            out.append(line.strip())
        elif out and out[-1] and rng.random() > 0.1:
            out.append("")
    return out
