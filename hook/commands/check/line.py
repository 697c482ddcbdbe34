"""One line of `check`: what was checked, the result, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hook.log import plain


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Line:
    """`name` is part of the JSON output and does not change; `fix` is empty if there is nothing to do."""

    name: str
    level: Level
    text: str
    fix: str = ""

    def __str__(self) -> str:
        advice = f"\n      {plain(self.fix)}" if self.fix else ""
        return f"{self.level:<4}  {plain(self.text)}{advice}"


def ok(name: str, text: str) -> Line:
    return Line(name, Level.OK, text)


def warn(name: str, text: str, fix: str = "") -> Line:
    return Line(name, Level.WARN, text, fix)


def fail(name: str, text: str, fix: str = "") -> Line:
    return Line(name, Level.FAIL, text, fix)
