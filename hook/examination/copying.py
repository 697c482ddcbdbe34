"""Copies an index into another store: documents, findings, decisions, journal; verified, and resumed after a kill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hook.batching import batched
from hook.errors import IndexFault
from hook.index.interface import DocumentIndex

_AT_ONCE: Final = 200  # documents a transaction
_PASSES: Final = 3  # documents that hooks store meanwhile are copied by the next pass


class CopyError(IndexFault):
    """The copy is not what the source is."""


@dataclass(frozen=True, slots=True)
class Copied:
    documents: int
    copied: int  # the others were there from an interrupted run
    others: int  # meta values, findings, decisions, entries of the journal


def copy_index(
    source: DocumentIndex,
    target: DocumentIndex,
    *,
    advance: Callable[[int], None] = lambda count: None,
) -> Copied:
    """What is in the target already and equal is left; a document that only the target has is an error."""
    _refuse_strangers(source, target)
    copied = 0
    for _ in range(_PASSES):
        changed = _copy_documents(source, target, advance)
        copied += changed
        if not changed:
            break
    others = _copy_others(source, target)
    _verify(source, target)
    return Copied(len(target), copied, others)


def _refuse_strangers(source: DocumentIndex, target: DocumentIndex) -> None:
    for some in batched(target.ids(), _AT_ONCE):
        if strangers := sorted(set(some) - source.get_many(some).keys()):
            raise CopyError(
                f"the target has documents that the source has not (#{strangers[0]}): copy into an empty place"
            )


def _copy_documents(source: DocumentIndex, target: DocumentIndex, advance: Callable[[int], None]) -> int:
    count = 0
    for some in batched(source.ids(), _AT_ONCE):
        records, there = source.get_many(some), target.get_many(some)
        with target.batch():
            for number, record in records.items():
                if there.get(number) != record:
                    target.put(number, target.keys_of(record), record)
                    count += 1
        advance(len(some))
    return count


def _copy_others(source: DocumentIndex, target: DocumentIndex) -> int:
    there = dict(target.beside_documents())
    count = 0
    for count, (name, value) in enumerate(source.beside_documents(), 1):  # noqa: B007  # the last number is returned
        if there.get(name) != value:
            target.restore(name, value)
    return count


def _verify(source: DocumentIndex, target: DocumentIndex) -> None:
    for some in batched(source.ids(), _AT_ONCE):
        if source.get_many(some) != target.get_many(some):
            raise CopyError(f"documents from #{some[0]} on differ after the copy: run the command again")
    if dict(source.beside_documents()) != dict(target.beside_documents()):
        raise CopyError("findings or decisions differ after the copy: run the command again")
    report = target.check()
    if not report.sound:
        raise CopyError(f"the copy has {report.lost_entries} lost and {report.stray_entries} stray entries")
