"""The files of the database: either complete or absent, private, and replaced only when nobody changes them."""

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hook.errors import IndexMissing, IndexUnsafe
from hook.index.disk import create_database, translated
from hook.index.owner import nowhere_open
from hook.locks import creation_lock
from hook.private_files import (
    DATABASE,
    ELSEWHERE,
    copy_private,
    give_to_owner,
    opened_directory,
    prepare_directory,
    refuse_unsafe,
    user_name,
)

DAMAGED = DATABASE + ".damaged"
ENDINGS = ("-wal", "-shm", "-journal")  # of the files that SQLite keeps beside a database


def prepare(directory: Path, *, create: bool, timeout_s: float) -> None:
    """Afterwards there is a private directory with a complete database."""
    database = directory / DATABASE
    refuse_unsafe(directory, os.geteuid())
    if not database.exists() and not create:
        raise IndexMissing(directory)
    prepare_directory(directory)
    if not database.exists():
        with creation_lock(directory, timeout_s):
            if not database.exists():
                _put_in_place(directory, _new_database(directory))
    with opened_directory(directory) as descriptor:
        owner = os.fstat(descriptor).st_uid
        for ending in ("", *ENDINGS):
            _refuse_unsafe_file(DATABASE + ending, directory, descriptor, owner)


def _refuse_unsafe_file(name: str, directory: Path, descriptor: int, owner: int) -> None:
    """Looks at the file without opening it: closing any descriptor of a file drops the locks that SQLite holds on it
    for this process, and another process would then delete the -wal file in use."""
    try:
        status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return  # a -wal or -shm file that another process has just removed
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_uid not in (owner, 0):
        detail = f"{name} is not a regular file of {user_name(owner)}, or has a second name"
        raise IndexUnsafe(directory, detail, ELSEWHERE)
    if not status.st_mode & 0o077:
        return
    if os.geteuid() != owner:  # root could be led to another file between the two calls
        raise IndexUnsafe(
            directory, f"others may read or write {name}", f"run `chmod 600 {directory / name}`"
        )
    os.chmod(name, 0o600, dir_fd=descriptor)  # Kubernetes widens the modes of a volume at each mount


@contextmanager
def replacing(directory: Path, timeout_s: float) -> Iterator[tuple[Path, Path]]:
    """For the process that replaces a damaged database: a directory with an empty database, to be filled and
    closed in the block, and a copy of the damaged one, which stays. Nobody changes the old one meanwhile."""
    damaged = directory / DAMAGED
    with (
        translated(directory, timeout_s),
        creation_lock(directory, timeout_s),
        nowhere_open(directory / DATABASE),
    ):
        for ending in ("", *ENDINGS):
            (directory / (DAMAGED + ending)).unlink(missing_ok=True)
        for ending in ("", "-wal"):  # the last changes may be in the second one
            if (source := directory / (DATABASE + ending)).exists():
                copy_private(source, directory / (DAMAGED + ending))
        fresh = _new_database(directory)
        yield fresh.parent, damaged
        _put_in_place(directory, fresh)


@contextmanager
def temporary_copy(directory: Path) -> Iterator[Path]:
    """A directory with a copy of the index, or empty if there is none; deleted afterwards.

    SQLite copies page by page, and other processes may write meanwhile. The copy is in the system's directory
    for temporary files (TMPDIR), which needs the space.
    """
    with tempfile.TemporaryDirectory(prefix="dedupe-dry-run-") as place:
        with translated(directory):
            refuse_unsafe(directory, os.geteuid())
            if (directory / DATABASE).exists():
                _copy(directory / DATABASE, Path(place) / DATABASE)
        yield Path(place)


def _copy(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.backup(writing, pages=1000)


def _new_database(directory: Path) -> Path:
    """An empty database in a directory beside the final place. Call it with the creation lock held."""
    aside = directory / "creating"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    aside.chmod(0o700)  # the umask may have taken rights that we need
    database = aside / DATABASE
    database.touch(mode=0o600)  # SQLite gives -wal and -shm the mode and owner of the database
    database.chmod(0o600)
    create_database(aside)
    give_to_owner(database, directory)
    return database


def _put_in_place(directory: Path, database: Path) -> None:
    """By renaming, so that a database is always complete; an empty or short one is damage."""
    for ending in ENDINGS:  # SQLite would replay the -wal file of the old database into this one
        (directory / (DATABASE + ending)).unlink(missing_ok=True)
    database.replace(directory / DATABASE)
    shutil.rmtree(database.parent)
