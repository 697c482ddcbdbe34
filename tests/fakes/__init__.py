"""A fake Paperless-ngx behind a real HTTP socket, with the traps of the real one; see ``FakePaperless``."""

from .faults import (
    BAD_GATEWAY,
    FORBIDDEN,
    LOGIN_PAGE,
    NOTE_NOT_SAVED,
    SERVER_ERROR,
    TOO_MANY,
    UNAUTHORIZED,
    UNAVAILABLE,
    After,
    Before,
    Cut,
    Delay,
    Drop,
    Fault,
    Faults,
    Reply,
    reply,
)
from .paperless import FakePaperless
from .rows import ALL_PERMISSIONS, Snapshot
from .server import Recorded

__all__ = [
    "ALL_PERMISSIONS",
    "BAD_GATEWAY",
    "FORBIDDEN",
    "LOGIN_PAGE",
    "NOTE_NOT_SAVED",
    "SERVER_ERROR",
    "TOO_MANY",
    "UNAUTHORIZED",
    "UNAVAILABLE",
    "After",
    "Before",
    "Cut",
    "Delay",
    "Drop",
    "FakePaperless",
    "Fault",
    "Faults",
    "Recorded",
    "Reply",
    "Snapshot",
    "reply",
]
