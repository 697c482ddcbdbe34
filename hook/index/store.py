"""Bytes by row number or by key in one private diskcache directory, in transactions.

Documents and pages have row numbers of our choice (layout.py). Everything else is in namespaces.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import get_ident
from typing import Any

from hook.errors import IndexDamaged, IndexFault, IndexReplaced
from hook.index import files
from hook.index.disk import DATABASE, BytesCache, Key, checksum, translated, verified
from hook.index.ids import key_number, number_key

# diskcache reads and writes row by row: 100 pages cost 2 ms and 9 ms that way, 0.2 ms and 1.2 ms this way.
UPDATE_ROW = "UPDATE Cache SET store_time = ?, access_time = 0, tag = ?, value = ? WHERE rowid = ?"
DELETE_ROWS = "DELETE FROM Cache WHERE rowid >= ? AND rowid < ?"
# The checksum of a row with a number; NULL if version 0.1.0 has changed the value since (disk.py).
TAG = "CASE access_time WHEN 0 THEN tag END"
SELECT_ROWS = f"SELECT rowid, key, raw, {TAG}, mode, filename, value FROM Cache WHERE rowid IN ({{}})"
SELECT_RANGE = (
    f"SELECT rowid, key, raw, {TAG}, mode, filename, value FROM Cache "
    "WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?"
)
SELECT_KEYS = "SELECT key, raw FROM Cache WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
SELECT_ITEMS = (
    "SELECT key, raw, tag, mode, filename, value FROM Cache WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
)
SELECT_ENTRIES = (
    "SELECT rowid, key, raw, tag, expire_time IS NULL, mode, filename, value FROM Cache "
    "WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?"
)
COLUMNS = "key, raw, store_time, expire_time, access_time, access_count, tag, size, mode, filename, value"
COPY = f"INSERT OR IGNORE INTO main.Cache({{0}}{COLUMNS}) SELECT {{0}}{COLUMNS} FROM filled.Cache WHERE "
SELECT_COUNTS = "SELECT (SELECT value FROM Settings WHERE key = 'count'), (SELECT COUNT(*) FROM Cache)"
UPDATE_COUNT = "UPDATE Settings SET value = (SELECT COUNT(*) FROM Cache) WHERE key = 'count'"

ROWS_AT_ONCE = (1, 16, 128)  # rows asked for in one statement: few sizes, so that SQLite prepares each once
STREAMED_AT_ONCE = 256


class Store:
    """Belongs to the thread that opened it."""

    def __init__(self, directory: Path, *, create: bool, timeout_s: float) -> None:
        self.directory = directory = directory.absolute()
        self._timeout_s = timeout_s
        with self._translated():
            files.prepare(directory, create=create, timeout_s=timeout_s)
            self._file = (directory / DATABASE).stat()
            self._cache = BytesCache(directory, timeout_s)

    def close(self) -> None:
        with self._translated():
            self._cache.close()

    @property
    def in_transaction(self) -> bool:
        return bool(self._cache._con.in_transaction)

    def was_replaced(self) -> bool:
        """True if another file is in our place: nobody would read what we write."""
        try:
            now = (self.directory / DATABASE).stat()
        except OSError:
            return True
        return (now.st_dev, now.st_ino) != (self._file.st_dev, self._file.st_ino)

    def changes_by_others(self) -> int:
        """Another number whenever another connection has changed something; for what is kept in memory."""
        with self._translated():
            return int(self._cache._sql("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All or nothing, holding the write lock; nested ones join. Durable: on disk when it returns."""
        if self.in_transaction:
            yield
            return
        self._begin("FULL" if durable else "NORMAL")
        try:
            yield
            self._end("COMMIT")
        except BaseException:
            self._end("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All reads inside see the same state, whatever other processes write meanwhile."""
        if self.in_transaction:
            yield
            return
        with self._translated():
            self._cache._sql("BEGIN")
        try:
            yield
        finally:
            self._end("ROLLBACK")

    def get(self, key: Key) -> bytes | None:
        with self._translated():
            value, tag = self._cache.get(key, tag=True)
            return None if value is None else verified(key, value, tag)

    def set(self, key: Key, value: bytes) -> None:
        with self._translated():
            self._cache.set(key, value, tag=checksum(key, value) if type(value) is bytes else None)

    def delete(self, key: Key) -> bool:
        with self._translated():
            return bool(self._cache.delete(key))

    def keys(self, first: Key, end: Key) -> Iterator[Key]:
        """Keys from first up to, not including, end; in order, some at a time."""
        for key, raw in self._stream(SELECT_KEYS, first, end):
            yield self._cache.disk.get(key, raw)

    def items(self, first: Key, end: Key) -> Iterator[tuple[Key, bytes]]:
        for row in self._stream(SELECT_ITEMS, first, end):
            yield self._checked(*row)

    def read(self, rowids: Iterable[int]) -> dict[int, bytes]:
        """The rows with these numbers; missing ones are left out."""
        wanted = list(rowids)
        found: dict[int, bytes] = {}
        with self._translated():
            while wanted:
                size = next((size for size in ROWS_AT_ONCE if size >= len(wanted)), ROWS_AT_ONCE[-1])
                asked, wanted = wanted[:size], wanted[size:]
                asked += asked[-1:] * (size - len(asked))
                rows = self._cache._sql(SELECT_ROWS.format(",".join("?" * size)), asked)
                found.update((rowid, self._checked(*row)[1]) for rowid, *row in rows)
        return found

    def rows(self, first: int, end: int) -> Iterator[tuple[int, Key | None, bytes | None]]:
        """All rows from first up to, not including, end, some at a time; None for a key and a value that are
        refused or do not match their checksum."""
        for rowid, *row in self._stream(SELECT_RANGE, first, end):
            yield rowid, *self._or_none(row)

    def entries(self, first: int, end: int) -> Iterator[tuple[int, Key | None, bytes | None, list[object]]]:
        """As `rows`, for rows that are read by their key; with the row as it is stored."""
        for rowid, *row in self._stream(SELECT_ENTRIES, first, end):
            is_lasting = row.pop(3)  # diskcache hides a row that has expired, and ours never do
            yield rowid, *(self._or_none(row) if is_lasting else (None, None)), row

    def insert(self, rows: Iterable[tuple[int, Key, bytes]]) -> None:
        with self._translated():
            self._cache.insert_rows(rows)

    def update(self, rows: Sequence[tuple[int, Key, bytes]]) -> None:
        now, store = time.time(), self._cache.disk.store
        with self._translated():
            self._cache._con.executemany(
                UPDATE_ROW,
                [(now, checksum(key, value), store(value, False)[-1], rowid) for rowid, key, value in rows],
            )

    def delete_rows(self, first: int, end: int) -> int:
        with self._translated():
            deleted: int = self._cache._sql(DELETE_ROWS, (first, end)).rowcount
            return deleted

    @contextmanager
    def attached(self, directory: Path | None) -> Iterator[None]:
        """Inside, `adopt` can copy from the index in this directory; nothing is attached for None."""
        if directory is None:
            yield
            return
        with self._translated():
            self._cache._sql("ATTACH DATABASE ? AS filled", (f"{(directory / DATABASE).as_uri()}?mode=rw",))
        try:
            yield
        finally:
            with self._translated():
                self._cache._sql("DETACH DATABASE filled")

    def adopt(self, first: int, end: int) -> None:
        """Copies rows by their numbers, and everything in namespaces that is not here yet."""
        with self._translated():
            self._cache._sql(COPY.format("rowid, ") + "rowid >= ? AND rowid < ?", (first, end))
            self._cache._sql(COPY.format("") + "typeof(key) = 'blob'")

    def file_problems(self) -> list[str]:
        """What SQLite's integrity check reports, and a wrong row counter of diskcache."""
        with self._translated():
            found = [str(text) for (text,) in self._cache._sql("PRAGMA integrity_check") if text != "ok"]
            counted, actual = self._cache._sql(SELECT_COUNTS).fetchone()
        return found + ([] if counted == actual else [f"{actual} rows, counted as {counted}"])

    def repair_file(self) -> None:
        """Rebuilds SQLite's indexes and diskcache's counter from the rows."""
        with self._translated():
            self._cache._sql("REINDEX")
            self._cache._sql(UPDATE_COUNT)

    def _checked(
        self, key: object, raw: object, tag: object, mode: object, filename: object, value: object
    ) -> tuple[Key, bytes]:
        known: Key = self._cache.disk.get(key, raw)
        return known, verified(known, self._cache.disk.fetch(mode, filename, value, False), tag)

    def _or_none(self, row: list[object]) -> tuple[Key | None, bytes | None]:
        try:
            return self._checked(*row)
        except IndexDamaged:  # also PickleRefused
            return None, None

    def _stream(self, statement: str, first: Key, end: Key) -> Iterator[tuple[Any, ...]]:
        while True:
            with self._translated():
                rows = self._cache._sql(statement, (first, end, STREAMED_AT_ONCE)).fetchall()
            yield from rows
            if len(rows) < STREAMED_AT_ONCE:
                return
            first = _after(rows[-1][0])

    def _begin(self, synchronous: str) -> None:
        with self._translated():
            self._cache._sql(f"PRAGMA synchronous = {synchronous}")
            self._cache._sql("BEGIN IMMEDIATE")
            if self.was_replaced():  # nobody would read what is written here
                self._cache._sql("ROLLBACK")
                raise IndexReplaced(self.directory)
            self._cache._txn_id = get_ident()  # diskcache's own methods now join, as inside `transact()`

    def _end(self, statement: str) -> None:
        with self._translated():
            self._cache._txn_id = None
            if self.in_transaction:
                self._cache._sql(statement)
            elif statement == "COMMIT":  # SQLite rolls back by itself when a write fails
                raise IndexFault(
                    f"a change of the index in {self.directory} was rolled back: run the command again"
                )

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self.directory, self._timeout_s)


class Namespace:
    """Bytes by key, in key order, apart from the documents: they survive a rebuild of the index.

    A change is on disk when the call returns. Inside a batch it is committed or rolled back with the batch.
    """

    def __init__(self, store: Store, name: str) -> None:
        if not name or "\0" in name:
            raise ValueError(f"{name!r} cannot be the name of a namespace")
        self._store = store
        self._counter = f"sequence:{name}"
        self._prefix = name.encode() + b"\0"

    def get(self, key: bytes) -> bytes | None:
        return self._store.get(self._prefix + key)

    def put(self, key: bytes, value: bytes) -> None:
        with self._store.transaction(durable=True):
            self._store.set(self._prefix + key, value)

    def delete(self, key: bytes) -> bool:
        with self._store.transaction(durable=True):
            return self._store.delete(self._prefix + key)

    def append(self, value: bytes) -> int:
        """Stores the value under `number_key` of the next sequence number, which is never used again."""
        with self._store.transaction(durable=True):
            sequence = self._last_number() + 1
            self._store.set(self._counter, number_key(sequence))
            self._store.set(self._prefix + number_key(sequence), value)
        return sequence

    def _last_number(self) -> int:
        """If the counter was lost to damage, the highest number that is in use."""
        if (counter := self._store.get(self._counter)) is not None:
            return key_number(counter)
        keys = [
            key for key in self._store.keys(self._prefix, _end_of(self._prefix)) if isinstance(key, bytes)
        ]
        return max(
            (key_number(key[len(self._prefix) :]) for key in keys if len(key) == len(self._prefix) + 8),
            default=0,
        )

    def items(self, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Keys that begin with the prefix, in order, with their values; read some at a time."""
        first = self._prefix + prefix
        for key, value in self._store.items(first, _end_of(first)):
            assert isinstance(key, bytes)  # SQLite sorts by type first, so the range has no other keys
            yield key[len(self._prefix) :], value

    def __len__(self) -> int:
        return sum(1 for _ in self._store.keys(self._prefix, _end_of(self._prefix)))


def _after(key: Key) -> Key:
    """The smallest key that is larger."""
    if isinstance(key, int):
        return key + 1
    return key + "\0" if isinstance(key, str) else key + b"\0"


def _end_of(prefix: bytes) -> bytes:
    """The first key after all that begin with the prefix (it begins with a name, so it is not all 0xff)."""
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes([kept[-1] + 1])
