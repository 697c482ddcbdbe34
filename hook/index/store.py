"""Rows of bytes in one private diskcache directory, in transactions, with errors that say what to do next."""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident
from typing import Any

from diskcache import Timeout  # type: ignore[import-untyped]  # ships no types

from hook.errors import IndexFault, PickleRefused, index_fault
from hook.index import files as store_files
from hook.index.disk import DATABASE, BytesCache, Key

# diskcache reads and writes row by row: 100 pages cost 2 ms and 9 ms that way, 0.2 ms and 1.2 ms this way.
# All SQL of ours is here. A row is what `Cache.set` would have written, so diskcache's triggers count it and
# `Cache.get` reads it (tests/hook/index/test_store.py). Only the row number is chosen: it keeps rows of a kind together.
INSERT_ROW = (
    "INSERT INTO Cache(rowid, key, raw, store_time, expire_time, access_time, access_count, tag, size, mode,"
    " filename, value) VALUES (?, ?, ?, ?, NULL, ?, 0, NULL, ?, ?, ?, ?)"
)
UPDATE_ROW = "UPDATE Cache SET store_time = ?, access_time = ?, value = ? WHERE rowid = ?"
DELETE_ROWS = "DELETE FROM Cache WHERE rowid >= ? AND rowid < ?"
SELECT_ROWS = "SELECT rowid, mode, filename, value FROM Cache WHERE rowid IN ({})"
SELECT_RANGE = (
    "SELECT rowid, mode, filename, value FROM Cache WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?"
)
SELECT_KEYS = "SELECT key, raw FROM Cache WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
SELECT_ITEMS = (
    "SELECT key, raw, mode, filename, value FROM Cache WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
)
SELECT_COUNTS = "SELECT (SELECT value FROM Settings WHERE key = 'count'), (SELECT COUNT(*) FROM Cache)"
UPDATE_COUNT = "UPDATE Settings SET value = (SELECT COUNT(*) FROM Cache) WHERE key = 'count'"

ROWS_AT_ONCE = (1, 16, 128)  # rows asked for in one statement: few sizes, so that SQLite prepares each once
STREAMED_AT_ONCE = 256


class Store:
    """Bytes by key or by row number. Belongs to the thread that opened it."""

    def __init__(self, directory: Path, *, create: bool, timeout_s: float) -> None:
        self.directory = directory = directory.absolute()
        self._timeout_s = timeout_s
        with self._translated():
            store_files.prepare(directory, create=create, timeout_s=timeout_s)
            self._cache = BytesCache(directory, timeout_s)
            self._file = (directory / DATABASE).stat()

    def close(self) -> None:
        with self._translated():
            self._cache.close()

    @property
    def in_transaction(self) -> bool:
        return bool(self._cache._con.in_transaction)

    def was_replaced(self) -> bool:
        """Is another file there by now? What we write would be read by nobody."""
        try:
            now = (self.directory / DATABASE).stat()
        except OSError:
            return True
        return (now.st_dev, now.st_ino) != (self._file.st_dev, self._file.st_ino)

    def others_changes(self) -> int:
        """Another number whenever another process has changed something, for what is kept in memory."""
        with self._translated():
            return int(self._cache._sql("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All or nothing, holding the write lock; nested ones join. Durable: on the disk when it returns."""
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
        """Everything read inside belongs to one moment, whatever others write meanwhile."""
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
            value: bytes | None = self._cache.get(key)
            return value

    def set(self, key: Key, value: bytes) -> None:
        with self._translated():
            self._cache.set(key, value)

    def delete(self, key: Key) -> bool:
        with self._translated():
            return bool(self._cache.delete(key))

    def keys(self, first: Key, end: Key) -> Iterator[Key]:
        """Keys from first up to, not including, end; in order, some at a time."""
        for key, raw in self._stream(SELECT_KEYS, first, end):
            yield self._cache.disk.get(key, raw)

    def items(self, first: Key, end: Key) -> Iterator[tuple[Key, bytes]]:
        for key, raw, *value in self._stream(SELECT_ITEMS, first, end):
            yield self._cache.disk.get(key, raw), self._cache.disk.fetch(*value, False)

    def read(self, rowids: Iterable[int]) -> dict[int, bytes]:
        """The rows of these numbers, as far as there are any."""
        wanted = list(rowids)
        fetch = self._cache.disk.fetch
        found: dict[int, bytes] = {}
        with self._translated():
            while wanted:
                size = next((size for size in ROWS_AT_ONCE if size >= len(wanted)), ROWS_AT_ONCE[-1])
                asked, wanted = wanted[:size], wanted[size:]
                asked += asked[-1:] * (size - len(asked))
                rows = self._cache._sql(SELECT_ROWS.format(",".join("?" * size)), asked)
                found.update((rowid, fetch(*value, False)) for rowid, *value in rows)
        return found

    def rows(self, first: int, end: int) -> Iterator[tuple[int, bytes | None]]:
        """All rows from first up to, not including, end, some at a time; None where no plain bytes stand."""
        for rowid, *value in self._stream(SELECT_RANGE, first, end):
            try:
                yield rowid, self._cache.disk.fetch(*value, False)
            except PickleRefused:
                yield rowid, None

    def insert(self, rows: Sequence[tuple[int, Key, bytes]]) -> None:
        now, disk = time.time(), self._cache.disk
        with self._translated():
            self._cache._con.executemany(
                INSERT_ROW,
                [(rowid, *disk.put(key), now, now, *disk.store(value, False)) for rowid, key, value in rows],
            )

    def update(self, rows: Sequence[tuple[int, bytes]]) -> None:
        now, disk = time.time(), self._cache.disk
        with self._translated():
            self._cache._con.executemany(
                UPDATE_ROW, [(now, now, disk.store(value, False)[-1], rowid) for rowid, value in rows]
            )

    def delete_rows(self, first: int, end: int) -> int:
        with self._translated():
            deleted: int = self._cache._sql(DELETE_ROWS, (first, end)).rowcount
            return deleted

    def file_problems(self) -> list[str]:
        """What SQLite finds wrong with the file, and diskcache's own row counter."""
        with self._translated():
            found = [str(text) for (text,) in self._cache._sql("PRAGMA integrity_check") if text != "ok"]
            counted, actual = self._cache._sql(SELECT_COUNTS).fetchone()
        return found + ([] if counted == actual else [f"{actual} rows, counted as {counted}"])

    def mend_file(self) -> None:
        """What SQLite can do about it: indexes and counters made anew from the rows."""
        with self._translated():
            self._cache._sql("REINDEX")
            self._cache._sql(UPDATE_COUNT)

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
            self._cache._txn_id = get_ident()  # diskcache's own methods now join, as inside `transact()`

    def _end(self, statement: str) -> None:
        with self._translated():
            self._cache._txn_id = None
            if self.in_transaction:
                self._cache._sql(statement)
            elif statement == "COMMIT":  # SQLite rolls back by itself when a write fails
                raise IndexFault(f"a change of the index in {self.directory} was taken back: run it again")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except Timeout as error:  # diskcache raises it for anything that BEGIN fails with
            raise index_fault(error.__context__ or error, self.directory, self._timeout_s) from error
        except (sqlite3.Error, OSError) as error:
            raise index_fault(error, self.directory, self._timeout_s) from error


def _after(key: Key) -> Key:
    """The next key that there can be."""
    if isinstance(key, int):
        return key + 1
    return key + "\0" if isinstance(key, str) else key + b"\0"
