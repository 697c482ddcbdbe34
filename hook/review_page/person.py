"""Paperless as one person sees it: everything that a page shows or sets is asked for with that person's token."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from hook.errors import AccessError, NotFoundError, RightsError
from hook.findings.keeper import Ours, ours_in
from hook.index.interface import DocumentIndex
from hook.paperless.client import Paperless
from hook.paperless.labels import Labels
from hook.paperless.values import RawDocument
from hook.review_page.cards import Names
from hook.review_page.waiting import Shown
from hook.settings.model import Settings
from hook.settings.types import RELATIONS

HEAD: Final = (
    *("id", "title", "owner", "created", "added", "tags", "custom_fields", "page_count"),
    *("archive_serial_number", "correspondent", "document_type", "storage_path", "user_can_change"),
)
_IMAGES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class Person:
    """One request of a person. `index` only tells which labels are ours."""

    def __init__(self, client: Paperless, settings: Settings, index: DocumentIndex) -> None:
        self.client, self.settings = client, settings
        self.labels = Labels(client, settings, index)

    @cached_property
    def shown(self) -> Shown:
        """Three questions for ids, however many documents there are."""
        return Shown(self.visible(), self._tagged(self._marks), self._tagged(self.decision_tags))

    def visible(self) -> frozenset[int]:
        return frozenset(self.client.document_ids())

    def shown_of(self, documents: Iterable[int]) -> Shown:
        """The same for some documents, with one question."""
        heads = self.heads(documents)
        marked, decided = (
            frozenset(number for number, head in heads.items() if not tags.isdisjoint(head.tags))
            for tags in (self._marks, self.decision_tags)
        )
        return Shown(frozenset(heads), marked, decided)

    @cached_property
    def _marks(self) -> frozenset[int]:
        return self._ids(*map(self.settings.tag_for, RELATIONS), self.settings.tag_maybe)

    @cached_property
    def decision_tags(self) -> frozenset[int]:
        """Those by which a person decides."""
        settings = self.settings
        decisions = settings.tag_confirm, settings.tag_not_duplicate, settings.tag_make_version
        return self._ids(*decisions, settings.tag_skip)

    def _ids(self, *names: str) -> frozenset[int]:
        known = self.labels.known().tags
        return frozenset(known[name] for name in names if name in known)

    def heads(self, documents: Iterable[int]) -> dict[int, RawDocument]:
        return {head.id: head for head in self.client.documents_by_id(sorted(set(documents)), fields=HEAD)}

    @property
    def ours(self) -> Ours:
        return ours_in(self.labels.known(), self.settings)

    def names(self) -> Names:
        try:
            correspondents = self.client.names("correspondents")
        except RightsError:
            correspondents = {}
        return Names(correspondents, self.labels.known().names, self.ours)

    def of_correspondent(self, number: int) -> frozenset[int]:
        return frozenset(self.client.document_ids(correspondent__id__in=[number]))

    def _tagged(self, tags: frozenset[int]) -> frozenset[int]:
        return frozenset(self.client.document_ids(tags__id__in=sorted(tags)) if tags else ())


def thumbnail(client: Paperless, document: int) -> tuple[bytes, str] | None:
    """The image and its type by its first bytes; None for anything else, such as a page or an SVG with a script."""
    try:
        image = client.thumbnail(document)
    except (NotFoundError, AccessError):
        return None
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return image, "image/webp"
    return next(((image, kind) for start, kind in _IMAGES.items() if image.startswith(start)), None)
