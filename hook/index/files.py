"""The files of the index: a private directory, and a database that is either complete or absent."""

import logging
import os
import pwd
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hook.errors import IndexMissing, IndexUnsafe
from hook.index.disk import DATABASE, create_database, translated
from hook.index.owner import nowhere_open
from hook.locks import creation_lock
from hook.log import plain
from hook.private_files import copy_private, give_to_owner, opened_directory

log = logging.getLogger(__name__)

DAMAGED = DATABASE + ".damaged"
# What an index directory may have before the index is made: what a hook, a user or the file system puts there.
OUR_NAMES = {"queue", "spool", "creating", "rebuilding", "lost+found"}
OUR_ENDINGS = (".lock", ".next", ".toml", ".jsonl", ".log")
ELSEWHERE = "set DEDUPE_INDEX_DIR to a directory of its own"
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


def prepare_directory(directory: Path) -> None:
    """Makes it, or checks that it may be ours, and makes it private."""
    is_new = not directory.exists()
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A umask may take from the owner, too. Root never gets here, so a link that was put in its place is not followed.
    if is_new and not os.access(directory, os.R_OK | os.X_OK, effective_ids=True):
        directory.chmod(0o700)
    make_private(directory, os.geteuid())


def make_private(directory: Path, user: int) -> None:
    refuse_unsafe(directory, user)
    with opened_directory(directory) as descriptor:
        found = os.fstat(descriptor)
        if stat.S_IMODE(found.st_mode) & 0o022:
            log.warning("the index directory %s was writable by others; it is private now", directory)
        if stat.S_IMODE(found.st_mode) != 0o700:
            os.fchmod(descriptor, 0o700)


def refuse_unsafe(directory: Path, user: int) -> None:
    """A directory of another user; and one that has files but no index, which may be a directory of the system."""
    try:
        found, link = directory.stat(), directory.lstat()
    except FileNotFoundError:
        return
    if user not in (0, found.st_uid):  # root may: `docker exec` runs backfill as root
        raise IndexUnsafe(directory, *_other_owner(directory, found.st_uid, user))
    if stat.S_ISLNK(link.st_mode) and link.st_uid not in (user, found.st_uid):
        raise IndexUnsafe(directory, "it is a symbolic link that another user has made", ELSEWHERE)
    with os.scandir(directory) as entries:
        if foreign := _foreign(entries):
            raise IndexUnsafe(directory, f"it contains {plain(foreign, 60)!r}, but no index", ELSEWHERE)


def _foreign(entries: Iterable[os.DirEntry[str]]) -> str:
    """A file that is not ours in a directory without an index."""
    names = sorted(entry.name for entry in entries)
    return "" if DATABASE in names else next((name for name in names if not _is_ours(name)), "")


def _is_ours(name: str) -> bool:
    return name in OUR_NAMES or DATABASE in name or name.startswith("reading-") or name.endswith(OUR_ENDINGS)


def _other_owner(directory: Path, owner: int, user: int) -> tuple[str, str]:
    detail = f"it belongs to {_name(owner)}, this is {_name(user)}"
    # The volume of a Kubernetes fsGroup, or a shared directory.
    if user == os.geteuid() and os.access(directory, os.W_OK, effective_ids=True):
        return detail, f"set DEDUPE_INDEX_DIR to {directory}/index, which it can create"
    if owner == 0:  # made by a command that was run as root
        return detail, f"run `chown -R {_name(user, bare=True)} {directory}` as root"
    return detail, f"run this as {_name(owner)}"


def _name(user: int, *, bare: bool = False) -> str:
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = str(user)
    return name if bare else f"user {name}"


def _refuse_unsafe_file(name: str, directory: Path, descriptor: int, owner: int) -> None:
    """Looks at the file without opening it: closing any descriptor of a file drops the locks that SQLite holds on it
    for this process, and another process would then delete the -wal file in use."""
    try:
        found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return  # a -wal or -shm file that another process has just removed
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1 or found.st_uid not in (owner, 0):
        detail = f"{name} is not a regular file of {_name(owner)}, or has a second name"
        raise IndexUnsafe(directory, detail, ELSEWHERE)
    if found.st_mode & 0o077:
        advice = f"run `chmod 600 {directory / name}`"
        raise IndexUnsafe(directory, f"others may read or write {name}", advice)


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
    for leftover in _companions(directory):
        leftover.unlink(
            missing_ok=True
        )  # SQLite would replay the -wal file of the old database into this one
    database.replace(directory / DATABASE)
    shutil.rmtree(database.parent)


def _companions(directory: Path) -> list[Path]:
    return [directory / (DATABASE + ending) for ending in ENDINGS]
