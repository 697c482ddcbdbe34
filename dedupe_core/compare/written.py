"""Words that somebody wrote, and what a scanner makes of stains: how well formed the words of a difference are."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from dedupe_core.compare.places import WELL_FORMED
from dedupe_core.text.vocabulary import is_negation
from dedupe_core.text.words import NUMBERS, WordKind, number_pattern, well_formed, word_kind

_LINE = 5  # words
_SHORT_SENTENCE = 4
_SENTENCE = 3  # well-formed words: what a scanner makes of a stain has fewer


def are_written(words: Sequence[str], keys: Sequence[str]) -> bool:
    """Words that somebody wrote, not stains."""
    pairs = list(zip(words, keys, strict=True))
    good = [len(key) for word, key in pairs if well_formed(word) > WELL_FORMED or is_negation(key)]
    letters = sum(map(len, keys))
    if letters < 2 or not good:
        return False
    is_sentence = (
        len(good) >= _SENTENCE and sum(good) >= 0.5 * letters
    )  # "La", "de", "es" are not stains there
    return len(good) >= 0.7 * len(words) or is_sentence or _is_line(pairs, len(good))


def _is_line(pairs: Sequence[tuple[str, str]], good: int) -> bool:
    """A short sentence: it has a full stop, and most of its words that are longer than "de la" are well formed."""
    longer = sum(len(key) >= 3 for _, key in pairs)
    return pairs[-1][0][-1] in ".!?" and len(pairs) >= _LINE and longer >= _SENTENCE and good >= 0.6 * longer


def is_sentence(words: Sequence[str], keys: Sequence[str]) -> bool:
    """A full stop, and four words at least, of which most are well formed."""
    if len(words) < _SHORT_SENTENCE or words[-1][-1] not in ".!?":
        return False
    longer = [word for word, key in zip(words, keys, strict=True) if len(key) >= 3]
    good = sum(well_formed(word) >= WELL_FORMED for word in longer)
    return good >= max(_SENTENCE, 0.6 * len(longer))


def formed(words: Sequence[str]) -> float:
    """By letters: one well-formed word among stains does not make them all so."""
    lengths = list(map(len, words))
    letters: float = sum(map(mul, map(well_formed, words), lengths))
    return letters / sum(lengths)


def count_written(words: Sequence[str], keys: Sequence[str]) -> float:
    """How many words there are, stains and single letters counted in part."""
    count: float = sum(map(mul, map(well_formed, words), [min(1.0, len(key) / 3) for key in keys]))
    return count


_MEANING = (WordKind.LONG_NUMBER, WordKind.NUMBER, WordKind.CONTACT, WordKind.NAME, WordKind.WORD)


def common_kind(left: Sequence[str], right: Sequence[str]) -> WordKind:
    """The most telling kind that both sides have; `17:49` and `6:46` are two numbers."""
    both = set(map(word_kind, left))
    if right is not left:
        others = set(map(word_kind, right))
        is_number = not both.isdisjoint(NUMBERS) and not others.isdisjoint(NUMBERS)
        both &= others
        if is_number and both.isdisjoint(NUMBERS):
            return WordKind.NUMBER
    for kind in _MEANING:
        if kind in both:
            return kind
    return WordKind.MARK


def are_written_alike(left: Sequence[str], right: Sequence[str]) -> bool:
    return bool(set(map(number_pattern, left[:6])) & set(map(number_pattern, right[:6])))
