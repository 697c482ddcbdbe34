"""A printed word in, what it is out: its comparison key, its kind, and how well formed it is."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from dedupe_core.text.tokens import number_key
from dedupe_core.text.trigrams import common_sequences

_CACHED = 65_536  # words: an archive's vocabulary; a word is asked for in every comparison
_LONGEST = 80  # characters of a word that are read: an endless line is not a word
_SHORTEST_LONG_NUMBER = 4  # digits: "2024" and "88,15" identify, "14" and "2." do not

# Digits that scanners read for letters inside a word, and letters that they confuse.
_AS_LETTERS = str.maketrans({"0": "o", "1": "i", "l": "i", "|": "i", "5": "s", "8": "b", "ß": "s", "ł": "i"})
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"\d")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_QUOTES = "\"'\u201e\u201c\u201d\u201a\u2018\u2019\u00bb\u00ab"
_WORD_SHAPE = re.compile(
    rf"[(\[{_QUOTES}]{{0,3}}[^\W\d_]++(?:[-'\u2019./][^\W\d_]++)*+[)\]{_QUOTES}.,;:!?*]{{0,3}}"
)
_NUMBER_SHAPE = re.compile(
    r"[(\[#€$£+\-]{0,3}[A-Za-z]{0,4}[-/]?\d[\d.,:/'\-]*+[A-Za-z]{0,3}[%€$)\].,;:*!?\-]{0,3}"
)


class WordKind(StrEnum):
    """What a printed word looks like. A capital makes a name, also where it begins a sentence or a German noun."""

    LONG_NUMBER = "long number"
    NUMBER = "number"
    CONTACT = "contact"
    NAME = "name"
    WORD = "word"
    MARK = "mark"


NUMBERS = (WordKind.LONG_NUMBER, WordKind.NUMBER)


@lru_cache(maxsize=_CACHED)
def keyed(word: str) -> tuple[str, str]:
    """A word and its key: one object for all texts that have it, which is half of the memory that an open text takes."""
    return word, word_key.__wrapped__(word)


@lru_cache(maxsize=_CACHED // 8)  # most words are asked for by `keyed`
def word_key(word: str) -> str:
    """What two readings of a word have in common: no case, accents or punctuation, confused characters made one.

    A word made mostly of digits keeps its digits apart: 46 and 49 are two numbers.
    """
    if word.isalpha() and word.isascii():  # most words: nothing to ask of their letters one by one
        return word[:_LONGEST].lower().replace("l", "i")
    word = word[:_LONGEST].casefold()
    if _is_mostly_digits(word):
        return number_key(word)
    if not word.isascii():
        word = "".join(map(_without_marks, word))
    word = word.translate(_AS_LETTERS)
    return word if word.isalnum() else _NOT_ALPHANUMERIC.sub("", word)


def _is_mostly_digits(word: str) -> bool:
    digits = len(_DIGIT.findall(word))
    if digits == 0 or digits >= 3:
        return digits > 0
    letters = sum(map(str.isalpha, word))
    return digits >= letters or letters <= 2


@lru_cache(maxsize=4096)  # letters: NFKD takes them one by one, too
def _without_marks(character: str) -> str:
    return "".join(
        [part for part in unicodedata.normalize("NFKD", character) if not unicodedata.combining(part)]
    )


@lru_cache(maxsize=_CACHED)
def word_kind(word: str) -> WordKind:
    word = word[:_LONGEST]
    if "@" in word or "://" in word or word[:4].lower() == "www." or word.count("/") >= 3:
        return WordKind.CONTACT
    digits = len(_DIGIT.findall(word))
    if digits >= 2 or (digits == 1 and sum(map(str.isalpha, word)) <= 1):
        return WordKind.LONG_NUMBER if digits >= _SHORTEST_LONG_NUMBER else WordKind.NUMBER
    first = next(filter(str.isalpha, word), "")
    if not first:
        return WordKind.MARK
    return WordKind.NAME if first.isupper() else WordKind.WORD


@lru_cache(maxsize=_CACHED)
def number_pattern(word: str) -> str:
    """`24.03.2022` and `11.05.2021` are written alike: every digit is a 9."""
    return _DIGIT.sub("9", _EDGES.sub("", word[:_LONGEST]))


@lru_cache(maxsize=_CACHED)
def word_shape(word: str) -> str:
    """`RE-2023` is `AA-9999`: capitals, other letters and digits are each one character."""
    return "".join(map(_shape, word[:_LONGEST]))


def _shape(character: str) -> str:
    if character.isdigit():
        return "9"
    return "a" if character.islower() else "A" if character.isupper() else character


@lru_cache(maxsize=_CACHED)
def well_formed(word: str) -> float:
    """How much a word looks like one that somebody wrote, 0..1; what a scanner makes of a stain does not."""
    kind, word = word_kind(word), word[:_LONGEST]
    if kind is WordKind.CONTACT:
        return 1.0
    if kind in NUMBERS:
        return 0.3 if len(_DIGIT.findall(word)) < 2 or not _NUMBER_SHAPE.fullmatch(word) else 1.0
    letters = _NOT_ALPHANUMERIC.sub("", word)
    if len(letters) < 2 or not _WORD_SHAPE.fullmatch(word):
        return 0.1
    if not (letters.islower() or letters.isupper() or letters[1:].islower()) and letters == word:
        return 0.3  # capitals inside: "SFkIS"
    return _spelled(letters) if len(letters) > 2 else 0.2  # "ni", "En": as often a stain as a word


def _spelled(letters: str) -> float:
    """The share of common letter sequences, less what a single impossible one takes; other scripts are believed."""
    plain = unicodedata.normalize("NFKD", letters.casefold()).encode("ascii", "ignore").decode()
    if len(plain) * 2 < len(letters):
        return 1.0
    bounded = f"^{plain}$"
    sequences = [bounded[place : place + 3] for place in range(len(bounded) - 2)]
    share = sum(map(common_sequences().__contains__, sequences)) / max(1, len(sequences))
    return share * share
