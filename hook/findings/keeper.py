"""Which of two documents to keep: the first point of a short list on which they differ decides. Pure.

1. the user put `dedupe:keep` on it       4. it has more metadata (correspondent, type, tags, fields)
2. it contains the other                  5. its text is cleaner
3. it has an ASN                          6. it has more pages
                                          7. it was added earlier
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.paperless.labels import LabelIds
from hook.paperless.values import RawDocument
from hook.settings.model import Settings

# A revision or a translation is not a copy: neither of the two documents replaces the other.
COPIES: Final = frozenset({Relation.IDENTICAL, Relation.RESCAN, Relation.CONTAINED})
_REASONS: Final = 3  # at most, in one suggestion
# Typical OCR errors: a digit inside a word, or a character that is rare in letters and bills.
_NOISE: Final = re.compile(r"[^\W\d_]\d+[^\W\d_]|^\d[^\W\d_]{2,}$|^[^\W\d_]{2,}\d$|[|~^`_{}<>\\=¬¦§©®°]")


@dataclass(frozen=True, slots=True)
class Merits:
    """The reasons for keeping a document, the most important first."""

    document: int
    is_asked_for: bool = False
    is_whole: bool = False
    has_asn: bool = False
    metadata: int = 0
    cleanliness: float = 0.0
    pages: int = 0
    added: str = ""

    def rank(self) -> tuple[object, ...]:
        """Of two documents, the one with the smaller rank is kept."""
        points = (self.is_asked_for, self.is_whole, self.has_asn, self.metadata, self.cleanliness, self.pages)
        return (*(-float(point) for point in points), self.added, self.document)


@dataclass(frozen=True, slots=True)
class Choice:
    """`reason` in a few words, for "keep #817 (...)"."""

    keeper: int
    loser: int
    reason: str


@dataclass(frozen=True, slots=True)
class Ours:
    """Labels that say nothing about a document: our own, and those that every new document gets."""

    tags: frozenset[int] = frozenset()
    inbox: frozenset[int] = frozenset()
    link_field: int | None = None
    keep: int | None = None


def ours_in(labels: LabelIds, settings: Settings) -> Ours:
    return Ours(
        tags=frozenset(labels.tags.values()),
        inbox=labels.inbox,
        link_field=labels.link_field,
        keep=labels.tags.get(settings.tag_keep),
    )


def suggest(
    finding: Finding,
    subject: RawDocument,
    other: RawDocument,
    ours: Ours,
    cleanliness: Callable[[int], float],
) -> Choice:
    """Which of the two documents of a finding to keep."""
    one, two = (
        merits(
            document,
            ours,
            cleanliness(document.id),
            is_whole=is_whole(document.id, subject.id, finding.relation, finding.direction),
        )
        for document in (subject, other)
    )
    return choose(one, two)


def choose(one: Merits, two: Merits) -> Choice:
    kept, other = sorted((one, two), key=Merits.rank)
    return Choice(kept.document, other.document, _reason(kept, other))


def merits(document: RawDocument, ours: Ours, cleanliness: float, *, is_whole: bool = False) -> Merits:
    return Merits(
        document.id,
        is_asked_for=ours.keep is not None and ours.keep in document.tags,
        is_whole=is_whole,
        has_asn=document.archive_serial_number is not None,
        metadata=metadata_count(document, ours),
        cleanliness=cleanliness,
        pages=document.page_count or 0,
        added=document.added,
    )


def metadata_count(document: RawDocument, ours: Ours) -> int:
    """How many values a user, or a rule of theirs, has set on the document."""
    named = (document.correspondent, document.document_type, document.storage_path)
    tags = set(document.tags) - ours.tags - ours.inbox
    fields = [
        entry
        for entry in document.custom_fields
        if entry.field_id != ours.link_field and entry.value not in (None, "", [])
    ]
    return sum(value is not None for value in named) + len(tags) + len(fields)


def cleanliness(text: str) -> float:
    """The share of words without a typical OCR error, to two digits; 0 for an empty text."""
    words = text.split()
    if not words:
        return 0.0
    return round(1 - sum(_NOISE.search(word) is not None for word in words) / len(words), 2)


def is_whole(document: int, subject: int, relation: Relation, direction: int) -> bool:
    """True for the document that contains the other one of a pair."""
    return relation is Relation.CONTAINED and (document == subject) == (direction > 0)


def _reason(kept: Merits, other: Merits) -> str:
    if kept.is_asked_for and not other.is_asked_for:
        return "you marked it to be kept"
    if kept.is_whole and not other.is_whole:
        return "contains the other"
    points = [
        (kept.has_asn and not other.has_asn, "has an ASN"),
        (kept.metadata > other.metadata, "more metadata"),
        (kept.cleanliness > other.cleanliness, "cleaner text"),
        (kept.pages > other.pages, "more pages"),
    ]
    return ", ".join([words for holds, words in points if holds][:_REASONS]) or "added first"
