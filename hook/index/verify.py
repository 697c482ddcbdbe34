"""Checks the index against itself: every value against its checksum, every key of every document against every
entry of every page.

Both sides become numbers `hash << 32 | slot`. Those of the documents are distributed over temporary files by
ranges of the table, and each range is compared in memory: linear time in the archive, bounded memory.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile

import numpy as np
from numpy.typing import NDArray

from hook.batching import batched
from hook.errors import IndexDamaged
from hook.index.damage import Readers, repair_values, unreadable_values
from hook.index.interface import BUCKET_CAP
from hook.index.key_table import Shape
from hook.index.layout import (
    DOCUMENT_ROWS,
    OTHER_ROWS,
    PAGE_ROWS,
    STATE_KEY,
    STATE_ROW,
    State,
    page_rows,
    read_state,
    reverse_bits,
)
from hook.index.pages import HASH_BITS, Entries, Words, pack, unpack
from hook.index.store import Store

Pairs = NDArray[np.uint64]
HashesOf = Callable[[bytes], Words]

PAIRS_PER_RANGE = 2**19  # 4 MB an array; comparing takes a dozen of them
SPOOLED_BYTES = 2**24  # held in memory; a small archive needs no temporary file
DOCUMENTS_AT_ONCE = 1000
HIGH = np.uint64(HASH_BITS)


@dataclass(frozen=True, slots=True)
class Report:
    """What the index contains and what is wrong with it; after a repair, what was wrong before."""

    document_count: int
    page_count: int
    entry_count: int = 0
    unreadable_ids: tuple[int, ...] = ()  # documents with an unreadable record: repair drops them
    lost_entries: int = 0  # keys under which a look-up would miss a document
    stray_entries: int = 0  # entries without a document, of a key that it does not have, or duplicates
    damaged_pages: int = 0
    wrong_counters: bool = False
    unreadable_values: tuple[str, ...] = ()  # the namespace of each: repair moves them to a file (damage.py)
    file_problems: tuple[str, ...] = ()  # SQLite's own messages
    repaired: bool = False

    @property
    def sound(self) -> bool:
        found = (self.unreadable_ids, self.lost_entries, self.stray_entries, self.damaged_pages)
        return not (any(found) or self.wrong_counters or self.unreadable_values or self.file_problems)


def check(
    store: Store,
    recipe_id: str,
    hashes_of: HashesOf,
    *,
    repair: bool,
    readers: Readers | None = None,
    pairs_per_range: int = PAIRS_PER_RANGE,
) -> Report:
    """Reads a snapshot, so other processes can write meanwhile; they are locked out only during a repair.

    `readers` decode the values of a namespace: those of version 0.1.0 have no checksum.
    """
    readers = readers or {}
    with store.snapshot(), closing(Expected(read_state(store, recipe_id), pairs_per_range)) as expected:
        report = _examine(store, expected, hashes_of, repair=False)
        report = replace(report, unreadable_values=tuple(unreadable_values(store, readers)))
    if report.sound or not repair:
        return report
    with store.transaction(durable=True):
        if report.file_problems:
            store.repair_file()
        with closing(Expected(read_state(store, recipe_id), pairs_per_range)) as expected:
            _examine(store, expected, hashes_of, repair=True)
        repair_values(store, readers)
        if problems := store.file_problems():
            raise IndexDamaged(store.directory, problems[0])
    return replace(report, repaired=True)


def _examine(store: Store, expected: "Expected", hashes_of: HashesOf, *, repair: bool) -> Report:
    state = expected.state
    problems = tuple(store.file_problems())
    document_count, unreadable = _expect_documents(store, hashes_of, expected)
    report = Report(document_count, state.shape.pages, unreadable_ids=unreadable, file_problems=problems)
    for number in range(expected.range_count):
        report = _examine_range(store, expected, number, report, repair=repair)
    actual = replace(state, entry_count=report.entry_count, document_count=document_count)
    if repair:
        for row in (DOCUMENT_ROWS + document_id for document_id in unreadable):
            store.delete_rows(row, row + 1)
        store.update([(STATE_ROW, STATE_KEY, actual.to_bytes())])
    return replace(report, wrong_counters=actual != state)


class Expected:
    """The pairs that the documents should have in the table, by range of its rows."""

    def __init__(self, state: State, pairs_per_range: int) -> None:
        self.state = state
        self.range_count = 1 + min(state.entry_count // pairs_per_range, 255)
        self._files = [
            SpooledTemporaryFile(max_size=SPOOLED_BYTES // self.range_count)  # noqa: SIM115  # see `close`
            for _ in range(self.range_count)
        ]

    def close(self) -> None:
        for file in self._files:
            file.close()

    def add(self, pairs: Pairs) -> None:
        pages = self.state.shape.pages_of((pairs >> HIGH).astype(np.uint32))
        ranges = reverse_bits(pages).astype(np.uint64) * np.uint64(self.range_count) >> HIGH
        for number, file in enumerate(self._files):
            file.write(pairs[ranges == number].tobytes())

    def rows(self, number: int) -> tuple[int, int]:
        first, end = (-(-(at << HASH_BITS) // self.range_count) for at in (number, number + 1))
        return PAGE_ROWS + first, PAGE_ROWS + end

    def pairs(self, number: int) -> Pairs:
        file = self._files[number]
        file.seek(0)
        return np.unique(np.frombuffer(file.read(), np.uint64))


def _expect_documents(store: Store, hashes_of: HashesOf, expected: Expected) -> tuple[int, tuple[int, ...]]:
    count, unreadable = 0, []
    for some in batched(store.rows(DOCUMENT_ROWS, OTHER_ROWS), DOCUMENTS_AT_ONCE):
        pairs = []
        for row, key, record in some:
            document_id = row - DOCUMENT_ROWS
            try:
                if record is None or key != document_id:
                    raise ValueError("not plain bytes, not as it was written, or of another document")
                pairs.append(_pairs(hashes_of(record), np.uint32(document_id + 1)))
            except Exception:  # whatever a damaged record makes the decoder raise; its id is reported
                unreadable.append(document_id)
        expected.add(np.concatenate(pairs) if pairs else np.empty(0, np.uint64))
        count += len(pairs)
    return count, tuple(unreadable)


def _examine_range(store: Store, expected: Expected, number: int, report: Report, *, repair: bool) -> Report:
    shape, wanted = expected.state.shape, expected.pairs(number)
    found, damaged = _read_pages(store, shape, *expected.rows(number))
    sizes = _bucket_sizes(found, wanted)
    good = np.isin(found, wanted) & _first_of_each(found)
    stray = (found & np.uint64(0xFFFFFFFF) != 0) & ~good
    lost = ~np.isin(wanted, found) & (sizes < BUCKET_CAP)
    report = replace(
        report,
        entry_count=report.entry_count + len(found),
        lost_entries=report.lost_entries + int(lost.sum()),
        stray_entries=report.stray_entries + int(stray.sum()),
        damaged_pages=report.damaged_pages + len(damaged),
    )
    if not repair:
        return report
    added = _worth_adding(wanted, found[good])
    _rewrite(
        store, shape, np.concatenate([found[good], added]), np.concatenate([found[~good], added]), damaged
    )
    return replace(report, entry_count=report.entry_count - int((~good).sum()) + len(added))


def _read_pages(store: Store, shape: Shape, first: int, end: int) -> tuple[Pairs, list[int]]:
    """The pairs of all readable pages in these rows, and the rows of the damaged ones."""
    pairs, damaged = [np.empty(0, np.uint64)], []
    for row, key, page in store.rows(first, end):
        number = int(reverse_bits(np.array([row - PAGE_ROWS], np.uint32))[0])
        try:
            pairs.append(_pairs_of_page(shape, number, page if key == -1 - number else None))
        except IndexDamaged:
            damaged.append(row)
    return np.concatenate(pairs), damaged


def _pairs_of_page(shape: Shape, number: int, page: bytes | None) -> Pairs:
    if page is None or number >= shape.pages or (page and page[0] != shape.level_of(number)):
        raise IndexDamaged(None, f"page {number} does not belong to this table")
    entries = unpack(page)
    return _pairs(entries.residuals << np.uint32(shape.level_of(number)) | np.uint32(number), entries.slots)


def _pairs(hashes: Words, slots: Words | np.uint32) -> Pairs:
    return hashes.astype(np.uint64) << HIGH | slots


def _first_of_each(pairs: Pairs) -> NDArray[np.bool_]:
    first = np.zeros(len(pairs), np.bool_)
    first[np.unique(pairs, return_index=True)[1]] = True
    return first


def _bucket_sizes(pairs: Pairs, asked: Pairs) -> NDArray[np.intp]:
    """For each pair, how many entries of the table have its hash."""
    hashes, asked_hashes = np.sort(pairs >> HIGH), asked >> HIGH
    return np.searchsorted(hashes, asked_hashes, "right") - np.searchsorted(hashes, asked_hashes, "left")


def _worth_adding(wanted: Pairs, kept: Pairs) -> Pairs:
    """The missing pairs that fit into their bucket, newest documents first."""
    missing = wanted[~np.isin(wanted, kept)]
    hashes = missing >> HIGH
    newer = np.searchsorted(hashes, hashes, "right") - 1 - np.arange(len(missing))
    return missing[newer < BUCKET_CAP - _bucket_sizes(kept, missing)]


def _rewrite(store: Store, shape: Shape, pairs: Pairs, changed: Pairs, damaged: list[int]) -> None:
    """Rewrites the pages of the changed pairs from all pairs, and drops the damaged rows."""
    pages = shape.pages_of((pairs >> HIGH).astype(np.uint32))
    order = np.argsort(pages, kind="stable")
    pairs, pages = pairs[order], pages[order]
    for row in damaged:
        store.delete_rows(row, row + 1)
    for number in np.unique(shape.pages_of((changed >> HIGH).astype(np.uint32))).tolist():
        (row,) = page_rows([number])
        store.delete_rows(row, row + 1)
        start, end = np.searchsorted(pages, [number, number + 1])
        page = pack(_entries(pairs[start:end], shape.level_of(number)), shape.level_of(number))
        store.insert([(row, -1 - number, page)])


def _entries(pairs: Pairs, level: int) -> Entries:
    return Entries((pairs >> HIGH).astype(np.uint32) >> np.uint32(level), pairs.astype(np.uint32))
