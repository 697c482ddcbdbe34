"""diskcache for plain bytes: it never unpickles, and it does not obey what the file says.

diskcache unpickles what a row marks as pickled (CVE-2025-69872, unfixed in 5.6.3), deletes files that rows name,
and runs PRAGMAs that its Settings table names. Write access to the index file must not allow any of that.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import get_ident, local
from typing import Any, NoReturn

from diskcache import Cache, Disk, Timeout  # type: ignore[import-untyped]  # ships no types

from hook.errors import IndexDamaged, PickleRefused, index_fault
from hook.index import owner
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


def verified(key: Key, value: bytes, tag: object) -> bytes:
    """The value, if it is as it was written. The first versions wrote no checksum, and what was decided then is kept."""
    if tag is not None and tag != checksum(key, value):
        raise IndexDamaged(None, f"{name_of(key)} does not match its checksum")
    return value


def name_of(key: Key) -> str:
    """What the row with this key is, for a message."""
    if isinstance(key, int):
        return f"document {key}"
    text = key if isinstance(key, str) else key.partition(b"\0")[0].decode("ascii", "backslashreplace")
    return f"an entry of {text!r}"


class BytesDisk(Disk):  # type: ignore[misc]  # untyped base class
    """Keys are int, str or bytes; values are bytes in the row. What would need pickle or a file is refused."""

    def put(self, key: object) -> tuple[Key | memoryview, bool]:
        if type(key) is bytes:
            return sqlite3.Binary(key), True
        if type(key) is str or (type(key) is int and -(2**63) <= key < 2**63):
            return key, True
        raise PickleRefused(f"a key of type {type(key).__name__}")

    def get(self, key: object, raw: object) -> Key:
        if raw == 1 and isinstance(key, int | str | bytes):
            return key
        raise PickleRefused("a row with a pickled key")

    def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, None, memoryview]:
        if type(value) is not bytes or read:
            raise PickleRefused(f"a value of type {type(value).__name__}")
        if len(value) > MAX_VALUE_BYTES:
            raise ValueError(f"a value of {len(value)} bytes; the limit is {MAX_VALUE_BYTES}")
        return 0, MODE_RAW, None, sqlite3.Binary(value)

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> bytes:
        if mode == MODE_RAW and filename is None and type(value) is bytes and not read:
            return value
        raise PickleRefused(f"a row with a value of mode {mode}")

    def filename(self, key: object = None, value: object = None) -> NoReturn:
        raise PickleRefused("a value in a file of its own")

    def remove(self, file_path: object) -> None:
        """Does nothing: we create no files, so a file name in a row can only be an attempt to delete another."""


class BytesCache(Cache):  # type: ignore[misc]  # untyped base class
    """A diskcache.Cache on an existing file, with our settings, for the thread that opened it.

    The stock constructor obeys the Settings rows of the file and writes each of them back at every opening,
    waiting up to a minute for the write lock. This one reads nothing and writes nothing.
    """

    def __init__(self, directory: Path, timeout_s: float) -> None:
        self._directory = str(directory)
        self._timeout = timeout_s
        self._local = local()
        self._thread = get_ident()
        self._txn_id: int | None = None
        self._disk = BytesDisk(self._directory, min_file_size=SETTINGS["disk_min_file_size"])
        for name, value in SETTINGS.items():
            setattr(self, name, value)
        self.files = owner.opening(directory / DATABASE)
        try:
            self._local.con = self._connect()
            self.files.opened()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """For good: diskcache would open another connection at the next use, which nobody closes."""
        connection, self._local.con = getattr(self._local, "con", None), None
        if connection is not None:
            connection.close()
        self.files.closed()

    @property
    def _con(self) -> sqlite3.Connection:
        if self._thread != get_ident():
            raise RuntimeError("an index belongs to the thread that opened it: open another one here")
        self.files.refuse_fork()
        if self._local.con is None:
            raise RuntimeError("the index is closed")
        connection: sqlite3.Connection = self._local.con
        return connection

    def _connect(self) -> sqlite3.Connection:
        address = (Path(self._directory) / DATABASE).as_uri()
        connection = sqlite3.connect(
            address + "?mode=rw", uri=True, timeout=self._timeout, isolation_level=None
        )
        try:
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            connection.execute(
                "SELECT 1 FROM Settings"
            ).fetchone()  # opens the -wal file, and takes SQLite's lock
        except BaseException:
            connection.close()
            raise
        return connection


class _NewCache(Cache):  # type: ignore[misc]  # untyped base class
    def __init__(self, directory: Path) -> None:
        try:
            super().__init__(str(directory), disk=BytesDisk, **SETTINGS)
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
    except Timeout as error:  # diskcache raises it for anything that BEGIN fails with
        raise index_fault(error.__context__ or error, directory, timeout_s) from error
    except UnicodeDecodeError as error:  # Python cannot even read what SQLite says about a damaged schema
        raise IndexDamaged(directory, "its schema cannot be read") from error
    except (sqlite3.Error, OSError) as error:
        raise index_fault(error, directory, timeout_s) from error
