"""The places of a pair where the texts differ, as a person sees them on the paper: two crops, what was read, what the ink says.

Everything is fetched with the rights of the person: who may not see both documents gets nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dedupe_core.compare.doubts import doubtful
from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.explain.marked_text import Mark, mark_of
from dedupe_core.explain.say import message
from dedupe_core.model import Fingerprint
from hook.ink.crops import crop_png, page_png
from hook.ink.inspector import Inspector, Looked
from hook.ink.located import Spot
from hook.ink.look import Ink, Look
from hook.ink.looking import ledger_of, looking_at
from hook.ink.pages.paper import CannotLook, Paper
from hook.language.translate import Translate
from hook.log import plain
from hook.review_page.render.html import Html, joined, tag

if TYPE_CHECKING:
    from hook.paperless.client import Paperless

MOST: Final = 12  # places of a card
WORDS: Final = 120  # characters of a side
_SAID: Final = {
    Ink.SAME: message("same print"),
    Ink.DIFFERENT: message("different print"),
    Ink.OPEN: message("not clear: look for yourself"),
}
_ORDER: Final = (Ink.DIFFERENT, Ink.OPEN, Ink.SAME)  # the largest doubt first


@dataclass(frozen=True, slots=True)
class Crop:
    """`image` is a data address, or empty; `page` counts from 0, `height` is how far down the page it is, 0..1."""

    words: str
    image: str = ""
    page: int = 0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class ShownPlace:
    ink: Ink
    left: Crop
    right: Crop


@dataclass(frozen=True, slots=True)
class Places:
    shown: tuple[ShownPlace, ...] = ()
    left_out: int = 0
    reason: str = ""  # why nobody can look


def places_of(inspector: Inspector, client: Paperless, left: Fingerprint, right: Fingerprint) -> Places:
    ledger = ledger_of(left, right)
    doubts = set(doubtful(ledger))
    differences = [
        difference
        for difference in ledger.differences
        if difference in doubts or mark_of(difference) is Mark.CHANGE
    ]
    if not differences:
        return Places()
    try:
        with looking_at(inspector, client, (left, right), ledger, differences[:MOST]) as looked:
            shown = _shown(ledger, differences, looked)
    except CannotLook as error:
        return Places(reason=error.reason.value)
    return Places(shown, len(differences) - len(shown))


def _shown(ledger: Ledger, differences: Sequence[Difference], looked: Looked) -> tuple[ShownPlace, ...]:
    pairs = sorted(
        zip(differences, looked.looks, strict=False),
        key=lambda pair: (_ORDER.index(pair[1].ink), pair[1].score),
    )
    return tuple(_place(ledger.sides(one), look, looked) for one, look in pairs)


def _place(sides: tuple[str, str], look: Look, looked: Looked) -> ShownPlace:
    left, right = (plain(side, WORDS) for side in sides)
    return ShownPlace(look.ink, _crop(left, looked.left, look.left), _crop(right, looked.right, look.right))


def _crop(words: str, paper: Paper, spots: Sequence[Spot]) -> Crop:
    if not spots:
        return Crop(words)
    try:
        image = crop_png(paper.pixels(spots[0].page), spots)
    except CannotLook:
        return Crop(words)
    page = paper.pages[spots[0].page]
    height = spots[0].box.centre[1] / max(page.height, 1.0)
    return Crop(
        words, f"data:image/png;base64,{base64.b64encode(image).decode('ascii')}", spots[0].page, height
    )


def sheet_png(inspector: Inspector, client: Paperless, document: int, page: int) -> bytes | None:
    """A whole page; None if it cannot be shown to this person, or is not there."""
    try:
        with inspector.opened(client, document) as paper:
            return page_png(paper.pixels(page)) if 0 <= page < len(paper.pages) else None
    except CannotLook:
        return None


# As HTML


def places_html(places: Places, left: int, right: int, say: Translate, *, is_live: bool = True) -> Html:
    if places.reason:
        return tag("p.note", say("The pages cannot be compared: {why}.", why=say(places.reason)))
    if not places.shown:
        return tag("p.note", say("There is no place to look at."))
    more = tag("p.note", say("and {n} more", n=places.left_out)) if places.left_out else None
    return joined(
        tag("ol.spots", [_place_html(place, left, right, say, is_live) for place in places.shown]), more
    )


def _place_html(one: ShownPlace, left: int, right: int, say: Translate, is_live: bool) -> Html:
    return tag(
        "li",
        tag("p.said", tag("span", say(_SAID[one.ink]), class_=f"ink {one.ink.value}")),
        tag(
            "div.crops", _crop_html(one.left, left, say, is_live), _crop_html(one.right, right, say, is_live)
        ),
        class_=one.ink.value,
    )


def _crop_html(crop: Crop, document: int, say: Translate, is_live: bool) -> Html:
    """Opens the page at this place, and that of the other side with it; in a file it is a picture."""
    read = joined(f"#{document}: ", tag("bdi", crop.words) if crop.words else say("not read here"))
    if not crop.image:
        return tag("figure", tag("span.none", say("not found on the page")), tag("figcaption", read))
    words = say("#{n}, page {page}: {words}", n=document, page=crop.page + 1, words=crop.words)
    image = tag("img", src=crop.image, alt=words)
    if not is_live:
        return tag("figure", image, tag("figcaption", read))
    place = {"data_document": document, "data_page": crop.page, "data_height": f"{crop.height:.4f}"}
    return tag("figure", tag("button.crop", image, type="button", **place), tag("figcaption", read))
