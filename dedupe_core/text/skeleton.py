"""The OCR skeleton of a text: letters and digits only, with characters that scanners confuse made one."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

# What tesseract confuses on bad scans; each group is written as its first member.
CONFUSED = ("o0", "il1", "s5", "b8", "z2", "g69")
_LATIN_END = 0x250
# Above Latin a character is kept as it is, except marks, punctuation and symbols in these blocks.
_DROPPED_BLOCKS = (
    (0x2B0, 0x370),
    (0x2000, 0x2C00),
    (0x3000, 0x3040),
    (0xD800, 0xF900),
    (0xFE00, 0xFE70),
    (0xFF00, 0xFF10),
)


def _latin_table() -> NDArray[np.uint32]:
    table = np.zeros(_LATIN_END, np.uint32)
    for code in range(_LATIN_END):
        base = unicodedata.normalize("NFKD", chr(code).casefold())[:1]
        if base.isalnum():
            table[code] = ord(base)
    for group in CONFUSED:
        for char in group:
            table[ord(char)] = ord(group[0])
            for code in range(0x80, _LATIN_END):
                if table[code] == ord(char):
                    table[code] = ord(group[0])
    return table


_TABLE = _latin_table()


def skeleton_codes(text: str) -> NDArray[np.uint32]:
    """The skeleton as code points; zero-width, marks, punctuation and space are gone."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    latin = codes < _LATIN_END
    if bool(latin.all()):
        return _without_gaps(_TABLE[codes])
    folded = np.where(latin, _TABLE[np.where(latin, codes, 0)], codes)
    for first, end in _DROPPED_BLOCKS:
        folded[(codes >= first) & (codes < end)] = 0
    return _without_gaps(folded)


def _without_gaps(folded: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return np.asarray(folded[folded != 0], np.uint32)
