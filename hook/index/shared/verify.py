"""Checks a shared index against itself: every key of every document against the pages, and the pages against the records.

Others may write meanwhile, so what is missing or too much is looked at once more before it counts. Linear time; the memory
is bounded by the documents and pages that are read at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hook.batching import batched
from hook.index.shared.members import FULL_MARK, Hashed
from hook.index.verify import Report

if TYPE_CHECKING:
    from hook.index.shared.index import SharedIndex

_DOCUMENTS_AT_ONCE: Final = 200
_PAGES_AT_ONCE: Final = 500


def check(index: SharedIndex, *, repair: bool) -> Report:
    """Values have no checksum here: the server keeps one of its own files."""
    documents, unreadable, lost = 0, list[int](), 0
    for some in batched(index.ids(), _DOCUMENTS_AT_ONCE):
        records = index.get_many(some)
        for number in some:
            if number not in records:
                unreadable.append(number)
                continue
            try:
                lost += _lost(index, number, index.hashed(records[number]), repair=repair)
                documents += 1
            except Exception:  # whatever a damaged record makes the decoder raise; its id is reported
                unreadable.append(number)
    if repair:
        for number in unreadable:
            index.drop(number)
    stray = _strays(index, repair=repair)
    report = Report(documents, tuple(unreadable), lost_entries=lost, stray_entries=stray)
    return report if report.sound or not repair else replace(report, repaired=True)


def _lost(index: SharedIndex, number: int, hashed: Hashed, *, repair: bool) -> int:
    """Keys under which a look-up misses the document; a bucket that has dropped documents misses none."""
    pages = [index.names.page(index.state, page) for page in hashed.pages()]
    entries = list(zip(pages, hashed.members(number), hashed.members(FULL_MARK), strict=True))
    answers = index.server.run([("SMISMEMBER", *entry) for entry in entries])
    missing = [entry for entry, answer in zip(entries, answers, strict=True) if not any(answer)]
    if repair:
        index.server.run([("SADD", page, member) for page, member, _ in missing])
    return len(missing)


def _strays(index: SharedIndex, *, repair: bool) -> int:
    """Entries of a document that does not have the key."""
    stray = 0
    pattern = index.names.pages(index.state)
    for keys in batched(sorted(set(index.server.scan(pattern))), _PAGES_AT_ONCE):
        pages = list(zip(keys, index.server.run([("SMEMBERS", key) for key in keys]), strict=True))
        for key, members in _in_vain(index, pages):
            stray += len(members)
            if repair:
                index.server.one("SREM", key, *members)
    return stray


def _in_vain(
    index: SharedIndex, pages: list[tuple[bytes, Iterable[bytes]]]
) -> Iterator[tuple[bytes, list[int]]]:
    wanted = {int(member) & FULL_MARK for _, page in pages for member in page} - {FULL_MARK}
    allowed: dict[int, set[tuple[int, int]]] = {}
    for some in batched(sorted(wanted), _DOCUMENTS_AT_ONCE):
        for number, record in index.get_many(some).items():
            try:
                hashed = index.hashed(record)
            except Exception:  # reported as unreadable
                continue
            allowed[number] = set(zip(hashed.pages(), hashed.members(number), strict=True))
    for key, page in pages:
        place = int(key.rsplit(b":", 1)[1], 16)
        members = [
            member
            for member in map(int, page)
            if member & FULL_MARK != FULL_MARK and (place, member) not in allowed.get(member & FULL_MARK, ())
        ]
        if members:
            yield key, members
