"""Long texts for tests of parts, editions and questions: prose that repeats no passage by chance."""

from __future__ import annotations

import random

_ONSETS = [
    "b",
    "br",
    "d",
    "f",
    "g",
    "gl",
    "h",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
]
_VOWELS = ("a", "e", "i", "o", "u", "au", "ei")
_CODAS = ("", "n", "r", "s", "t", "l", "nd", "rk")


def prose(seed: int, words: int, *, width: int = 12) -> str:
    """So many words of a language that nobody speaks; the same for the same seed."""
    chance = random.Random(seed)
    made = ["".join(_syllable(chance) for _ in range(chance.choice((1, 2, 2, 3)))) for _ in range(words)]
    return "\n".join(" ".join(made[start : start + width]) for start in range(0, words, width))


def pages(*texts: str) -> str:
    """As Paperless puts pages into one text."""
    return "\f".join(texts)


def _syllable(chance: random.Random) -> str:
    return chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS)
