"""The files of the index: a private directory, and a database that is either complete or absent."""

import logging
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hook.errors import IndexMissing, IndexUnsafe, PickleRefused
from hook.index.disk import DATABASE, BytesCache, BytesDisk, Key, create_database, translated
from hook.locks import creation_lock
from hook.private_files import give_to_owner

log = logging.getLogger(__name__)

DAMAGED = DATABASE + ".damaged"
SELECT_AFTER = "SELECT key, raw, mode, filename, value FROM Cache WHERE rowid > ? ORDER BY rowid "


def prepare(directory: Path, *, create: bool, timeout_s: float) -> None:
    """Afterwards there is a private directory with a complete database."""
    database = directory / DATABASE
    if not database.exists():
        if not create:
            raise IndexMissing(directory)
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(directory, os.geteuid())
    if not database.exists():
        with creation_lock(directory, timeout_s):
            if not database.exists():
                _put_in_place(directory, _new_database(directory))
    for path in (database, *_companions(directory)):
        _restrict(path, 0o600)


def make_private(directory: Path, user: int) -> None:
    found = directory.stat()
    if found.st_uid != user and user != 0:  # root may: `docker exec` runs backfill as root
        raise IndexUnsafe(directory, f"it belongs to user {found.st_uid}, this is user {user}")
    if stat.S_IMODE(found.st_mode) & 0o022:
        log.warning("the index directory %s was writable for others; it is private now", directory)
    _restrict(directory, 0o700)


def recover(directory: Path, *, after_row: int, timeout_s: float) -> None:
    """Replaces a damaged database with a new one that has the readable rows numbered above `after_row`.

    The damaged file is kept beside it.
    """
    damaged = directory / DATABASE
    with translated(directory, timeout_s), creation_lock(directory, timeout_s):
        rows = _readable_rows(damaged, after_row)
        fresh = _new_database(directory)
        with closing(BytesCache(fresh.parent, timeout_s)) as cache, cache.transact():
            cache.insert_rows((row, *item) for row, item in enumerate(rows.items(), start=after_row + 1))
        shutil.copy(damaged, directory / DAMAGED)
        give_to_owner(directory / DAMAGED, directory)
        _put_in_place(directory, fresh)
    log.warning(
        "the index in %s was damaged: %d entries besides its documents were recovered, the damaged file is "
        "kept as %s",
        *(directory, len(rows), DAMAGED),
    )


@contextmanager
def temporary_copy(directory: Path) -> Iterator[Path]:
    """A directory with a copy of the index, or empty if there is none; deleted afterwards.

    SQLite copies page by page, and other processes may write meanwhile. The copy is in the system's directory
    for temporary files (TMPDIR), which needs the space.
    """
    with tempfile.TemporaryDirectory(prefix="dedupe-dry-run-") as place:
        if (directory / DATABASE).exists():
            with translated(directory):
                _copy(directory / DATABASE, Path(place) / DATABASE)
        yield Path(place)


def _copy(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.backup(writing, pages=1000)


def _restrict(path: Path, mode: int) -> None:
    try:
        if stat.S_IMODE(path.stat().st_mode) != mode:
            path.chmod(mode)
    except FileNotFoundError:
        pass  # a -wal or -shm file that another process has just removed


def _new_database(directory: Path) -> Path:
    """An empty database in a directory beside the final place. Call it with the creation lock held."""
    aside = directory / "creating"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    _restrict(aside, 0o700)  # the umask may have taken rights that we need
    database = aside / DATABASE
    database.touch(mode=0o600)  # SQLite gives -wal and -shm the mode and owner of the database
    _restrict(database, 0o600)
    create_database(aside)
    give_to_owner(database, directory)
    return database


def _put_in_place(directory: Path, database: Path) -> None:
    """By renaming, so that a database is always complete; an empty or short one is damage."""
    for leftover in _companions(directory):
        leftover.unlink(
            missing_ok=True
        )  # SQLite would replay the -wal file of the old database into this one
    database.replace(directory / DATABASE)
    shutil.rmtree(database.parent)


def _companions(directory: Path) -> list[Path]:
    return [directory / (DATABASE + ending) for ending in ("-wal", "-shm", "-journal")]


def _readable_rows(database: Path, after_row: int) -> dict[Key, bytes]:
    """From both ends towards the damage."""
    rows: dict[Key, bytes] = {}
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for direction in ("DESC", "ASC"):
            try:
                rows.update(_plain(connection.execute(SELECT_AFTER + direction, (after_row,))))
            except sqlite3.Error:
                continue  # as far as it can be read
    return rows


def _plain(rows: sqlite3.Cursor) -> Iterator[tuple[Key, bytes]]:
    disk = BytesDisk("")
    for key, raw, mode, filename, value in rows:
        try:
            yield disk.get(key, raw), disk.fetch(mode, filename, value, False)
        except PickleRefused:
            continue
