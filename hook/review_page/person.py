"""Paperless as one person sees it: everything that a page shows or sets is asked for with that person's token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from hook.errors import AccessError, NotFoundError, PaperlessError, RightsError
from hook.findings.keeper import ours_in
from hook.index.ids import parse_id
from hook.paperless.client import Paperless
from hook.paperless.labels import LabelIds, Labels
from hook.paperless.values import RawDocument
from hook.review_page.cards import Names
from hook.review_page.sessions import PageSession
from hook.review_page.waiting import Shown
from hook.settings.types import RELATIONS

if TYPE_CHECKING:
    from hook.index.interface import DocumentIndex
    from hook.settings.model import Settings

HEAD: Final = (
    *("id", "title", "owner", "created", "added", "tags", "custom_fields", "page_count"),
    *("archive_serial_number", "correspondent", "document_type", "storage_path", "user_can_change"),
)
MOST_SIZES: Final = 20  # asked for at once
MOST_KEPT: Final = 5_000  # sizes per person
_IMAGES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass(frozen=True, slots=True)
class Person:
    """`index` only tells which labels are ours."""

    client: Paperless
    settings: Settings
    index: DocumentIndex

    def labels(self) -> Labels:
        return Labels(self.client, self.settings, self.index)

    def shown(self, known: LabelIds) -> Shown:
        """Three questions for ids, however many documents there are."""
        return Shown(
            self.visible(),
            self._tagged(self._marks(known)),
            self._tagged(self.decision_tags(known)),
        )

    def visible(self) -> frozenset[int]:
        return frozenset(self.client.document_ids())

    def shown_of(self, documents: Iterable[int], known: LabelIds) -> Shown:
        """The same for some documents, with one question."""
        heads, marks, decisions = (
            self.heads(documents),
            set(self._marks(known)),
            set(self.decision_tags(known)),
        )
        marked, decided = (
            frozenset(n for n, head in heads.items() if tags & set(head.tags)) for tags in (marks, decisions)
        )
        return Shown(frozenset(heads), marked, decided)

    def _marks(self, known: LabelIds) -> list[int]:
        names = (*map(self.settings.tag_for, RELATIONS), self.settings.tag_maybe)
        return sorted(known.tags[name] for name in names if name in known.tags)

    def decision_tags(self, known: LabelIds) -> list[int]:
        """Those by which a person decides."""
        settings = self.settings
        names = (
            *(settings.tag_confirm, settings.tag_not_duplicate),
            *(settings.tag_make_version, settings.tag_skip),
        )
        return sorted(known.tags[name] for name in names if name in known.tags)

    def heads(self, documents: Iterable[int]) -> dict[int, RawDocument]:
        return {head.id: head for head in self.client.documents_by_id(sorted(set(documents)), fields=HEAD)}

    def names(self, known: LabelIds) -> Names:
        return Names(self.correspondents(), known.names, ours_in(known, self.settings))

    def correspondents(self) -> Mapping[int, str]:
        try:
            return self.client.names("correspondents")
        except RightsError:
            return {}

    def of_correspondent(self, number: int) -> frozenset[int]:
        return frozenset(self.client.document_ids(correspondent__id__in=[number]))

    def _tagged(self, tags: list[int]) -> frozenset[int]:
        return frozenset(self.client.document_ids(tags__id__in=tags)) if tags else frozenset()


def thumbnail(client: Paperless, document: int) -> tuple[bytes, str] | None:
    """The image and its type; None if there is none, or if it is not an image that a browser may show safely."""
    try:
        image = client.thumbnail(document)
    except (NotFoundError, AccessError):
        return None
    kind = image_type(image)
    return (image, kind) if kind else None


def image_type(image: bytes) -> str:
    """By its first bytes: an answer of any other kind (a page, an SVG with a script) is not passed on."""
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _IMAGES.items() if image.startswith(start)), "")


def sizes_of(session: PageSession, ids: str) -> dict[str, object]:
    """Of the files of some documents, and the mean of all that this person has seen."""
    asked = islice((number for text in ids.split(",") if (number := parse_id(text))), MOST_SIZES)
    found = {number: size for number in asked if (size := _size_of(session, number)) is not None}
    known = list(session.sizes.values())
    return {"sizes": found, "mean": sum(known) / len(known) if known else 0}


def _size_of(session: PageSession, document: int) -> int | None:
    """In bytes; asked for once."""
    if document not in session.sizes:
        try:
            session.sizes[document] = session.client.metadata(document).original_size_bytes
        except PaperlessError:
            return None
        while len(session.sizes) > MOST_KEPT:
            session.sizes.popitem(last=False)
    return session.sizes[document]
