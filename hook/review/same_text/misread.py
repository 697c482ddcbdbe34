"""Which two readings of one printed word differ beyond doubt by the scanner alone: at most one of them is a word or a number.

What scanners confuse is listed here. Where both readings are words (`modern`, `modem`) or numbers, it is a difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from dedupe_core.text.vocabulary import is_negation, is_number_word
from dedupe_core.text.words import WordKind, well_formed, word_key, word_kind

_CACHED: Final = 16_384
_LONGEST: Final = 200  # characters: what is longer is only equal or not
_EXACT: Final = 4  # letters up to which capitals count: mW and MW, Sie and sie
_SHORTEST_MIXED: Final = 4  # letters of a word in which a digit is a misread letter: "B5" and "1m" are not
_SHORTEST_SPELLED: Final = 5  # letters by which a word that nobody writes can be told
_CONFUSED: Final = 2  # letters of a word that are confused at most: `rn` for `m` are two
_LONG: Final = 7  # letters
_SPELLED: Final = 0.8  # `well_formed` of a word at least, and of what is none at most
_MISSPELLED: Final = 0.7
_GROUPED: Final = 10  # digits of an account or reference that may be printed in groups: "3 5" is not 35

_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_QUOTES: Final = "\"'`\u00b4\u201e\u201c\u201d\u201a\u2018\u2019\u00bb\u00ab"
# Punctuation that a scanner loses or makes.
_LOST: Final = f".,;:!?()[]{{}}|~_*\\/\u2026\u00b7\u2022{_QUOTES}"
_INNER: Final = re.compile(rf"[-{re.escape(_LOST)}]+")
_NEGATIVE: Final = re.compile(r"\(\s?[^()]*\d[.,]\d\d\)")  # (132,92) in accounts
_SYMBOLS: Final = ("Sc", "So")  # currencies, degrees, boxes that are ticked or not
_MARKS: Final = "%\u2030<>="
_SIGN: Final = re.compile(r"[-+\u00b1]+")
_NUMBER: Final = re.compile(r"[^\w.,]*\d+(?:[.,]\d+)*[^\w.,]*")
_LETTER_IN_NUMBER: Final = re.compile(r"(?<=\d)[Il](?=\d)|(?<=[\d.,])[Oo](?=[\d.,]|$)")
_SEPARATOR: Final = re.compile(r"[.,]")
_ODD: Final = re.compile(r"[|~_=<>{}\\^\u00ac\u00a6]")

_DIGITS_AS_LETTERS: Final = str.maketrans("01l5|8", "oiisib")
_LETTERS_AS_DIGITS: Final = str.maketrans("OoIl", "0011")
_SAME_SHAPE: Final = str.maketrans("I|", "ll")
# What scanners take for each other, longest first; then single letters, each group as its first.
_SHAPES: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("ii", "n"), ("li", "h"), ("ri", "n"))
_LETTERS: Final = str.maketrans("ltbue", "ifhnc")


def word_keys(line: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words of a line that count, each with its key; readings with the same key are equal."""
    for place, word in enumerate(line):
        if key := _key(word):
            yield word, key
        elif _SIGN.fullmatch(word.translate(_DASHES)) and _is_beside_number(line, place):
            yield word, "-" if "-" in word.translate(_DASHES) else word


def is_misread(one: str, other: str) -> bool:
    """Of two words whose keys differ."""
    one, other = (_key(word) if any(map(str.isdigit, word)) else _bare(word) for word in (one, other))
    if max(len(one), len(other)) > _LONGEST or not one or not other:
        return False
    if one.isalpha() and other.isalpha():
        return _is_same_shape(one, other) or _is_same_long_word(one, other) or _is_misspelled(one, other)
    if one.isalpha() or other.isalpha():
        return _has_digit_for_letter(*((one, other) if one.isalpha() else (other, one)))
    return _is_same_number(one, other)


def is_torn(word: str, pieces: Sequence[str]) -> bool:
    """The word with spaces in it. A piece that is a negation or a number says something of its own, and so do digits."""
    bare = [_key(piece) or piece.translate(_DASHES) for piece in pieces]
    if "".join(bare).casefold() != _key(word).casefold():
        return False
    digits = [sum(map(str.isdigit, piece)) for piece in bare]
    if sum(map(bool, digits)) > 1:
        return sum(digits) >= _GROUPED
    keys = [word_key(piece) for piece in bare]
    return not any(is_negation(key) or is_number_word(key) for key in keys)


def is_garbage(word: str) -> bool:
    """What a scanner makes of a stain, a fold or a line: letters with marks among them that nobody writes."""
    if any(map(str.isdigit, word)) or not any(map(str.isalpha, word)) or len(word) < 2:
        return False
    return bool(_ODD.search(word)) and word_kind(word) is not WordKind.CONTACT and len(word) <= _LONGEST


def _key(word: str) -> str:
    """Empty for marks that carry no meaning."""
    return _key_of(word) if len(word) <= _LONGEST else word


@lru_cache(maxsize=_CACHED)
def _key_of(word: str) -> str:
    bare = _bare(word)
    if not any(map(str.isalnum, bare)):
        marks = _MARKS + "+-" if _is_amount(bare) else _MARKS
        return "".join(mark for mark in bare if unicodedata.category(mark) in _SYMBOLS or mark in marks)
    if any(map(str.isdigit, bare)):
        return f"({bare})" if _NEGATIVE.fullmatch(word.rstrip(".,;:")) else bare
    if word_kind(word) is WordKind.CONTACT:
        return bare.casefold()
    letters = _INNER.sub("", bare)
    return letters.casefold() if len(letters) > _EXACT else letters


def _bare(word: str) -> str:
    """Without the punctuation around it, but for signs at a number or a currency."""
    bare = word.translate(_DASHES).strip(_LOST)
    inner = bare.strip("-")
    before = "-" if bare.startswith("-") and _is_amount(inner.lstrip(_LOST)[:1]) else ""
    after = "-" if bare.endswith("-") and _is_amount(inner[-1:]) else ""
    return (before + inner + after).strip(_LOST)


def _is_amount(text: str) -> bool:
    return any(mark.isdigit() or unicodedata.category(mark) == "Sc" for mark in text)


def _is_beside_number(line: Sequence[str], place: int) -> bool:
    beside = (*line[max(0, place - 1) : place], *line[place + 1 : place + 2])
    return any(map(_is_amount, beside))


def _is_same_shape(one: str, other: str) -> bool:
    """A capital I and a small l: no two words differ by them alone."""
    return len(one) > 2 and one.translate(_SAME_SHAPE) == other.translate(_SAME_SHAPE)


def _is_same_long_word(one: str, other: str) -> bool:
    """`intemational`: of long words in small letters, which are no names, no two differ by these alone."""
    if min(len(one), len(other)) < _LONG or not (one.islower() and other.islower()):
        return False
    return _joined(one, _SHAPES[:2]) == _joined(other, _SHAPES[:2])


def _is_misspelled(one: str, other: str) -> bool:
    """Only letters differ that scanners confuse, and one of the two is no word."""
    if min(len(one), len(other)) < _SHORTEST_SPELLED or _shape(one) != _shape(other):
        return False
    if Levenshtein.distance(one.casefold(), other.casefold(), score_cutoff=_CONFUSED) > _CONFUSED:
        return False
    worse, better = sorted((well_formed(one), well_formed(other)))
    return worse <= _MISSPELLED and better >= _SPELLED


def _shape(word: str) -> str:
    return _joined(word.translate(_SAME_SHAPE).casefold(), _SHAPES).translate(_LETTERS)


def _joined(word: str, shapes: Sequence[tuple[str, str]]) -> str:
    for long, short in shapes:
        word = word.replace(long, short)
    return word


def _has_digit_for_letter(letters: str, mixed: str) -> bool:
    """`m0nth`, `Ste1le`: nobody writes them. More letters than digits, so that it is no number with a unit."""
    digits = sum(map(str.isdigit, mixed))
    if len(letters) < _SHORTEST_MIXED or digits * 2 >= len(letters) or not mixed.replace("|", "l").isalnum():
        return False
    as_letters = [word.casefold().translate(_DIGITS_AS_LETTERS) for word in (letters, mixed)]
    return as_letters[0] == as_letters[1]


def _is_same_number(one: str, other: str) -> bool:
    """`2O25` and `2025`, but not `5l`, `12B` or `I.10`, which are written; `132.92` and `132,92`, but not `1.500` and `1,500`."""
    if not _NUMBER.fullmatch(one):
        one, other = other, one
    if not _NUMBER.fullmatch(one):
        return False
    if any(map(str.isalpha, other)):
        return _LETTER_IN_NUMBER.sub(lambda match: match[0].translate(_LETTERS_AS_DIGITS), other) == one
    groups = _SEPARATOR.split(one)
    decimals = sum(map(str.isdigit, groups[-1]))
    return groups == _SEPARATOR.split(other) and len(groups) > 1 and decimals != 3
