"""Texts of the program in the language of the settings: the English text is the key, a missing one stays English."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
