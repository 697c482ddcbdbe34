"""Every text for people has a translation in each catalogue that fits, and a change of language loses nothing."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from dedupe_core.model import Relation, Statement, StatementKind
from hook.errors import SettingsError
from hook.findings.findings import Finding
from hook.findings.wording import note_text
from hook.language.names import NAMES, is_our_field, is_our_tag, other_names
from hook.language.translate import CATALOGUES, languages, read_catalogue, translator
from hook.settings.loading import load_settings
from scripts.maintain.messages import add_missing, messages


def values_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", languages()[1:])
def test_a_catalogue_has_every_text_with_the_same_values_and_no_other(language: str) -> None:
    """`python -m scripts.maintain messages LANGUAGE` adds what is missing; a text that is not used any more is to be deleted."""
    content = (CATALOGUES / f"{language}.po").read_text(encoding="utf-8")
    assert "#, fuzzy" not in content and "msgctxt" not in content
    known, form_of = read_catalogue(content)
    wanted = messages()
    assert len(wanted) > 200
    assert known.keys() ^ wanted.keys() == set()
    plurals = {form_of(n) for n in range(200)}
    for text, forms in known.items():
        assert len(forms) == (len(plurals) if wanted[text] else 1), text
        for form in forms:
            least = values_in(text) - ({"n"} if wanted[text] else set())
            assert least <= values_in(form) <= values_in(wanted[text] or text), text


def test_a_catalogue_is_read_as_gettext_does() -> None:
    """A text in several lines, escapes, plural forms by the rule of the language; an empty translation is none."""
    texts, form_of = read_catalogue(
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n# a comment\nmsgid "a "\n"\\"b\\""\n'
        'msgstr "c"\nmsgid "{n} page"\nmsgid_plural "{n} pages"\nmsgstr[0] "{n} x"\nmsgstr[1] "{n} y"\nmsgid "d"\nmsgstr ""\n'
    )
    assert texts == {'a "b"': ("c",), "{n} page": ("{n} x", "{n} y")}
    assert [form_of(n) for n in (0, 1, 2)] == [0, 0, 1]


def test_a_new_catalogue_gets_every_text_once(tmp_path: Path) -> None:
    path = tmp_path / "nl.po"
    assert add_missing(path) == len(messages())
    assert add_missing(path) == 0
    assert read_catalogue(path.read_text(encoding="utf-8"))[0] == {}


def test_a_text_without_a_translation_stays_english() -> None:
    say = translator("de")
    assert say("no such text {n}", n=1) == "no such text 1"
    assert say("{n} such text", "{n} such texts", n=2) == "2 such texts"
    assert say("{n} in the queue", n=2) == "2 in der Warteschlange"


def test_a_note_in_german() -> None:
    settings = load_settings({"HOME": "/x", "DEDUPE_LANGUAGE": "de"})
    said = (Statement(StatementKind.SAME_PAPER), Statement(StatementKind.OCR_DIFFERENCES, counts=(3,)))
    why = "has an ASN, better readable text"
    finding = Finding(7, Relation.RESCAN, 0.97, said, keeper=7, keeper_reason=why)
    note = note_text(9, {7: "Brief"}, [finding] * 4, {7}, settings.language)
    assert note is not None
    assert note.splitlines()[0] == (
        'Ähnelt #7 "Brief" - neuer Scan, 97% sicher: dasselbe Papier noch einmal: 3 OCR-Abweichungen. '
        "Vorschlag: #7 behalten (hat eine ASN, besser lesbarer Text)"
    )
    assert note.splitlines()[-1] == "und 1 weitere"


def test_english_names_are_the_defaults_of_the_settings() -> None:
    english = load_settings({"HOME": "/x"})
    assert {name: getattr(english, name) for name in NAMES} == NAMES


def test_names_of_a_language_differ_and_a_name_that_is_set_stays() -> None:
    german = load_settings({"HOME": "/x", "DEDUPE_LANGUAGE": "DE", "DEDUPE_TAG_SKIP": "mine"})
    assert german.tag_skip == "mine"
    assert (german.tag_review, german.link_field) == ("dedupe:prüfen", "Ähnliche Dokumente")


@pytest.mark.parametrize("language", ["xx", "../language/catalogues/de"])
def test_a_language_without_a_catalogue_is_refused(language: str) -> None:
    with pytest.raises(SettingsError, match="must be one of en, de"):
        load_settings({"HOME": "/x", "DEDUPE_LANGUAGE": language})


def test_a_name_in_the_other_languages() -> None:
    assert "dedupe:review" in other_names("dedupe:prüfen")
    assert "Ähnliche Dokumente" in other_names("Similar documents")
    assert other_names("mine") == []
    assert is_our_tag("dedupe:prüfen") and not is_our_tag("mine")
    assert is_our_field("Ähnliche Dokumente") and not is_our_field("mine")
