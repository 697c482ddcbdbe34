"""Texts of the program in the language of the settings: the English text is the key, a missing one stays English."""

from __future__ import annotations

from collections.abc import Callable

Translate = Callable[..., str]


def translator(language: str) -> Translate:
    """`say("#{n} is kept", n=3)`; the values are filled in after the text was translated."""
    from hook.language.german import TEXTS

    texts = TEXTS if language == "de" else {}

    def say(text: str, **values: object) -> str:
        found = texts.get(text, text)
        return found.format(**values) if values else found

    return say
