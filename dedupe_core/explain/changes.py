"""Two editions of a document in, what changed in words out: bounded, and never a word of the text itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rapidfuzz.distance import Levenshtein

from dedupe_core.facts.facts import describe_amount, describe_date
from dedupe_core.model import Fingerprint

_COMPARED_WORDS = 6000  # of each side, word by word: some ten milliseconds
_SECTION = 12  # words in a row that only one edition has: less is a phrase, or a line read badly
_BRIDGED = 2  # equal words between two changed runs: "and the" is no reason to count two sections
_SHOWN = 2  # facts of a kind

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Changes:
    """From the older to the newer edition; sections are counted in words, facts are those of one side only."""

    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    reworded: int = 0  # shorter runs of words that are others now
    dates: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    amounts: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def age(found: Fingerprint) -> tuple[str, str, str, int]:
    """What orders editions: the latest date printed, then Paperless's dates. A date after the day on which it
    was added is a deadline, not its date."""
    day = found.added[:10] or "9999"
    return (
        max((date for date in found.facts.dates if date <= day), default=""),
        found.created,
        found.added,
        found.id,
    )


def by_age(editions: Iterable[Fingerprint]) -> list[Fingerprint]:
    """The oldest first; by printed dates only if each has one."""
    found = list(editions)
    start = 0 if all(age(one)[0] for one in found) else 1
    return sorted(found, key=lambda one: age(one)[start:])


def changes(older: Fingerprint, newer: Fingerprint) -> Changes:
    left, right = (tuple(side.text.split()[:_COMPARED_WORDS]) for side in (older, newer))
    added: list[int] = []
    removed: list[int] = []
    reworded = 0
    for gone, come in _runs(left, right):
        if come - gone >= _SECTION:
            added.append(come)
        elif gone - come >= _SECTION:
            removed.append(gone)
        else:
            reworded += 1
    return Changes(
        tuple(added),
        tuple(removed),
        reworded,
        _apart(older.facts.dates, newer.facts.dates),
        _apart(older.facts.amounts, newer.facts.amounts),
    )


def in_words(found: Changes) -> list[str]:
    """`2 sections added (64 words)`, `date 2024-01-01 became 2025-01-01`; a handful of short parts."""
    parts = passages_in_words(found)
    parts.append(
        _facts("date", [describe_date(date) for date in found.dates[0]], map(describe_date, found.dates[1]))
    )
    parts.append(
        _facts(
            "amount",
            [describe_amount(one) for one in found.amounts[0]],
            map(describe_amount, found.amounts[1]),
        )
    )
    return [part for part in parts if part]


def passages_in_words(found: Changes) -> list[str]:
    """Those parts that name nothing of what stands in the documents."""
    parts = [_sections(found.added, "added"), _sections(found.removed, "removed")]
    if found.reworded:
        parts.append(f"{found.reworded} passage{'s' if found.reworded > 1 else ''} reworded")
    return [part for part in parts if part]


def _runs(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Words gone and words come, for each changed run."""
    runs: list[tuple[int, int]] = []
    bridge = _BRIDGED + 1
    for block in Levenshtein.opcodes(left, right):
        gone, come = block.src_end - block.src_start, block.dest_end - block.dest_start
        if block.tag == "equal":
            bridge = gone
        elif runs and bridge <= _BRIDGED:
            runs[-1] = (runs[-1][0] + gone, runs[-1][1] + come)
            bridge = 0
        else:
            runs.append((gone, come))
            bridge = 0
    return runs


def _apart(older: Sequence[_T], newer: Sequence[_T]) -> tuple[tuple[_T, ...], tuple[_T, ...]]:
    return tuple(one for one in older if one not in newer), tuple(one for one in newer if one not in older)


def _sections(words: Sequence[int], what: str) -> str:
    if not words:
        return ""
    count = "a section" if len(words) == 1 else f"{len(words)} sections"
    return f"{count} {what} ({sum(words)} words)"


def _facts(kind: str, older: Sequence[str], newer: Iterable[str]) -> str:
    come = list(newer)
    if len(older) == len(come) == 1:
        return f"{kind} {older[0]} became {come[0]}"
    parts = [f"{_some(come)} added"] if come else []
    parts += [f"{_some(older)} removed"] if older else []
    noun = kind if len(older) + len(come) == 1 else f"{kind}s"
    return f"{noun} {', '.join(parts)}" if parts else ""


def _some(facts: Sequence[str]) -> str:
    more = len(facts) - _SHOWN
    shown = " and ".join(facts[:_SHOWN]) if more <= 0 else ", ".join(facts[:_SHOWN])
    return shown if more <= 0 else f"{shown} and {more} more"
