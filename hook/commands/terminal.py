"""Text for a terminal: wrapped to its width, with the continuation indented."""

from __future__ import annotations

import shutil
import textwrap
from typing import Final

NARROWEST: Final = 40
WIDEST: Final = 120  # longer lines are hard to read


def width() -> int:
    """Of the terminal, or what COLUMNS says; 80 in a pipe."""
    return min(WIDEST, max(NARROWEST, shutil.get_terminal_size().columns))


def wrapped(text: str, indent: str = "", columns: int | None = None) -> str:
    """A word that is longer than a line, such as an address, is not broken: it could not be clicked."""
    return textwrap.fill(
        text,
        columns or width(),
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
