"""Does the index agree with itself? Every key of every document against every entry of every page.

Both sides become numbers `hash << 32 | slot`. The documents' side is spread over temporary files by stretches
of the table, and each stretch is compared in memory: linear in the archive, in bounded memory.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from tempfile import SpooledTemporaryFile

import numpy as np
from numpy.typing import NDArray

from hook.errors import IndexDamaged
from hook.index.key_table import BUCKET_CAP, Shape
from hook.index.layout import (
    DOCUMENT_ROWS,
    OTHER_ROWS,
    PAGE_ROWS,
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

PAIRS_PER_STRETCH = 2**19  # 4 MB an array; comparing takes a dozen of them
SPOOLED_BYTES = 2**24  # kept in memory; a small archive needs no temporary file
DOCUMENTS_AT_ONCE = 1000
HIGH = np.uint64(HASH_BITS)


@dataclass(frozen=True, slots=True)
class Report:
    """What the index holds and what was found wrong; after a repair, what was wrong before it."""

    document_count: int
    page_count: int
    entry_count: int = 0
    unreadable_ids: tuple[int, ...] = ()  # documents whose record cannot be read: repair drops them
    lost_entries: int = 0  # keys under which a look-up would miss a document
    stray_entries: int = 0  # entries of no document, of a key it does not have, or there twice
    damaged_pages: int = 0
    wrong_counters: bool = False
    file_problems: tuple[str, ...] = ()  # in SQLite's words
    repaired: bool = False

    @property
    def sound(self) -> bool:
        found = (self.unreadable_ids, self.lost_entries, self.stray_entries, self.damaged_pages)
        return not (any(found) or self.wrong_counters or self.file_problems)


def check(
    store: Store,
    recipe_id: str,
    hashes_of: HashesOf,
    *,
    repair: bool,
    pairs_per_stretch: int = PAIRS_PER_STRETCH,
) -> Report:
    """Reads a snapshot, so that others go on writing; locks them out only if there is something to repair."""
    with store.snapshot(), closing(Expected(read_state(store, recipe_id), pairs_per_stretch)) as expected:
        report = _examine(store, expected, hashes_of, repair=False)
    if report.sound or not repair:
        return report
    with store.transaction(durable=True):
        if report.file_problems:
            store.mend_file()
        with closing(Expected(read_state(store, recipe_id), pairs_per_stretch)) as expected:
            _examine(store, expected, hashes_of, repair=True)
        if problems := store.file_problems():
            raise IndexDamaged(store.directory, problems[0])
    return replace(report, repaired=True)


def _examine(store: Store, expected: "Expected", hashes_of: HashesOf, *, repair: bool) -> Report:
    state = expected.state
    problems = tuple(store.file_problems())
    document_count, unreadable = _expect_documents(store, hashes_of, expected)
    report = Report(document_count, state.shape.pages, unreadable_ids=unreadable, file_problems=problems)
    for number in range(expected.stretches):
        report = _examine_stretch(store, expected, number, report, repair=repair)
    actual = replace(state, entry_count=report.entry_count, document_count=document_count)
    if repair:
        for row in (DOCUMENT_ROWS + document_id for document_id in unreadable):
            store.delete_rows(row, row + 1)
        store.update([(STATE_ROW, actual.to_bytes())])
    return replace(report, wrong_counters=actual != state)


class Expected:
    """The pairs that the documents should have in the table, by stretch of its rows."""

    def __init__(self, state: State, pairs_per_stretch: int) -> None:
        self.state = state
        self.stretches = 1 + min(state.entry_count // pairs_per_stretch, 255)
        self._files = [
            SpooledTemporaryFile(max_size=SPOOLED_BYTES // self.stretches)  # noqa: SIM115  # see `close`
            for _ in range(self.stretches)
        ]

    def close(self) -> None:
        for file in self._files:
            file.close()

    def add(self, pairs: Pairs) -> None:
        pages = self.state.shape.pages_of((pairs >> HIGH).astype(np.uint32))
        stretches = reverse_bits(pages).astype(np.uint64) * np.uint64(self.stretches) >> HIGH
        for number, file in enumerate(self._files):
            file.write(pairs[stretches == number].tobytes())

    def rows(self, stretch: int) -> tuple[int, int]:
        first, end = (-(-(number << HASH_BITS) // self.stretches) for number in (stretch, stretch + 1))
        return PAGE_ROWS + first, PAGE_ROWS + end

    def pairs(self, stretch: int) -> Pairs:
        file = self._files[stretch]
        file.seek(0)
        return np.unique(np.frombuffer(file.read(), np.uint64))


def _expect_documents(store: Store, hashes_of: HashesOf, expected: Expected) -> tuple[int, tuple[int, ...]]:
    count, unreadable = 0, []
    documents = store.rows(DOCUMENT_ROWS, OTHER_ROWS)
    while some := list(islice(documents, DOCUMENTS_AT_ONCE)):
        pairs = []
        for row, record in some:
            document_id = row - DOCUMENT_ROWS
            try:
                if record is None:
                    raise ValueError("no plain bytes")
                pairs.append(_pairs(hashes_of(record), np.uint32(document_id + 1)))
            except Exception:  # whatever a damaged record makes its reader say; its id is reported
                unreadable.append(document_id)
        expected.add(np.concatenate(pairs) if pairs else np.empty(0, np.uint64))
        count += len(pairs)
    return count, tuple(unreadable)


def _examine_stretch(
    store: Store, expected: Expected, number: int, report: Report, *, repair: bool
) -> Report:
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
    """The pairs of all sound pages of these rows, and the rows of the others."""
    pairs, damaged = [np.empty(0, np.uint64)], []
    for row, page in store.rows(first, end):
        number = int(reverse_bits(np.array([row - PAGE_ROWS], np.uint32))[0])
        try:
            pairs.append(_pairs_of_page(shape, number, page))
        except IndexDamaged:
            damaged.append(row)
    return np.concatenate(pairs), damaged


def _pairs_of_page(shape: Shape, number: int, page: bytes | None) -> Pairs:
    if page is None or number >= shape.pages or (page and page[0] != shape.level_of(number)):
        raise IndexDamaged(None, f"page {number} is not one of this table")
    entries = unpack(page)
    return _pairs(entries.residuals << np.uint32(shape.level_of(number)) | np.uint32(number), entries.slots)


def _pairs(hashes: Words, slots: Words | np.uint32) -> Pairs:
    return hashes.astype(np.uint64) << HIGH | slots


def _first_of_each(pairs: Pairs) -> NDArray[np.bool_]:
    first = np.zeros(len(pairs), np.bool_)
    first[np.unique(pairs, return_index=True)[1]] = True
    return first


def _bucket_sizes(pairs: Pairs, asked: Pairs) -> NDArray[np.intp]:
    """For each pair asked for, how many entries of the table have its hash."""
    hashes, asked_hashes = np.sort(pairs >> HIGH), asked >> HIGH
    return np.searchsorted(hashes, asked_hashes, "right") - np.searchsorted(hashes, asked_hashes, "left")


def _worth_adding(wanted: Pairs, kept: Pairs) -> Pairs:
    """The missing pairs for which there is room in their bucket, newest documents first."""
    missing = wanted[~np.isin(wanted, kept)]
    hashes = missing >> HIGH
    newer = np.searchsorted(hashes, hashes, "right") - 1 - np.arange(len(missing))
    return missing[newer < BUCKET_CAP - _bucket_sizes(kept, missing)]


def _rewrite(store: Store, shape: Shape, pairs: Pairs, changed: Pairs, damaged: list[int]) -> None:
    """Writes anew the pages that the changed pairs belong to, from all pairs; drops the damaged rows."""
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
