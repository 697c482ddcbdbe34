"""Which of two documents to keep: the first point of a short list on which they differ decides. Pure.

1. the user put `dedupe:keep` on it       5. its text is the better reading
2. it contains the other                  6. it has an ASN
3. it is born digital, the other a scan   7. it has more metadata (correspondent, type, tags, fields)
4. it has more pages                      8. it was added earlier

ASN and metadata come late: the document that is kept takes them over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dedupe_core.explain.say import message
from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.paperless.labels import LabelIds
from hook.paperless.values import RawDocument
from hook.settings.model import Settings

# A revision or a translation is not a copy: neither of the two documents replaces the other.
COPIES: Final = frozenset({Relation.IDENTICAL, Relation.RESCAN, Relation.CONTAINED})
_REASONS: Final = 3  # at most, in one suggestion; the first two points say enough
_POINTS: Final = {
    "is_asked_for": message("you marked it to be kept"),
    "is_whole": message("contains the other"),
    "is_digital": message("born digital"),
    "pages": message("more pages"),
    "readable": message("better readable text"),
    "has_asn": message("has an ASN"),
    "metadata": message("more metadata"),
}


@dataclass(frozen=True, slots=True)
class Merits:
    """The reasons for keeping a document, the most important first."""

    document: int
    is_asked_for: bool = False
    is_whole: bool = False
    is_digital: bool = False
    pages: int = 0
    readable: float = 0.0  # against the other: positive if it is the better reading
    has_asn: bool = False
    metadata: int = 0
    added: str = ""

    def rank(self) -> tuple[object, ...]:
        """Of two documents, the one with the smaller rank is kept."""
        return (*(-float(getattr(self, point)) for point in _POINTS), self.added, self.document)


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


@dataclass(frozen=True, slots=True)
class Files:
    """What the files of a pair say, the subject first: born digital or not, and which is the better reading.

    `readable` is positive if the subject is the better one, and rounded: below half a percent it is chance.
    """

    digital: tuple[bool | None, bool | None] = (None, None)
    readable: float = 0.0


def suggest(finding: Finding, subject: RawDocument, other: RawDocument, ours: Ours, files: Files) -> Choice:
    """Which of the two documents of a finding to keep."""
    readable = round(files.readable, 2)
    sides = zip((subject, other), files.digital, (readable, -readable), strict=True)
    one, two = (
        Merits(
            document.id,
            is_asked_for=ours.keep is not None and ours.keep in document.tags,
            is_whole=finding.relation is Relation.CONTAINED
            and (document is subject) == (finding.direction > 0),
            is_digital=is_digital is True,
            pages=document.page_count or 0,
            readable=readable,
            has_asn=document.archive_serial_number is not None,
            metadata=metadata_count(document, ours),
            added=document.added,
        )
        for document, is_digital, readable in sides
    )
    return choose(one, two)


def choose(first: Merits, second: Merits) -> Choice:
    kept, other = sorted((first, second), key=Merits.rank)
    return Choice(kept.document, other.document, _reason(kept, other))


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


def _reason(kept: Merits, other: Merits) -> str:
    better = [name for name in _POINTS if getattr(kept, name) > getattr(other, name)]
    named = better[:1] if better[:1] in (["is_asked_for"], ["is_whole"]) else better[:_REASONS]
    return ", ".join(_POINTS[name] for name in named) or message("added first")
