"""Each way in which the disk, the file or another process can fail: the right error, its advice, no loss."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hook.errors import IndexBusy, IndexDamaged, IndexFull, IndexUnwritable
from hook.index.index import Index
from tests.hook.index.index_kit import content, keys_of, open_index, put, random_keys, repair_file
from tests.not_root import OTHER, not_root
from tests.programs import python


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """The directory of an index with 200 documents and a decision."""
    directory = tmp_path / "index"
    with open_index(directory) as index:
        with index.batch():
            for number in range(200):
                put(index, number, random_keys(number))
        index.namespace("decisions").put(b"1:2", b"dismissed")
    return directory


def test_locked_by_another_process(filled: Path) -> None:
    """A writer waits for `timeout_s`, then reports what holds the lock; reading and opening do not wait."""
    holder = sqlite3.connect(filled / "cache.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    with open_index(filled, timeout_s=60) as index:
        assert len(index) == 200
        assert index.get(7) is not None
        assert time.monotonic() - started < 30  # of the 60 for which a writer would wait
    with open_index(filled, timeout_s=0.3) as index:
        with pytest.raises(IndexBusy, match=r"more than 0.3 s.*try again"):
            put(index, 1000, random_keys(1000))
        with pytest.raises(IndexBusy):
            index.set_meta("name", b"value")
        with pytest.raises(IndexBusy):
            index.namespace("queue").append(b"value")
        assert time.monotonic() - started < 60
        holder.execute("ROLLBACK")
        put(index, 1000, random_keys(1000))
        assert index.check().sound
    holder.close()


def test_disk_full(filled: Path) -> None:
    """No space for another page: the put is rolled back, existing documents stay, and later it works."""
    with open_index(filled) as index:
        before = content(index)
        connection = index._store.connection.sqlite
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(IndexFull, match="free some disk space"):
            for number in range(1000, 1200):
                index.lookup_and_put(number, random_keys(number), random_keys(number, 1000).tobytes())
        with pytest.raises(IndexFull), index.batch():  # the puts belong to the batch
            for number in range(2000, 2200):
                index.lookup_and_put(number, random_keys(number), random_keys(number, 1000).tobytes())
        assert {number: index.get(number) for number in before[0]} == before[0]
        connection.execute("PRAGMA max_page_count = 1000000")
        put(index, 3000, random_keys(3000))
        assert 2000 not in index


def test_directory_not_writable(tmp_path: Path) -> None:
    """The message names the directory and what to do."""
    tmp_path.chmod(0o500)
    with (
        not_root(),
        pytest.raises(IndexUnwritable, match=r"make the directory and its files writable.*DEDUPE_INDEX_DIR"),
    ):
        open_index(tmp_path / "index")


def test_directory_cannot_be_created(tmp_path: Path) -> None:
    """There is a file with that name."""
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexUnwritable, match="DEDUPE_INDEX_DIR"):
        open_index(tmp_path / "file" / "index")
    with pytest.raises(IndexUnwritable):
        open_index(tmp_path / "file")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_leaves_the_index_of_another_user_usable(tmp_path: Path) -> None:
    """`docker exec` as root, then the hook as the paperless user, at the same time: both write."""
    directory = tmp_path / "index"
    directory.mkdir()
    os.chown(directory, OTHER, OTHER)
    code = "with open_index(Path('/index')) as index:\n    put(index, 2, random_keys(2)); print(len(index))\n"
    with open_index(directory) as index:
        put(index, 1, random_keys(1))
        assert as_another_user(code, tmp_path) == "2\n"
        assert list(index.ids()) == [1, 2]


def as_another_user(code: str, directory: Path) -> str:
    """Runs it as a user who may do no more than look at `directory`, which is the root directory for him."""
    directory.chmod(0o755)
    with TemporaryDirectory(dir=directory) as practice:
        imported = (
            "import sys; from pathlib import Path\n"
            "from hook.errors import IndexFault\n"
            "from tests.hook.index.index_kit import open_index, put, random_keys\n"
            "from tests.not_root import become_another_user\n"
            f"with open_index(Path({practice!r})) as index: put(index, 1, random_keys(1))\n"
            "become_another_user(Path(sys.argv[1]))\n"
        )
        done = python("-c", imported + code, directory)
    assert done.returncode == 0, done.stderr
    return done.stdout


def overwrite(path: Path, start: int, length: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * length)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(b"garbage" * 10_000),
    "empty": lambda path: path.write_bytes(b""),
    "short": lambda path: os.truncate(path, 1000),
    "half": lambda path: os.truncate(path, path.stat().st_size // 2 // 4096 * 4096),
    "odd length": lambda path: os.truncate(path, path.stat().st_size - 1234),
    "header": lambda path: overwrite(path, 0, 100),
    "schema": lambda path: overwrite(path, 100, 3996),
    "middle": lambda path: overwrite(path, path.stat().st_size // 2 // 4096 * 4096, 8192),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_file(filled: Path, kind: str) -> None:
    """Garbage or truncation, found on opening, reading, writing or checking, is IndexDamaged with both commands,
    and no other error. A rebuild then makes a sound index and keeps the damaged file."""
    DAMAGE[kind](filled / "cache.db")
    with (
        pytest.raises(IndexDamaged, match=r"check --repair.*backfill --rebuild"),
        open_index(filled) as index,
    ):
        for number in range(200):
            index.lookup(random_keys(number))
            put(index, number, random_keys(number + 1000))
        report = index.check()
        assert not report.sound
        raise IndexDamaged(None, report.file_problems[0])
    with Index.rebuild(filled, "another-recipe", keys_of=keys_of) as index:
        assert len(index) == 0
        put(index, 1, random_keys(1))
        assert index.check().sound
    assert (filled / "cache.db.damaged").stat().st_mode & 0o777 == 0o600


def test_a_missing_state(filled: Path) -> None:
    """A database with documents but without our first row is damaged, not new: nothing in it is dropped."""
    with open_index(filled) as index:
        index._store.delete("state")
        with pytest.raises(IndexDamaged, match="state is missing"):
            index.lookup(random_keys(1))
    with pytest.raises(IndexDamaged, match="state is missing"):
        open_index(filled)
    repair_file(filled)
    with open_index(filled) as index:
        assert len(index) == 200
        assert index.namespace("decisions").get(b"1:2") == b"dismissed"
        assert index.check().sound
