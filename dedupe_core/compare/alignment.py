"""Two texts side by side, word by word: is what differs noise of the scanner or content?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.view import View
from dedupe_core.text.tokens import is_slip, number_in

_LONGEST_TEXT = 4000  # words of a side that are aligned: 4000 x 4000 costs a few milliseconds
_LONGEST_WORD = 80  # characters: longer ones are cut, an endless line is no word
_LONG_NUMBER = 5  # characters that stand in a text by no chance, even when a scanner split or joined them
_ALIKE = 50  # percent: a word misread keeps half of its letters


@dataclass(frozen=True, slots=True)
class Alignment:
    """Counts of words; `noise` was misread, `content` was replaced by something else on both sides."""

    equal: int = 0
    noise: int = 0
    content: int = 0
    numbers_slipped: int = 0
    numbers_changed: int = 0


def align(a: View, b: View) -> Alignment:
    left, right = _bounded(a), _bounded(b)
    equal, numbers, words = 0, list[tuple[str, str]](), list[tuple[str, str]]()
    for block in Levenshtein.opcodes(left, right):
        if block.tag == "equal":
            equal += block.src_end - block.src_start
        elif block.tag == "replace":  # one word for one word: both passages are equally long
            replaced = left[block.src_start : block.src_end], right[block.dest_start : block.dest_end]
            for x, y in zip(*replaced, strict=True):
                is_word = x.isalpha() or y.isalpha()
                key_x, key_y = ("", "") if is_word else (number_in(x), number_in(y))
                if key_x and key_y:
                    numbers.append((key_x, key_y))
                else:
                    words.append((x, y))
    slipped, changed = _replaced_numbers(numbers, a, b)
    noise, content = _replaced_words(words, a, b)
    return Alignment(equal, noise, content, slipped, changed)


def _bounded(side: View) -> list[str]:
    return [word[:_LONGEST_WORD] for word in side.order[:_LONGEST_TEXT]]


def _replaced_numbers(pairs: Sequence[tuple[str, str]], a: View, b: View) -> tuple[int, int]:
    slipped = changed = 0
    for x, y in pairs:
        if _stands_in(x, b) or _stands_in(y, a):
            continue  # moved, not changed: tables are read in another order
        if is_slip(x, y):
            slipped += x != y
        else:
            changed += 1
    return slipped, changed


def _stands_in(number: str, side: View) -> bool:
    return number in side.numbers or (len(number) >= _LONG_NUMBER and number in side.keyed)


def _replaced_words(pairs: Sequence[tuple[str, str]], a: View, b: View) -> tuple[int, int]:
    if not pairs:
        return 0, 0
    alike = process.cpdist(*zip(*pairs, strict=True), scorer=fuzz.ratio, score_cutoff=_ALIKE) > 0
    content = sum(
        x.isalpha() and y.isalpha() and min(len(x), len(y)) >= 3 and x not in b.words and y not in a.words
        for (x, y), is_noise in zip(pairs, alike.tolist(), strict=True)
        if not is_noise
    )
    return int(alike.sum()), content
