"""A text as it is printed, word by word: each with its comparison key and the line it is on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    found = _bounded(text)
    words, keys, lines = zip(*found, strict=True) if found else ((), (), ())
    return Printed(words, keys, lines, "".join(keys))


def _bounded(text: str) -> list[tuple[str, str, int]]:
    found: list[tuple[str, str, int]] = []
    for word in _words(text):
        found.append(word)
        if len(found) == LONGEST_TEXT:
            break
    return found


def _words(text: str) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(text.split("\n")):
        for word in line.split(" "):
            if key := word_key(word):
                yield word, key, number
