"""What a run that was ended owes: documents to examine, and findings that Paperless does not show yet.

Written in the same transaction as the index, so that a kill at any moment loses no finding. A finding is kept
as it was judged: judging it again, with later documents in the index, could come to other words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from dedupe_core.model import Relation
from hook.findings import Finding
from hook.index import Index
from hook.plan import Examined
from hook.records import RawDocument

_NAME: Final = "unsettled"
_TO_EXAMINE: Final = b""


@dataclass(frozen=True, slots=True)
class Debt:
    """One document: still to examine, or examined, but its findings (or that there are none) not written."""

    document: int
    is_examined: bool
    findings: tuple[Finding, ...] = ()
    content_hash: str = ""

    def examined(self, raw: RawDocument) -> Examined:
        return Examined(raw, self.findings, content_hash=self.content_hash)


class Unsettled:
    """By document id. Changes join the batch that is open, or are on the disk when the call returns."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._debts = index.namespace(_NAME)

    def to_examine(self, documents: Iterable[int]) -> None:
        for document in documents:
            self._debts.put(_key(document), _TO_EXAMINE)

    def to_write(self, examined: Examined) -> None:
        self._debts.put(_key(examined.document.id), _encoded(examined))

    def settle(self, documents: Iterable[int]) -> None:
        keys = [key for key in map(_key, documents) if self._debts.get(key) is not None]
        if keys:
            with self._index.batch(durable=True):
                for key in keys:
                    self._debts.delete(key)

    def get(self, document: int) -> Debt | None:
        raw = self._debts.get(_key(document))
        return None if raw is None else _decoded(_key(document), raw)

    def some(self, count: int, *, examined: bool, after: int = -1) -> list[Debt]:
        """The first `count` of one kind with an id above `after`: the list may change between two calls."""
        kind = (debt for debt in self if debt.is_examined is examined and debt.document > after)
        return list(islice(kind, count))

    def __iter__(self) -> Iterator[Debt]:
        for key, raw in self._debts.items():
            yield _decoded(key, raw)

    def __len__(self) -> int:
        return len(self._debts)


def _key(document: int) -> bytes:
    return document.to_bytes(8, "big")


def _encoded(examined: Examined) -> bytes:
    rows = [
        [entry.other, entry.relation.value, entry.confidence, entry.reason, entry.direction, entry.other_hash]
        for entry in examined.findings
    ]
    return json.dumps({"findings": rows, "content_hash": examined.content_hash}).encode("ascii")


def _decoded(key: bytes, raw: bytes) -> Debt:
    document = int.from_bytes(key, "big")
    if raw == _TO_EXAMINE:
        return Debt(document, is_examined=False)
    data = json.loads(raw)
    findings = tuple(Finding(other, Relation(relation), *rest) for other, relation, *rest in data["findings"])
    return Debt(document, is_examined=True, findings=findings, content_hash=data["content_hash"])
