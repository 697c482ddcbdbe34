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
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hook.batching import batched
from hook.errors import IndexDamaged
from hook.index.disk import DATABASE, BytesDisk, Key, create_database, verified
from hook.index.files import DAMAGED, replacing
from hook.index.layout import DOCUMENT_ROWS, OTHER_ROWS, STATE_KEY, STATE_ROW, Work, reset
from hook.index.pages import Words
from hook.index.store import TAG, Store
from hook.private_files import open_private

log = logging.getLogger(__name__)

QUARANTINE: Final = "quarantine.jsonl"
LAST_ROW: Final = 2**62
META: Final = "meta:"

Readers = Mapping[str, Callable[[bytes], object]]  # namespace -> decodes a value, raises if it cannot


def unreadable_values(store: Store, readers: Readers) -> Iterator[str]:
    """The namespace of each value that cannot be read; "unknown" if the damage leaves that open."""
    return (namespace for _, namespace, _ in _unreadable(store, readers))


def repair_values(store: Store, readers: Readers) -> None:
    """Appends the unreadable rows to a file and deletes them. Call it in a transaction."""
    found = list(_unreadable(store, readers))
    quarantine(store.directory, ((namespace, row) for _, namespace, row in found))
    for rowid, _, _ in found:
        store.delete_rows(rowid, rowid + 1)


def quarantine(directory: Path, rows: Iterable[tuple[str, list[object]]]) -> None:
    """Appends rows that cannot be read to a file in the directory."""
    lines = [
        json.dumps({"namespace": namespace, "row": [_shown(cell) for cell in row]}) for namespace, row in rows
    ]
    if lines:
        descriptor = open_private(directory / QUARANTINE, os.O_WRONLY | os.O_APPEND)
        with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - a descriptor
            file.write("\n".join([*lines, ""]))
            file.flush()
            os.fsync(descriptor)


def is_readable(key: Key, value: bytes, readers: Readers) -> bool:
    """False if the reader of its namespace cannot decode it; an empty value is only a mark."""
    reader = readers.get(namespace_of(key))
    if reader is None or not value:
        return True
    try:
        reader(value)
    except Exception:  # whatever a damaged value makes a decoder raise
        return False
    return True


def namespace_of(key: Key) -> str:
    if isinstance(key, bytes):
        return key.partition(b"\0")[0].decode("ascii", "replace")
    return META.rstrip(":") if str(key).startswith(META) else str(key)


def _unreadable(store: Store, readers: Readers) -> Iterator[tuple[int, str, list[object]]]:
    for rowid, key, value, row in store.entries(STATE_ROW + 1, LAST_ROW):
        if key is None or value is None:
            yield rowid, _likely_namespace(row[0]), row
        elif isinstance(key, int) or key == STATE_KEY or not is_readable(key, value, readers):
            yield rowid, namespace_of(key), row


def _likely_namespace(key: object) -> str:
    """By its key, which may be what is damaged."""
    found = namespace_of(key) if isinstance(key, bytes | str) else ""
    return found if found.isprintable() and found else "unknown"


def _shown(cell: object) -> Any:
    return cell.hex() if isinstance(cell, bytes) else cell


# A database that SQLite cannot use

_ROWS: Final = (
    f"SELECT rowid, key, raw, {TAG}, mode, filename, value FROM Cache WHERE rowid >= ? AND rowid < ? "
)
_ENTRIES: Final = _ROWS.replace(TAG, "tag")
_ATTEMPTS: Final = (
    400  # queries around one damaged place: its rows are found by halving, 33 bits of row numbers
)
_AT_ONCE: Final = 500
_HEADER_CHANGES: Final = slice(24, 28)
_HEADER_VALID_FOR: Final = slice(92, 96)


@dataclass(slots=True)
class Salvaged:
    """What was read of a damaged file; `quarantined` counts values by namespace."""

    documents: int = 0
    values: int = 0
    quarantined: Counter[str] = field(default_factory=Counter)


def salvage(
    directory: Path,
    recipe_id: str,
    hashes_of: Callable[[bytes], Words] | None,
    readers: Readers,
    *,
    timeout_s: float,
) -> Salvaged:
    """Replaces the database with a new one. Without `hashes_of`, the documents are left out."""
    found, bad = Salvaged(), list[tuple[str, list[object]]]()
    with replacing(directory, timeout_s) as (aside, damaged):
        with closing(Store(aside, create=False, timeout_s=timeout_s)) as store:
            with store.transaction():
                reset(store, recipe_id)
            _fill(store, recipe_id, hashes_of, readers, _Reading(damaged), found, bad)
        quarantine(directory, bad)
        found.quarantined.update(namespace for namespace, _ in bad)
    log.warning(
        "the index in %s was damaged: %d documents and %d other entries were recovered, the damaged file is "
        "kept as %s",
        *(directory, found.documents, found.values, DAMAGED),
    )
    return found


def _fill(
    store: Store,
    recipe_id: str,
    hashes_of: Callable[[bytes], Words] | None,
    readers: Readers,
    source: "_Reading",
    found: Salvaged,
    bad: list[tuple[str, list[object]]],
) -> None:
    for rows in batched(source.rows(STATE_ROW + 1, LAST_ROW, _ENTRIES), _AT_ONCE):
        with store.transaction():
            for _, row in rows:
                found.values += _put_value(store, row, readers, bad)
    if hashes_of is None:
        return
    for rows in batched(source.rows(DOCUMENT_ROWS, OTHER_ROWS, _ROWS), _AT_ONCE):
        with store.transaction():
            work = Work(store, recipe_id)
            found.documents += sum(_put_document(store, work, rowid, row, hashes_of) for rowid, row in rows)
            work.flush()


def _put_value(
    store: Store, row: list[object], readers: Readers, bad: list[tuple[str, list[object]]]
) -> bool:
    try:
        key, value = _plain(row)
    except IndexDamaged:
        bad.append((_likely_namespace(row[0]), row))
        return False
    if isinstance(key, int) or key == STATE_KEY or not is_readable(key, value, readers):
        bad.append((namespace_of(key), row))
        return False
    store.set(key, value)
    return True


def _put_document(
    store: Store, work: Work, rowid: int, row: list[object], hashes_of: Callable[[bytes], Words]
) -> bool:
    """False for one that cannot be read: a backfill adds it again."""
    number = rowid - DOCUMENT_ROWS
    try:
        key, record = _plain(row)
        hashes = hashes_of(record)
    except Exception:  # whatever a damaged record makes the decoder raise
        return False
    if key != number:
        return False
    work.table.insert(number + 1, hashes)
    store.insert([(rowid, number, record)])
    work.document_count += 1
    return True


def _plain(row: list[object]) -> tuple[Key, bytes]:
    key, raw, tag, mode, filename, value = row
    disk = BytesDisk("")
    known = disk.get(key, raw)
    return known, verified(known, disk.fetch(mode, filename, value, False), tag)


class _Reading:
    """The rows of a damaged database, each once, as far as SQLite can read them.

    If the first page is damaged, SQLite reads nothing at all. That page says where the tables begin, which is the
    same in every index, so it is tried once more with the first page of a new one.
    """

    def __init__(self, damaged: Path) -> None:
        self._damaged = damaged

    def rows(self, first: int, end: int, statement: str) -> Iterator[tuple[int, list[object]]]:
        seen: set[int] = set()
        for is_patched in (False, True):
            with TemporaryDirectory(dir=self._damaged.parent, prefix="reading-") as place:
                path = Path(place) / DATABASE
                _copy_with_wal(self._damaged, path)
                if is_patched:
                    _patch(path)
                failed = yield from _scan(path, first, end, statement, seen)
            if not failed:
                return


def _scan(
    path: Path, first: int, end: int, statement: str, seen: set[int]
) -> Generator[tuple[int, list[object]], None, bool]:
    """From both ends towards the damage, then from the middle of what is left. Returns True if there was any."""
    gaps, attempts = [(first, end)], 0
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        while gaps and attempts < _ATTEMPTS:
            attempts += 1
            gap = yield from _from_both_ends(connection, statement, gaps.pop(), seen)
            if gap is not None:
                middle = sum(gap) // 2
                gaps += [(low, high) for low, high in ((gap[0], middle), (middle, gap[1])) if low < high]
    return attempts > 1


def _from_both_ends(
    connection: sqlite3.Connection, statement: str, gap: tuple[int, int], seen: set[int]
) -> Generator[tuple[int, list[object]], None, tuple[int, int] | None]:
    """The rows that can be read; returns the row numbers between which none could, None if all could."""
    low, high = gap
    for order in ("ASC", "DESC"):
        try:
            for rowid, *row in connection.execute(f"{statement} ORDER BY rowid {order}", (low, high)):
                low, high = (rowid + 1, high) if order == "ASC" else (low, rowid)
                if rowid not in seen:
                    seen.add(rowid)
                    yield rowid, row
            return None
        except (sqlite3.Error, UnicodeDecodeError):
            continue
    return (low, high) if (low, high) != gap or high - low > 1 else None


def _copy_with_wal(source: Path, target: Path) -> None:
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
