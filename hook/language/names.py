"""The names and texts that findings have in Paperless: the defaults of the settings in English, and in the other languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dedupe_core.explain.say import message
from hook.language.translate import in_every_language, languages, translator

VIEW_NAME: Final = message("Suspected duplicates")
LINK_FIELD: Final = message("Similar documents")
TAGS: Final[Mapping[str, str]] = {
    "tag_review": message("dedupe:review"),
    "tag_identical": message("dedupe:identical"),
    "tag_rescan": message("dedupe:rescan"),
    "tag_revision": message("dedupe:revision"),
    "tag_contained": message("dedupe:contained"),
    "tag_translated": message("dedupe:translated"),
    "tag_maybe": message("dedupe:maybe"),
    "tag_skip": message("dedupe:skip"),
    "tag_not_duplicate": message("dedupe:not-duplicate"),
    "tag_confirm": message("dedupe:confirm"),
    "tag_make_version": message("dedupe:make-version"),
    "tag_keep": message("dedupe:keep"),
    "tag_confirmed": message("dedupe:confirmed"),
}
NOTE: Final = message('Looks like #{other_id} "{other_title}" - {relation}, {confidence} sure: {reason}')
NAMES: Final[Mapping[str, str]] = {**TAGS, "link_field": LINK_FIELD}


def names_in(language: str) -> Mapping[str, str]:
    """The settings that have another default in this language; none for English."""
    if language == "en" or language not in languages():
        return {}
    say = translator(language)
    return {setting: say(name) for setting, name in NAMES.items()}


def is_our_tag(name: str) -> bool:
    return any(name in in_every_language(english) for english in TAGS.values())


def is_our_field(name: str) -> bool:
    return name in in_every_language(LINK_FIELD)


def other_names(name: str) -> list[str]:
    """What a tag or the link field is called in the other languages: it stays in use if the language changes."""
    known = [in_every_language(english) for english in (*TAGS.values(), LINK_FIELD)]
    return [other for names in known if name in names for other in names if other != name]
