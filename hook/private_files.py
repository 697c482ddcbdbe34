"""Files that only their owner may read: mode 0600, and the same owner as the directory they are in; and that directory, which
holds the queue and the locks as well, wherever the index itself is.

`docker exec` runs commands as root. What they create must remain usable for the user that runs Paperless.
"""

from __future__ import annotations

import logging
import os
import pwd
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from hook.errors import IndexUnsafe
from hook.log import plain

log = logging.getLogger(__name__)

DATABASE: Final = "cache.db"  # diskcache's name for it
# What an index directory may have before the index is made: what a hook, a user or the file system puts there.
OUR_NAMES: Final = {"queue", "spool", "creating", "rebuilding", "lost+found"}
OUR_ENDINGS: Final = (".lock", ".next", ".jsonl", ".log")
ELSEWHERE: Final = "set DEDUPE_INDEX_DIR to a directory of its own"


def open_private(path: Path, flags: int) -> int:
    """A file descriptor; the file is created if it is missing. A symbolic link is not followed."""
    descriptor = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        give_to_owner(descriptor, path.parent)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def opened_directory(directory: Path) -> Iterator[int]:
    """Its descriptor: what is done by it is done in this directory, whatever is put in its place meanwhile."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """A new file beside `path` that takes its place at the end. If anything fails, `path` is as it was."""
    from tempfile import mkstemp  # most runs do not need it

    descriptor, part = mkstemp(".part", f".{path.name}.", path.parent)  # new, for this user only
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            give_to_owner(descriptor, path.parent)
            yield file
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)


def copy_private(source: Path, target: Path) -> None:
    """A new file, whose name must not be in use; a symbolic link is not followed on either side."""
    reading = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    with (
        os.fdopen(reading, "rb") as old,
        os.fdopen(open_private(target, os.O_WRONLY | os.O_EXCL), "wb") as new,
    ):
        while block := old.read(2**20):
            new.write(block)


def give_to_owner(target: int | Path, directory: Path) -> None:
    """As root: gives a file, by descriptor or path, to the owner of the directory."""
    if os.geteuid() != 0:
        return
    owner = directory.stat()
    if isinstance(target, int):
        os.fchown(target, owner.st_uid, owner.st_gid)
    else:
        os.lchown(target, owner.st_uid, owner.st_gid)  # a symbolic link itself, never what it points to


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
        status = os.fstat(descriptor)
        if stat.S_IMODE(status.st_mode) & 0o022:
            log.warning("the index directory %s was writable by others; it is private now", directory)
        if stat.S_IMODE(status.st_mode) != 0o700:
            os.fchmod(descriptor, 0o700)


def refuse_unsafe(directory: Path, user: int) -> None:
    """A directory of another user; and one that has files but no index, which may be a directory of the system."""
    try:
        status, link = directory.stat(), directory.lstat()
    except FileNotFoundError:
        return
    if user not in (0, status.st_uid):  # root may: `docker exec` runs backfill as root
        raise IndexUnsafe(directory, *_other_owner(directory, status.st_uid, user))
    if stat.S_ISLNK(link.st_mode) and link.st_uid not in (user, status.st_uid):
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
    detail = f"it belongs to {user_name(owner)}, this is {user_name(user)}"
    # The volume of a Kubernetes fsGroup, or a shared directory.
    if user == os.geteuid() and os.access(directory, os.W_OK, effective_ids=True):
        return detail, f"set DEDUPE_INDEX_DIR to {directory}/index, which it can create"
    if owner == 0:  # made by a command that was run as root
        return detail, f"run `chown -R {user_name(user, bare=True)} {directory}` as root"
    return detail, f"run this as {user_name(owner)}"


def user_name(user: int, *, bare: bool = False) -> str:
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = str(user)
    return name if bare else f"user {name}"
