"""The files of the index: a directory for us alone, and a database that is either complete or not there."""

import logging
import os
import shutil
import stat
from pathlib import Path

from diskcache import Cache  # type: ignore[import-untyped]  # ships no types

from hook.errors import IndexMissing, IndexUnsafe
from hook.index.disk import DATABASE, SETTINGS, BytesDisk
from hook.locks import creation_lock
from hook.private_files import give_to_owner

log = logging.getLogger(__name__)


def prepare(directory: Path, *, create: bool, timeout_s: float) -> None:
    """Afterwards the directory and a complete database are there, and nobody else may read them."""
    database = directory / DATABASE
    if not database.exists():
        if not create:
            raise IndexMissing(directory)
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(directory, os.geteuid())
    if not database.exists():
        with creation_lock(directory, timeout_s):
            if not database.exists():
                put_in_place(directory, new_database(directory))
    for path in (database, *_companions(directory)):
        _restrict(path, 0o600)


def make_private(directory: Path, user: int) -> None:
    found = directory.stat()
    if found.st_uid != user and user != 0:  # root may: `docker exec` runs backfill as root
        raise IndexUnsafe(directory, f"it belongs to user {found.st_uid}, this is user {user}")
    if stat.S_IMODE(found.st_mode) & 0o022:
        log.warning(
            "others could write to the index directory %s until now; taking that right away", directory
        )
    _restrict(directory, 0o700)


def _restrict(path: Path, mode: int) -> None:
    try:
        if stat.S_IMODE(path.stat().st_mode) != mode:
            path.chmod(mode)
    except FileNotFoundError:
        pass  # a -wal or -shm file that another process has just removed


def new_database(directory: Path) -> Path:
    """An empty database, made aside by the stock constructor. Call it under the creation lock."""
    aside = directory / "creating"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    database = aside / DATABASE
    database.touch(mode=0o600)  # SQLite gives -wal and -shm the mode and owner of the database
    Cache(str(aside), disk=BytesDisk, **SETTINGS).close()
    give_to_owner(database, directory)
    return database


def put_in_place(directory: Path, database: Path) -> None:
    """By renaming, so that a database that is there is complete: an empty or short one is damage."""
    for leftover in _companions(directory):
        leftover.unlink(missing_ok=True)  # SQLite would replay into ours the -wal of a database that is gone
    database.replace(directory / DATABASE)
    shutil.rmtree(database.parent)


def _companions(directory: Path) -> list[Path]:
    return [directory / (DATABASE + ending) for ending in ("-wal", "-shm", "-journal")]
