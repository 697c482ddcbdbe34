"""Texts of the program in the language of the settings: the English text is the key, a missing one stays English."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

Translate = Callable[..., str]


def translator(language: str) -> Translate:
    """`say("#{n} is kept", n=3)`; the values are filled in after the text was translated."""
    texts: Mapping[str, str] = {}
    if language == "de":
        from hook.language.german import TEXTS as texts  # noqa: N811 - the hook is a short process: only if needed

    def say(text: str, **values: object) -> str:
        found = texts.get(text, text)
        return found.format(**values) if values else found

    return say


ENGLISH: Final = translator("en")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text whose language is chosen later. A value may be a phrase itself, or several in a tuple; `str` is English."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.said(ENGLISH)

    def said(self, say: Translate) -> str:
        return say(self.text, **{name: _said(value, say) for name, value in self.values.items()})


def _said(value: object, say: Translate) -> object:
    if isinstance(value, tuple):
        return "; ".join(str(_said(one, say)) for one in value)
    return value.said(say) if isinstance(value, Phrase) else value


def stored(text: str, say: Translate) -> str:
    """A text that was stored in English, of which only the numbers vary: "#3 was deleted" is "#{a} was deleted"."""
    numbers = re.findall(r"\d+", text)
    if len(numbers) > 26:
        return text
    values = {chr(ord("a") + place): number for place, number in enumerate(numbers)}
    names = iter(values)
    pattern = re.sub(r"\d+", lambda _: f"{{{next(names)}}}", text)
    found = say(pattern)
    return text if found == pattern else found.format(**values)
