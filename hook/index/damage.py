"""What is done about damage: values that cannot be read are moved to a file, and a database that SQLite cannot
use is replaced with one that has every row that can still be read.

Documents and keys can be computed again. Findings, decisions and the journal cannot, so what is left of a damaged
one is kept in the index directory, for whoever wants to look at it.
"""

import json
import logging
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hook.batching import batched
from hook.errors import IndexDamaged
from hook.index import postings
from hook.index.disk import create_database, row_item
from hook.index.files import DAMAGED, replacing
from hook.index.index import STATE, reset
from hook.index.interface import KeysOf
from hook.index.store import LAST_ROW, SELECT_ALL, Store
from hook.private_files import DATABASE, open_private

log = logging.getLogger(__name__)

QUARANTINE: Final = "quarantine.jsonl"

Row = list[object]


def unreadable_values(store: Store) -> Iterator[str]:
    """The namespace of each value that cannot be read; "unknown" if the damage leaves that open."""
    return (_namespace_of(row[0]) for _, row in _unreadable(store))


def repair_values(store: Store) -> None:
    """Appends the unreadable rows to a file and deletes them. Call it in a transaction."""
    unreadable = list(_unreadable(store))
    _quarantine(store.directory, [row for _, row in unreadable])
    for rowid, _ in unreadable:
        store.sql("DELETE FROM Cache WHERE rowid = ?", [rowid])


def _quarantine(directory: Path, rows: Iterable[Row]) -> None:
    lines = [json.dumps({"namespace": _namespace_of(row[0]), "row": list(map(_shown, row))}) for row in rows]
    if lines:
        descriptor = open_private(directory / QUARANTINE, os.O_WRONLY | os.O_APPEND)
        with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - a descriptor
            file.write("\n".join([*lines, ""]))
            file.flush()
            os.fsync(descriptor)


def _unreadable(store: Store) -> Iterator[tuple[int, Row]]:
    """The number of each row and what is in it. Of everything but documents, which `verify` reads."""
    for rowid, key, _, row in store.rows():
        if key is None and not isinstance(row[0], int | float):
            yield rowid, row


def _namespace_of(key: object) -> str:
    """By its key, which may be what is damaged."""
    if isinstance(key, bytes):
        name = key.partition(b"\0")[0].decode("ascii", "replace")
    else:
        name = "meta" if str(key).startswith("meta:") else str(key)
    return name if name and name.isprintable() and isinstance(key, bytes | str) else "unknown"


def _shown(cell: object) -> Any:
    return cell.hex() if isinstance(cell, bytes) else cell


# A database that SQLite cannot use

_ATTEMPTS: Final = 2000  # queries: around a damaged page, the range of row numbers is halved 62 times
_AT_ONCE: Final = 500
_NO_LIMIT: Final = -1
_HEADER_CHANGES: Final = slice(24, 28)
_HEADER_VALID_FOR: Final = slice(92, 96)


@dataclass(slots=True)
class Salvaged:
    """What was read of a damaged file; `quarantined` counts values by namespace."""

    documents: int = 0
    values: int = 0
    quarantined: Counter[str] = field(default_factory=Counter)


def salvage(directory: Path, recipe_id: str, keys_of: KeysOf | None, *, timeout_s: float) -> Salvaged:
    """Replaces the database with a new one. Without `keys_of`, the documents are left out.

    No process changes the index meanwhile: each waits for the lock, and then finds another file in its place.
    """
    with replacing(directory, timeout_s) as (aside, damaged):
        with closing(Store(aside, create=False, timeout_s=timeout_s)) as store:
            with store.transaction():
                reset(store, recipe_id)
            filling = _Filling(store, keys_of)
            for rows in batched(_readable_rows(damaged), _AT_ONCE):
                with store.transaction():
                    for row in rows:
                        filling.put(row)
        _quarantine(directory, filling.bad)
    salvaged = filling.salvaged
    salvaged.quarantined.update(_namespace_of(row[0]) for row in filling.bad)
    log.warning(
        "the index in %s was damaged: %d documents and %d other entries were recovered, the damaged file is "
        "kept as %s",
        *(directory, salvaged.documents, salvaged.values, DAMAGED),
    )
    return salvaged


class _Filling:
    """The new database, what was put into it, and what cannot be read."""

    def __init__(self, store: Store, keys_of: KeysOf | None) -> None:
        self._store, self._keys_of = store, keys_of
        self.salvaged, self.bad = Salvaged(), list[Row]()

    def put(self, row: Row) -> None:
        try:
            key, value = row_item(*row)
        except IndexDamaged:
            if not isinstance(row[0], int):  # a document is added again by a backfill
                self.bad.append(row)
            return
        if isinstance(key, int):
            self.salvaged.documents += self._put_document(key, value)
        elif key != STATE:
            self._store.set(key, value)
            self.salvaged.values += 1

    def _put_document(self, number: int, record: bytes) -> bool:
        if self._keys_of is None:
            return False
        try:
            hashes = postings.distinct(self._keys_of(record))
        except Exception:  # whatever a damaged record makes the decoder raise
            return False
        postings.add(self._store, number, hashes)
        self._store.set(number, record)
        return True


def _readable_rows(damaged: Path) -> Iterator[Row]:
    """The rows of a damaged database, each once, as far as SQLite can read them.

    If the first page is damaged, SQLite reads nothing at all. That page says where the tables begin, which is the
    same in every index, so it is tried once more with the first page of a new one.
    """
    seen: set[int] = set()
    for is_patched in (False, True):
        with TemporaryDirectory(dir=damaged.parent, prefix="reading-") as place:
            path = Path(place) / DATABASE
            _copy_with_log(damaged, path)
            if is_patched:
                _patch(path)
            if not (yield from _scan(path, seen)):
                return


def _scan(path: Path, seen: set[int]) -> Generator[Row, None, bool]:
    """The rows before what cannot be read, then both halves of what is left. Returns True if there was any."""
    ranges, attempts = [(0, LAST_ROW)], 0
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        while ranges and attempts < _ATTEMPTS:
            attempts += 1
            low, high = ranges.pop()
            try:
                for rowid, *row in connection.execute(SELECT_ALL, (low, high, _NO_LIMIT)):
                    low = rowid + 1
                    if rowid not in seen:
                        seen.add(rowid)
                        yield row
            except (sqlite3.Error, UnicodeDecodeError):
                middle = (low + high) // 2
                ranges += [
                    half for half in ((middle, high), (low, middle)) if half[0] < half[1] and high - low > 1
                ]
    return attempts > 1


def _copy_with_log(source: Path, target: Path) -> None:
    shutil.copy(source, target)
    with suppress(FileNotFoundError):
        shutil.copy(source.with_name(source.name + "-wal"), target.with_name(target.name + "-wal"))


def _patch(path: Path) -> None:
    """Puts the first page of a new database in its place. SQLite counts the pages of the file by its size, because
    the two counters in the header differ."""
    fresh = path.parent / "fresh"
    fresh.mkdir()
    create_database(fresh)
    body = (fresh / DATABASE).read_bytes()
    page = bytearray(body[: int.from_bytes(body[16:18], "big")])
    page[_HEADER_VALID_FOR] = bytes(255 - byte for byte in page[_HEADER_CHANGES])
    with path.open("r+b") as file:
        file.write(page)
