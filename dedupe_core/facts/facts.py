"""Facts: the dates, amounts and reference numbers printed on a document, canonical across locales."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from dedupe_core.facts.amounts import find_amounts
from dedupe_core.facts.dates import find_dates
from dedupe_core.facts.references import find_references, near_reference
from dedupe_core.model import Facts
from dedupe_core.text.folding import blank, surroundings_of_digits

__all__ = ["describe_amount", "near_reference", "read_facts"]

# First ones in order of appearance: a bill has ten, a year's statement a hundred amounts; more is a table of
# figures, where the first ones identify as well.
_MAX_DATES, _MAX_AMOUNTS, _MAX_REFERENCES = 64, 256, 64

_T = TypeVar("_T")


def read_facts(content: str) -> Facts:
    """Read the facts of a raw OCR text. Linear in its length, whatever it holds."""
    text = surroundings_of_digits(content)
    lower = text.lower()
    dates, dated = find_dates(lower)
    amounts, priced = find_amounts(blank(lower, dated))
    references = find_references(blank(blank(text, dated), priced))
    return Facts(
        dates=_first_unique(dates, _MAX_DATES),
        amounts=_first_unique(amounts, _MAX_AMOUNTS),
        references=_first_unique(references, _MAX_REFERENCES),
    )


def describe_amount(hundredths: int) -> str:
    """An amount for a person to read: `1234.56`."""
    units, rest = divmod(hundredths, 100)
    return f"{units}.{rest:02}"


def _first_unique(found: Iterable[_T], limit: int) -> tuple[_T, ...]:
    return tuple(islice(dict.fromkeys(found), limit))
