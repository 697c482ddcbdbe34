"""Permissions bind everybody but root, and CI often runs as root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OTHER = 12345


@contextmanager
def not_root(directory: Path) -> Iterator[None]:
    """If this is root: inside, another user, who owns the directory and all that is in it."""
    if os.geteuid() != 0:
        yield
        return
    _give(directory, OTHER)
    for parent in list(directory.parents)[:3]:  # those that pytest makes are for their owner alone
        parent.chmod(parent.stat().st_mode | 0o055)
    os.seteuid(OTHER)
    try:
        yield
    finally:
        os.seteuid(0)
        _give(directory, 0)


def _give(directory: Path, user: int) -> None:
    for path in (directory, *directory.rglob("*")):
        os.chown(path, user, -1)
