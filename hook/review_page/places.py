"""The places of a pair where the texts differ, as a person sees them on the paper: two crops, what was read, what the ink says.

Everything is fetched with the rights of the person: who may not see both documents gets nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Final

from dedupe_core.compare.doubts import doubtful
from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.explain.marked_text import Mark, mark_of
from dedupe_core.explain.say import message
from dedupe_core.model import Fingerprint
from hook.ink.crops import crop_png, page_png
from hook.ink.inspector import Inspector, Looked
from hook.ink.located import Spot
from hook.ink.look import Ink
from hook.ink.looking import ledger_of, looking_at
from hook.ink.pages.paper import CannotLook, Paper
from hook.language.translate import Translate
from hook.log import plain
from hook.paperless.client import Paperless
from hook.review_page.render.html import Html, joined, tag

MOST: Final = 12  # places of a card
WORDS: Final = 120  # characters of a side
_SAID: Final = {  # the largest doubt first
    Ink.DIFFERENT: message("different print"),
    Ink.OPEN: message("not clear: look for yourself"),
    Ink.SAME: message("same print"),
}


def places_html(
    inspector: Inspector,
    client: Paperless,
    left: Fingerprint,
    right: Fingerprint,
    say: Translate,
    *,
    is_live: bool = True,
) -> Html:
    """A file, which is not `is_live`, has only places that were seen, and pictures that do not open."""
    ledger = ledger_of(left, right)
    doubts = set(doubtful(ledger))
    differences = [d for d in ledger.differences if d in doubts or mark_of(d) is Mark.CHANGE]
    items: list[Html] = []
    note = say("There is no place to look at.")
    try:
        if differences:
            with looking_at(inspector, client, (left, right), ledger, differences[:MOST]) as looked:
                items = _items(ledger, differences, looked, (left.id, right.id), say, is_live=is_live)
    except CannotLook as error:
        note = say("The pages cannot be compared: {why}.", why=say(error.reason.value))
    if not items:
        return tag("p.note", note) if is_live else Html("")
    left_out = len(differences) - len(items)
    return joined(
        tag("ol.spots", items), tag("p.note", say("and {n} more", n=left_out)) if left_out else None
    )


def _items(
    ledger: Ledger,
    differences: Sequence[Difference],
    looked: Looked,
    documents: tuple[int, int],
    say: Translate,
    *,
    is_live: bool,
) -> list[Html]:
    order = list(_SAID)
    pairs = zip(differences, looked.looks, strict=False)
    items = []
    for difference, look in sorted(pairs, key=lambda pair: (order.index(pair[1].ink), pair[1].score)):
        papers, spots = (looked.left, looked.right), (look.left, look.right)
        sides = zip(documents, ledger.sides(difference), papers, spots, strict=True)
        crops = [_crop(*side, say, is_live=is_live) for side in sides]
        said = tag("p.said", tag("span", say(_SAID[look.ink]), class_=f"ink {look.ink.value}"))
        items.append(tag("li", said, tag("div.crops", crops), class_=look.ink.value))
    return items


def _crop(
    document: int, text: str, paper: Paper, spots: Sequence[Spot], say: Translate, *, is_live: bool
) -> Html:
    """Opens the page at this place, and that of the other side with it."""
    words = plain(text, WORDS)
    read = tag("figcaption", f"#{document}: ", tag("bdi", words) if words else say("not read here"))
    try:
        png = crop_png(paper.pixels(spots[0].page), spots) if spots else None
    except CannotLook:
        png = None
    if png is None:
        return tag("figure", tag("span.none", say("not found on the page")), read)
    page = spots[0].page
    alt = say("#{n}, page {page}: {words}", n=document, page=page + 1, words=words)
    image = tag("img", src=f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}", alt=alt)
    if is_live:
        height = spots[0].box.centre[1] / max(paper.pages[page].height, 1.0)  # how far down the page, 0..1
        place = {"data_document": document, "data_page": page, "data_height": f"{height:.4f}"}
        image = tag("button.crop", image, type="button", **place)
    return tag("figure", image, read)


def sheet_png(inspector: Inspector, client: Paperless, document: int, page: int) -> bytes | None:
    """A whole page; None if it cannot be shown to this person, or is not there."""
    try:
        with inspector.opened(client, document) as paper:
            return page_png(paper.pixels(page)) if 0 <= page < len(paper.pages) else None
    except CannotLook:
        return None
