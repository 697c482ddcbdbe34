"""Files that only their owner may read: mode 0600, and the same owner as the directory they are in.

`docker exec` runs commands as root. What they create must remain usable for the user that runs Paperless.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


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


def copy_private(source: Path, target: Path) -> None:
    """A new file, whose name must not be in use; a symbolic link is not followed on either side."""
    with ExitStack() as stack:
        reading = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        stack.callback(os.close, reading)
        writing = open_private(target, os.O_WRONLY | os.O_EXCL)
        stack.callback(os.close, writing)
        while block := os.read(reading, 2**20):
            while block:
                block = block[os.write(writing, block) :]


def give_to_owner(target: int | Path, directory: Path) -> None:
    """As root: gives a file, by descriptor or path, to the owner of the directory."""
    if os.geteuid() != 0:
        return
    owner = directory.stat()
    if isinstance(target, int):
        os.fchown(target, owner.st_uid, owner.st_gid)
    else:
        os.lchown(target, owner.st_uid, owner.st_gid)  # a symbolic link itself, never what it points to
