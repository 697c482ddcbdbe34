"""Normalised text in, the language it is written in out: told by its function words, for ten languages."""

from __future__ import annotations

import pkgutil
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import filterfalse
from typing import Final

from dedupe_core.text.folding import fold

# A dense page from the beginning and half of one from the end, where a second language may follow: 0.2 ms.
_HEAD_CHARS, _TAIL_CHARS = 4000, 2000
# Not a piece of an address or a compound: "com" and "no" are words only where they stand alone.
_WORD = re.compile(r"(?<![\w./@:-])[^\W\d_]++(?![\w/@-]|\.\w)")


def _read() -> dict[str, str]:
    """Articles, prepositions, pronouns, conjunctions and auxiliaries: every third word of a running text, and hardly a name
    among them. Behind them what an invoice has instead of sentences. Lower case, without diacritics: OCR loses these first."""
    data = pkgutil.get_data(__package__, "function_words.txt")
    assert data is not None
    return dict(block.split("\n", 1) for block in data.decode("ascii").split("\n\n"))


_FUNCTION_WORDS: Final = _read()


def _weights() -> dict[str, dict[str, float]]:
    """What a word says about each language that has it: a word of three languages says a third of it for each."""
    sets = {language: set(words.split()) for language, words in _FUNCTION_WORDS.items()}
    held = Counter(word for words in sets.values() for word in words)
    weights: dict[str, dict[str, float]] = {}
    for language, words in sets.items():
        for word in words:
            weights.setdefault(word, {})[language] = 1 / held[word]
    return weights


_WEIGHTS: Final = _weights()
# A letter of 50 words has 15 function words or more; a table, a list of names or a smudge has few.
_FEWEST, _LOWEST_SHARE = 3.5, 0.06
_CLEARLY = 1.5  # times what the next language has: Spanish and Portuguese share half of their small words


@dataclass(frozen=True, slots=True)
class Language:
    """`share` of the words are function words of this language, each counted by how much it says; `shares`: of all of them."""

    name: str
    share: float
    shares: Mapping[str, float]

    def differs(self, other: Language) -> bool:
        """Neither may be the other's: a Czech text that is hardly told from Polish is clearly not German."""
        return self._is_clear_of(other.name) and other._is_clear_of(self.name)

    def _is_clear_of(self, name: str) -> bool:
        return name != self.name and self.share >= _CLEARLY * self.shares.get(name, 0.0)


def language_of(text: str) -> Language | None:
    """The likeliest language of a normalised text; None if it has too few function words to say."""
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        text = f"{text[:_HEAD_CHARS]} {text[-_TAIL_CHARS:]}"
    words = _words(fold(text))
    scores: dict[str, float] = {}
    for word, count in Counter(filter(_WEIGHTS.__contains__, words)).items():
        for language, weight in _WEIGHTS[word].items():
            scores[language] = scores.get(language, 0.0) + weight * count
    name = min(scores, key=lambda language: (-scores[language], language), default="")
    if not name or scores[name] < max(_FEWEST, _LOWEST_SHARE * len(words)):
        return None
    shares = {language: round(score / len(words), 3) for language, score in scores.items()}
    return Language(name, shares[name], shares)


def _words(text: str) -> list[str]:
    """Most tokens are plain words: only the others need the regular expression."""
    tokens = text.split()
    plain = list(filter(str.isalpha, tokens))
    return plain + _WORD.findall(" ".join(filterfalse(str.isalpha, tokens)))
