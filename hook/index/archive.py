"""The archive as the index knows it: documents in, verdicts out. No Paperless, no network."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np

from dedupe_core.compare.view import Neighbourhood, View, view
from dedupe_core.fingerprint.candidates import key_weights, ranked
from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, fingerprint, part_keys
from dedupe_core.judge.classical import judge_classically
from dedupe_core.judge.judge import classify, judge
from dedupe_core.model import Candidate, Document, Fingerprint, Verdict
from dedupe_core.policy import CLASSICAL_DEFAULT, ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe, Shingle
from hook.errors import DedupeError
from hook.index.codec import decode, encode
from hook.index.index import Index, Keys
from hook.index.overlap import Answer, Question, Visible, find_overlapping

if TYPE_CHECKING:
    from hook.index.damage import Readers, Salvaged

_OPENED_CHARS = 2_500_000  # text of the views kept between examinations; about ten times that in memory


class NotIndexed(DedupeError):
    """A document that is not in the index."""


@dataclass(frozen=True, slots=True)
class Examination:
    """`known` is what the index had of the document before, if anything."""

    fingerprint: Fingerprint
    verdicts: tuple[Verdict, ...]
    known: Fingerprint | None

    @property
    def changed(self) -> bool:
        """The document is new, or its text or its file is not what the index had."""
        return self.known is None or (self.known.content_hash, self.known.checksum) != (
            self.fingerprint.content_hash,
            self.fingerprint.checksum,
        )


class _Memo:
    """The last decoded record and the last keys. One examination needs its own record up to three times (to
    compare, to see what changed, to replace its keys) and its keys twice (to look up, to store)."""

    def __init__(self, recipe: Recipe) -> None:
        self.decoded = lru_cache(maxsize=1)(decode)
        self.keys = lru_cache(maxsize=1)(partial(keys_for, recipe=recipe))

    def keys_of(self, record: bytes) -> Keys:
        return np.concatenate(self.keys(self.decoded(record)))


def keys_for(found: Fingerprint, recipe: Recipe) -> tuple[Keys, Keys, Keys, Keys]:
    """The exact, the fact, the band and the part keys of a fingerprint."""
    return exact_keys(found), fact_keys(found), band_keys(found.signature, recipe), part_keys(found)


class Archive:
    """An index opened with a recipe and a policy. Belongs to the thread that opened it.

    A recipe of word shingles is judged by the classical policy, any other by the policy.
    """

    def __init__(
        self, index: Index, recipe: Recipe, policy: Policy, classical: ClassicalPolicy, memo: _Memo
    ) -> None:
        """Use `open` or `rebuild`."""
        self.index = index
        self._recipe = recipe
        self._policy = policy
        self._classical = classical
        self._memo = memo
        self._views = _OpenViews(index)
        self._subject: View | None = None  # the last document judged, with what was read of it

    @classmethod
    def open(
        cls,
        directory: Path,
        recipe: Recipe,
        policy: Policy,
        *,
        classical: ClassicalPolicy = CLASSICAL_DEFAULT,
        create: bool = True,
        timeout_s: float = 10.0,
    ) -> Self:
        memo = _Memo(recipe)
        index = Index.open(directory, recipe.id, keys_of=memo.keys_of, create=create, timeout_s=timeout_s)
        return cls(index, recipe, policy, classical, memo)

    @classmethod
    def rebuild(
        cls,
        directory: Path,
        recipe: Recipe,
        policy: Policy,
        *,
        classical: ClassicalPolicy = CLASSICAL_DEFAULT,
        filled: Path | None = None,
        readers: Readers | None = None,
        timeout_s: float = 10.0,
    ) -> Self:
        """Open with the documents of the index in `filled`, whatever the recipe was; decisions and findings stay."""
        memo = _Memo(recipe)
        index = Index.rebuild(
            directory, recipe.id, keys_of=memo.keys_of, filled=filled, readers=readers, timeout_s=timeout_s
        )
        return cls(index, recipe, policy, classical, memo)

    @classmethod
    def repair_file(cls, directory: Path, recipe: Recipe, *, readers: Readers) -> Salvaged:
        """For a file that cannot be opened, or not be checked."""
        keys_of = _Memo(recipe).keys_of
        return Index.repair_file(directory, recipe.id, keys_of=keys_of, readers=readers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.index.close()

    def was_replaced(self) -> bool:
        """A long-lived process checks this now and then, and opens the archive again if it is true."""
        return self.index.was_replaced()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """All changes inside are one transaction, as `Index.batch`."""
        try:
            with self.index.batch():
                yield
        except BaseException:
            self._views.clear()  # some may show what was rolled back
            raise

    def fingerprint(self, document: Document) -> Fingerprint:
        """With the recipe of this index."""
        return fingerprint(document, self._recipe)

    def examine(self, document: Document, *, visible: Visible = lambda owner: True) -> Examination:
        """Judges a document against the index. Stores nothing: that is `remember`."""
        found = self.fingerprint(document)
        known = self.fingerprint_of(document.id)
        return Examination(found, tuple(self.judge(found, visible=visible)), known)

    def judge(
        self, found: Fingerprint, *, visible: Visible = lambda owner: True, everything: bool = False
    ) -> list[Verdict]:
        """With `everything`, also pairs that a first look tells apart."""
        others = [other for other in self.neighbours(found) if visible(other.fingerprint.owner)]
        if self._recipe.shingle is Shingle.WORDS:
            return judge_classically(found, [other.fingerprint for other in others], self._classical)
        return judge(self._view_of(found), others, self._policy, everything=everything)

    def remember(self, found: Fingerprint) -> None:
        """Its view stays open: the next documents are often compared with this one."""
        self._views.close(found.id)
        self.index.put(found.id, np.concatenate(self._memo.keys(found)), encode(found))
        self._views.keep(self._view_of(found))

    def _view_of(self, found: Fingerprint) -> View:
        if self._subject is None or self._subject.fingerprint is not found:
            self._subject = view(found)
        return self._subject

    def forget(self, document_id: int) -> bool:
        self._views.close(document_id)
        return self.index.remove(document_id)

    def __contains__(self, document_id: int) -> bool:
        return document_id in self.index

    def fingerprint_of(self, document_id: int) -> Fingerprint | None:
        """Of a document that was just compared, without reading it again."""
        if (opened := self._views.get(document_id)) is not None:
            return opened.fingerprint
        record = self.index.get(document_id)
        return self._memo.decoded(record) if record is not None else None

    def known(self, document_id: int) -> Fingerprint:
        found = self.fingerprint_of(document_id)
        if found is None:
            raise NotIndexed(
                f"document #{document_id} is not in the index: run `paperless-dedupe backfill --sync`"
            )
        return found

    def explain(self, a: int, b: int) -> Verdict:
        """The verdict on any two indexed documents, whether or not a look-up of one finds the other."""
        subject, other = (self.known(document_id) for document_id in (a, b))
        if self._recipe.shingle is Shingle.WORDS:
            return judge_classically(subject, [other], self._classical)[0]
        others = self.neighbours(subject)
        for verdict in judge(view(subject), others, self._policy):
            if verdict.other == b:
                return verdict
        beside = [one for one in others if one.id != b]
        return classify(view(subject), view(other), Neighbourhood([*beside, view(other)]), self._policy)

    def overlapping(
        self, found: Fingerprint, question: Question, *, visible: Visible = lambda owner: True
    ) -> Answer:
        """The indexed documents that overlap it by the requested share, whatever their relation."""
        return find_overlapping(self.index, self._recipe, found, question, visible)

    def verdicts_on(self, found: Fingerprint, others: Iterable[int]) -> list[Verdict]:
        """The verdicts on these indexed documents, in their order, among the neighbours of the given one."""
        subject, wanted = view(found), self._views.open(others)
        beside = {one.id: one for one in (*self.neighbours(found), *wanted)}
        around = Neighbourhood(beside.values())
        return [classify(subject, other, around, self._policy) for other in wanted]

    def candidates(self, found: Fingerprint) -> list[Candidate]:
        keys = self._memo.keys(found)
        kinds = [len(of_kind) for of_kind in keys]
        hits = self.index.lookup(np.concatenate(keys))
        beside = hits.ids != found.id
        others = hits.sizes.copy()
        others[hits.key_index[~beside]] -= 1  # a document that is indexed already finds itself
        weights = key_weights(kinds, others)
        return ranked(hits.ids[beside], hits.key_index[beside], weights, kinds, self._policy.candidates)

    def neighbours(self, found: Fingerprint) -> list[View]:
        """The indexed documents that resemble it, opened for comparison; the most likely first."""
        return self._views.open(candidate.id for candidate in self.candidates(found))

    def views_of(self, document_ids: Iterable[int]) -> dict[int, View]:
        """These documents opened for comparison, by id; those that are not indexed are left out."""
        return {one.id: one for one in self._views.open(document_ids)}


class _OpenViews:
    """Documents opened for comparison, kept for the next examination; bounded by the length of their texts."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._views: OrderedDict[int, View] = OrderedDict()
        self._chars = 0
        self._changes: int | None = None

    def open(self, document_ids: Iterable[int]) -> list[View]:
        """In this order; documents that are not indexed are left out."""
        wanted = list(document_ids)
        self._drop_outdated()
        records = self._index.get_many([one for one in wanted if one not in self._views])
        for record in records.values():
            self._add(view(decode(record)))
        views = [self._views[one] for one in wanted if one in self._views]
        for one in views:
            self._views.move_to_end(one.id)
        self._shrink()
        return views

    def get(self, document_id: int) -> View | None:
        self._drop_outdated()
        return self._views.get(document_id)

    def close(self, document_id: int) -> None:
        closed = self._views.pop(document_id, None)
        if closed is not None:
            self._chars -= _chars(closed)

    def clear(self) -> None:
        self._views.clear()
        self._chars = 0

    def keep(self, opened: View) -> None:
        """Of a document that was just stored."""
        self._add(opened)
        self._shrink()

    def _add(self, opened: View) -> None:
        self._views[opened.id] = opened
        self._chars += _chars(opened)

    def _shrink(self) -> None:
        while self._chars > _OPENED_CHARS:
            self._chars -= _chars(self._views.popitem(last=False)[1])

    def _drop_outdated(self) -> None:
        """In a service that runs for weeks, another process may have replaced a document that we have open."""
        if (changes := self._index.changes_by_others()) != self._changes:
            self._changes = changes
            self.clear()


def _chars(opened: View) -> int:
    return len(opened.fingerprint.text)
