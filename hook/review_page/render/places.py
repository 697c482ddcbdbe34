"""Crops of both pages, place by place, as HTML."""

from __future__ import annotations

from typing import Final

from dedupe_core.explain.say import message
from hook.ink.look import Ink
from hook.language.translate import Translate
from hook.review_page.pages.places import Crop, Places, ShownPlace
from hook.review_page.render.html import Html, joined, tag

_SAID: Final = {
    Ink.SAME: message("same print"),
    Ink.DIFFERENT: message("different print"),
    Ink.OPEN: message("not clear: look for yourself"),
}


def places_html(found: Places, left: int, right: int, say: Translate, *, is_live: bool = True) -> Html:
    if found.reason:
        return tag("p", say("The pages cannot be compared: {why}.", why=say(found.reason)), class_="note")
    if not found.shown:
        return tag("p", say("There is no place to look at."), class_="note")
    more = tag("p", say("and {n} more", n=found.left_out), class_="note") if found.left_out else None
    return joined(
        tag("ol", [_place(one, left, right, say, is_live) for one in found.shown], class_="spots"), more
    )


def _place(one: ShownPlace, left: int, right: int, say: Translate, is_live: bool) -> Html:
    return tag(
        "li",
        tag("p", tag("span", say(_SAID[one.ink]), class_=f"ink {one.ink.value}"), class_="said"),
        tag(
            "div", _crop(one.left, left, say, is_live), _crop(one.right, right, say, is_live), class_="crops"
        ),
        class_=one.ink.value,
    )


def _crop(crop: Crop, document: int, say: Translate, is_live: bool) -> Html:
    """Opens the page at this place, and that of the other side with it; in a file it is a picture."""
    read = joined(f"#{document}: ", tag("bdi", crop.words) if crop.words else say("not read here"))
    if not crop.image:
        return tag(
            "figure", tag("span", say("not found on the page"), class_="none"), tag("figcaption", read)
        )
    words = say("#{n}, page {page}: {words}", n=document, page=crop.page + 1, words=crop.words)
    image = tag("img", src=crop.image, alt=words)
    if not is_live:
        return tag("figure", image, tag("figcaption", read))
    place = {"data_document": document, "data_page": crop.page, "data_height": f"{crop.height:.4f}"}
    return tag("figure", tag("button", image, type="button", class_="crop", **place), tag("figcaption", read))
