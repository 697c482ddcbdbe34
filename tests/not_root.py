"""Permissions bind everybody but root, and CI often runs as root: here root gives up what makes the difference.

Nothing outside a test's own directory is touched, so that the modes of the directories above it do not matter.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OTHER = 12345  # a user, and a group, that owns nothing

_OVERRIDES = 1 << 1 | 1 << 2  # linux/capability.h: CAP_DAC_OVERRIDE, and CAP_DAC_READ_SEARCH for reading
_VERSION_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def not_root() -> Iterator[None]:
    """Inside, the mode of a file decides whether this thread may read or write it, even if this is root."""
    sets = (_Sets * 2)()
    _call("capget", sets)
    before = sets[0].effective
    sets[0].effective = before & ~_OVERRIDES
    _call("capset", sets)
    try:
        yield
    finally:
        sets[0].effective = before
        _call("capset", sets)


def _call(name: str, sets: ctypes.Array[_Sets]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    header = _Header(_VERSION_3, 0)  # 0: the thread that calls
    if libc[name](ctypes.byref(header), sets) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)


def become_another_user(directory: Path) -> None:
    """For good, and only for root: this process is another user, who sees `directory` as the root directory.

    The modes of the directories above do not matter then. Nothing can be imported afterwards, so do what is to be
    done once before.
    """
    os.chroot(directory)
    os.chdir("/")
    os.setgroups([])
    os.setgid(OTHER)
    os.setuid(OTHER)
