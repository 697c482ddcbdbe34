"""Misreads a text as a scanner would, at the rates of noise_table.json (measured by fit/noise.py)."""

from __future__ import annotations

import json
import random
import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("noise_table.json").read_text(encoding="utf-8"))
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
LETTERS_A_WORD = 6.5  # of running text with the space behind it
MOST = 0.55  # misread characters of the worst line; more is garbage, which is made otherwise
MOST_LOST = 0.5  # lines; of a page that lost more, nobody could say what it was
# So that made scans have the word errors and the uneven lines of the measured ones (the table in README.md shows both).
STRENGTH = {"light": 0.8, "medium": 0.9, "heavy": 1.25}
LOST = {"light": 0.5, "medium": 1.0, "heavy": 1.0}
SHAPE = {"light": 0.18, "medium": 0.4, "heavy": 1.2}
SPECKS = {"light": 0.01, "medium": 0.03, "heavy": 0.05}  # lines of garbage a line of text, at most
CELLS = (0.0, 0.0, 0.0, 0.01, 0.03, 0.08)  # of a table misread one by one
RULED = re.compile(r"_{3,}|\.{4,}")
GARBAGE = "eoaisnrtlcuEISTABRLN,.;:-_|'\u2018\u2019\u201c=~"
WRONG_LANGUAGE = {"ä": "a", "ö": "6", "ü": "ii", "ß": "B", "Ä": "A", "Ö": "O", "Ü": "U", "é": "e", "è": "e", "ê": "é", "à": "a", "ç": "c", "ñ": "fi", "ó": "6", "í": "i", "á": "a", "ú": "u", "ł": "t", "ą": "a", "ę": "e", "ś": "s", "ż": "z", "ź": "z", "ć": "c", "ń": "n", "ã": "a", "õ": "o", "ò": "d", "ì": "i", "ù": "u", "å": "a", "Å": "A", "č": "c", "ď": "d", "ě": "e", "ň": "n", "ř": "r", "š": "s", "ť": "t", "ů": "u", "ý": "y", "ž": "z", "Č": "C", "Š": "S", "Ž": "Z"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Confusion:
    rate: float  # relative to the mean character
    outcomes: tuple[str, ...]
    bounds: tuple[float, ...]

    def drawn(self, rng: random.Random) -> str:
        return self.outcomes[min(bisect(self.bounds, rng.random() * self.bounds[-1]), len(self.outcomes) - 1)]


def _confusions(size: int) -> dict[str, Confusion]:
    return {
        clean: Confusion(
            min(found["rate"], 25.0), tuple(found["to"]), tuple(accumulate(found["to"].values()))
        )
        for clean, found in TABLE["characters"].items()
        if len(clean) == size and "_" not in clean  # see `ruled`
    }


SINGLE, DOUBLE = _confusions(1), _confusions(2)
# Letters that the measured papers had too few of lose their accent as often as an é is misread.
SINGLE |= {
    letter: Confusion(SINGLE["é"].rate, (plain,), (1.0,))
    for letter, plain in WRONG_LANGUAGE.items()
    if letter not in SINGLE
}


def drawn_quantile(values: Sequence[float], rng: random.Random) -> float:
    """A value of the measured distribution, straight between its quantiles."""
    at = rng.random()
    upper = min(bisect(QUANTILES, at), len(QUANTILES) - 1)
    low, high = QUANTILES[upper - 1], QUANTILES[upper]
    return float(values[upper - 1] + (values[upper] - values[upper - 1]) * (at - low) / (high - low))


@dataclass(frozen=True, slots=True)
class Channel:
    """How one scan misreads: how often, how unevenly, which characters it always gets wrong."""

    rate: float  # misread characters
    shape: float  # of the gamma distribution of the lines' rates: smaller is more uneven
    habits: dict[str, str]  # misread in all this scan, as a typeface or a wrong language does it
    lost: float  # lines
    garbage: float  # lines

    @classmethod
    def draw(cls, level: str, rng: random.Random) -> Channel:
        table = TABLE["levels"][level]
        lost = min(drawn_quantile(table["lost_words"], rng) * LOST[level], MOST_LOST)
        words = min(max(drawn_quantile(table["word_error"], rng) - lost, 0.0), 0.6)
        habits = dict(WRONG_LANGUAGE) if rng.random() < 0.08 else _habits(rng)
        rate = 1 - (1 - words * STRENGTH[level]) ** (1 / LETTERS_A_WORD)
        return cls(rate, SHAPE[level], habits, lost, SPECKS[level] * rng.random())

    def read(self, lines: list[str], rng: random.Random) -> list[str]:
        out: list[str] = []
        margin = rng.random() < self.lost * 2  # a page that slipped loses its first or last lines
        for line in _cropped(lines, self.lost, rng) if margin else lines:
            if not margin and line and rng.random() < self.lost:
                continue
            if rng.random() < self.garbage:
                out.append(garbage(rng))
            rate = min(self.rate * rng.gammavariate(self.shape, 1 / self.shape), MOST)
            out.append(misread(ruled(self._accustomed(line, rng), rng), rate, rng))
        return out

    def _accustomed(self, line: str, rng: random.Random) -> str:
        return (
            "".join(self.habits.get(one, one) if rng.random() < 0.9 else one for one in line)
            if self.habits
            else line
        )


def _habits(rng: random.Random) -> dict[str, str]:
    """Rare characters that a scan misreads every time: those that are misread more often than not."""
    return {
        clean: found.drawn(rng)
        for clean, found in SINGLE.items()
        if found.rate > 8 and rng.random() < min(found.rate / 60, 0.6)
    }


def _cropped(lines: list[str], lost: float, rng: random.Random) -> list[str]:
    count = min(round(len(lines) * lost), len(lines) - 2)
    if count <= 0:
        return lines
    return lines[count:] if rng.random() < 0.5 else lines[:-count]


def misread(text: str, rate: float, rng: random.Random) -> str:
    """Each character misread at this mean rate, those more often that scanners misread more often."""
    out, at = [], 0
    while at < len(text):
        two = DOUBLE.get(text[at : at + 2])
        if two and rng.random() < rate * two.rate:
            out.append(two.drawn(rng))
            at += 2
            continue
        one = SINGLE.get(text[at])
        found = one.drawn(rng) if one and rng.random() < rate * one.rate else text[at]
        if (
            len(found) > 1
            and found.startswith(text[at])
            and text[at + 1 : at + 2].isalnum()
            and rng.random() < 0.85
        ):
            found = text[at]  # a speck is read between words far more often than inside one
        out.append(found)
        at += 1
    return "".join(out)


def misread_exactly(text: str, rate: float, rng: random.Random) -> str:
    """This share of the characters misread, no more and no fewer; which ones is drawn as scanners do it."""
    weights = [SINGLE[one].rate if one in SINGLE and one != "\n" else 0.0 for one in text]
    chosen: set[int] = set()
    while len(chosen) < round(len(text) * rate):
        chosen.update(rng.choices(range(len(text)), weights, k=1))
    return "".join(SINGLE[one].drawn(rng) if at in chosen else one for at, one in enumerate(text))


def misread_cells(rows: list[list[str]], rng: random.Random) -> list[list[str]]:
    """The cells of tables, some of them misread or lost where the line around them is read well."""
    share = rng.choice(CELLS)
    return [
        [_misread_cell(cell, rng) if len(row) > 1 and rng.random() < share else cell for cell in row]
        for row in rows
    ]


def _misread_cell(cell: str, rng: random.Random) -> str:
    return "" if rng.random() < 0.2 else misread(cell, rng.choice((0.2, 0.4)), rng)


def ruled(line: str, rng: random.Random) -> str:
    """Ruled blanks and dotted leaders: kept, shortened, read as something else, or not seen at all."""
    return RULED.sub(
        lambda found: rng.choice((found[0], found[0], found[0][: rng.randint(1, 9)], " — ", "", "")), line
    )


def garbage(rng: random.Random) -> str:
    """A line that was a shadow, a picture or a fold."""
    return "".join(rng.choice(GARBAGE + " " * 8) for _ in range(rng.randint(2, 30))).strip()


def in_columns(lines: list[str], rng: random.Random) -> list[str]:
    """A few neighbouring lines read as two columns: all their left halves, then all their right ones."""
    height = rng.randint(3, 12)
    first = rng.randrange(max(1, len(lines) - height))
    block = [line.split(" ") for line in lines[first : first + height]]
    at = rng.uniform(0.2, 0.8)
    cuts = [round(at * len(words)) for words in block]
    left = [" ".join(words[:cut]) for words, cut in zip(block, cuts, strict=True)]
    right = [" ".join(words[cut:]) for words, cut in zip(block, cuts, strict=True)]
    return [*lines[:first], *filter(None, left), *filter(None, right), *lines[first + height :]]
