"""A document turns into a record with its keys, then into verdicts among other records. Nothing of an index: a worker process
needs no more than this."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from dedupe_core.compare.view import View, view
from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, fingerprint, part_keys
from dedupe_core.judge.classical import judge_classically
from dedupe_core.judge.judge import judge
from dedupe_core.model import Document, Fingerprint, Verdict
from dedupe_core.policy import ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe, Shingle
from hook.examination.codec import decode, encode
from hook.index.interface import Keys

_OPENED_CHARS: Final = 4_000_000  # text of the views that stay open; about 15 times that in memory

KeysByKind = tuple[Keys, Keys, Keys, Keys]  # exact, fact, band, part
Owners = Sequence[int | None] | None  # whose documents a document is compared with; None for everybody's


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as it is stored."""

    id: int
    owner: int | None
    record: bytes
    keys: KeysByKind


@dataclass(frozen=True)
class Examination:
    """`before` is the record that the index had of the document, if any. Records are decoded when they are asked for."""

    record: bytes
    verdicts: tuple[Verdict, ...]
    before: bytes | None
    decoded: Callable[[bytes], Fingerprint] = field(default=decode, repr=False, compare=False)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return self.decoded(self.record)

    @cached_property
    def known(self) -> Fingerprint | None:
        return None if self.before is None else self.decoded(self.before)

    @property
    def changed(self) -> bool:
        """The document is new, or its text or its file is not what the index had."""
        return self.known is None or (self.known.content_hash, self.known.checksum) != (
            self.fingerprint.content_hash,
            self.fingerprint.checksum,
        )


class Views:
    """Records opened for comparison. Those that were used last stay open, so that they need not be decoded and split
    again; bounded by the length of their texts."""

    def __init__(self) -> None:
        self._opened: OrderedDict[bytes, View] = OrderedDict()
        self._chars = 0

    def open(self, record: bytes) -> View:
        opened = self._opened.get(record)
        if opened is None:
            return self.keep(record, view(decode(record)))
        self._opened.move_to_end(record)
        return opened

    def keep(self, record: bytes, opened: View) -> View:
        if record not in self._opened:
            self._opened[record] = opened
            self._chars += len(opened.fingerprint.text)
        while self._chars > _OPENED_CHARS:
            self._chars -= len(self._opened.popitem(last=False)[1].fingerprint.text)
        return opened


class Judge:
    """A recipe of word shingles is judged by the classical policy, any other by the policy."""

    def __init__(self, recipe: Recipe, policy: Policy, classical: ClassicalPolicy) -> None:
        self.recipe, self.policy, self.classical = recipe, policy, classical
        self.is_classical = recipe.shingle is Shingle.WORDS
        self._views = Views()
        self.open = self._views.open

    def read(self, document: Document) -> Reading:
        """Its view stays open: it is judged next, and the next documents are often compared with it."""
        subject = view(fingerprint(document, self.recipe)).split()
        record = encode(subject.fingerprint)
        self._views.keep(record, subject)
        return Reading(document.id, document.owner, record, keys_for(subject.fingerprint, self.recipe))

    def keys_of(self, record: bytes) -> Keys:
        return np.concatenate(keys_for(self.open(record).fingerprint, self.recipe))

    def judge_records(
        self, record: bytes, others: Iterable[bytes], owners: Owners = None, everything: bool = False
    ) -> list[Verdict]:
        views = map(self.open, others)
        visible = [other for other in views if owners is None or other.fingerprint.owner in owners]
        return self.judge(self.open(record), visible, everything=everything)

    def judge(self, subject: View, others: Sequence[View], *, everything: bool = False) -> list[Verdict]:
        """With `everything`, also pairs that a first look tells apart; what is reported is the same as without it."""
        if self.is_classical:
            texts = [other.fingerprint for other in others]
            return judge_classically(subject.fingerprint, texts, self.classical)
        verdicts = judge(subject, others, self.policy, explained=False)
        if not everything:
            return verdicts
        reported = {verdict.other: verdict for verdict in verdicts if verdict.flagged}
        compared = judge(subject, others, self.policy, everything=True)
        joined = [reported.pop(verdict.other, replace(verdict, flagged=False)) for verdict in compared]
        return [*joined, *reported.values()]


def keys_for(document: Fingerprint, recipe: Recipe) -> KeysByKind:
    bands = band_keys(document.signature, recipe)
    return exact_keys(document), fact_keys(document), bands, part_keys(document)
