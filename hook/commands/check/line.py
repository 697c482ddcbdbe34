"""What `check` says: what was checked, the result, and what to do about it; shown in three groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hook.commands.terminal import GREEN, RED, YELLOW, coloured, wrapped
from hook.log import plain


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Line:
    """`name` is part of the JSON output and does not change; `fix` is empty if there is nothing to do; a detail is shown
    if it is asked for."""

    name: str
    level: Level
    text: str
    fix: str = ""
    is_detail: bool = False


_GROUPS: Final = {
    Level.OK: ("OK", GREEN),
    Level.WARN: ("Look at this", YELLOW),
    Level.FAIL: ("Broken", RED),
}


def grouped(lines: Iterable[Line], *, verbose: bool = False, quiet: bool = False) -> Iterator[str]:
    """What is broken comes last, where a person looks first. `quiet`: without what is ok."""
    lines = list(lines)
    for level, (title, colour) in _GROUPS.items():
        shown = [line for line in lines if line.level is level and (verbose or not line.is_detail)]
        if shown and not (quiet and level is Level.OK):
            yield coloured(title, colour)
            for line in shown:
                yield wrapped(plain(line.text), "  ")
                if line.fix:
                    yield wrapped(plain(line.fix), "    ")


def ok(name: str, text: str, *, is_detail: bool = False) -> Line:
    return Line(name, Level.OK, text, is_detail=is_detail)


def warn(name: str, text: str, fix: str = "") -> Line:
    return Line(name, Level.WARN, text, fix)


def fail(name: str, text: str, fix: str = "") -> Line:
    return Line(name, Level.FAIL, text, fix)
