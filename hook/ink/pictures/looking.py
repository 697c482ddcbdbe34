"""Documents without text whose pages look the same: a hash of the first page finds them, all pages laid over each other prove it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hook.ink.pages.paper import CannotLook
from hook.ink.pictures.compare import CANDIDATE_BITS, LOOKS_THE_SAME, Picture, alike, perceptual_hash, reduced
from hook.ink.seen import SeenPicture, SeenPictures, is_without_text

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.ink.inspector import Inspector
    from hook.paperless.client import Paperless

log = logging.getLogger(__name__)

_DPI: Final = 100
_MOST_PAGES: Final = 8  # a document of more pages is not compared
_MOST_CANDIDATES: Final = 8


def look_at_picture(
    inspector: Inspector,
    client: Paperless,
    archive: Archive,
    document: int,
    visible: Callable[[int | None], bool],
) -> bool:
    """True if it looks the same as another one. Nothing is fetched for a document with text, or one that was looked at."""
    subject, seen = archive.fingerprint_of(document), SeenPictures(archive.index)
    if subject is None or not is_without_text(subject) or seen.get(subject) is not None:
        return False
    try:
        first, pages = _pages(inspector, client, document)
    except CannotLook:
        seen.put(subject, SeenPicture())
        return False
    others = [
        other
        for number in seen.near(first, CANDIDATE_BITS)[:_MOST_CANDIDATES]
        if (other := archive.fingerprint_of(number)) and number != document
        if is_without_text(other) and visible(other.owner) and seen.get(other) is not None
    ]
    found = {other.id: score for other in others if (score := _likeness(inspector, client, pages, other.id))}
    seen.put(subject, SeenPicture(first, found))
    for other in others:
        known = seen.get(other)
        if known is not None and other.id in found:
            seen.put(other, SeenPicture(known.hash, {**known.same, document: found[other.id]}))
    if found:
        log.info("#%d: looks the same as %s", document, ", ".join(f"#{number}" for number in found))
    return bool(found)


def _likeness(inspector: Inspector, client: Paperless, pages: list[Picture], other: int) -> float:
    """That of the page that is least alike; 0 if they do not look the same."""
    try:
        _, there = _pages(inspector, client, other)
    except CannotLook:
        return 0.0
    if not pages or len(there) != len(pages):
        return 0.0
    score = min(alike(one, two) for one, two in zip(pages, there, strict=True))
    return round(score, 3) if score >= LOOKS_THE_SAME else 0.0


def _pages(inspector: Inspector, client: Paperless, document: int) -> tuple[int, list[Picture]]:
    """The hash of the first page, and all of them; none if there are too many."""
    with inspector.opened(client, document) as paper:
        if paper.count > _MOST_PAGES:
            return perceptual_hash(paper.pixels(0, _DPI)), []
        pages = [paper.pixels(number, _DPI) for number in range(paper.count)]
        return perceptual_hash(pages[0]), [reduced(one) for one in pages]
