"""Bytes by key in one private diskcache directory, in transactions.

Documents have their id as the key, the state of the index and meta values a text, everything in namespaces bytes.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from hook.errors import IndexDamaged, IndexFault, IndexReplaced
from hook.index import files
from hook.index.disk import (
    MAX_VALUE_BYTES,
    MODE_RAW,
    Connection,
    Key,
    checksum,
    row_item,
    row_key,
    translated,
)
from hook.index.ids import key_number, number_key
from hook.locks import shared_lock
from hook.private_files import DATABASE

# diskcache reads row by row, and hides rows whose time has come; ours have none, so damage cannot hide one.
ROW = "key, raw, tag, mode, filename, value"
SELECT_ROW = f"SELECT {ROW} FROM Cache WHERE raw = 1 AND key"
IN_LIST = "IN (SELECT value FROM json_each(?))"  # any number of integers in one statement; takes as long as one `?` for each
SELECT_KEYS = "SELECT key, raw FROM Cache WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
SELECT_ITEMS = f"SELECT {ROW} FROM Cache WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
SELECT_ALL = f"SELECT rowid, {ROW} FROM Cache WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?"
COLUMNS = "key, raw, store_time, expire_time, access_time, access_count, tag, size, mode, filename, value"
COPY = f"INSERT OR IGNORE INTO main.Cache({COLUMNS}) SELECT {COLUMNS} FROM filled.Cache WHERE "
# As `Cache.set` writes it, so diskcache's triggers count it and `Cache.get` reads it. Its tag is the checksum.
SET_ROW = (
    f"INSERT INTO Cache({COLUMNS}) "
    f"VALUES (?, 1, ?, NULL, 0, 0, ?, 0, {MODE_RAW}, NULL, ?) ON CONFLICT(key, raw) DO UPDATE SET store_time = excluded.store_time, "
    "expire_time = NULL, tag = excluded.tag, size = 0, mode = excluded.mode, filename = NULL, value = excluded.value"
)
DOCUMENTS = "key < ''"  # SQLite sorts numbers before texts, and texts before bytes

STREAMED_AT_ONCE = 256
LAST_ROW = 2**62


class Store:
    """Belongs to the thread that opened it."""

    def __init__(self, directory: Path, *, create: bool, timeout_s: float) -> None:
        self.directory = directory = directory.absolute()
        self._timeout_s = timeout_s
        with self._translated():
            files.prepare(directory, create=create, timeout_s=timeout_s)
            self.connection = Connection(directory, timeout_s)
            self._descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        with self._translated():
            self.connection.close()
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    @property
    def in_transaction(self) -> bool:
        return self.connection.sqlite.in_transaction

    def was_replaced(self) -> bool:
        """True if another file is in our place: nobody would read what we write."""
        return self.connection.files.were_replaced()

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All or nothing, holding the write lock; nested ones join. Durable: on disk when it returns.

        The directory is locked as well: a repair, which replaces the file, waits until no change is under way.
        """
        if self.in_transaction:
            yield
            return
        with shared_lock(self._descriptor, self.directory, self._timeout_s):
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
        self.sql("BEGIN")
        try:
            yield
        finally:
            self._end("ROLLBACK")

    def sql(self, statement: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        with self._translated():
            return self.connection.sqlite.execute(statement, tuple(values))

    def sql_each(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with self._translated():
            self.connection.sqlite.executemany(statement, rows)

    def fetch(self, statement: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        with self._translated():
            return self.connection.sqlite.execute(statement, tuple(values)).fetchall()

    def get(self, key: Key) -> bytes | None:
        row = self.fetch(f"{SELECT_ROW} = ?", [key])
        return row_item(*row[0])[1] if row else None

    def get_many(self, keys: Iterable[int]) -> dict[int, bytes]:
        """Missing ones are left out."""
        rows = self.fetch(f"{SELECT_ROW} {IN_LIST}", [json.dumps(list(keys))])
        return {row[0]: row_item(*row)[1] for row in rows}

    def set(self, key: Key, value: bytes) -> None:
        if len(value) > MAX_VALUE_BYTES:
            raise ValueError(f"a value of {len(value)} bytes; the limit is {MAX_VALUE_BYTES}")
        with self.transaction():
            self.sql(SET_ROW, (key, time.time(), checksum(key, value), value))

    def delete(self, key: Key) -> bool:
        with self.transaction():
            return bool(self.sql("DELETE FROM Cache WHERE raw = 1 AND key = ?", [key]).rowcount)

    def keys(self, first: Key, end: Key) -> Iterator[Key]:
        """Keys from first up to, not including, end; in order, some at a time."""
        for key, raw in self._stream(SELECT_KEYS, first, end):
            yield row_key(key, raw)

    def items(self, first: Key, end: Key) -> Iterator[tuple[Key, bytes]]:
        for row in self._stream(SELECT_ITEMS, first, end):
            yield row_item(*row)

    def rows(self) -> Iterator[tuple[int, Key | None, bytes | None, list[object]]]:
        """Every row with its number, and as it is stored; None for a key and a value that are refused or do not match
        their checksum."""
        for rowid, *row in self._stream(SELECT_ALL, 0, LAST_ROW):
            try:
                yield rowid, *row_item(*row), row
            except IndexDamaged:
                yield rowid, None, None, row

    def is_empty(self) -> bool:
        return not self.fetch("SELECT 1 FROM Cache LIMIT 1")

    @contextmanager
    def attached(self, directory: Path | None) -> Iterator[None]:
        """Inside, `adopt` can copy from the index in this directory; nothing is attached for None."""
        if directory is None:
            yield
            return
        self.sql("ATTACH DATABASE ? AS filled", (f"{(directory / DATABASE).as_uri()}?mode=rw",))
        try:
            yield
        finally:
            self.sql("DETACH DATABASE filled")

    def adopt(self) -> None:
        """Copies the documents with their keys, and everything in namespaces that is not here yet."""
        self.sql(f"{COPY} {DOCUMENTS}")
        self.sql(f"{COPY} typeof(key) = 'blob'")
        self.sql("INSERT INTO main.posting SELECT key, docs FROM filled.posting")

    def file_problems(self) -> list[str]:
        """What SQLite's integrity check reports."""
        return [str(text) for (text,) in self.fetch("PRAGMA integrity_check") if text != "ok"]

    def _stream(self, statement: str, first: Key, end: Key) -> Iterator[tuple[Any, ...]]:
        while True:
            rows = self.fetch(statement, (first, end, STREAMED_AT_ONCE))
            yield from rows
            if len(rows) < STREAMED_AT_ONCE:
                return
            first = _after(rows[-1][0])

    def _begin(self, synchronous: str) -> None:
        with self._translated():
            self.connection.sqlite.execute(f"PRAGMA synchronous = {synchronous}")
            self.connection.sqlite.execute("BEGIN IMMEDIATE")
            if self.was_replaced():  # nobody would read what is written here
                self.connection.sqlite.execute("ROLLBACK")
                raise IndexReplaced(self.directory)

    def _end(self, statement: str) -> None:
        with self._translated():
            if self.in_transaction:
                self.connection.sqlite.execute(statement)
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
