"""A fresh database in the place of a damaged one, with the rows that can still be read."""

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from hook.errors import PickleRefused
from hook.index.disk import DATABASE, BytesDisk, Key
from hook.index.files import new_database, put_in_place
from hook.index.store import Store
from hook.locks import creation_lock

log = logging.getLogger(__name__)

SELECT_ROWS = "SELECT key, raw, mode, filename, value FROM Cache WHERE rowid > ? ORDER BY rowid "


def rescue(directory: Path, *, after_row: int, timeout_s: float) -> None:
    """What has a row number up to `after_row` is given up. The damaged file is kept beside the new one."""
    damaged = directory / DATABASE
    with creation_lock(directory, timeout_s):
        rows = _readable_rows(damaged, after_row)
        fresh = new_database(directory)
        _fill(fresh, rows, after_row)
        shutil.copy(damaged, directory / (DATABASE + ".damaged"))
        put_in_place(directory, fresh)
    log.warning("the index in %s was damaged: %d rows beside the documents were saved", directory, len(rows))


def _readable_rows(database: Path, after_row: int) -> dict[Key, bytes]:
    """From both ends towards the damage."""
    rows: dict[Key, bytes] = {}
    connection = sqlite3.connect(database, isolation_level=None)
    try:
        for direction in ("DESC", "ASC"):
            try:
                rows.update(_plain(connection.execute(SELECT_ROWS + direction, (after_row,))))
            except sqlite3.Error:
                continue  # as far as it can be read
    finally:
        connection.close()
    return rows


def _plain(rows: sqlite3.Cursor) -> Iterator[tuple[Key, bytes]]:
    disk = BytesDisk("")
    for key, raw, mode, filename, value in rows:
        try:
            yield disk.get(key, raw), disk.fetch(mode, filename, value, False)
        except PickleRefused:
            continue


def _fill(database: Path, rows: dict[Key, bytes], after_row: int) -> None:
    store = Store(database.parent, create=False, timeout_s=0)
    with store.transaction():
        store.insert([(row, *item) for row, item in enumerate(rows.items(), start=after_row + 1)])
    store.close()
