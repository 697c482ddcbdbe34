"""Text from outside made fit for one line of a log or a note."""

from __future__ import annotations

import unicodedata
from typing import Final

LINE_CHARACTERS: Final = 1000


def plain(text: str, limit: int = LINE_CHARACTERS) -> str:
    """One line without control characters, invisible ones or a change of writing direction; bounded."""
    shown = "".join(map(_shown, text[: 4 * limit]))
    line = " ".join(shown.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""  # zero-width and direction marks
    return " " if category[0] == "C" or category in ("Zl", "Zp") else character
