"""Every error that the hook package raises on purpose, in one tree, with the exit code each gives a command.

    DedupeError                   1  anything else that stopped a command
    ├── SettingsError             2  a DEDUPE_ variable is wrong or missing
    ├── AlreadyRunningError       6  another backfill or sync is running
    ├── EmbeddingError            6  no vector for a document: model, server or time is missing
    │   └── ModelMismatch         4  the vectors in the index are of another model
    ├── IndexFault                4  the index on disk cannot be used, or a change of it was rolled back
    │   ├── IndexMissing          4  there is no index, and the caller did not ask to create one
    │   ├── RecipeMismatch        4  built with another recipe
    │   ├── FormatMismatch        4  written by another version of this program
    │   ├── IndexBusy             4  another process held the lock for longer than we wait
    │   ├── IndexFull             4  no space: disk, quota, file size limit, memory of a server
    │   ├── IndexUnwritable       4  this user cannot write the directory or a file in it
    │   ├── IndexUnsafe           4  the directory belongs to another user, or is not one of an index
    │   ├── IndexReplaced         4  another process has put another index in its place
    │   ├── ForeignIndex          4  this Paperless is used with another index
    │   └── IndexDamaged          4  the file is not an index, or not a sound one
    └── PaperlessError            3  Paperless refused, or sent something unusable
        ├── RefusedError          3  400: understood and refused
        ├── NotFoundError         3  404: deleted, in the trash, or not visible to the token's user
        ├── AnswerError           3  200 {"error"}, or JSON of an unexpected shape
        │   └── TooLargeError     3  more bytes than the limit
        ├── AddressError          2  DEDUPE_URL is not the address of a Paperless that we can use: no trusted TLS, a redirect, a page
        ├── AccessError           5
        │   ├── TokenError        5  401, or a value that cannot be a token
        │   └── RightsError       5  403: the token's user lacks a permission
        └── TemporaryError        6  the same call may work later; no answer in time
            ├── UnreachableError  6  the request was never sent
            ├── ThrottledError    6  429
            ├── ServerError       6  5xx, from Paperless or from a proxy
            └── CutAnswerError    6  the connection broke, or the body ended early

`stops_run` is set for IndexFault, AddressError, TokenError and TemporaryError: these are errors of Paperless or
the index as a whole. A run that works on many documents ends with them. All others are errors of one document.

A module may add a leaf of its own below DedupeError, such as NotIndexed in examination/archive.py. A message says what
happened and what to do next. It names the path of a URL, never a query value, a token or the text of a document.
"""

from __future__ import annotations

import errno
import os
import re
import traceback
from pathlib import Path
from typing import ClassVar, Final

REPAIR_COMMAND: Final = "paperless-dedupe check --repair"
REBUILD_COMMAND: Final = "paperless-dedupe backfill --rebuild"


class DedupeError(Exception):
    """The root: catch this to catch everything the hook package raises on purpose."""

    exit_code: ClassVar[int] = 1
    stops_run: ClassVar[bool] = False


class SettingsError(DedupeError):
    exit_code = 2


class AlreadyRunningError(DedupeError):
    exit_code = 6


class EmbeddingError(DedupeError):
    exit_code = 6


class ModelMismatch(EmbeddingError):
    exit_code = 4

    def __init__(self, stored: str, asked_for: str) -> None:
        super().__init__(
            f"the vectors in the index were made with {stored}, the settings name {asked_for}: go back to the former, "
            "or make them again with `paperless-dedupe backfill --embeddings`"
        )


class IndexFault(DedupeError):
    exit_code = 4
    stops_run = True


class IndexMissing(IndexFault):
    def __init__(self, place: object, setting: str = "DEDUPE_INDEX_DIR") -> None:
        super().__init__(
            f"no index in {place}: if you have one elsewhere, correct {setting}; `paperless-dedupe backfill` creates one"
        )


class RecipeMismatch(IndexFault):
    def __init__(self, directory: object, built_with: str, asked_for: str) -> None:
        super().__init__(
            f"the index in {directory} was built with recipe {built_with}, the settings ask for {asked_for}: "
            f"go back to {built_with}, or rebuild with `{REBUILD_COMMAND}`"
        )


class FormatMismatch(IndexFault):
    def __init__(self, directory: object, stored: int, known: int) -> None:
        super().__init__(
            f"the index in {directory} has format {stored}, this version reads format {known}: "
            f"use the version that wrote it, or let `paperless-dedupe backfill` build it again; decisions are kept"
        )


class IndexBusy(IndexFault):
    def __init__(self, directory: object, timeout_s: float) -> None:
        super().__init__(
            f"the index in {directory} was locked by another process for more than {timeout_s:g} s: "
            "try again when the running backfill or check has ended"
        )


class IndexFull(IndexFault):
    def __init__(self, directory: object, detail: str, advice: str = "") -> None:
        advice = advice or (
            "free some disk space or raise the quota, then run again; nothing that was stored before is lost"
        )
        super().__init__(f"the index in {directory} cannot grow ({detail}): {advice}")


class IndexUnwritable(IndexFault):
    def __init__(self, directory: object, detail: str) -> None:
        super().__init__(
            f"the index in {directory} cannot be written ({detail}): make the directory and its files writable "
            "by the user that runs Paperless (`chown -R`), or set DEDUPE_INDEX_DIR to another directory"
        )


class IndexUnsafe(IndexFault):
    def __init__(self, directory: object, detail: str, advice: str) -> None:
        super().__init__(f"the index directory {directory} is not safe to use ({detail}): {advice}")


class IndexReplaced(IndexFault):
    def __init__(self, directory: Path) -> None:
        super().__init__(
            f"the index in {directory} was repaired by another process in the meantime: run the command again"
        )


class ForeignIndex(IndexFault):
    def __init__(self, holder: str, own: str) -> None:
        super().__init__(
            f"this Paperless is used with another index (its id is {holder}, this one's is {own or 'not set yet'}): this one "
            "does not know what was reported and decided. Use that one: set DEDUPE_INDEX_DIR or DEDUPE_INDEX_URL, and run "
            "as the user that runs Paperless. If it is lost, let this one take over with `paperless-dedupe adopt`"
        )


class IndexDamaged(IndexFault):
    def __init__(self, directory: object | None, detail: str) -> None:
        where = f"the index in {directory}" if directory else "the index"
        super().__init__(
            f"{where} is damaged ({detail}): repair it with `{REPAIR_COMMAND}`, "
            f"or rebuild it with `{REBUILD_COMMAND}`"
        )


class PaperlessError(DedupeError):
    """`where` names the call ("GET /api/tags/")."""

    exit_code = 3

    def __init__(self, where: object, text: str) -> None:
        super().__init__(f"{where}: {text}" if str(where) else text)

    def redact(self, secret: str) -> None:
        """Takes a secret out of what the error says. One without a digit, such as a placeholder, is left in longer words:
        TOKEN is part of the name of a setting."""
        is_word = secret.replace("_", "").isalpha()
        pattern = rf"(?<!\w){secret}(?!\w)" if is_word else re.escape(secret)
        if secret:
            self.args = tuple(re.sub(pattern, "***", str(part)) for part in self.args)


class RefusedError(PaperlessError):
    pass


class NotFoundError(PaperlessError):
    pass


class AnswerError(PaperlessError):
    pass


class TooLargeError(AnswerError):
    pass


class AddressError(PaperlessError):
    exit_code = 2
    stops_run = True


class AccessError(PaperlessError):
    exit_code = 5


class TokenError(AccessError):
    stops_run = True


class RightsError(AccessError):
    pass


class TemporaryError(PaperlessError):
    """`was_sent`: Paperless may have acted on the request; `retry_after_s`: how long it asked us to wait."""

    exit_code = 6
    stops_run = True
    was_sent: ClassVar[bool] = True
    retry_after_s: float = 0.0


class UnreachableError(TemporaryError):
    was_sent = False


class ThrottledError(TemporaryError):
    pass


class ServerError(TemporaryError):
    pass


class CutAnswerError(TemporaryError):
    pass


def stops_run(error: BaseException) -> bool:
    """True if other documents would fail for the same reason."""
    return isinstance(error, DedupeError) and error.stops_run


def described(error: BaseException) -> str:
    """An error in words that are safe to log: the message of our own errors, else only type and place.

    The message of an unexpected error may contain text of a document or a value of the environment.
    """
    if isinstance(error, DedupeError):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        package = (error.name or "").partition(".")[0]
        return f"the module {package} is missing: install paperless-dedupe again"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"unexpected {type(error).__name__}{place}; please report this"


def index_fault(error: BaseException, directory: Path, timeout_s: float = 0.0) -> IndexFault:
    """The IndexFault for an error of SQLite or of the file system in the index directory."""
    if isinstance(error, OSError):
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        return (IndexFull if is_full else IndexUnwritable)(directory, str(error))
    import sqlite3  # not at the top: most of what imports this module opens no database

    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_BUSY)
    primary = code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return IndexBusy(directory, timeout_s)
    if primary == sqlite3.SQLITE_FULL or code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC):
        return IndexFull(directory, str(error))  # a quota or a size limit shows as a failed write
    # SQLITE_IOERR: also a file system without locks or shared memory, as some network shares
    refused = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)
    # A file that we may write, and that SQLite takes for read-only, says so itself: in a damaged header.
    is_writable = primary == sqlite3.SQLITE_READONLY and os.access(directory, os.W_OK)
    if code == sqlite3.SQLITE_IOERR_SHORT_READ or primary not in refused or is_writable:
        return IndexDamaged(directory, str(error))
    return IndexUnwritable(directory, str(error))
