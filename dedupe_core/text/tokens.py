"""Normalised text in, words and numbers out, and how two numbers of two scans can be the same one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import filterfalse

from rapidfuzz.distance import Levenshtein

# Letters that stand for digits inside a number that a scanner misread.
LETTERS_AS_DIGITS = {"o": "0", "q": "0", "l": "1", "i": "1", "s": "5", "b": "8", "z": "2", "g": "9"}
_AS_DIGITS = str.maketrans({**LETTERS_AS_DIGITS, "|": "1", "!": "1", "§": "5", "$": "5", "@": "0"})
_PUNCTUATION = re.compile(r"[\W_]+")
_SHORTEST_WORD = 3
_WORD = re.compile(rf"[^\W\d_]{{{_SHORTEST_WORD},}}")
_DIGIT = re.compile(r"\d")
# A token with two digits. Begun where a token begins and never given back: linear, even in one endless token.
_NUMBER = re.compile(r"(?<!\S)[^\s\d]*+\d[^\s\d]*+\d\S*+")
_LONGEST_TOKEN = 80
_NUMBER_CHARS = range(3, 31)  # shorter ones are everywhere, longer ones are bar codes glued together

# Digits that scanners take for each other. Measured on aligned numbers of documents scanned twice against
# those of template siblings: each of these pairs is at least as frequent among slips as among real changes.
SLIPS = frozenset(["06", "39", "56", "09", "68", "58", "38", "89", "08", "14", "17", "05", "28", "35", "59"])


@dataclass(frozen=True)
class Tokens:
    """A text split once: `count` tokens; `plain` are those of letters only, `others` the rest, each once, with spaces."""

    count: int
    plain: tuple[str, ...]
    others: str

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of at least three letters; a text without spaces gives its longest runs."""
        long_enough = [word for word in self.plain if len(word) >= _SHORTEST_WORD]
        return frozenset(long_enough + _WORD.findall(self.others))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers as keys of digits: `1.234,56` and `1,234.56` and `1.234,S6` are one."""
        return frozenset(filter(None, map(_number_of, _NUMBER.findall(self.others))))


@lru_cache(
    maxsize=64
)  # a text is asked for when it is looked up, compared and stored; its neighbours with it
def tokens_of(text: str) -> Tokens:
    """Half of the tokens are plain words, which need no regular expression, and most of them occur more than once."""
    tokens = text.split()
    distinct = set(tokens)
    plain = tuple(filter(str.isalpha, distinct))
    return Tokens(len(tokens), plain, " ".join(filterfalse(str.isalpha, distinct)))


@lru_cache(maxsize=16_384)  # neighbours are full of the same numbers
def _number_of(token: str) -> str:
    """The key of a token with two digits, or nothing if it is too long or mostly letters."""
    if len(token) > _LONGEST_TOKEN:
        return ""
    key = number_in(token)
    is_number = len(key) in _NUMBER_CHARS and len(_DIGIT.findall(token)) * 2 >= len(key)
    return key if is_number else ""


def number_key(token: str) -> str:
    """Letters and digits only, letters that scanners read for digits made digits."""
    return _PUNCTUATION.sub("", token.translate(_AS_DIGITS))


def number_in(token: str) -> str:
    """The key of a token that is a number, else nothing."""
    if token.isalpha() or len(_DIGIT.findall(token)) < 2:
        return ""
    return number_key(token)


def is_slip(a: str, b: str) -> bool:
    """Could one paper give both numbers? Only digits that scanners confuse differ, or one was lost."""
    if a == b:
        return True
    if len(a) == len(b):
        return _differences_are_slips(a, b, at_most=max(1, len(a) // 3))
    return (
        abs(len(a) - len(b)) == 1
        and min(len(a), len(b)) >= 5
        and Levenshtein.distance(a, b, score_cutoff=1) <= 1
    )


def is_date_slip(a: str, b: str, *, at_most: int = 2) -> bool:
    """Could one paper give both ISO dates? A digit or two differ, each as scanners confuse them."""
    return len(a) == len(b) and _differences_are_slips(a, b, at_most=at_most)


def _differences_are_slips(a: str, b: str, *, at_most: int) -> bool:
    differing = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    return len(differing) <= at_most and all(_confusable(x, y) for x, y in differing)


def _confusable(x: str, y: str) -> bool:
    if x.isdigit() and y.isdigit():
        return (x + y if x < y else y + x) in SLIPS
    return x.isdigit() or y.isdigit()  # a letter read for a digit is noise; two letters are two words
