"""Papers of an invented household, and those of verdicts that were wrong: templates with their blanks, and letters that stand
alone. Each is in a text file, under a line `##### NAME`."""

from __future__ import annotations

import re
from pathlib import Path


def texts(file: str) -> dict[str, str]:
    parts = re.split(r"^##### (.+)\n", Path(__file__).with_name(file).read_text("utf-8"), flags=re.MULTILINE)
    return {name: text.removesuffix("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


PAPERS = texts("papers.txt")
COURSE_DE, COURSE_EN = PAPERS["course-de"], PAPERS["course-en"]
BACKGROUND = {
    name.removeprefix("background/"): text for name, text in PAPERS.items() if name.startswith("background/")
}
