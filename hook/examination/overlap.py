"""Finds indexed documents that overlap a given one by a requested share: looks up keys, then compares texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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
from dedupe_core.fingerprint.query import Ask, answers, asked_share, is_hidden, is_short, may_answer
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
    """`overlap` is a share, 0..1."""

    overlap: float = 0.2
    ask: Ask = Ask.OVERLAPPING


@dataclass(frozen=True, slots=True)
class Match:
    fingerprint: Fingerprint
    overlap: Overlap


def find_overlapping(
    index: DocumentIndex, recipe: Recipe, given: Fingerprint, question: Question, visible: Visible
) -> list[Match]:
    """The largest share first. Not limited to the candidates of an examination; every document in the answer was compared."""
    search = _Search(index, recipe, question, given)
    passages, full = search.look_up(given)
    if is_hidden(full, passages, question.overlap):
        search.walk()
    if is_short(given, question.overlap):
        for match in search.best()[:_LOOKED_AROUND]:
            search.look_up(match.fingerprint)
    return [match for match in search.best() if visible(match.fingerprint.owner)]


class _Search:
    def __init__(self, index: DocumentIndex, recipe: Recipe, question: Question, given: Fingerprint) -> None:
        self._index, self._recipe, self._question = index, recipe, question
        self._given, self._passages_of_given = given, passages(given, recipe)
        self._seen = {given.id}
        self._matches: list[Match] = []

    def look_up(self, document: Fingerprint) -> tuple[int, int]:
        """How many passages were looked up, and how many of them are so frequent that older documents may have been dropped
        from their buckets."""
        parts = part_keys(document)
        full = self._hits(parts)
        bands = band_keys(document.signature, self._recipe)
        self._hits(np.concatenate([bands, exact_keys(document), fact_keys(document)]))
        return len(parts), full

    def best(self) -> list[Match]:
        ask = self._question.ask
        return sorted(
            self._matches, key=lambda match: (-asked_share(match.overlap, ask), match.fingerprint.id)
        )

    def _hits(self, keys: Keys) -> int:
        """Compares the documents that have these keys; returns how many keys were full."""
        hits = self._index.lookup(keys)
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
            if not own.isdisjoint(_numbers(parts_of(record))):
                self._compare(record)

    def _compare(self, record: bytes) -> None:
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
