"""A text as it is printed, word by word: each with its comparison key and the line it is on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, islice, repeat
from operator import not_

from dedupe_core.text.words import WordKind, keyed, word_kind

LONGEST_TEXT = 4000  # words of a side that are laid side by side: 4000 x 4000 costs a few milliseconds

_NUMBER_OF_KIND = {kind: number for number, kind in enumerate(WordKind)}


@dataclass(frozen=True)
class Printed:
    """Parallel lists; words without a letter or digit are left out. `compact` is the keys without spaces."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    lines: tuple[int, ...]
    compact: str

    @cached_property
    def kinds(self) -> bytes:
        """The kind of each word, by its place among all kinds."""
        return bytes(map(_NUMBER_OF_KIND.__getitem__, map(word_kind, self.words)))

    def count(self, changed: bytes, *kinds: WordKind) -> list[int]:
        """How many words of each kind have a 0 in `changed`."""
        unchanged = bytes(compress(self.kinds, map(not_, changed)))
        return [unchanged.count(_NUMBER_OF_KIND[kind]) for kind in kinds]

    def __len__(self) -> int:
        return len(self.words)

    def begins_line(self, place: int) -> bool:
        return place == 0 or place >= len(self.lines) or self.lines[place - 1] != self.lines[place]

    def text(self, start: int, end: int) -> str:
        return " ".join(self.words[start:end])


def read_printed(text: str) -> Printed:
    """Of the printed text (`text.normalise.printed`); bounded."""
    most = 2 * LONGEST_TEXT
    found = _read(text, most)
    if len(found) < LONGEST_TEXT and text.count(" ") + text.count("\n") >= most:
        found = _read(text, None)  # most of so many words have no letter
    return found


def _read(text: str, most: int | None) -> Printed:
    """Of the first `most` words. All lines at once: their words are split, keyed and numbered without a loop in Python."""
    found = map(keyed, text.replace("\n", " ").split(" ", -1 if most is None else most)[:most])
    words, keys = zip(*found, strict=True)
    counts = [line.count(" ") + 1 for line in text.split("\n")]
    lines: Iterator[int] = chain.from_iterable(map(repeat, range(len(counts)), counts))
    if not all(keys):
        words, lines = tuple(compress(words, keys)), compress(lines, keys)
        keys = tuple(filter(None, keys))
    words, keys = words[:LONGEST_TEXT], keys[:LONGEST_TEXT]
    return Printed(words, keys, tuple(islice(lines, len(keys))), "".join(keys))
