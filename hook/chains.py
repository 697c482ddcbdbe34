"""Editions of one document in their order, and the words in which a note says which is the latest. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dedupe_core.changes import by_age
from dedupe_core.model import Fingerprint


def latest_of(editions: Iterable[Fingerprint]) -> int:
    return by_age(editions)[-1].id


def chain_in_words(subject: Fingerprint, others: Sequence[Fingerprint]) -> str:
    """`#90 is the latest of 3`; of two `#90 is the newer one`; nothing of one alone."""
    if not others:
        return ""
    latest = latest_of([subject, *others])
    return f"#{latest} is the newer one" if len(others) == 1 else f"#{latest} is the latest of {len(others) + 1}"
