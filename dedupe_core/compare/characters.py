"""Two texts character by character: digits that changed, characters that were misread, passages that differ.

Only letters and digits are laid side by side: scanners put spaces and dots where they like. What differs falls
into islands. A short one, or one that keeps half of its characters, was misread; a long one that stands elsewhere
in the other text has moved; a long one that stands nowhere in it says something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from dedupe_core.text.tokens import SLIPS

COMPARED_CHARS = 3000  # of each text: the head of a page and its facts; 3000 x 3000 is about a millisecond
_GAP = 3  # equal characters that part two islands; fewer agree by chance
_SHORT = 3  # characters of an island that is simply misread
_KEPT = 0.5  # of the characters of a longer one
_PIECE = 5  # characters that are looked up in the other text, to see whether an island has moved
_MOVED = 0.6  # of its pieces stand there

_Block = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class CharacterDifferences:
    """Counts of characters; `digits` and `length` are of the text that has fewer."""

    digits: int
    length: int
    changed: int = 0  # a digit for a digit that scanners do not take for it: content
    slipped: int = 0  # a digit for one that they do
    digit_for_letter: int = 0
    letters: int = 0  # a letter for a letter
    digits_lost: int = 0
    replaced: int = 0  # in passages that say something else on either side; of the shorter side
    largest: int = 0  # in the longest of them


def character_differences(a: str, b: str) -> CharacterDifferences:
    """Of two texts of letters and digits only (`View.compact`). The order of the pair makes no difference."""
    x, y = sorted((a, b), key=lambda text: (len(text), text))
    changed = slipped = mixed = letters = lost = replaced = largest = 0
    for island in _islands(x, y):
        for tag, start, end, other_start, other_end in island:
            left, right = x[start:end], y[other_start:other_end]
            if tag != "replace":
                lost += _digits(left + right)
            elif left.isalpha() and right.isalpha():
                letters += len(left)
            else:
                for p, q in zip(left, right, strict=True):
                    digits = p.isdigit() + q.isdigit()
                    if digits == 2 and (p + q if p < q else q + p) in SLIPS:
                        slipped += 1
                    elif digits == 2:
                        changed += 1
                    elif digits:
                        mixed += 1
                    else:
                        letters += 1
        passage = _says_something_else(x[island[0][1] : island[-1][2]], y[island[0][3] : island[-1][4]], x, y)
        replaced, largest = replaced + passage, max(largest, passage)
    digits = min(_digits(x), _digits(y))
    return CharacterDifferences(digits, len(x), changed, slipped, mixed, letters, lost, replaced, largest)


def nothing_in_place(a: str, b: str) -> CharacterDifferences:
    """For texts too unlike to be laid side by side: every digit counts as another one."""
    digits, length = min(_digits(a), _digits(b)), min(len(a), len(b))
    return CharacterDifferences(digits, length, changed=digits, replaced=length, largest=length)


def _islands(x: str, y: str) -> Iterator[list[_Block]]:
    """Neighbouring blocks that differ; a few equal characters between them do not part them."""
    island: list[_Block] = []
    for block in Levenshtein.opcodes(x, y):
        if block.tag != "equal":
            island.append((block.tag, block.src_start, block.src_end, block.dest_start, block.dest_end))
        elif island and block.src_end - block.src_start >= _GAP:
            yield island
            island = []
    if island:
        yield island


def _says_something_else(left: str, right: str, x: str, y: str) -> int:
    """The characters of an island that neither was misread nor stands elsewhere in the other text."""
    length = min(len(left), len(right))
    if length <= _SHORT or Levenshtein.normalized_similarity(left, right, score_cutoff=_KEPT) > 0:
        return 0
    return 0 if _stands_in(left, y) or _stands_in(right, x) else length


def _stands_in(passage: str, text: str) -> bool:
    if len(passage) < _PIECE:
        return False  # a few characters are everywhere
    pieces = [passage[start : start + _PIECE] for start in range(0, len(passage) - _PIECE + 1, _PIECE)]
    return sum(piece in text for piece in pieces) >= _MOVED * len(pieces)


def _digits(text: str) -> int:
    return sum(map(text.count, "0123456789")) if len(text) > 40 else sum(map(str.isdigit, text))
