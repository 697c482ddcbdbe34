"""What `check` says: what was checked, the result, and what to do about it; shown in three groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

from hook.commands.terminal import GREEN, RED, YELLOW, coloured, fitted
from hook.log import plain


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Line:
    """`name` is part of the JSON output and does not change; `fix` is empty if there is nothing to do."""

    name: str
    text: str
    fix: str = ""
    level: Level = Level.OK


ok = Line
warn = partial(Line, level=Level.WARN)
fail = partial(Line, level=Level.FAIL)


_GROUPS: Final = {
    Level.OK: ("OK", GREEN),
    Level.WARN: ("Look at this", YELLOW),
    Level.FAIL: ("Broken", RED),
}


def grouped(lines: Iterable[Line], *, quiet: bool = False) -> Iterator[str]:
    """What is broken comes last, where a person looks first. `quiet`: without what is ok."""
    lines = list(lines)
    for level, (title, colour) in _GROUPS.items():
        shown = [line for line in lines if line.level is level]
        if shown and not (quiet and level is Level.OK):
            yield coloured(title, colour)
            for line in shown:
                yield fitted(plain(line.text), "  ")
                if line.fix:
                    yield fitted(plain(line.fix), "    ")
