"""Makes text from outside safe for one line of a log, a table or a note."""

from __future__ import annotations

import unicodedata
from typing import Final

LINE_CHARACTERS: Final = 1000
TITLE_CHARACTERS: Final = 80  # of a title that is quoted in a note


def plain(text: str, limit: int = LINE_CHARACTERS) -> str:
    """One line of bounded length, without control characters, invisible characters or direction marks."""
    shown = "".join(map(_shown, text[: 4 * limit]))
    line = " ".join(shown.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""  # zero-width and direction marks
    return " " if category[0] == "C" or category in ("Zl", "Zp") else character
