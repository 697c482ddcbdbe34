"""Which differences of two texts are printed alike on both pages: read differently, and the same paper there."""

from __future__ import annotations

from collections.abc import Sequence

from hook.ink.inspector import Inspector, Side
from hook.ink.look import Ink
from hook.ink.pages.paper import CannotLook
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument
from hook.review.same_text.differences import Difference, read_words


def printed_alike(
    inspector: Inspector,
    client: Paperless,
    kept: RawDocument,
    loser: RawDocument,
    found: Sequence[Difference],
) -> frozenset[Difference]:
    """None of them if the pages cannot be looked at."""
    left, right = (Side(one.id, read_words(one.content).words) for one in (kept, loser))
    try:
        with inspector.looking(client, left, right, [one.span for one in found]) as looked:
            looks = looked.looks
    except CannotLook:
        return frozenset()
    return frozenset(one for one, look in zip(found, looks, strict=False) if look.ink is Ink.SAME)
