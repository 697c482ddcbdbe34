"""Two texts character by character: digits that changed, digits that were misread, letters that were misread."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from dedupe_core.tokens import SLIPS

_SHORT = 40
_ALIGNED_CHARS = 3000  # of each text: the head of a page and its facts; 3000 x 3000 is about a millisecond


@dataclass(frozen=True, slots=True)
class CharacterDifferences:
    """Counts of replacements; `digits` and `length` are of the text that has fewer."""

    digits: int
    length: int
    changed: int = 0  # a digit for a digit that scanners do not take for it: content
    slipped: int = 0  # a digit for one that they do
    digit_for_letter: int = 0
    letters: int = 0
    digits_lost: int = 0


def character_differences(a: str, b: str) -> CharacterDifferences:
    x, y = sorted((a[:_ALIGNED_CHARS], b[:_ALIGNED_CHARS]), key=lambda text: (len(text), text))
    changed = slipped = mixed = letters = lost = 0
    for block in Levenshtein.opcodes(x, y):
        if block.tag == "equal":
            continue
        left, right = x[block.src_start : block.src_end], y[block.dest_start : block.dest_end]
        if block.tag != "replace":
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
    return CharacterDifferences(min(_digits(x), _digits(y)), len(x), changed, slipped, mixed, letters, lost)


def nothing_in_place(a: str, b: str) -> CharacterDifferences:
    """For texts too unlike to be laid side by side: every digit counts as another one."""
    x, y = a[:_ALIGNED_CHARS], b[:_ALIGNED_CHARS]
    digits = min(_digits(x), _digits(y))
    return CharacterDifferences(digits, min(len(x), len(y)), changed=digits)


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text)) if len(text) < _SHORT else sum(map(text.count, "0123456789"))
