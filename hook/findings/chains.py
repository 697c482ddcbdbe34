"""The editions of one document in order of age, and the words that say which is the latest. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from dedupe_core.explain.changes import by_age
from dedupe_core.model import Fingerprint, Relation
from hook.findings.findings import Finding

MAX_EDITIONS: Final = 24  # of one document that are looked up


def chained(start: Iterable[int], editions_of: Callable[[int], Iterable[int]]) -> list[int]:
    """These documents and all that are connected with them: the third edition may not resemble the first."""
    found = dict.fromkeys(start)
    for number in (waiting := list(found)):
        for other in editions_of(number):
            if other not in found and len(found) < MAX_EDITIONS:
                found[other] = None
                waiting.append(other)
    return list(found)


def latest_of(editions: Iterable[Fingerprint]) -> int:
    return by_age(editions)[-1].id


def chain_in_words(subject: Fingerprint, others: Sequence[Fingerprint]) -> str:
    """`#90 is the latest of 3`, or `#90 is newer` if there are two; empty if there is only one."""
    if not others:
        return ""
    latest = latest_of([subject, *others])
    return f"#{latest} is newer" if len(others) == 1 else f"#{latest} is the latest of {len(others) + 1}"


def with_chain(
    findings: Sequence[Finding], subject: Fingerprint, others: Sequence[Fingerprint]
) -> tuple[Finding, ...]:
    """Adds the words to the first revision only: the other lines of a note need not repeat them."""
    words = chain_in_words(subject, others)
    first = next((n for n, one in enumerate(findings) if one.relation is Relation.REVISION), None)
    if first is None or not words:
        return tuple(findings)
    found = findings[first]
    return (*findings[:first], replace(found, reason=f"{words}; {found.reason}"), *findings[first + 1 :])
