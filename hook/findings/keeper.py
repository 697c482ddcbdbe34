"""Which of two documents is kept: the first point of a short list on which they differ decides. Pure.

1. a person put `dedupe:keep` on it       4. it is filed more fully (correspondent, type, tags, fields)
2. it is the whole of which the other     5. its text is cleaner
   is a part                              6. it has more pages
3. it has an ASN                          7. it was added earlier
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dedupe_core.model import Relation
from hook.paperless.values import RawDocument

# An edited or translated document is no copy: neither of the two can stand for the other.
COPIES: Final = frozenset({Relation.IDENTICAL, Relation.RESCAN, Relation.CONTAINED})
_SAID: Final = 3  # reasons in a sentence
# What OCR makes of dirt: a digit inside a word, or a sign that letters and bills do not use.
_NOISE: Final = re.compile(r"[^\W\d_]\d+[^\W\d_]|^\d[^\W\d_]{2,}$|^[^\W\d_]{2,}\d$|[|~^`_{}<>\\=¬¦§©®°]")


@dataclass(frozen=True, slots=True)
class Standing:
    """What speaks for keeping a document."""

    document: int
    is_asked_for: bool = False
    is_whole: bool = False
    has_asn: bool = False
    filed: int = 0
    cleanliness: float = 0.0
    pages: int = 0
    added: str = ""

    def rank(self) -> tuple[object, ...]:
        """Of two documents, the one with the smaller rank is kept."""
        points = (self.is_asked_for, self.is_whole, self.has_asn, self.filed, self.cleanliness, self.pages)
        return (*(-float(point) for point in points), self.added, self.document)


@dataclass(frozen=True, slots=True)
class Choice:
    """`reason` goes on with "would keep #817: "."""

    keeper: int
    loser: int
    reason: str


@dataclass(frozen=True, slots=True)
class Ours:
    """What of the things on a document is our own doing and so says nothing about it."""

    tags: frozenset[int] = frozenset()
    inbox: frozenset[int] = frozenset()  # what Paperless puts on everything that comes in
    link_field: int | None = None
    keep: int | None = None


def choose(one: Standing, two: Standing) -> Choice:
    kept, other = sorted((one, two), key=Standing.rank)
    return Choice(kept.document, other.document, _reason(kept, other))


def standing(document: RawDocument, ours: Ours, cleanliness: float, *, is_whole: bool = False) -> Standing:
    return Standing(
        document.id,
        is_asked_for=ours.keep is not None and ours.keep in document.tags,
        is_whole=is_whole,
        has_asn=document.archive_serial_number is not None,
        filed=filed(document, ours),
        cleanliness=cleanliness,
        pages=document.page_count or 0,
        added=document.added,
    )


def filed(document: RawDocument, ours: Ours) -> int:
    """How many things somebody has noted about it."""
    named = (document.correspondent, document.document_type, document.storage_path)
    tags = set(document.tags) - ours.tags - ours.inbox
    fields = [
        entry
        for entry in document.custom_fields
        if entry.field_id != ours.link_field and entry.value not in (None, "", [])
    ]
    return sum(value is not None for value in named) + len(tags) + len(fields)


def cleanliness(text: str) -> float:
    """The share of words that look as people write them, in hundredths; 0 for no text at all."""
    words = text.split()
    if not words:
        return 0.0
    return round(1 - sum(_NOISE.search(word) is not None for word in words) / len(words), 2)


def is_whole(document: int, subject: int, relation: Relation, direction: int) -> bool:
    """Of a document and its part: is this the whole?"""
    return relation is Relation.CONTAINED and (document == subject) == (direction > 0)


def _reason(kept: Standing, other: Standing) -> str:
    if kept.is_asked_for and not other.is_asked_for:
        return "you asked for it"
    if kept.is_whole and not other.is_whole:
        return "the other is a part of it"
    said = [
        (kept.has_asn and not other.has_asn, "has", "an ASN"),
        (kept.filed > other.filed, "", "was filed" if not other.filed else "is filed more fully"),
        (kept.cleanliness > other.cleanliness, "has", "cleaner text"),
        (kept.pages > other.pages, "has", "more pages"),
    ]
    holding = [(verb, words) for holds, verb, words in said if holds][:_SAID]
    if not holding:
        return "it was there first"
    has = [words for verb, words in holding if verb]
    phrases = [words for verb, words in holding if not verb]
    return "it " + _listed([*([f"has {_listed(has)}"] if has else []), *phrases])


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
