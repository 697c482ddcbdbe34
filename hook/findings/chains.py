"""Editions of one document in their order, and the words in which a note says which is the latest. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from dedupe_core.explain.changes import by_age
from dedupe_core.model import Fingerprint, Relation
from hook.findings.findings import Finding

LONGEST = 24  # editions of one document that are looked at


def chained(start: Iterable[int], editions_of: Callable[[int], Iterable[int]]) -> list[int]:
    """These documents and all that hang together with them: the third edition may be unlike the first."""
    found = dict.fromkeys(start)
    for number in (waiting := list(found)):
        for other in editions_of(number):
            if other not in found and len(found) < LONGEST:
                found[other] = None
                waiting.append(other)
    return list(found)


def latest_of(editions: Iterable[Fingerprint]) -> int:
    return by_age(editions)[-1].id


def chain_in_words(subject: Fingerprint, others: Sequence[Fingerprint]) -> str:
    """`#90 is the latest of 3`; of two `#90 is the newer one`; nothing of one alone."""
    if not others:
        return ""
    latest = latest_of([subject, *others])
    return (
        f"#{latest} is the newer one" if len(others) == 1 else f"#{latest} is the latest of {len(others) + 1}"
    )


def with_chain(
    findings: Sequence[Finding], subject: Fingerprint, others: Sequence[Fingerprint]
) -> tuple[Finding, ...]:
    """Said once, with the first edition that is found: the other lines of a note need not repeat it."""
    words = chain_in_words(subject, others)
    first = next((n for n, one in enumerate(findings) if one.relation is Relation.REVISION), None)
    if first is None or not words:
        return tuple(findings)
    found = findings[first]
    return (*findings[:first], replace(found, reason=f"{words}; {found.reason}"), *findings[first + 1 :])
