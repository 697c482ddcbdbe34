"""Decisions that were refused: the tags stay as the user set them, so what was refused is remembered here, and why.

A refused decision is not tried again while the documents look the same: their decision tags and owners. It is
forgotten when the user removes the tag, or decides again on the review page.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hook.index.ids import key_number, number_key
from hook.paperless.values import RawDocument

if TYPE_CHECKING:
    from hook.index.interface import DocumentIndex

FIELDS: Final = ("id", "tags", "owner")
_NAME: Final = "refusals"


@dataclass(frozen=True, slots=True)
class Refusal:
    """`state` is that of the documents; what was asked for and why it was not done are in the language of notes."""

    pair: tuple[int, int]
    state: str
    goal: str = ""
    reason: str = ""
    at: str = ""


class Refusals:
    """By pair, in either order; a document without a finding makes a pair with itself."""

    def __init__(self, index: DocumentIndex) -> None:
        self._pairs = index.namespace(_NAME)

    def get(self, one: int, two: int) -> Refusal | None:
        key = _key(one, two)
        raw = self._pairs.get(key)
        return None if raw is None else _refusal(key, raw)

    def put(self, refusal: Refusal) -> None:
        body = [refusal.state, refusal.goal, refusal.reason, refusal.at]
        self._pairs.put(_key(*refusal.pair), json.dumps(body).encode("ascii"))

    def forget(self, one: int, two: int) -> None:
        self._pairs.delete(_key(one, two))

    def __iter__(self) -> Iterator[Refusal]:
        for key, raw in self._pairs.items():
            yield _refusal(key, raw)

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


def _refusal(key: bytes, raw: bytes) -> Refusal:
    pair, text = (key_number(key[:8]), key_number(key[8:])), raw.decode("ascii")
    body = json.loads(text)
    if not (body and isinstance(body[0], str)):  # of an earlier version, which stored the state only
        return Refusal(pair, text)
    return Refusal(pair, *body)
