"""The names and texts that findings have in Paperless, by language; English ones are the defaults of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

VIEW_NAMES: Final = {"en": "Suspected duplicates", "de": "Mögliche Duplikate"}
TAGS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "tag_review": "dedupe:review",
        "tag_identical": "dedupe:identical",
        "tag_rescan": "dedupe:rescan",
        "tag_revision": "dedupe:revision",
        "tag_contained": "dedupe:contained",
        "tag_translated": "dedupe:translated",
        "tag_skip": "dedupe:skip",
        "tag_not_duplicate": "dedupe:not-duplicate",
        "tag_confirm": "dedupe:confirm",
        "tag_make_version": "dedupe:make-version",
        "tag_keep": "dedupe:keep",
        "tag_confirmed": "dedupe:confirmed",
        "tag_superseded": "dedupe:superseded",
    },
    "de": {
        "tag_review": "dedupe:prüfen",
        "tag_identical": "dedupe:identisch",
        "tag_rescan": "dedupe:neuer-scan",
        "tag_revision": "dedupe:überarbeitet",
        "tag_contained": "dedupe:enthalten",
        "tag_translated": "dedupe:übersetzt",
        "tag_skip": "dedupe:ignorieren",
        "tag_not_duplicate": "dedupe:kein-duplikat",
        "tag_confirm": "dedupe:bestätigen",
        "tag_make_version": "dedupe:als-version",
        "tag_keep": "dedupe:behalten",
        "tag_confirmed": "dedupe:bestätigt",
        "tag_superseded": "dedupe:veraltet",
    },
}
_GERMAN_TEXTS: Final = {
    "link_field": "Ähnliche Dokumente",
    "note_template": 'Ähnelt #{other_id} "{other_title}" - {relation}, {confidence} sicher: {reason}',
}
OUR_TAGS: Final = frozenset(name for names in TAGS.values() for name in names.values())
LINK_FIELDS: Final = ("Similar documents", _GERMAN_TEXTS["link_field"])


def names_in(language: str) -> Mapping[str, str]:
    """The settings that have another default in this language; none for English."""
    return {**TAGS["de"], **_GERMAN_TEXTS} if language == "de" else {}


def other_names(name: str) -> list[str]:
    """What a tag or the link field is called in the other languages: it stays in use if the language changes."""
    known = [dict(names) for names in TAGS.values()]
    settings = {setting for names in known for setting, text in names.items() if text == name}
    found = [names[setting] for names in known for setting in settings if names[setting] != name]
    return found + ([text for text in LINK_FIELDS if text != name] if name in LINK_FIELDS else [])
