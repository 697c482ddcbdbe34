"""The words of a text, each with its boxes on the pages: what Paperless has as `content`, found in the PDF's text layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from dedupe_core.text.normalise import printed
from dedupe_core.text.words import word_key
from hook.ink.pages.page import Box, Page

_MOST_WORDS = 16_000  # of the PDF
_LONGEST_BLOCK = 6_000  # characters of a stretch that is laid side by side letter by letter
_RESCUED = 4  # letters of a word that is found out of order because both sides have it once


class Spot(NamedTuple):
    page: int
    box: Box

    def touches(self, other: Spot) -> bool:
        a, b = self.box, other.box
        is_over = a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1
        return self.page == other.page and is_over


@dataclass(frozen=True, slots=True)
class Located:
    """For each word of the text the spots where it is printed: none, one, or two if it is broken at the end of a line."""

    spots: tuple[tuple[Spot, ...], ...]

    def only(self, place: int) -> Spot | None:
        found = self.spots[place]
        return found[0] if len(found) == 1 else None

    def between(self, start: int, end: int) -> list[Spot] | None:
        """None if a word of them is not on the pages: it must not be passed over."""
        spots = self.spots[start:end]
        return [spot for found in spots for spot in found] if all(spots) else None

    @property
    def share(self) -> float:
        return sum(map(bool, self.spots)) / max(1, len(self.spots))


def locate(keys: Sequence[str], pages: Sequence[Page]) -> Located:
    """`keys` are those of the words (`key_of`), in their order."""
    spots, layer = _layer(pages)
    found: list[list[Spot]] = [[] for _ in keys]
    others: list[tuple[list[int], list[int]]] = []
    for tag, a, b, c, d in blocks(keys, layer):
        if tag == "equal":
            for place in range(a, b):
                found[place].append(spots[c + place - a])
        else:
            others.append((list(range(a, b)), list(range(c, d))))
    elsewhere = _elsewhere(keys, layer, others)
    taken = set(elsewhere.values())
    for place, word in elsewhere.items():
        found[place].append(spots[word])
    for places, words in others:
        places, words = [n for n in places if n not in elsewhere], [n for n in words if n not in taken]
        for place, word in _by_letters([keys[n] for n in places], [layer[n] for n in words]):
            found[places[place]].append(spots[words[word]])
    return Located(tuple(tuple(dict.fromkeys(one)) for one in found))


def key_of(word: str) -> str:
    """As words are compared; a sign without a letter is itself, since a minus or a rule may be the difference."""
    return word_key(word) or word.strip()


def _layer(pages: Sequence[Page]) -> tuple[list[Spot], list[str]]:
    spots, keys = [], []
    for number, page in enumerate(pages):
        for word in page.words:
            if key := key_of(printed(word.text).replace("\n", "")):
                spots.append(Spot(number, word.box))
                keys.append(key)
            if len(keys) >= _MOST_WORDS:
                return spots, keys
    return spots, keys


def blocks(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Equal stretches, and the rest between two of them as one."""
    a = c = 0
    for equal in Levenshtein.opcodes(left, right).as_matching_blocks():  # the last one is empty
        if equal.a > a or equal.b > c:
            yield "other", a, equal.a, c, equal.b
        a, c = equal.a + equal.size, equal.b + equal.size
        if equal.size:
            yield "equal", equal.a, a, equal.b, c


def _by_letters(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Words that share letters in order: read in two pieces, joined, or broken at the end of a line."""
    x, y = "".join(left), "".join(right)
    if not x or not y or max(len(x), len(y)) > _LONGEST_BLOCK:
        return
    owners_x = [place for place, word in enumerate(left) for _ in word]
    owners_y = [place for place, word in enumerate(right) for _ in word]
    shared: Counter[tuple[int, int]] = Counter()
    for block in Levenshtein.opcodes(x, y):
        if block.tag in ("equal", "replace"):
            size = min(block.src_end - block.src_start, block.dest_end - block.dest_start)
            weight = 2 if block.tag == "equal" else 1
            for step in range(size):
                shared[owners_x[block.src_start + step], owners_y[block.dest_start + step]] += weight
    for (place, word), weight in sorted(shared.items()):
        if weight >= min(len(left[place]), len(right[word])):
            yield place, word


def _elsewhere(
    left: Sequence[str], right: Sequence[str], others: Sequence[tuple[list[int], list[int]]]
) -> dict[int, int]:
    """Words that another reading order has put elsewhere: those that both sides have left over once."""
    here = [place for places, _ in others for place in places]
    at: dict[str, list[int]] = {}
    for _, words in others:
        for word in words:
            at.setdefault(right[word], []).append(word)
    times = Counter(left[place] for place in here)
    return {
        place: at[left[place]][0]
        for place in here
        if len(left[place]) >= _RESCUED and times[left[place]] == 1 and len(at.get(left[place], ())) == 1
    }
