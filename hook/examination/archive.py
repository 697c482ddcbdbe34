"""The archive as the index knows it: documents in, verdicts out. No Paperless, no network."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from dedupe_core.compare.view import Neighbourhood, View, view
from dedupe_core.fingerprint.candidates import key_weights, ranked
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.fitted import DIGEST
from dedupe_core.judge.judge import classify, judge
from dedupe_core.model import Candidate, Document, Fingerprint, Verdict
from dedupe_core.policy import CLASSICAL_DEFAULT, DEFAULT, ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe
from hook.errors import DedupeError
from hook.examination.codec import encode
from hook.examination.judging import Examination, Judge, KeysByKind, Owners, Reading, keys_for
from hook.examination.overlap import Match, Question, Visible, find_overlapping
from hook.index.index import Index
from hook.index.interface import Closing, DocumentIndex, Hits

if TYPE_CHECKING:
    from hook.index.damage import Salvaged
    from hook.settings.address import Address


class NotIndexed(DedupeError):
    """A document that is not in the index."""


class Archive(Closing):
    """An index opened with a recipe and a policy. Belongs to the thread that opened it."""

    def __init__(self, index: DocumentIndex, judge: Judge) -> None:
        """Use `open`."""
        self.index, self.judging = index, judge
        self._policy, self._recipe = judge.policy, judge.recipe

    @classmethod
    def open(
        cls,
        directory: Path,
        recipe: Recipe,
        policy: Policy,
        *,
        classical: ClassicalPolicy = CLASSICAL_DEFAULT,
        create: bool = True,
        empty: bool = False,
        filled: Path | None = None,
        timeout_s: float = 10.0,
        address: Address | None = None,
    ) -> Self:
        """In the directory, or on the server with that address. `empty` drops the documents, whatever the recipe was, for those
        of the index in the directory `filled` if there is one; decisions and findings stay."""
        judging = Judge(recipe, policy, classical)
        place = directory, recipe.id, judging.keys_of
        if address is None and empty:
            return cls(Index.rebuild(*place, filled=filled, timeout_s=timeout_s), judging)
        if address is None:
            return cls(Index.open(*place, create=create, timeout_s=timeout_s), judging)
        from hook.index.shared.index import SharedIndex  # most hooks need no client of Redis

        if empty:
            return cls(SharedIndex.rebuild(address, *place, timeout_s=timeout_s), judging)
        return cls(SharedIndex.open(address, *place, create=create, timeout_s=timeout_s), judging)

    @classmethod
    def repair_file(cls, directory: Path, recipe: Recipe) -> Salvaged:
        """For a file that cannot be opened, or not be checked."""
        from hook.index.damage import salvage  # the hook never needs it

        keys_of = Judge(recipe, DEFAULT, CLASSICAL_DEFAULT).keys_of
        return salvage(directory, recipe.id, keys_of, timeout_s=60.0)

    def close(self) -> None:
        self.index.close()

    def batch(self) -> AbstractContextManager[None]:
        """All changes inside are one transaction, as `Index.batch`."""
        return self.index.batch()

    # One document: read it, look it up and store it, judge it

    def examine_and_store(
        self, document: Document, *, owners: Owners = None, everything: bool = False
    ) -> Examination:
        """Looked up and stored in one step: of two documents that come in at once, at least one sees the other."""
        reading = self.judging.read(document)
        before, others = self.store(reading)
        verdicts = self.judging.judge_records(reading.record, others, owners, everything)
        return Examination(reading.record, tuple(verdicts), before, self._decoded)

    def examine(self, document: Document, *, owners: Owners = None, everything: bool = False) -> Examination:
        """The same, and nothing is stored."""
        reading = self.judging.read(document)
        others = self._candidates(reading, self.index.lookup(np.concatenate(reading.keys)))
        verdicts = self.judging.judge_records(reading.record, others, owners, everything)
        return Examination(reading.record, tuple(verdicts), self.index.get(document.id), self._decoded)

    def store(self, reading: Reading) -> tuple[bytes | None, list[bytes]]:
        """The record from before, and the records of the candidates, the likeliest first."""
        before, hits = self.index.lookup_and_put(reading.id, np.concatenate(reading.keys), reading.record)
        return before, self._candidates(reading, hits)

    def _candidates(self, reading: Reading, hits: Hits) -> list[bytes]:
        candidates = ranked_hits(reading.id, reading.keys, hits, self._policy.candidates)
        return self._records(candidate.id for candidate in candidates)

    def remember(self, document: Fingerprint) -> None:
        """Stored without being judged."""
        keys = np.concatenate(keys_for(document, self._recipe))
        self.index.lookup_and_put(document.id, keys, encode(document))

    def forget(self, document_id: int) -> bool:
        return self.index.remove(document_id)

    # What is indexed

    def fingerprint(self, document: Document) -> Fingerprint:
        """With the recipe of this index."""
        return fingerprint(document, self._recipe)

    def __contains__(self, document_id: int) -> bool:
        return document_id in self.index

    def fingerprint_of(self, document_id: int) -> Fingerprint | None:
        record = self.index.get(document_id)
        return None if record is None else self._decoded(record)

    def known(self, document_id: int) -> Fingerprint:
        known = self.fingerprint_of(document_id)
        if known is None:
            raise NotIndexed(
                f"document #{document_id} is not in the index: if it is in Paperless and not in the trash, run "
                "`paperless-dedupe backfill --sync`"
            )
        return known

    def candidates(self, subject: Fingerprint) -> list[Candidate]:
        keys = keys_for(subject, self._recipe)
        hits = self.index.lookup(np.concatenate(keys))
        return ranked_hits(subject.id, keys, hits, self._policy.candidates)

    def neighbours(self, subject: Fingerprint) -> list[View]:
        """The indexed documents that resemble it, opened for comparison; the most likely first."""
        return self.views_of(candidate.id for candidate in self.candidates(subject))

    def views_of(self, document_ids: Iterable[int]) -> list[View]:
        """These documents opened for comparison, in this order; those that are not indexed are left out."""
        return [self.judging.open(record) for record in self._records(document_ids)]

    def _records(self, document_ids: Iterable[int]) -> list[bytes]:
        wanted = list(document_ids)
        records = self.index.get_many(wanted)
        return [records[number] for number in wanted if number in records]

    def _decoded(self, record: bytes) -> Fingerprint:
        return self.judging.open(record).fingerprint

    # Pairs

    @cached_property
    def judge_id(self) -> str:
        """Changes with all that a verdict on two texts depends on but the texts: trees, policy and recipe."""
        values = f"{self._recipe} {self._policy} {self.judging.classical}"
        return f"{zlib.crc32(values.encode('utf-8'), DIGEST):08x}"

    def explain(self, a: int, b: int, *, visible: Visible = lambda owner: True) -> Verdict:
        """The verdict on any two indexed documents, whether or not a look-up of one finds the other; among the neighbours
        that are visible."""
        subject, other = view(self.known(a)), view(self.known(b))
        if self.judging.is_classical:
            return self.judging.judge(subject, [other])[0]
        neighbours = self.neighbours(subject.fingerprint)
        others = [near for near in neighbours if near.id == b or visible(near.fingerprint.owner)]
        for verdict in judge(subject, others, self._policy):
            if verdict.other == b:
                return verdict
        beside = [neighbour for neighbour in others if neighbour.id != b]
        return classify(subject, other, Neighbourhood([*beside, other]), self._policy)

    def overlapping(
        self, subject: Fingerprint, question: Question, *, visible: Visible = lambda owner: True
    ) -> list[Match]:
        """The indexed documents that overlap it by the requested share, whatever their relation."""
        return find_overlapping(self.index, self._recipe, subject, question, visible)

    def verdicts_on(self, subject: Fingerprint, others: Iterable[int]) -> list[Verdict]:
        """The verdicts on these indexed documents, in their order, among the neighbours of the given one."""
        wanted = self.views_of(others)
        beside = {neighbour.id: neighbour for neighbour in (*self.neighbours(subject), *wanted)}
        around = Neighbourhood(beside.values())
        return [classify(view(subject), other, around, self._policy) for other in wanted]


def ranked_hits(document_id: int, keys: KeysByKind, hits: Hits, limit: int) -> list[Candidate]:
    """The candidates of a document, the likeliest first; without itself, which is indexed already perhaps."""
    kinds = [len(of_kind) for of_kind in keys]
    ids, key_index, others = hits.ids, hits.key_index, hits.sizes
    beside = ids != document_id
    if not beside.all():
        others = others.copy()
        others[key_index[~beside]] -= 1
        ids, key_index = ids[beside], key_index[beside]
    return ranked(ids, key_index, key_weights(kinds, others), kinds, limit)
