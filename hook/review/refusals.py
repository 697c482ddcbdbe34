"""Decisions that were refused: the tags stay as the user set them, so what was refused is remembered here.

A refused decision is not tried again while the documents look the same: their decision tags and owners. It is
forgotten when the user removes the tag.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from hook.index.ids import key_number, number_key
from hook.paperless.values import RawDocument

if TYPE_CHECKING:
    from hook.index.interface import DocumentIndex

FIELDS: Final = ("id", "tags", "owner")
_NAME: Final = "refusals"


class Refusals:
    """By pair, in either order; a document without a finding makes a pair with itself."""

    def __init__(self, index: DocumentIndex) -> None:
        self._pairs = index.namespace(_NAME)

    def get(self, one: int, two: int) -> str | None:
        """The state in which a decision on this pair was refused."""
        raw = self._pairs.get(_key(one, two))
        return raw.decode("ascii") if raw is not None else None

    def put(self, one: int, two: int, state: str) -> None:
        self._pairs.put(_key(one, two), state.encode("ascii"))

    def forget_others(self, decided: Collection[int]) -> None:
        """Keeps those on documents that have a decision tag now."""
        for key, _ in list(self._pairs.items()):
            if not _documents(key) & set(decided):
                self._pairs.delete(key)

    def documents(self) -> set[int]:
        """Those of all refused pairs."""
        return {number for key, _ in self._pairs.items() for number in _documents(key)}

    def __len__(self) -> int:
        return len(self._pairs)


def state_of(documents: Iterable[RawDocument], decision_tags: Iterable[int]) -> str:
    """All of the documents that a decision depends on, without their texts."""
    ours = set(decision_tags)
    return json.dumps(sorted((one.id, one.owner, sorted(ours & set(one.tags))) for one in documents))


def _key(one: int, two: int) -> bytes:
    return number_key(min(one, two)) + number_key(max(one, two))


def _documents(key: bytes) -> set[int]:
    return {key_number(key[:8]), key_number(key[8:])}
