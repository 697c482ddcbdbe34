"""HTML made of nested function calls: whatever is not `Html` already is escaped. No markup is ever joined by hand."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable
from typing import Final

_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
_INVISIBLE: Final = frozenset({"Cf", "Cs", "Co", "Cn"})  # direction marks, surrogates, unassigned


class Html(str):
    """Text that is safe to send."""

    __slots__ = ()


Child = object  # Html, str, a number, None, or an iterable of these


def escaped(text: str) -> Html:
    """Line breaks stay; other control characters and direction marks go, they can make a text look like another."""
    return Html(html.escape("".join(map(_shown, text)), quote=True))


def tag(element: str, /, *children: Child, **attributes: object) -> Html:
    """`p.note` has a class; so has `class_`, and `data_id` is written as data-id. False and None leave an attribute out, True
    has no value."""
    name, *classes = element.split(".")
    if classes:
        attributes = {"class_": " ".join(classes), **attributes}
    opening = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    return Html(opening if name in _VOID else f"{opening}{joined(*children)}</{name}>")


def link_out(address: str, *children: Child) -> Html:
    """Opens beside this page, which it learns nothing of."""
    return tag("a", *children, href=address, target="_blank", rel="noopener noreferrer")


def hidden(name: str, value: object) -> Html:
    """A field of a form that nobody sees."""
    return tag("input", type="hidden", name=name, value=value)


def joined(*children: Child) -> Html:
    return Html("".join(map(_child, children)))


def _child(child: Child) -> str:
    if child is None or child is False:
        return ""
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return escaped(child)
    if isinstance(child, Iterable):
        return "".join(map(_child, child))
    return escaped(str(child))


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escaped(str(value))}"'


def _shown(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    return "" if unicodedata.category(character) in _INVISIBLE else " "
