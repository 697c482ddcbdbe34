"""The database file: diskcache makes the empty tables, and plain SQL does the rest.

diskcache unpickles what a row marks as pickled (CVE-2025-69872, unfixed in 5.6.3), deletes files that rows name,
and runs PRAGMAs that its Settings table names. Write access to the index file must not allow any of that, so diskcache
never opens a file that has rows.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from diskcache import Cache  # type: ignore[import-untyped]  # ships no types

from hook.errors import IndexDamaged, index_fault
from hook.index.owner import OpenFiles
from hook.private_files import DATABASE

Key = int | str | bytes

MODE_RAW = 1  # diskcache's mark for a value that is stored in the row as it is
# The keys of a document are all over the table: each is a page to be logged. Look-up and insert of a document
# beside 100,000 with random keys, in batches of 100: 2.3 ms of CPU with this size, 2.8 and 3.2 with SQLite's 4096, on a busy machine.
PAGE_BYTES = 1024
MAX_VALUE_BYTES = 16 * 2**20  # records take some kilobytes; more is a mistake that would fill the disk

SETTINGS: dict[str, Any] = {
    "eviction_policy": "none",
    "cull_limit": 0,
    "size_limit": 2**62,
    "statistics": 0,
    "tag_index": 0,
    "disk_min_file_size": 2**31,
    "sqlite_auto_vacuum": 0,  # later documents fill free pages; moving pages around costs writes
    "sqlite_journal_mode": "wal",
}
PRAGMAS = (
    "synchronous = NORMAL",  # power loss may cost the last puts (a sync finds them), never consistency
    "cache_size = -32768",  # 32 MiB; at 100,000 documents twice as much saves a tenth of a put
    "mmap_size = 0",  # if a mapped file is truncated, the process dies; a read only fails
    "journal_size_limit = 16777216",  # a large batch leaves no large -wal file behind
    "trusted_schema = OFF",
    "cell_size_check = ON",
)


def checksum(key: Key, value: bytes) -> int:
    """Of the value and of its key: a decision with another key would be one on other documents."""
    name = key if isinstance(key, bytes) else str(key).encode("utf-8", "surrogatepass")
    return zlib.crc32(value, zlib.crc32(name))


def name_of(key: Key) -> str:
    """What the row with this key is, for a message."""
    if isinstance(key, int):
        return f"document {key}"
    text = key if isinstance(key, str) else key.partition(b"\0")[0].decode("ascii", "backslashreplace")
    return f"an entry of {text!r}"


def row_key(key: object, raw: object) -> Key:
    if raw == 1 and isinstance(key, int | str | bytes):
        return key
    raise IndexDamaged(None, "a row with a pickled key, and nothing is ever unpickled")


def row_item(
    key: object, raw: object, tag: object, mode: object, filename: object, value: object
) -> tuple[Key, bytes]:
    """Key and value of a row, if they are plain and as they were written."""
    known = row_key(key, raw)
    if mode != MODE_RAW or filename is not None or type(value) is not bytes:
        raise IndexDamaged(None, f"{name_of(known)} is pickled or in a file, and nothing is ever unpickled")
    if tag != checksum(known, value):
        raise IndexDamaged(None, f"{name_of(known)} does not match its checksum")
    return known, value


class Connection:
    """To an existing file, for the thread that opened it: sqlite3 refuses others."""

    def __init__(self, directory: Path, timeout_s: float) -> None:
        self.files = OpenFiles(directory / DATABASE)
        with ExitStack() as undo:
            undo.callback(self.files.closed)
            address = (directory / DATABASE).as_uri() + "?mode=rw"
            self.sqlite = sqlite3.connect(address, uri=True, timeout=timeout_s, isolation_level=None)
            undo.callback(self.sqlite.close)
            for pragma in PRAGMAS:
                self.sqlite.execute(f"PRAGMA {pragma}")
            self.sqlite.execute("SELECT 1 FROM Settings").fetchone()  # opens the log, takes SQLite's lock
            self.files.opened()
            undo.pop_all()

    def close(self) -> None:
        self.sqlite.close()
        self.files.closed()


class _NewCache(Cache):  # type: ignore[misc]  # untyped base class
    def __init__(self, directory: Path) -> None:
        try:
            super().__init__(str(directory), **SETTINGS)
        finally:
            self.close()


def create_database(directory: Path) -> None:
    """An empty database, as diskcache's own constructor makes it. Its connections are closed, whatever happens."""
    with closing(sqlite3.connect(directory / DATABASE)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("VACUUM")  # writes the header, which diskcache leaves as it is
    _NewCache(directory)


@contextmanager
def translated(directory: Path, timeout_s: float = 0.0) -> Iterator[None]:
    """Errors of SQLite, diskcache and the file system become errors of the index, here and nowhere else."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a closed index, or one of another thread: an error of ours
    except UnicodeDecodeError as error:  # Python cannot even read what SQLite says about a damaged schema
        raise IndexDamaged(directory, "its schema cannot be read") from error
    except (sqlite3.Error, OSError) as error:
        raise index_fault(error, directory, timeout_s) from error
