"""What a relation says of this very pair: where the part stands in its whole, and what an edition changed."""

from __future__ import annotations

from dedupe_core.explain.changes import by_age, changes, in_words, passages_in_words
from dedupe_core.explain.parts import place_of
from dedupe_core.fingerprint.overlap import overlap
from dedupe_core.model import Fingerprint
from dedupe_core.recipe import DEFAULT

_FEWEST_WORDS = 5  # said of less, a place or a share is chance


def part_in_words(subject: Fingerprint, other: Fingerprint, direction: int) -> str:
    """`#12 is pages 3-4 of #90: 94% of its passages stand there, 11% of the other's in it`."""
    part, whole = (subject, other) if direction < 0 else (other, subject)
    shares = overlap(part, whole, DEFAULT)
    place = place_of(part, whole) if part.words >= _FEWEST_WORDS else None
    what = f"is {pages}" if place and (pages := place.words()) else "is part"
    where = f", {far}" if place and (far := place.share_in_words()) else ""
    standing = f"{_percent(shares.of_given)} of its passages stand there"
    return f"{name(part)} {what} of {name(whole)}{where}: {standing}, {_percent(shares.of_other)} of the other's in it"


def edition_in_words(subject: Fingerprint, other: Fingerprint) -> tuple[list[str], list[str]]:
    """What the newer edition changed, and the same without dates and amounts; empty if nothing can be named."""
    older, newer = by_age((subject, other))
    found = changes(older, newer)
    return in_words(found), passages_in_words(found)


def name(found: Fingerprint) -> str:
    """What is not in Paperless yet has a negative id."""
    return f"#{found.id}" if found.id >= 0 else "the text"


def _percent(share: float) -> str:
    return "under 1%" if 0 < share < 0.01 else f"{share:.0%}"
