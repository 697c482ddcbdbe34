"""Finds indexed documents that overlap a given one by a requested share: looks up keys, then compares texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, part_keys
from dedupe_core.fingerprint.overlap import (
    SAME,
    Overlap,
    counted_overlap,
    estimated_overlap,
    passages,
    same_text,
)
from dedupe_core.fingerprint.query import Ask, Reach, answers, asked_share, is_hidden, may_answer, reach
from dedupe_core.model import Fingerprint
from dedupe_core.recipe import Recipe
from hook.batching import batched
from hook.examination.codec import decode, parts_of
from hook.index.interface import DocumentIndex, Keys

Visible = Callable[[int | None], bool]

_AT_ONCE: Final = 256  # records in memory at a time: some 5 MB
_LOOKED_AROUND: Final = 16  # best matches whose own neighbours are looked up, too


@dataclass(frozen=True, slots=True)
class Question:
    """Shares are 0..1. Without a probability, the answer is as complete as the index allows."""

    overlap: float = 0.2
    probability: float | None = None
    ask: Ask = Ask.OVERLAPPING


@dataclass(frozen=True, slots=True)
class Match:
    fingerprint: Fingerprint
    overlap: Overlap


@dataclass(slots=True)
class Read:
    """What an answer cost: keys looked up by kind, entries found, documents compared."""

    passages: int = 0
    bands: int = 0
    facts: int = 0
    rows: int = 0
    full: int = 0  # passages so frequent that older documents may have been dropped from their buckets
    documents: int = 0
    walked: int = 0  # documents that were scanned one by one because of such passages


@dataclass(frozen=True, slots=True)
class Answer:
    """The largest share first. `promise` is a lower bound of the probability that a matching document is here."""

    matches: tuple[Match, ...]
    promise: float
    read: Read = field(default_factory=Read)


def find_overlapping(
    index: DocumentIndex, recipe: Recipe, given: Fingerprint, question: Question, visible: Visible
) -> Answer:
    """Not limited to the candidates of an examination. Every document in the answer was compared."""
    wanted = reach(given, question.ask, question.overlap, question.probability, recipe)
    search = _Search(index, recipe, question, given)
    search.look_up(given, wanted)
    if is_hidden(search.read.full, search.read.passages, question.overlap):
        search.walk()
    if wanted.around:
        for match in search.best(_LOOKED_AROUND):
            search.look_up(match.fingerprint, wanted)
    matches = (match for match in search.best() if visible(match.fingerprint.owner))
    return Answer(tuple(matches), wanted.promise, search.read)


class _Search:
    def __init__(self, index: DocumentIndex, recipe: Recipe, question: Question, given: Fingerprint) -> None:
        self._index, self._recipe, self._question = index, recipe, question
        self._given, self._passages_of_given = given, passages(given, recipe)
        self._seen = {given.id}
        self._matches: list[Match] = []
        self.read = Read()

    def look_up(self, document: Fingerprint, wanted: Reach) -> None:
        self._passages(part_keys(document), wanted.passages)
        bands = band_keys(document.signature, self._recipe)[: wanted.bands]
        facts = (
            np.concatenate([exact_keys(document), fact_keys(document)])
            if wanted.facts
            else exact_keys(document)
        )
        self.read.bands += len(bands)
        self.read.facts += len(facts)
        self._hits(np.concatenate([bands, facts]))

    def best(self, count: int | None = None) -> list[Match]:
        ask = self._question.ask
        ranked = sorted(
            self._matches, key=lambda match: (-asked_share(match.overlap, ask), match.fingerprint.id)
        )
        return ranked[:count]

    def _passages(self, keys: Keys, count: int) -> None:
        """The smallest hashes first: a very long text has only those. A full bucket adds one more look-up."""
        first = 0
        while first < min(count, len(keys)):
            full = self._hits(keys[first:count])
            self.read.full += full
            count, first = count + full, count
        self.read.passages += min(count, len(keys))

    def _hits(self, keys: Keys) -> int:
        """Compares the documents that have these keys; returns how many keys were full."""
        if not len(keys):
            return 0
        hits = self._index.lookup(keys)
        self.read.rows += len(hits.ids)
        for record in self._unseen(np.unique(hits.ids).tolist()):
            self._compare(record)
        return int(np.count_nonzero(hits.saturated))

    def _unseen(self, documents: Iterable[int]) -> Iterator[bytes]:
        for batch in batched((number for number in documents if number not in self._seen), _AT_ONCE):
            self._seen.update(batch)
            yield from self._index.get_many(batch).values()

    def walk(self) -> None:
        """Goes through every document: those that share a sampled passage are compared."""
        own = frozenset(_numbers(self._given.parts))
        for record in self._unseen(self._index.ids()):
            self.read.walked += 1
            if not own.isdisjoint(_numbers(parts_of(record))):
                self._compare(record)

    def _compare(self, record: bytes) -> None:
        self.read.documents += 1
        other = decode(record)
        overlap = self._overlap(other)
        if overlap is not None and answers(overlap, self._question.ask, self._question.overlap):
            self._matches.append(Match(other, overlap))

    def _overlap(self, other: Fingerprint) -> Overlap | None:
        """None if the samples already show that it is too little; a full comparison takes ten times as long."""
        if same_text(self._given, other):
            return SAME
        estimated = estimated_overlap(self._given, other, self._recipe)
        samples = (len(self._given.parts) // 4, len(other.parts) // 4)
        if not may_answer(estimated, samples, self._question.ask, self._question.overlap):
            return None
        own, others = self._passages_of_given, passages(other, self._recipe)
        return estimated if own is None or others is None else counted_overlap(own, others)


def _numbers(parts: bytes) -> memoryview[int]:
    return memoryview(parts).cast("I")
