"""The reason of a finding, part by part, and each part in German. Pure.

The core writes reasons in English, and they are stored so. A part that is not known here stays English; a test runs
over the labelled corpus, so that a new wording of the core is noticed.
"""

from __future__ import annotations

import re
from typing import Final

_HEADS: Final = (
    "same paper again",
    "same document, edited",
    "same template, different document",
    "nothing that identifies in common",
)
_FACTS: Final = {
    "date": "Datum", "dates": "Daten", "amount": "Betrag", "amounts": "Beträge",
    "reference": "Kennzeichen", "references": "Kennzeichen", "numbers": "Nummern", "number": "Nummer",
    "names or words": "Namen oder Wörter", "name or word": "Name oder Wort", "addresses": "Adressen", "address": "Adresse",
    "word": "Wort", "words": "Wörter",
}  # fmt: skip
_FACT: Final = "|".join(sorted(_FACTS, key=len, reverse=True))
_DONE: Final = {"added": "hinzugefügt", "removed": "entfernt"}
_PLAIN: Final = {
    "same paper again": "dasselbe Papier noch einmal",
    "same document, edited": "dasselbe Dokument, überarbeitet",
    "same template, different document": "gleiche Vorlage, anderes Dokument",
    "nothing that identifies in common": "nichts Eindeutiges gemeinsam",
    "same file and same text, character for character": "gleiche Datei und gleicher Text, Zeichen für Zeichen",
    "same text, character for character": "gleicher Text, Zeichen für Zeichen",
    "same file, byte for byte": "gleiche Datei, Byte für Byte",
    "looked at the page: same print": "Seite angesehen: gleicher Druck",
    "too badly read to exclude an edit": "zu schlecht gelesen, um eine Änderung auszuschließen",
    "another copy is the same paper as both": "eine weitere Kopie ist dasselbe Papier wie beide",
    "too little is certain to call it the same paper": "zu wenig ist sicher, um es dasselbe Papier zu nennen",
}
_OF_PART: Final = re.compile(
    r"(#\d+|the text) is (part|pages? [\d\u2013]+) of (#\d+|the text)(?:, (at its beginning|about (\d+%) into it))?: "
    r"(.+?%) of \1 appears in \3, which is (.+?%) of it"
)


def parts_of(reason: str) -> list[str]:
    """Cut at semicolons outside of quotes; "same paper again: 4 dates agree" are two parts."""
    found = [part.strip() for part in re.split(r'; (?=(?:[^"]*"[^"]*")*[^"]*$)', reason) if part.strip()]
    cut = []
    for part in found:
        head, colon, rest = part.partition(": ")
        cut += [head, rest] if colon and head in _HEADS else [part]
    return cut


def in_german(reason: str) -> str:
    parts = parts_of(reason)
    shown = [german_part(part) or part for part in parts]
    if len(shown) > 1 and parts[0] in _HEADS:
        return f"{shown[0]}: {'; '.join(shown[1:])}"
    return "; ".join(shown)


def in_language(reason: str, language: str) -> str:
    return in_german(reason) if language == "de" else reason


def german_part(part: str) -> str | None:
    """None if it is not known."""
    if part in _PLAIN:
        return _PLAIN[part]
    for pattern, render in _PATTERNS:
        if match := re.fullmatch(pattern, part, re.DOTALL):
            return render(match)
    return _part_of_whole(part)


def _agree(match: re.Match[str]) -> str:
    verb = "stimmt" if match["verb"] == "agrees" else "stimmen"
    return f"{match['count'] or ''}{_FACTS[match['fact']]}{match['which'] or ''} {verb} überein"


def _different(match: re.Match[str]) -> str:
    more = f" und {match['more']} weitere" if match["more"] else ""
    return f"verschiedene {_FACTS[match['fact']]}: {match['which']}{more}"


def _sections(match: re.Match[str]) -> str:
    what = "ein Abschnitt" if match["count"] == "a section" else f"{match['count'].split()[0]} Abschnitte"
    return f"{what} {_DONE[match['done']]} ({match['words']} Wörter)"


def _counted(match: re.Match[str]) -> str:
    count = match["count"]
    one, many = {
        "OCR difference": ("OCR-Abweichung", "OCR-Abweichungen"),
        "more difference": ("weitere Abweichung", "weitere Abweichungen"),
        "more place": ("weitere Stelle", "weitere Stellen"),
    }[match["noun"]]
    return f"{count} {one if count == '1' else many}"


_LANGUAGES: Final = {
    "English": "englische", "German": "deutsche", "French": "französische", "Spanish": "spanische",
    "Italian": "italienische", "Dutch": "niederländische", "Polish": "polnische", "Portuguese": "portugiesische",
}  # fmt: skip


def _translated(match: re.Match[str]) -> str:
    facts = re.sub(rf"\b({_FACT})\b", lambda m: _FACTS[m[1]], match["facts"])
    facts = facts.replace(" and ", " und ").replace(" other ", " weitere ")
    return f"{_LANGUAGES.get(match['language'], match['language'])} Fassung von {match['who']}: gleich sind {facts}"


_LOOK: Final = r": look before you delete(?: \(and (?P<more>\d+) more\))?"
_ONE: Final = {"number": "eine Zahl", "name": "ein Name", "address": "eine Adresse", "word": "ein Wort"}
_WHERE: Final = {"here": "hier", "there": "dort"}


def _look(match: re.Match[str]) -> str:
    more = f" (und {match['more']} weitere)" if match["more"] else ""
    return f": vor dem Löschen ansehen{more}"


_PATTERNS: Final = (
    (
        r'looked at the page: different print: (?P<here>".*") here and (?P<there>".*") there',
        lambda m: f"Seite angesehen: anderer Druck: hier {m['here']}, dort {m['there']}",
    ),
    (
        rf'one (?P<kind>number|name|address|word) reads (?P<here>".*") here and (?P<there>".*") there{_LOOK}',
        lambda m: f"{_ONE[m['kind']]} lautet hier {m['here']} und dort {m['there']}{_look(m)}",
    ),
    (
        rf'(?P<what>".*") is only (?P<where>here|there){_LOOK}',
        lambda m: f"{m['what']} steht nur {_WHERE[m['where']]}{_look(m)}",
    ),
    (
        rf"(?P<count>\d+ )?(?P<fact>{_FACT})(?P<which> .+)? (?P<verb>agrees?)",
        _agree,
    ),
    (rf"different (?P<fact>{_FACT}): (?P<which>.+?)(?: and (?P<more>\d+) more)?", _different),
    (r"(?P<count>a section|\d+ sections) (?P<done>added|removed) \((?P<words>\d+) words\)", _sections),
    (r"(?P<count>\d+) (?P<noun>OCR difference|more difference|more place)s?", _counted),
    (
        r"(?P<count>\d+) places? that only one reading has",
        lambda m: f"{m['count']} Stelle{'n' if m['count'] != '1' else ''}, die nur ein Scan hat",
    ),
    (r'(?P<old>".*") became (?P<new>".*")', lambda m: f"{m['old']} wurde zu {m['new']}"),
    (r'(?P<what>".*") (?P<done>added|removed)', lambda m: f"{m['what']} {_DONE[m['done']]}"),
    (
        r"(?P<count>\d+) words? (?P<done>added|removed)",
        lambda m: f"{m['count']} {'Wort' if m['count'] == '1' else 'Wörter'} {_DONE[m['done']]}",
    ),
    (
        rf"an? (?P<fact>{_FACT}) changed",
        lambda m: f"{_FACTS[m['fact']]} geändert",
    ),
    (
        r"a passage of (?P<count>\d+) words reworded",
        lambda m: f"ein Absatz von {m['count']} Wörtern umformuliert",
    ),
    (r"(?P<language>\w+) version of (?P<who>#\d+): same (?P<facts>.+)", _translated),
    (r"(?P<who>#\d+) is newer", lambda m: f"{m['who']} ist neuer"),
    (
        r"(?P<who>#\d+) is the latest of (?P<count>\d+)",
        lambda m: f"{m['who']} ist die neueste von {m['count']}",
    ),
    (r"(?P<share>\d+%) of the words equal", lambda m: f"{m['share']} der Wörter gleich"),
    (
        r"similarity (?P<value>[\d.]+) against a threshold of (?P<bound>[\d.]+)",
        lambda m: f"Ähnlichkeit {m['value']} bei einem Schwellwert von {m['bound']}",
    ),
)


def _part_of_whole(part: str) -> str | None:
    match = _OF_PART.fullmatch(part)
    if match is None:
        return None
    one, what, whole, where, far, share, other = match.groups()
    pages = what.replace("pages", "Seiten").replace("page", "Seite") if what != "part" else "ein Teil"
    place = "" if where is None else ", am Anfang" if far is None else f", nach etwa {far}"
    share, other = (text.replace("under", "unter") for text in (share, other))
    return (
        f"{one} ist {pages} von {whole}{place}: {share} von {one} stehen in {whole}, das sind {other} davon"
    )
