"""Editions of a document in order of age."""

from __future__ import annotations

from collections.abc import Iterable

from dedupe_core.model import Fingerprint


def age(edition: Fingerprint) -> tuple[str, str, str, int]:
    """What orders editions: the latest date printed, then Paperless's dates. A date after the day on which it
    was added is a deadline, not its date."""
    day = edition.added[:10] or "9999"
    latest = max((date for date in edition.facts.dates if date <= day), default="")
    return latest, edition.created, edition.added, edition.id


def by_age(editions: Iterable[Fingerprint]) -> list[Fingerprint]:
    """The oldest first; by printed dates only if each has one."""
    known = list(editions)
    start = 0 if all(age(edition)[0] for edition in known) else 1
    return sorted(known, key=lambda edition: age(edition)[start:])
