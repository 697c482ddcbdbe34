"""Text for a terminal: wrapped to its width, aligned in columns, in colour only where a person looks."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any, Final

SCHEMA: Final = 1
NARROWEST: Final = 40
WIDEST: Final = 120  # longer lines are hard to read
GREEN: Final = "32"
YELLOW: Final = "33"
RED: Final = "31"


def print_json(fields: Mapping[str, Any], *, indent: int | None = None) -> None:
    """An object of a --json output; "schema" says by which rules its names are to be read."""
    print(json.dumps({"schema": SCHEMA, **fields}, ensure_ascii=False, indent=indent))


def width() -> int:
    """Of the terminal, or what COLUMNS says; 80 in a pipe."""
    return min(WIDEST, max(NARROWEST, shutil.get_terminal_size().columns))


def wrapped(text: str, indent: str = "") -> str:
    """A word that is longer than a line, such as an address, is not broken: it could not be clicked."""
    return hanging(indent + text, len(indent) + 2)


def fitted(text: str, indent: str = "") -> str:
    """Wrapped where a person looks; in one line where a program reads."""
    return wrapped(text, indent) if sys.stdout.isatty() else indent + text


def hanging(text: str, margin: int) -> str:
    """Wrapped, with so many columns before all lines but the first."""
    return textwrap.fill(
        text,
        width(),
        subsequent_indent=" " * margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def paragraphs(text: str) -> str:
    """A docstring: paragraphs are wrapped; a line that is indented begins anew, as a row of a table does."""
    parts = re.split(r"\n(?=\n| {2}\S)", text.strip())
    return "\n".join("\n" * part.startswith("\n") + _paragraph(part.strip("\n")) for part in parts)


def _paragraph(part: str) -> str:
    row = re.match(r" {2}\S.*? {2,}(?=\S)", part)
    return hanging(re.sub(r"\s*\n\s*", " ", part), len(row[0]) if row else 0)


def coloured(text: str, colour: str) -> str:
    """Bold in this colour on a terminal, unless NO_COLOR is set (no-color.org)."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[1;{colour}m{text}\x1b[0m"
