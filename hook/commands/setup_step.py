"""What setup reports of each thing that it sees to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that setup sees to; `advice` where a person has to do something."""

    kind: str
    name: str
    created: bool
    advice: str = ""
