"""Texts of the program in the language of the settings, from gettext catalogues; a text without a translation stays English.

A catalogue is catalogues/LANGUAGE.po. It is read as it is, in 2 ms: nothing has to be compiled, and a new file is a new language.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final

from dedupe_core.explain.say import Say, english

Translate = Say
ENGLISH: Final = english
CATALOGUES: Final = Path(__file__).with_name("catalogues")


@cache
def languages() -> tuple[str, ...]:
    return ("en", *sorted(file.stem for file in CATALOGUES.glob("*.po")))


@cache
def translator(language: str) -> Translate:
    if language == "en":
        return ENGLISH
    texts, form_of = read_catalogue((CATALOGUES / f"{language}.po").read_text(encoding="utf-8"))

    def say(text: str, plural: str = "", /, **values: object) -> str:
        forms = texts.get(text)
        if forms is None:
            return ENGLISH(text, plural, **values)
        chosen = forms[form_of(int(str(values["n"])))] if plural else forms[0]
        return chosen.format(**values) if values else chosen

    return say


def in_every_language(text: str) -> list[str]:
    """The English one first."""
    return list(dict.fromkeys(translator(language)(text) for language in languages()))


def read_catalogue(content: str) -> tuple[Mapping[str, tuple[str, ...]], Callable[[int], int]]:
    """The translations of each text, one or one for each plural form; and which form a number needs."""
    texts = {}
    for entry in entries(content):
        forms = tuple(entry[name] for name in sorted(entry) if name.startswith("msgstr"))
        if all(forms):
            texts[entry["msgid"]] = forms
    (header,) = texts.pop("")
    return texts, c2py(header.partition("plural=")[2].partition(";")[0])


def entries(content: str) -> Iterator[dict[str, str]]:
    """By keyword: `msgid`, `msgstr` and so on."""
    entry: dict[str, str] = {}
    name = ""
    for line in content.splitlines():
        if line.startswith('"'):
            entry[name] += json.loads(line)
        elif line.startswith("msg"):
            name, _, text = line.partition(" ")
            if name == "msgid" and entry:
                yield entry
                entry = {}
            entry[name] = json.loads(text)
    yield entry


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
        return "; ".join(str(_said(each, say)) for each in value)
    return value.said(say) if isinstance(value, Phrase) else value
