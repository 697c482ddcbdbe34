"""One line of `check`: what was looked at, how it stands, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Line:
    """`name` is stable (JSON readers depend on it); `fix` is empty where nothing is to be done."""

    name: str
    level: Level
    text: str
    fix: str = ""

    def __str__(self) -> str:
        advice = f"\n      {self.fix}" if self.fix else ""
        return f"{self.level:<4}  {self.text}{advice}"


def ok(name: str, text: str) -> Line:
    return Line(name, Level.OK, text)


def warn(name: str, text: str, fix: str = "") -> Line:
    return Line(name, Level.WARN, text, fix)


def fail(name: str, text: str, fix: str = "") -> Line:
    return Line(name, Level.FAIL, text, fix)
