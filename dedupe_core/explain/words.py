"""Statements in, words out: the reason of a verdict in the language of `say`, and the tone of each statement.

A statement that has no sides is said without any content of the documents: that is the reason for a log, which others may read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from dedupe_core.explain.say import Say, english, message, messages
from dedupe_core.model import Field, Statement
from dedupe_core.model import StatementKind as Kind

_SIDE_CHARS = 40
_COLON = message(": ")  # French has a space before it
_FACTS = (Field.DATE, Field.AMOUNT, Field.REFERENCE)  # these are not quoted

_PLAIN: Final[Mapping[Kind, str | tuple[str, str]]] = {  # also without sides
    Kind.SAME_FILE: message("same file, byte for byte"),
    Kind.SAME_TEXT: message("same text, character for character"),
    Kind.SAME_FILE_AND_TEXT: message("same file and same text, character for character"),
    Kind.SAME_PAPER: message("same paper again"),
    Kind.EDITED: message("same document, edited"),
    Kind.SAME_TEMPLATE: message("same template, different document"),
    Kind.NOTHING_SHARED: message("nothing that identifies in common"),
    Kind.LINKED: message("another copy is the same paper as both"),
    Kind.UNCERTAIN: message("too little is certain to call it the same paper"),
    Kind.BADLY_READ: message("too badly read to exclude an edit"),
    Kind.LOOKS_THE_SAME: message("looks the same: there is no text, the pages were laid over each other"),
    Kind.SAME_PRINT: message("looked at the page: same print"),
    Kind.DIFFERENT_PRINT: message("looked at the page: different print"),
    Kind.TRANSLATION: message("{language} version of {other}"),
    Kind.SAME_MEANING: message("same meaning (cosine {value:.2f})"),
    Kind.SIMILARITY: message("similarity {value:.2f} against a threshold of {bound:.2f}"),
    Kind.EQUAL_WORDS: message("{n}% of the words equal"),
    Kind.AS_SIMILAR: message("but as similar to {other}, which is a different document"),
    Kind.NEWER: message("{other} is newer"),
    Kind.ADDED: messages("{n} word added", "{n} words added"),
    Kind.REMOVED: messages("{n} word removed", "{n} words removed"),
    Kind.REWORDED: messages("a passage of {n} word reworded", "a passage of {n} words reworded"),
    Kind.SECTION_ADDED: messages("a section added ({words} words)", "{n} sections added ({words} words)"),
    Kind.SECTION_REMOVED: messages(
        "a section removed ({words} words)", "{n} sections removed ({words} words)"
    ),
    Kind.MORE_DIFFERENCES: messages("{n} more difference", "{n} more differences"),
    Kind.OCR_DIFFERENCES: messages("{n} OCR difference", "{n} OCR differences"),
    Kind.ONE_READING: messages("{n} place that only one reading has", "{n} places that only one reading has"),
}
_QUOTED: Final = {  # with sides
    Kind.CHANGED: message('"{left}" became "{right}"'),
    Kind.ADDED: message('"{left}" added'),
    Kind.REMOVED: message('"{left}" removed'),
    Kind.DIFFERENT_PRINT: message('looked at the page: different print: "{left}" here and "{right}" there'),
}
_AGREE: Final = {
    Field.DATE: messages("{n} date agrees", "{n} dates agree"),
    Field.AMOUNT: messages("{n} amount agrees", "{n} amounts agree"),
    Field.REFERENCE: messages("{n} reference agrees", "{n} references agree"),
    Field.NUMBER: messages("{n} other number agrees", "{n} other numbers agree"),
}
_AGREE_NAMED: Final = {
    Field.DATE: messages("date {which} agrees", "dates {which} agree"),
    Field.AMOUNT: messages("amount {which} agrees", "amounts {which} agree"),
    Field.REFERENCE: messages("reference {which} agrees", "references {which} agree"),
}
_DIFFER: Final = {
    Field.DATE: message("different dates"),
    Field.AMOUNT: message("different amounts"),
    Field.REFERENCE: message("different references"),
    Field.NUMBER: message("different numbers"),
    Field.NAME: message("different names or words"),
    Field.ADDRESS: message("different addresses"),
}
_CHANGED: Final = {
    Field.NUMBER: message("a number changed"),
    Field.NAME: message("a name or word changed"),
    Field.ADDRESS: message("an address changed"),
    Field.WORD: message("a word changed"),
}
_DOUBTS: Final = {
    Field.NUMBER: message('one number reads "{left}" here and "{right}" there'),
    Field.NAME: message('one name reads "{left}" here and "{right}" there'),
    Field.ADDRESS: message('one address reads "{left}" here and "{right}" there'),
    Field.WORD: message('one word reads "{left}" here and "{right}" there'),
}
_LANGUAGES: Final = (  # of dedupe_core/text/language.py
    message("English"), message("German"), message("French"), message("Spanish"), message("Italian"), message("Dutch"),
    message("Polish"), message("Portuguese"), message("Swedish"), message("Czech"),
)  # fmt: skip
_HEADS: Final = {
    Kind.SAME_PAPER,
    Kind.EDITED,
    Kind.SAME_TEMPLATE,
    Kind.NOTHING_SHARED,
    Kind.TRANSLATION,
}  # a colon follows


class Tone(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    NEUTRAL = "neutral"


_TONES: Final = {
    **dict.fromkeys((Kind.SAME_FILE, Kind.SAME_TEXT, Kind.SAME_FILE_AND_TEXT), Tone.AGREES),
    **dict.fromkeys((Kind.AGREES, Kind.LOOKS_THE_SAME, Kind.SAME_PRINT, Kind.SAME_MEANING), Tone.AGREES),
    **dict.fromkeys((Kind.DIFFERS, Kind.CHANGED, Kind.ADDED, Kind.REMOVED, Kind.REWORDED), Tone.DIFFERS),
    **dict.fromkeys((Kind.SECTION_ADDED, Kind.SECTION_REMOVED), Tone.DIFFERS),
    **dict.fromkeys((Kind.DIFFERENT_PRINT, Kind.DOUBT), Tone.DIFFERS),
}


def tone(statement: Statement) -> Tone:
    return _TONES.get(statement.kind, Tone.NEUTRAL)


def reason(statements: Sequence[Statement], say: Say = english) -> str:
    """`same paper again: 4 dates agree; 2 OCR differences`."""
    text, separator = "", ""
    for statement, words in sentences(statements, say):
        text += f"{separator}{words}"
        separator = say(_COLON) if statement.kind in _HEADS else say("; ")
    return text


def brief(statements: Iterable[Statement]) -> str:
    """The reason without any content of the documents."""
    return reason([replace(statement, sides=()) for statement in statements])


def sentences(statements: Sequence[Statement], say: Say = english) -> list[tuple[Statement, str]]:
    """Each statement with its words. Of doubts the first is said, and how many more there are."""
    doubts = [statement for statement in statements if statement.kind is Kind.DOUBT]
    said = [one for one in statements if one.kind is not Kind.DOUBT or one is doubts[0]]
    return [
        (one, _doubt(one, len(doubts), say) if one.kind is Kind.DOUBT else _words(one, say)) for one in said
    ]


def _words(one: Statement, say: Say) -> str:
    if one.kind in _COMPOSED:
        return _COMPOSED[one.kind](one, say)
    if one.kind is Kind.CHANGED and not one.sides:
        return say(_CHANGED[Field(one.field)])
    form = _QUOTED[one.kind] if one.sides else _PLAIN[one.kind]
    left, right = (*map(_cut, one.sides), "", "")[:2]
    n, more = (*one.counts, 0, 0)[:2]
    return say(
        *([form] if isinstance(form, str) else form),
        **{"left": left, "right": right, "n": n, "words": more, "value": n / 100, "bound": more / 100},
        language=say(one.field) if one.field else "",
        other=_name(one.documents[0], say) if one.documents else "",
    )


def _agreeing(one: Statement, say: Say) -> str:
    count, which = one.counts[0], ", ".join(one.sides)
    if one.sides and count <= len(one.sides):
        return say(*_AGREE_NAMED[Field(one.field)], n=count, which=which)
    counted = say(*_AGREE[Field(one.field)], n=count)
    return f"{counted} ({which}, \N{HORIZONTAL ELLIPSIS})" if which else counted


def _differing(one: Statement, say: Say) -> str:
    differ = say(_DIFFER[Field(one.field)])
    if not one.sides:
        return differ
    left, right = map(_cut, one.sides)
    shown = f"{left} / {right}" if one.field in _FACTS else f'"{left}" / "{right}"'
    more = f" {say('and {n} more', n=one.counts[0] - 1)}" if one.counts[0] > 1 else ""
    return f"{differ}{say(_COLON)}{shown}{more}"


def _doubt(first: Statement, count: int, say: Say) -> str:
    look = say("look before you delete")
    if not first.sides:
        return f"{say('{n} doubt', '{n} doubts', n=count)}{say(_COLON)}{look}"
    left, right = map(_cut, first.sides)
    if left and right:
        text = say(_DOUBTS[Field(first.field)], left=left, right=right)
    else:
        text = (
            say('"{left}" is only here', left=left) if left else say('"{right}" is only there', right=right)
        )
    more = f" ({say('and {n} more', n=count - 1)})" if count > 1 else ""
    return f"{text}{say(_COLON)}{look}{more}"


def _part(one: Statement, say: Say) -> str:
    percent = [f"{count}%" if count else say("under 1%") for count in one.counts]
    part, whole = (_name(document, say) for document in one.documents)
    names = {"part": part, "whole": whole}
    if not one.place:
        what = say("{part} is part of {whole}", **names)
    elif one.place[0] == one.place[1]:
        what = say("{part} is page {page} of {whole}", page=one.place[0], **names)
    else:
        pages = f"{one.place[0]}\N{EN DASH}{one.place[1]}"
        what = say("{part} is pages {pages} of {whole}", pages=pages, **names)
    where = ""
    if len(one.counts) > 2:
        where = say("about {share} into it", share=percent[2]) if one.counts[2] else say("at its beginning")
    share = say(
        "{share} of {part} appears in {whole}, which is {other} of it",
        share=percent[0],
        other=percent[1],
        **names,
    )
    return f"{what}{f', {where}' if where else ''}{say(_COLON)}{share}"


_COMPOSED: Final[Mapping[Kind, Callable[[Statement, Say], str]]] = {
    Kind.AGREES: _agreeing,
    Kind.DIFFERS: _differing,
    Kind.PART: _part,
}


def _name(document: int, say: Say) -> str:
    """What is not in Paperless yet has a negative id."""
    return f"#{document}" if document >= 0 else say("the text")


def _cut(text: str) -> str:
    return text if len(text) <= _SIDE_CHARS else f"{text[:_SIDE_CHARS]}\N{HORIZONTAL ELLIPSIS}"
