"""What a person said with a decision on the review page: what to do, which document to keep, which places they looked at.

The tag in Paperless says that something was decided, this says what. It is stored before the tag is set, so a tag that is
there has its instruction; and it is a claim: of two people who decide on the same documents at once, one is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from hook.examination.codec import read_json
from hook.findings.decisions import now
from hook.index.ids import number_key
from hook.index.interface import DocumentIndex
from hook.review.journal import MOVES, Do
from hook.settings.model import Settings

NAMESPACE: Final = "instructions"
TAGGING: Final = timedelta(minutes=1)  # in which the tag is set, or never


@dataclass(frozen=True, slots=True)
class Instruction:
    """On `document`, which has the tag, and each of the others. `looked`: keys of differences that the person accepts."""

    document: int
    others: tuple[int, ...]
    do: Do
    keep: int | None = None
    looked: frozenset[str] = frozenset()
    by: str = ""
    at: str = ""

    @property
    def documents(self) -> frozenset[int]:
        return frozenset((self.document, *self.others))

    @property
    def pairs(self) -> frozenset[frozenset[int]]:
        return frozenset(frozenset((self.document, other)) for other in self.others)

    def contradicts(self, other: Instruction) -> bool:
        """Both are about the same pair, or one moves a document that the other needs."""
        moved = (self._moved & other.documents) | (other._moved & self.documents)
        return bool(moved or self.pairs & other.pairs)

    @property
    def _moved(self) -> frozenset[int]:
        return self.documents - {self.keep} if self.do in MOVES else frozenset()

    def tag(self, settings: Settings) -> str:
        """The tag that a person would set in Paperless for it."""
        return {
            Do.VERSION: settings.tag_make_version,
            Do.DISMISS: settings.tag_not_duplicate,
            Do.SKIP: settings.tag_skip,
        }.get(self.do, settings.tag_confirm)


class Instructions:
    """By the document that has the tag."""

    def __init__(self, index: DocumentIndex, clock: Callable[[], str] = now) -> None:
        self._index, self._clock = index, clock
        self._documents = index.namespace(NAMESPACE)

    def get(self, document: int) -> Instruction | None:
        raw = self._documents.get(number_key(document))
        return None if raw is None else read_json(raw, _instruction)

    def claim(self, new: Sequence[Instruction], tagged: Collection[int]) -> Instruction | None:
        """Stores them all; or none, if one that contradicts them is under way, which is returned. `tagged` are the documents
        that have a decision tag."""
        with self._index.exclusive(durable=True):
            if (known := self.contradicting(new, tagged)) is not None:
                return known
            for instruction in new:
                given = {
                    **asdict(replace(instruction, looked=frozenset(), at=self._clock())),
                    "looked": sorted(instruction.looked),
                }
                self._documents.put(number_key(instruction.document), json.dumps(given).encode("ascii"))
        return None

    def contradicting(self, new: Sequence[Instruction], tagged: Collection[int]) -> Instruction | None:
        for known in self:
            is_live = known.document in tagged or not self._is_old(known)
            if is_live and any(known.contradicts(instruction) for instruction in new):
                return known
        return None

    def forget(self, *documents: int) -> None:
        for document in documents:
            self._documents.delete(number_key(document))

    def forget_others(self, tagged: Collection[int]) -> None:
        """Keeps those on documents that have a decision tag now, or may get it at this moment."""
        if any(map(self._is_old, self)):
            with self._index.exclusive(durable=True):
                self.forget(*(o.document for o in list(self) if o.document not in tagged and self._is_old(o)))

    def __iter__(self) -> Iterator[Instruction]:
        for _, raw in self._documents.items():
            yield read_json(raw, _instruction)

    def _is_old(self, one: Instruction) -> bool:
        return datetime.fromisoformat(self._clock()) - datetime.fromisoformat(one.at) >= TAGGING


def _instruction(data: dict[str, Any]) -> Instruction:
    others, looked = tuple(data.pop("others")), frozenset(data.pop("looked"))
    return Instruction(**{**data, "do": Do(data["do"])}, others=others, looked=looked)
