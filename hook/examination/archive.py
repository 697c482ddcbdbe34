"""The archive as the index knows it: documents in, verdicts out. No Paperless, no network."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from dedupe_core.compare.view import Neighbourhood, View, papers, view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.classical import judge_classically
from dedupe_core.judge.fitted import DIGEST
from dedupe_core.judge.judge import classify, judge
from dedupe_core.model import Candidate, Document, Fingerprint, Verdict
from dedupe_core.policy import CLASSICAL_DEFAULT, ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe, Shingle
from hook.batching import of_bounded_length
from hook.errors import DedupeError
from hook.examination.codec import encode
from hook.examination.examination import Examination, with_others
from hook.examination.keyed import READ_CHARS, Memo, ranked_hits
from hook.examination.overlap import Answer, Owners, Question, Visible, find_overlapping, of_owners
from hook.examination.views import OpenViews
from hook.index.index import Index
from hook.index.interface import Closing, DocumentIndex, Hits, Keys

if TYPE_CHECKING:
    from hook.index.damage import Readers, Salvaged
    from hook.settings.address import Address


class NotIndexed(DedupeError):
    """A document that is not in the index."""


class Archive(Closing):
    """An index opened with a recipe and a policy. Belongs to the thread that opened it.

    A recipe of word shingles is judged by the classical policy, any other by the policy.
    """

    def __init__(
        self, index: DocumentIndex, recipe: Recipe, policy: Policy, classical: ClassicalPolicy, memo: Memo
    ) -> None:
        """Use `open` or `rebuild`."""
        self.index = index
        self._recipe = recipe
        self._policy = policy
        self._classical = classical
        self._memo = memo
        self._views = OpenViews(index)
        self._place: tuple[Path, str] = (Path(), "")
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
        address: Address | None = None,
    ) -> Self:
        """In the directory, or on the server with that address."""
        memo = Memo(recipe)
        index: DocumentIndex
        if address is None:
            index = Index.open(directory, recipe.id, keys_of=memo.keys_of, create=create, timeout_s=timeout_s)
        else:
            from hook.index.shared.index import SharedIndex  # most hooks need no client of Redis

            index = SharedIndex.open(
                address,
                recipe.id,
                keys_of=memo.keys_of,
                directory=directory,
                create=create,
                timeout_s=timeout_s,
            )
        return cls(index, recipe, policy, classical, memo)._at(directory, address)

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
        address: Address | None = None,
    ) -> Self:
        """Open with the documents of the index in `filled`, whatever the recipe was; decisions and findings stay."""
        memo = Memo(recipe)
        index: DocumentIndex
        if address is None:
            index = Index.rebuild(
                directory,
                recipe.id,
                keys_of=memo.keys_of,
                filled=filled,
                readers=readers,
                timeout_s=timeout_s,
            )
        else:
            from hook.index.shared.index import SharedIndex

            index = SharedIndex.rebuild(
                address, recipe.id, keys_of=memo.keys_of, directory=directory, timeout_s=timeout_s
            )
        return cls(index, recipe, policy, classical, memo)._at(directory, address)

    def _at(self, directory: Path, address: Address | None) -> Self:
        self._place = directory.absolute(), address.url if address else ""
        return self

    @classmethod
    def repair_file(cls, directory: Path, recipe: Recipe, *, readers: Readers) -> Salvaged:
        """For a file that cannot be opened, or not be checked."""
        from hook.index.damage import salvage  # the hook never needs it

        keys_of = Memo(recipe).keys_of
        return salvage(directory, recipe.id, keys_of, readers, timeout_s=60.0)

    def close(self) -> None:
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

    def keys_of(self, record: bytes) -> Keys:
        return self._memo.keys_of(record)

    def fingerprint(self, document: Document) -> Fingerprint:
        """With the recipe of this index."""
        return fingerprint(document, self._recipe)

    def examine(self, document: Document, *, visible: Visible = lambda owner: True) -> Examination:
        """Judges a document against the index. Stores nothing: that is `take`, or `remember`."""
        found = self.fingerprint(document)
        known = self.fingerprint_of(document.id)
        return Examination(found, tuple(self.judge(found, visible=visible)), known)

    def take(
        self, document: Document, *, visible: Visible = lambda owner: True, everything: bool = False
    ) -> Examination:
        """Examines a document and remembers it: of two that come in at once, at least one sees the other."""
        found = self.fingerprint(document)
        return self._take(found, self._memo.keys(found), visible, everything)

    def take_all(
        self, documents: Iterable[Document], *, owners: Owners = lambda owner: None, everything: bool = False
    ) -> Iterator[Examination]:
        """`take` of each in turn. Call it inside a batch."""
        for some in of_bounded_length(documents, READ_CHARS):
            for one, keys in [self._read(document) for document in some]:
                self._subject = one
                yield self._take(one.fingerprint, keys, of_owners(owners(one.fingerprint.owner)), everything)

    def _read(self, document: Document) -> tuple[View, tuple[Keys, Keys, Keys, Keys]]:
        """The document opened for comparison, and its keys, from one split of its text."""
        found = self.fingerprint(document)
        return view(found).split(), self._memo.keys(found)

    def _take(
        self, found: Fingerprint, keys: tuple[Keys, Keys, Keys, Keys], visible: Visible, everything: bool
    ) -> Examination:
        record = encode(found)
        before, hits = self.index.exchange(found.id, np.concatenate(keys), record)
        known = self._known_by(before)
        candidates = self._ranked(found.id, keys, hits)
        self._views.close(found.id)
        verdicts = self._judged(found, self._views.open(one.id for one in candidates), visible, everything)
        self._views.keep(self._view_of(found), record)
        return Examination(found, tuple(verdicts), known)

    def store(self, document_id: int, keys: Sequence[Keys], record: bytes) -> tuple[bytes | None, list[int]]:
        """Stores a document that a worker has read; the record from before, and its candidates, the likeliest first."""
        before, hits = self.index.exchange(document_id, np.concatenate(keys), record)
        self._views.close(document_id)
        return before, [one.id for one in self._ranked(document_id, keys, hits)]

    def judge_among(
        self,
        found: Fingerprint,
        candidates: Iterable[int],
        *,
        visible: Visible = lambda owner: True,
        everything: bool = False,
    ) -> list[Verdict]:
        """Among these documents, whatever the index would find."""
        return self._judged(found, self._views.open(candidates), visible, everything)

    def follow(self, changes: int, stored: Iterable[int]) -> None:
        """For a worker: what the run that writes knows of changes by others, and what it has stored itself."""
        self._views.follow(changes)
        for number in stored:
            self._views.close(number)

    def show(self, records: Mapping[int, bytes]) -> None:
        """Documents as another process has stored them and not committed yet."""
        for number, record in records.items():
            self._views.show(number, record)

    def show_judged(self, found: Fingerprint, record: bytes) -> None:
        """The same for a document that was just judged here: it stays open, as the next are often compared with it."""
        self._views.show(found.id, record, self._view_of(found))

    def examination(self, record: bytes, known: bytes | None, verdicts: Sequence[Verdict]) -> Examination:
        """Of a document that was read and judged by a worker."""
        return Examination(record, tuple(verdicts), self._known_by(known))

    def keys_by_kind(self, found: Fingerprint) -> tuple[Keys, Keys, Keys, Keys]:
        return self._memo.keys(found)

    def start_of_worker(self) -> dict[str, Any]:
        """What another process needs to open the same archive."""
        directory, url = self._place
        return {
            "directory": str(directory), "url": url,
            "recipe": asdict(self._recipe), "policy": asdict(self._policy), "classical": asdict(self._classical),
        }  # fmt: skip

    def judge(
        self, found: Fingerprint, *, visible: Visible = lambda owner: True, everything: bool = False
    ) -> list[Verdict]:
        """Against the index; nothing is stored. With `everything`, also pairs that a first look tells apart;
        what is reported is the same as without it.
        """
        return self._judged(found, self.neighbours(found), visible, everything)

    def _known_by(self, record: bytes | None) -> Fingerprint | None:
        return None if record is None else self._memo.decoded(record)

    def _judged(
        self, found: Fingerprint, neighbours: Sequence[View], visible: Visible, everything: bool
    ) -> list[Verdict]:
        others = [other for other in neighbours if visible(other.fingerprint.owner)]
        if self._recipe.shingle is Shingle.WORDS:
            return judge_classically(found, [other.fingerprint for other in others], self._classical)
        verdicts = judge(self._view_of(found), others, self._policy, explained=False)
        if not everything:
            return verdicts
        return with_others(verdicts, judge(self._view_of(found), others, self._policy, everything=True))

    def remember(self, found: Fingerprint) -> None:
        """Its view stays open: the next documents are often compared with this one."""
        self._views.close(found.id)
        record = encode(found)
        self.index.put(found.id, np.concatenate(self._memo.keys(found)), record)
        self._views.keep(self._view_of(found), record)

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
                f"document #{document_id} is not in the index: if it is in Paperless and not in the trash, run "
                "`paperless-dedupe backfill --sync`"
            )
        return found

    @cached_property
    def judge_id(self) -> str:
        """Changes with all that a verdict on two texts depends on but the texts: trees, policy and recipe."""
        values = f"{self._recipe} {self._policy} {self._classical}"
        return f"{zlib.crc32(values.encode('utf-8'), DIGEST):08x}"

    def explain(self, a: int, b: int, *, visible: Visible = lambda owner: True) -> Verdict:
        """The verdict on any two indexed documents, whether or not a look-up of one finds the other; among the neighbours
        that are visible."""
        subject, other = (self.known(document_id) for document_id in (a, b))
        if self._recipe.shingle is Shingle.WORDS:
            return judge_classically(subject, [other], self._classical)[0]
        others = [one for one in self.neighbours(subject) if one.id == b or visible(one.fingerprint.owner)]
        for verdict in judge(view(subject), others, self._policy):
            if verdict.other == b:
                return verdict
        beside = [one for one in others if one.id != b]
        return classify(
            view(subject), view(other), Neighbourhood(papers([*beside, view(other)])), self._policy
        )

    def overlapping(
        self, found: Fingerprint, question: Question, *, visible: Visible = lambda owner: True
    ) -> Answer:
        """The indexed documents that overlap it by the requested share, whatever their relation."""
        return find_overlapping(self.index, self._recipe, found, question, visible)

    def verdicts_on(self, found: Fingerprint, others: Iterable[int]) -> list[Verdict]:
        """The verdicts on these indexed documents, in their order, among the neighbours of the given one."""
        subject, wanted = view(found), self._views.open(others)
        beside = {one.id: one for one in (*self.neighbours(found), *wanted)}
        around = Neighbourhood(papers(beside.values()))
        return [classify(subject, other, around, self._policy) for other in wanted]

    def candidates(self, found: Fingerprint) -> list[Candidate]:
        keys = self._memo.keys(found)
        return self._ranked(found.id, keys, self.index.lookup(np.concatenate(keys)))

    def _ranked(self, document_id: int, keys: Sequence[Keys], hits: Hits) -> list[Candidate]:
        return ranked_hits(document_id, keys, hits, self._policy.candidates)

    def neighbours(self, found: Fingerprint) -> list[View]:
        """The indexed documents that resemble it, opened for comparison; the most likely first."""
        return self._views.open(candidate.id for candidate in self.candidates(found))

    def views_of(self, document_ids: Iterable[int]) -> dict[int, View]:
        """These documents opened for comparison, by id; those that are not indexed are left out."""
        return {one.id: one for one in self._views.open(document_ids)}
