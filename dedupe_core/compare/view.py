"""A fingerprint opened for comparison, and what is rare among the documents around it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dedupe_core.compare.printed import Printed, read_printed
from dedupe_core.fingerprint.shingles import Hashes, distinct, runs_of
from dedupe_core.fingerprint.signature import resemblance, resemblances
from dedupe_core.model import Fingerprint
from dedupe_core.text.language import Language, language_of
from dedupe_core.text.tokens import LETTERS_AS_DIGITS, tokens_of

_NO_DIGITS = re.compile(r"[^0-9]+")
_RUN = np.array([1000, 100, 10, 1])
_READ_FOR_DIGITS, _DIGITS = 12_000, 1500  # characters of a text, and digits of it, that are compared
# 5 letters survive 10% of misread letters on both pages with p=0.35; 2^18 numbers for the some 3,000 runs of a page.
_RUN_LETTERS, RUN_BITS, _READ_FOR_RUNS = 5, 18, 12_000
_LETTERS_AND_DIGITS = re.compile(r"[^\W_]+")
_KEYED_CHARS = 6000
_NO_WORDS = np.empty(0, np.int64)


@dataclass(frozen=True)
class View:
    """The tokens of one document by kind, each made when it is first asked for: most candidates need few."""

    fingerprint: Fingerprint

    @cached_property
    def id(self) -> int:
        return self.fingerprint.id

    @cached_property
    def length(self) -> int:
        """Words, punctuation and all."""
        return self._split[0]

    @cached_property
    def printed(self) -> Printed:
        """The text as it is printed, word by word, with lines and capitals."""
        return read_printed(self.fingerprint.printed or self.fingerprint.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return self._split[1]

    @cached_property
    def word_hashes(self) -> NDArray[np.int64]:
        return np.fromiter(map(hash, self.words), np.int64, len(self.words))

    @cached_property
    def language(self) -> Language | None:
        return language_of(self.fingerprint.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return self._split[2]

    @cached_property
    def dates(self) -> frozenset[str]:
        return frozenset(self.fingerprint.facts.dates)

    @cached_property
    def amounts(self) -> frozenset[int]:
        return frozenset(self.fingerprint.facts.amounts)

    @cached_property
    def references(self) -> frozenset[str]:
        return frozenset(self.fingerprint.facts.references)

    @cached_property
    def parts(self) -> frozenset[int]:
        return frozenset(memoryview(self.fingerprint.parts).cast("I"))

    @cached_property
    def digits(self) -> str:
        """The digits of the head of the text, in order and without what separates them."""
        return _NO_DIGITS.sub("", self.fingerprint.text[:_READ_FOR_DIGITS])[:_DIGITS]

    @cached_property
    def digit_runs(self) -> Hashes:
        """Each four digits in a row, ascending: a number that was split, joined or misread in one place keeps most of its own."""
        digits = np.frombuffer(self.digits.encode(), np.uint8).astype(np.int64) - ord("0")
        if len(digits) < len(_RUN):
            return np.empty(0, np.uint32)
        return distinct(np.correlate(digits, _RUN).astype(np.uint32))

    @cached_property
    def runs(self) -> Hashes:
        """Each five letters or digits in a row of the head of the text, hashed: where every word is misread, some of these are not."""
        return runs_of(self.fingerprint.text[:_READ_FOR_RUNS], _RUN_LETTERS, RUN_BITS)

    @cached_property
    def keyed(self) -> str:
        """The head of the text as letters and digits alone, with digits for the letters that scanners read for them."""
        head = "".join(_LETTERS_AND_DIGITS.findall(self.fingerprint.text[:_KEYED_CHARS]))
        for letter, digit in LETTERS_AS_DIGITS.items():
            head = head.replace(letter, digit)
        return head

    def split(self) -> Self:
        """With the words and numbers of its text, while its tokens are at hand."""
        _ = self._split
        return self

    @cached_property
    def _split(self) -> tuple[int, frozenset[str], frozenset[str]]:
        """How many tokens there are, the words and the numbers: from one split of the text."""
        tokens = tokens_of(self.fingerprint.text)
        return tokens.count, tokens.words, tokens.numbers


def view(fingerprint: Fingerprint) -> View:
    return View(fingerprint)


class Neighbourhood:
    """How many of the documents that resemble the subject hold a token: what all hold is template.

    Documents of the same words and numbers count once: what exact copies share is not a template.
    """

    def __init__(self, views: Iterable[View]) -> None:
        by_text: dict[object, View] = {}
        for document in views:
            by_text.setdefault(
                (document.numbers, document.words) if document.words else document.id, document
            )
        self._views = list(by_text.values())
        self._ids = {document.id for document in self._views}
        self._counts: dict[str, dict[object, int]] = {}  # by kind, counted when first asked for
        self._alike: dict[int, dict[int, float]] = {}  # of a document, how much each neighbour resembles it

    def size_beside(self, *pair: View) -> int:
        return len(self._ids) - self._count_of(pair)

    def _count_of(self, views: tuple[View, ...]) -> int:
        """How many of these are neighbours."""
        ids, count = self._ids, 0
        for document in views:
            count += document.id in ids
        return count

    def document_frequency(self, kind: str, tokens: Iterable[object], *holding: View) -> list[int]:
        """How many neighbours hold each token of this kind, not counting the given ones, which all hold it."""
        own = self._count_of(holding)
        if kind == "words":
            return self._word_frequency(tokens, own)
        if kind not in self._counts:
            self._counts[kind] = Counter(
                chain.from_iterable(getattr(document, kind) for document in self._views)
            )
        count = self._counts[kind].get
        return [count(token, own) - own for token in tokens]

    def _word_frequency(self, words: Iterable[object], own: int) -> list[int]:
        """Thousands of words, counted by their hashes: sorting these takes a fifth of the time of a Counter."""
        asked = np.fromiter(map(hash, words), np.int64)
        known = self._word_hashes
        counts = known.searchsorted(asked, "right") - known.searchsorted(asked, "left")
        held: list[int] = np.where(counts == 0, 0, counts - own).tolist()
        return held

    @cached_property
    def _word_hashes(self) -> NDArray[np.int64]:
        """Of every word of every neighbour, ascending."""
        return np.sort(np.concatenate([_NO_WORDS, *(document.word_hashes for document in self._views)]))

    def resemblance(self, document: View, other: View) -> float:
        """Of a document and a neighbour: all of them are computed at once."""
        if other.id not in self._ids:
            return resemblance(document.fingerprint.signature, other.fingerprint.signature)
        return self._alike_to(document)[other.id]

    def resemblances(self, document: View, *but: View) -> list[float]:
        """How much each neighbour but these resembles a document, the least first."""
        left_out = {other.id for other in but}
        return sorted([alike for number, alike in self._alike_to(document).items() if number not in left_out])

    def _alike_to(self, document: View) -> dict[int, float]:
        if document.id not in self._alike:
            signatures = [other.fingerprint.signature for other in self._views]
            alike = resemblances(document.fingerprint.signature, signatures)
            self._alike[document.id] = dict(zip([other.id for other in self._views], alike, strict=True))
        return self._alike[document.id]

    def rarity_of_digit_runs(self, runs: Hashes, *holding: View) -> float:
        """As `rarity`, of runs of digits: there are few enough of them to count them all."""
        own = self._count_of(holding)
        return float(np.sum(1 / (1 + np.maximum(self._digit_runs[runs] - own, 0))))

    @cached_property
    def _digit_runs(self) -> NDArray[np.int64]:
        """How many neighbours have each run of four digits."""
        empty = np.empty(0, np.uint32)
        return np.bincount(
            np.concatenate([empty, *(document.digit_runs for document in self._views)]), minlength=10_000
        )

    def weight_of_runs(self, runs: Hashes, *holding: View) -> float:
        """How many of these runs are own to the holding documents: one that n neighbours have counts 1/(1+n)²."""
        own = self._count_of(holding)
        held = np.maximum(self._runs[runs] - own, 0)
        return float(np.sum((1.0 + held) ** -2))

    @cached_property
    def _runs(self) -> NDArray[np.int64]:
        """How many neighbours have each run."""
        empty = np.empty(0, np.uint32)
        return np.bincount(
            np.concatenate([empty, *(document.runs for document in self._views)]), minlength=1 << RUN_BITS
        )

    def rarity(self, kind: str, tokens: Collection[object], *holding: View) -> float:
        """A token that no neighbour has weighs 1, one that n have 1/(1+n)."""
        if not tokens:
            return 0.0
        return math.fsum(
            [
                1 / (1 + document_frequency)
                for document_frequency in self.document_frequency(kind, tokens, *holding)
            ]
        )
