"""How the index is laid out in rows, and the pages that a transaction reads and changes.

rows 1..            pages of the key table            key -1 - page number
rows 2^33..         records of documents              key id
rows 2^34..         state, meta values, namespaces    text and bytes keys
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hook.errors import FormatMismatch, IndexDamaged, RecipeMismatch
from hook.index.key_table import EMPTY, KeyTable, Shape
from hook.index.pages import MAX_LEVEL, Words
from hook.index.store import Store

FORMAT = 1
PAGE_ROWS, DOCUMENT_ROWS, OTHER_ROWS = 1, 2**33, 2**34
STATE_ROW, STATE_KEY = OTHER_ROWS, "state"  # the first of its range: rows that diskcache numbers follow it
COUNTERS = struct.Struct("<HBIQQ")


@dataclass(frozen=True, slots=True)
class State:
    """What must be known before anything else can be read: one row, written with every change."""

    recipe_id: str
    shape: Shape = EMPTY
    entry_count: int = 0
    document_count: int = 0

    def to_bytes(self) -> bytes:
        level, split = self.shape.level, self.shape.split
        counters = COUNTERS.pack(FORMAT, level, split, self.entry_count, self.document_count)
        return counters + self.recipe_id.encode()

    @classmethod
    def from_bytes(cls, row: bytes, directory: Path) -> "State":
        found = int.from_bytes(row[:2], "little")
        if found != FORMAT:
            raise FormatMismatch(directory, found, FORMAT)
        if len(row) < COUNTERS.size:
            raise IndexDamaged(directory, "its counters cannot be read")
        _, level, split, entry_count, document_count = COUNTERS.unpack_from(row)
        if level > MAX_LEVEL or split >= 1 << level:
            raise IndexDamaged(directory, "its counters are out of range")
        recipe_id = row[COUNTERS.size :].decode(errors="replace")
        return cls(recipe_id, Shape(level, split), entry_count, document_count)


def find_state(store: Store) -> State | None:
    row = store.read([STATE_ROW]).get(STATE_ROW)
    return None if row is None else State.from_bytes(row, store.directory)


def read_state(store: Store, recipe_id: str) -> State:
    """Read in every transaction: another process may have rebuilt the index with another recipe."""
    state = find_state(store)
    if state is None:
        raise IndexDamaged(store.directory, "its counters are missing")
    if state.recipe_id != recipe_id:
        raise RecipeMismatch(store.directory, state.recipe_id, recipe_id)
    return state


def reset(store: Store, recipe_id: str) -> None:
    """Drops all documents and keys; meta values and namespaces stay."""
    store.delete_rows(PAGE_ROWS, OTHER_ROWS)
    store.delete_rows(STATE_ROW, STATE_ROW + 1)
    store.insert([(STATE_ROW, STATE_KEY, State(recipe_id).to_bytes())])


class PageRows:
    """Reads and writes pages for the key table; remembers which have a row."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stored: set[int] = set()

    def read(self, numbers: Iterable[int]) -> dict[int, bytes]:
        wanted = list(numbers)
        rowids = page_rows(wanted)
        rows = self._store.read(rowids)
        pages = {number: rows[rowid] for number, rowid in zip(wanted, rowids, strict=True) if rowid in rows}
        self._stored.update(pages)
        return pages

    def write(self, pages: dict[int, bytes]) -> None:
        rows = sorted(zip(page_rows(list(pages)), pages, strict=True))  # in the order of the file
        known = [(rowid, -1 - number, pages[number]) for rowid, number in rows if number in self._stored]
        self._store.update(known)
        self._store.insert(
            [(rowid, -1 - number, pages[number]) for rowid, number in rows if number not in self._stored]
        )


def page_rows(numbers: Sequence[int]) -> list[int]:
    """The page numbers with their bits reversed: the two halves of a split page are neighbours, so SQLite's
    pages stay 80% full when our pages split; in the order of the numbers it would be 55%."""
    rows: list[int] = reverse_bits(np.array(numbers, dtype=np.uint32)).tolist()
    return [PAGE_ROWS + row for row in rows]


def reverse_bits(words: Words) -> Words:
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F)):
        words = (words & np.uint32(mask)) << np.uint32(shift) | words >> np.uint32(shift) & np.uint32(mask)
    return words.byteswap()


class Work:
    """The state of one transaction: each page is read once, and written once by `flush`."""

    def __init__(self, store: Store, recipe_id: str) -> None:
        self._store = store
        self._before = read_state(store, recipe_id)
        self._rows = PageRows(store)
        self.table = KeyTable(self._before.shape, self._before.entry_count, self._rows.read)
        self.document_count = self._before.document_count
        self.broken = False  # a change failed half-way: the transaction must not be committed

    def flush(self) -> None:
        self._rows.write(self.table.changed_pages())
        state = replace(
            self._before,
            shape=self.table.shape,
            entry_count=self.table.entry_count,
            document_count=self.document_count,
        )
        if state != self._before:
            self._store.update([(STATE_ROW, STATE_KEY, state.to_bytes())])
