"""The facts of two documents side by side: what a person compares where the texts have no words in common. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dedupe_core.model import Facts, Fingerprint

MOST_FACTS: Final = 40  # of a pair: more are not read
FACT_CHARACTERS: Final = 40


@dataclass(frozen=True, slots=True)
class FactRow:
    """One date, amount or reference; a side that lacks it is empty."""

    kind: str
    left: str
    right: str

    @property
    def agrees(self) -> bool:
        return bool(self.left and self.right)


def facts_of(left: Fingerprint, right: Fingerprint) -> tuple[FactRow, ...]:
    """By kind: those of both first, in the order in which they are printed."""
    rows = [
        row
        for (kind, here), (_, there) in zip(_kinds(left.facts), _kinds(right.facts), strict=True)
        for row in _rows(kind, here, there)
    ]
    return tuple(sorted(rows, key=lambda row: not row.agrees)[:MOST_FACTS])


def _rows(kind: str, left: Sequence[str], right: Sequence[str]) -> Iterator[FactRow]:
    for value in left:
        yield FactRow(kind, value, value if value in right else "")
    yield from (FactRow(kind, "", value) for value in right if value not in left)


def _kinds(facts: Facts) -> list[tuple[str, list[str]]]:
    amounts = [f"{amount // 100}.{amount % 100:02d}" for amount in facts.amounts]
    kinds = (("Date", facts.dates), ("Amount", amounts), ("Reference", facts.references))
    return [(kind, list(dict.fromkeys(one[:FACT_CHARACTERS] for one in values))) for kind, values in kinds]
