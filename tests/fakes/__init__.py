"""A fake Paperless-ngx behind a real HTTP socket, with the traps of the real one; see ``FakePaperless``."""

from .archive import Archive
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
from .rows.models import ALL_PERMISSIONS
from .server import Recorded
from .snapshot import Snapshot

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
    "Archive",
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
