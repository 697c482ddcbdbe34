"""Documents for benchmarks: as varied as an archive, without anybody's papers; the same for the same seed.

Words of a made vocabulary appear as often as words do (Zipf). Six in ten documents fill in the form of one of
many issuers, a few of whom write very often; one in ten is an earlier document scanned again; the rest stand alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from random import Random

from dedupe_core.model import Document

VOCABULARY = 30_000
SYLLABLES = re.findall(
    r"\w+", "ka lo mi ren tas vor ne bul di sar pho ge ul wen ti mor ase lin dra que ho fer zu pan"
)
FORMS, RESCANS = 0.6, 0.1
DOCUMENTS_AN_ISSUER = 50
REMEMBERED = 2000  # earlier documents that can be scanned again
_MISREAD = str.maketrans("eocilt158", "co0l1fis6")


class Archive:
    """Makes one document after the other."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)
        self._words = [
            "".join(self._random.choices(SYLLABLES, k=self._random.randint(1, 4))) for _ in range(VOCABULARY)
        ]
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))
        self._earlier: list[str] = []

    def documents(self, first: int, count: int) -> Iterator[Document]:
        for number in range(first, first + count):
            yield Document(number, self._content(number))

    def _content(self, number: int) -> str:
        kind = self._random.random()
        if kind < RESCANS and self._earlier:
            return self._rescan(self._random.choice(self._earlier))
        content = self._form(number) if kind < RESCANS + FORMS else self._letter()
        if len(self._earlier) < REMEMBERED:
            self._earlier.append(content)
        else:
            self._earlier[self._random.randrange(REMEMBERED)] = content
        return content

    def _letter(self) -> str:
        return self._prose(self._random, self._random.randint(60, 500)) + "\n" + self._facts()

    def _form(self, number: int) -> str:
        """The same words for every document of an issuer, and its own facts and a sentence."""
        issuers = 20 + number // DOCUMENTS_AN_ISSUER
        issuer = Random(int(issuers * self._random.random() ** 2))
        head, tail = self._prose(issuer, issuer.randint(20, 80)), self._prose(issuer, issuer.randint(60, 250))
        return f"{head}\n{self._facts()}\n{self._prose(self._random, 8)}\n{tail}"

    def _prose(self, random: Random, count: int) -> str:
        words = random.choices(self._words, cum_weights=self._weights, k=count)
        return "\n".join(" ".join(words[start : start + 12]) for start in range(0, count, 12))

    def _facts(self) -> str:
        number = self._random.randrange
        day, month, year = number(1, 29), number(1, 13), number(2005, 2026)
        lines = [
            f"Datum: {day:02}.{month:02}.{year}   Rechnung Nr. RE-{year}-{number(10**6):06}   Kunde {number(10**7):07}"
        ]
        for _ in range(number(1, 8)):
            lines.append(
                f"{self._words[number(2000)]} {number(1, 20)} x {number(1, 900)},{number(100):02} EUR"
            )
        lines.append(f"Gesamtbetrag {number(1, 3000)},{number(100):02} EUR")
        return "\n".join(lines)

    def _rescan(self, content: str) -> str:
        """Two in a hundred characters misread, some lost, some spaces gone."""
        characters = list(content)
        for place in self._random.sample(range(len(characters)), len(characters) // 40):
            lost = self._random.random() < 0.15
            characters[place] = "" if lost else characters[place].translate(_MISREAD)
        return "".join(characters)
