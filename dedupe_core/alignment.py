"""Two texts side by side, word by word: is what differs noise of the scanner or content?"""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from dedupe_core.tokens import is_number, is_slip, number_key
from dedupe_core.view import View

_LONGEST_TEXT = 4000  # words of a side that are aligned: 4000 x 4000 costs a few milliseconds
_LONGEST_BLOCK = 600  # characters of a replaced passage that are compared
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
    left, right = a.order[:_LONGEST_TEXT], b.order[:_LONGEST_TEXT]
    equal = noise = content = slipped = changed = 0
    for block in Levenshtein.opcodes(left, right):
        if block.tag == "equal":
            equal += block.src_end - block.src_start
        elif block.tag == "replace":
            found = _replaced(
                left[block.src_start : block.src_end], right[block.dest_start : block.dest_end], a, b
            )
            noise, content = noise + found.noise, content + found.content
            slipped, changed = slipped + found.numbers_slipped, changed + found.numbers_changed
    return Alignment(equal, noise, content, slipped, changed)


def _replaced(left: tuple[str, ...], right: tuple[str, ...], a: View, b: View) -> Alignment:
    if len(left) != len(right):
        return _replaced_passage(left, right, a, b)
    noise = content = slipped = changed = 0
    for x, y in zip(left, right, strict=True):
        if is_number(x) and is_number(y):
            key_x, key_y = number_key(x), number_key(y)
            if key_x in b.numbers or key_y in a.numbers:
                continue  # moved, not changed: tables are read in another order
            if is_slip(key_x, key_y):
                slipped += key_x != key_y
            else:
                changed += 1
        elif fuzz.ratio(x, y) >= _ALIKE:
            noise += 1
        elif (
            x.isalpha() and y.isalpha() and min(len(x), len(y)) >= 3 and x not in b.words and y not in a.words
        ):
            content += 1
    return Alignment(0, noise, content, slipped, changed)


def _replaced_passage(left: tuple[str, ...], right: tuple[str, ...], a: View, b: View) -> Alignment:
    x, y = " ".join(left), " ".join(right)
    if max(len(x), len(y)) < _LONGEST_BLOCK and fuzz.ratio(x, y) >= _ALIKE:
        return Alignment(noise=min(len(left), len(right)))
    own_a = sum(len(word) >= 4 and word.isalpha() and word not in b.words for word in left)
    own_b = sum(len(word) >= 4 and word.isalpha() and word not in a.words for word in right)
    return Alignment(content=min(own_a, own_b))
