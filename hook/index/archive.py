"""The archive as far as we know it: documents in, verdicts out, by the index alone; no Paperless, no network."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from dedupe_core.compare.view import Neighbourhood, View, view
from dedupe_core.fingerprint.candidates import key_weights, ranked
from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, fingerprint, part_keys
from dedupe_core.judge.classical import ClassicalPolicy, judge_classically
from dedupe_core.judge.judge import classify, judge
from dedupe_core.model import Candidate, Document, Fingerprint, Verdict
from dedupe_core.policy import Policy
from dedupe_core.recipe import Recipe, Shingle
from hook.errors import DedupeError
from hook.index.codec import decode, encode
from hook.index.index import Index, Keys
from hook.index.overlap import Answer, Question, find_overlapping

Visible = Callable[[int | None], bool]
_OPENED_CHARS = 2_500_000  # text of the views kept open between examinations; about ten times that in memory


class NotIndexed(DedupeError):
    """A document that the index does not know."""


@dataclass(frozen=True, slots=True)
class Examination:
    """`changed`: the text or the file is not what the index had, or it had nothing."""

    fingerprint: Fingerprint
    verdicts: tuple[Verdict, ...]
    changed: bool


def keys_for(found: Fingerprint, recipe: Recipe) -> tuple[Keys, Keys, Keys, Keys]:
    """The exact, the fact, the band and the part keys of a fingerprint."""
    return exact_keys(found), fact_keys(found), band_keys(found.signature, recipe), part_keys(found)


def _keys_of(recipe: Recipe, record: bytes) -> Keys:
    return np.concatenate(keys_for(decode(record), recipe))


class Archive:
    """An index opened with a recipe and a policy. Belongs to the thread that opened it."""

    def __init__(self, index: Index, recipe: Recipe, policy: Policy) -> None:
        self.index = index
        self._recipe = recipe
        self._policy = policy
        self._open_views: OrderedDict[int, View] = OrderedDict()
        self._open_chars = 0
        self._others_changes = index.others_changes()

    @classmethod
    def open(
        cls, directory: Path, recipe: Recipe, policy: Policy, *, create: bool = True, timeout_s: float = 10.0
    ) -> Self:
        keys_of = partial(_keys_of, recipe)
        index = Index.open(directory, recipe.id, keys_of=keys_of, create=create, timeout_s=timeout_s)
        return cls(index, recipe, policy)

    @classmethod
    def rebuild(cls, directory: Path, recipe: Recipe, policy: Policy, *, timeout_s: float = 10.0) -> Self:
        """Open without documents, whatever the recipe was; decisions and findings stay."""
        index = Index.rebuild(directory, recipe.id, keys_of=partial(_keys_of, recipe), timeout_s=timeout_s)
        return cls(index, recipe, policy)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.index.close()

    def was_replaced(self) -> bool:
        """To be asked now and then by whoever keeps an archive open for long: open it again then."""
        return self.index.was_replaced()

    def batch(self) -> AbstractContextManager[None]:
        return self.index.batch()

    def examine(
        self, document: Document, *, visible: Visible = lambda owner: True, everything: bool = False
    ) -> Examination:
        """Judge a document against what is indexed. Nothing is stored: that is `remember`.

        With `everything`, also where a first glance told the pair apart.
        """
        found = fingerprint(document, self._recipe)
        before = self.fingerprint_of(document.id)
        changed = before is None or (before.content_hash, before.checksum) != (
            found.content_hash,
            found.checksum,
        )
        return Examination(found, tuple(self.judge(found, visible=visible, everything=everything)), changed)

    def judge(
        self, found: Fingerprint, *, visible: Visible = lambda owner: True, everything: bool = False
    ) -> list[Verdict]:
        others = [other for other in self.neighbours(found) if visible(other.fingerprint.owner)]
        if self._recipe.shingle is Shingle.WORDS:
            return judge_classically(found, [other.fingerprint for other in others], ClassicalPolicy())
        return judge(view(found), others, self._policy, everything=everything)

    def remember(self, found: Fingerprint) -> None:
        self._close_view(found.id)
        self.index.put(found.id, np.concatenate(keys_for(found, self._recipe)), encode(found))

    def forget(self, document_id: int) -> bool:
        self._close_view(document_id)
        return self.index.remove(document_id)

    def fingerprint_of(self, document_id: int) -> Fingerprint | None:
        record = self.index.get(document_id)
        return decode(record) if record is not None else None

    def explain(self, a: int, b: int) -> Verdict:
        """The verdict on any two indexed documents, whether or not one would be found from the other."""
        subject, other = (self.known(document_id) for document_id in (a, b))
        if self._recipe.shingle is Shingle.WORDS:
            return judge_classically(subject, [other], ClassicalPolicy())[0]
        others = self.neighbours(subject)
        for verdict in judge(view(subject), others, self._policy):
            if verdict.other == b:
                return verdict
        beside = [one for one in others if one.id != b]
        return classify(view(subject), view(other), Neighbourhood([*beside, view(other)]), self._policy)

    def overlapping(
        self, found: Fingerprint, question: Question, *, visible: Visible = lambda owner: True
    ) -> Answer:
        """The indexed documents that overlap it by the wanted share, whatever their relation."""
        return find_overlapping(self.index, self._recipe, found, question, visible)

    def verdicts_on(self, found: Fingerprint, others: Iterable[int]) -> list[Verdict]:
        """The verdicts on these indexed documents, in their order, among the neighbours of the given one."""
        subject, wanted = view(found), self._views(others)
        beside = {one.id: one for one in (*self.neighbours(found), *wanted)}
        around = Neighbourhood(beside.values())
        return [classify(subject, other, around, self._policy) for other in wanted]

    def candidates(self, found: Fingerprint) -> list[Candidate]:
        keys = keys_for(found, self._recipe)
        kinds = [len(of_kind) for of_kind in keys]
        hits = self.index.lookup(np.concatenate(keys))
        beside = hits.ids != found.id
        others = hits.sizes.copy()
        others[hits.key_index[~beside]] -= 1  # looked up again, a document meets itself
        weights = key_weights(kinds, others)
        return ranked(hits.ids[beside], hits.key_index[beside], weights, kinds, self._policy.candidates)

    def known(self, document_id: int) -> Fingerprint:
        found = self.fingerprint_of(document_id)
        if found is None:
            raise NotIndexed(
                f"document #{document_id} is not in the index: run `paperless-dedupe backfill --sync`"
            )
        return found

    def neighbours(self, found: Fingerprint) -> list[View]:
        """The indexed documents that resemble it, opened for comparison; the likeliest first."""
        return self._views(candidate.id for candidate in self.candidates(found))

    def _views(self, document_ids: Iterable[int]) -> list[View]:
        wanted = list(document_ids)
        self._close_views_of_others()
        records = self.index.get_many([one for one in wanted if one not in self._open_views])
        for document_id, record in records.items():
            self._keep_open(document_id, view(decode(record)))
        views = [self._open_views[one] for one in wanted if one in self._open_views]
        for one in views:
            self._open_views.move_to_end(one.id)
        self._shrink()
        return views

    def _keep_open(self, document_id: int, opened: View) -> None:
        self._open_views[document_id] = opened
        self._open_chars += len(opened.fingerprint.text)

    def _close_view(self, document_id: int) -> None:
        closed = self._open_views.pop(document_id, None)
        if closed is not None:
            self._open_chars -= len(closed.fingerprint.text)

    def _close_views_of_others(self) -> None:
        """In a service that lives for weeks, another process may have replaced a document we have open."""
        if (changes := self.index.others_changes()) != self._others_changes:
            self._others_changes = changes
            self._open_views.clear()
            self._open_chars = 0

    def _shrink(self) -> None:
        while self._open_chars > _OPENED_CHARS:
            _, closed = self._open_views.popitem(last=False)
            self._open_chars -= len(closed.fingerprint.text)
