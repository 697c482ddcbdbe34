"""Whether two texts say the same, word by word: stricter than a verdict, because a document is moved to the trash for it.

Every word, number, sign and unit of both texts counts, to the last line. A difference is passed over only if it is a
misreading beyond doubt (misread.py), a word torn in two, or marks that are no writing. Words keep their order: of two columns that
were read in another order, the amounts may have changed places.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.spans import Span
from dedupe_core.text.normalise import WHOLE_CHARS, printed
from hook.review.same_text.misread import is_garbage, is_misread, is_torn, word_keys

# Of a text, 120 dense pages: two that share nothing are laid side by side in 0.2 s.
MOST_WORDS: Final = 60_000
MOST_STEPS: Final = 4_000  # ways to explain one place
TORN: Final = 10  # pieces of a word, or of an account that is printed in groups


@dataclass(frozen=True, slots=True)
class Difference:
    """What stands at one place: words of the one and of the other; one of them may be empty."""

    here: str
    there: str
    span: Span = Span(0, 0, 0, 0)  # noqa: RUF009 a NamedTuple; among the words of `read_words`


@dataclass(frozen=True, slots=True)
class Words:
    """The words that count, with their keys and the numbers of their lines."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    lines: tuple[int, ...]

    def next_line(self, place: int) -> int | None:
        """The first word of the next line, if this place is the first of one."""
        if place >= len(self.lines) or (place and self.lines[place - 1] == self.lines[place]):
            return None
        return bisect_right(self.lines, self.lines[place])


class TooLongError(ValueError):
    """The texts differ and are too long to be compared word by word."""


def text_differences(kept: str, loser: str, *, is_part: bool = False) -> list[Difference]:
    """Of two contents as Paperless has them. `is_part`: lines that only the kept one has do not count."""
    if kept == loser:
        return []
    if max(len(kept), len(loser)) > WHOLE_CHARS:
        raise TooLongError
    here, there = read_words(kept), read_words(loser)
    if max(len(here.keys), len(there.keys)) > MOST_WORDS:
        raise TooLongError
    return [
        Difference(" ".join(here.words[a:b]), " ".join(there.words[c:d]), Span(a, b, c, d))
        for a, b, c, d in _places(here.keys, there.keys)
        if not _is_explained(here, there, (a, b, c, d), is_part=is_part)
    ]


def read_words(content: str) -> Words:
    rows = [
        (word, key, number)
        for number, line in enumerate(printed(content).split("\n"))
        for word, key in word_keys(line.split())
    ]
    words, keys, lines = zip(*rows, strict=True) if rows else ((), (), ())
    return Words(words, keys, lines)


def _places(here: Sequence[str], there: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where the two differ, as large as possible: what touches is one place."""
    steps = Levenshtein.opcodes(here, there)
    for is_equal, run in groupby(steps, key=lambda step: step.tag == "equal"):
        if not is_equal:
            edits = list(run)
            yield edits[0].src_start, edits[-1].src_end, edits[0].dest_start, edits[-1].dest_end


def _is_explained(here: Words, there: Words, place: tuple[int, int, int, int], *, is_part: bool) -> bool:
    """True if some way leads through the place on which every word has its partner."""
    a, b, c, d = place
    reached, waiting = {(a, c)}, [(a, c)]
    while waiting and len(reached) < MOST_STEPS:
        at = waiting.pop()
        if at == (b, d):
            return True
        for step in _steps(here, there, at, (b, d), is_part=is_part):
            if step not in reached:
                reached.add(step)
                waiting.append(step)
    return False


def _steps(
    here: Words, there: Words, at: tuple[int, int], end: tuple[int, int], *, is_part: bool
) -> Iterator[tuple[int, int]]:
    i, j = at
    one, two = here.words[i : min(i + TORN, end[0])], there.words[j : min(j + TORN, end[1])]
    if is_part and (line := here.next_line(i)) is not None and line <= end[0]:
        yield line, j
    if one and is_garbage(one[0]):
        yield i + 1, j
    if two and is_garbage(two[0]):
        yield i, j + 1
    if one and two and (here.keys[i] == there.keys[j] or is_misread(one[0], two[0])):
        yield i + 1, j + 1
    for count in range(2, TORN + 1):
        if one and len(two) >= count and is_torn(one[0], two[:count]):
            yield i + 1, j + count
        if two and len(one) >= count and is_torn(two[0], one[:count]):
            yield i + count, j + 1
