"""The editions of one document: those in a chain, in order of age, and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Fingerprint, Relation, Statement, StatementKind
from hook.findings.findings import Finding

MAX_EDITIONS: Final = 24  # of one document that are looked up


def chained(start: Iterable[int], editions_of: Callable[[int], Iterable[int]]) -> list[int]:
    """These documents and all that are connected with them: the third edition may not resemble the first."""
    chain = list(dict.fromkeys(start))
    for number in chain:
        for other in editions_of(number):
            if other not in chain and len(chain) < MAX_EDITIONS:
                chain.append(other)
    return chain


def latest_of(editions: Iterable[Fingerprint]) -> int:
    return by_age(editions)[-1].id


def latest_edition(subject: Fingerprint, others: Sequence[Fingerprint]) -> Statement:
    """`#90 is the latest of 3`, or `#90 is newer` if there are two."""
    latest = (latest_of([subject, *others]),)
    if len(others) == 1:
        return Statement(StatementKind.NEWER, documents=latest)
    return Statement(StatementKind.LATEST, counts=(len(others) + 1,), documents=latest)


def with_chain(
    findings: Sequence[Finding], subject: Fingerprint, others: Sequence[Fingerprint]
) -> tuple[Finding, ...]:
    """Says so of the first revision only: the other lines of a note need not repeat it."""
    first = next((n for n, finding in enumerate(findings) if finding.relation is Relation.REVISION), None)
    if first is None or not others:
        return tuple(findings)
    said = (latest_edition(subject, others), *findings[first].statements)
    return (*findings[:first], replace(findings[first], statements=said), *findings[first + 1 :])
