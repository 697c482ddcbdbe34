"""A fingerprint opened for comparison, and what is rare among the documents around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dedupe_core.model import Fingerprint
from dedupe_core.tokens import numbers_of, words_of

KINDS = ("words", "numbers", "dates", "amounts", "references", "parts")


@dataclass(frozen=True, slots=True)
class View:
    """The tokens of one document by kind; `order` is its text word by word, punctuation and all."""

    fingerprint: Fingerprint
    order: tuple[str, ...]
    words: frozenset[str]
    numbers: frozenset[str]
    dates: frozenset[str]
    amounts: frozenset[int]
    references: frozenset[str]
    parts: frozenset[int]

    @property
    def id(self) -> int:
        return self.fingerprint.id


def view(fingerprint: Fingerprint) -> View:
    text, facts = fingerprint.text, fingerprint.facts
    return View(
        fingerprint,
        order=tuple(text.split()),
        words=frozenset(words_of(text)),
        numbers=numbers_of(text),
        dates=frozenset(facts.dates),
        amounts=frozenset(facts.amounts),
        references=frozenset(facts.references),
        parts=frozenset(memoryview(fingerprint.parts).cast("I")),
    )


class Neighbourhood:
    """How many of the documents that resemble the subject hold a token: what all hold is template."""

    def __init__(self, views: Iterable[View]) -> None:
        self._counts: dict[str, Counter[object]] = {kind: Counter() for kind in KINDS}
        self._ids: set[int] = set()
        for one in views:
            self._ids.add(one.id)
            for kind in KINDS:
                self._counts[kind].update(getattr(one, kind))

    def size_beside(self, *pair: View) -> int:
        return len(self._ids) - sum(one.id in self._ids for one in pair)

    def beside(self, kind: str, *holding: View) -> Callable[[object], int]:
        """How many neighbours hold a token of this kind, not counting the given ones, which all hold it."""
        counts = self._counts[kind]
        own = sum(one.id in self._ids for one in holding)
        return lambda token: counts[token] - own
