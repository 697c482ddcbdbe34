"""A text as it is printed, word by word: each with its comparison key and the line it is on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

from dedupe_core.text.words import word_key

LONGEST_TEXT = 4000  # words of a side that are laid side by side: 4000 x 4000 costs a few milliseconds


@dataclass(frozen=True, slots=True)
class Printed:
    """Parallel lists; words without a letter or digit are left out. `compact` is the keys without spaces."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    lines: tuple[int, ...]
    compact: str

    def __len__(self) -> int:
        return len(self.words)

    def begins_line(self, place: int) -> bool:
        return place == 0 or place >= len(self.lines) or self.lines[place - 1] != self.lines[place]

    def text(self, start: int, end: int) -> str:
        return " ".join(self.words[start:end])


def read_printed(text: str) -> Printed:
    """Of the printed text (`text.normalise.printed`); bounded."""
    words: list[str] = []
    keys: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n")):
        found = line.split(" ")
        keyed = list(map(word_key, found))
        if not all(keyed):
            found, keyed = list(compress(found, keyed)), list(filter(None, keyed))
        words += found
        keys += keyed
        lines += [number] * len(keyed)
        if len(keys) >= LONGEST_TEXT:
            break
    keys = keys[:LONGEST_TEXT]
    return Printed(tuple(words[:LONGEST_TEXT]), tuple(keys), tuple(lines[:LONGEST_TEXT]), "".join(keys))
