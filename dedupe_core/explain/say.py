"""How a text for people is said: the English text is the key of its translation, and values are filled in afterwards."""

from __future__ import annotations

from typing import Protocol


class Say(Protocol):
    """`say("#{n} is kept", n=3)`, or `say("{n} document", "{n} documents", n=3)`: `n` decides between the two."""

    def __call__(self, text: str, plural: str = "", /, **values: object) -> str: ...


def english(text: str, plural: str = "", /, **values: object) -> str:
    chosen = plural if plural and values["n"] != 1 else text
    return chosen.format(**values) if values else chosen


def message(text: str) -> str:
    """Marks a text that is said elsewhere, for `python -m scripts.maintain messages`."""
    return text


def messages(one: str, many: str) -> tuple[str, str]:
    """The same for a text with a count."""
    return one, many
