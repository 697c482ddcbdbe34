"""The store keeps plain bytes, runs nothing that it reads, is private, and is an ordinary diskcache directory."""

import os
import pickle
import resource
import sqlite3
import stat
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from diskcache import Cache  # type: ignore[import-untyped]  # ships no types

from hook.errors import IndexBusy, IndexDamaged, IndexFault, IndexFull, IndexReplaced, IndexUnsafe
from hook.index.index import Index
from hook.locks import creation_lock
from hook.private_files import make_private
from tests.hook.index.index_kit import RECIPE, keys_of, open_index, put, random_keys, repair_file, rewrite
from tests.programs import python


class Trap:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize(
    ("row", "use"),
    [
        ("key = 1", lambda index: index.get(1)),
        ("key = 1", lambda index: index.remove(1)),
        ("key = 'state'", lambda index: index.lookup(random_keys(1))),
        ("key = 'state'", lambda index: len(index)),
        ("key = 'meta:m'", lambda index: index.get_meta("m")),
        ("key = 'sequence:n'", lambda index: index.namespace("n").append(b"")),
        ("key = CAST('n' || char(0) || 'k' AS BLOB)", lambda index: list(index.namespace("n").items())),
    ],
)
@pytest.mark.parametrize("where", ["row", "file"])
def test_a_poisoned_value_is_an_error_and_runs_nothing(
    tmp_path: Path, row: str, use: Callable[[object], object], where: str
) -> None:
    """A row marked as pickle, in the row or in a file, at each place that is read: an error, never code."""
    trap = tmp_path / "trap"
    with open_index(tmp_path / "index") as index:
        put(index, 1, random_keys(1, 5))
        index.set_meta("m", b"")
        index.namespace("n").append(b"")
        index.namespace("n").put(b"k", b"")
    poison = pickle.dumps(Trap(trap))
    (tmp_path / "index" / "poison.val").write_bytes(poison)
    name, value = (None, poison) if where == "row" else ("poison.val", None)
    rewrite(
        tmp_path / "index", f"UPDATE Cache SET mode = 4, filename = ?, value = ? WHERE {row}", name, value
    )
    with pytest.raises(IndexDamaged, match="paperless-dedupe"), open_index(tmp_path / "index") as index:
        use(index)
    assert not trap.exists()


def test_a_poisoned_key_is_an_error_and_runs_nothing(tmp_path: Path) -> None:
    """A pickled key between the ids."""
    trap = tmp_path / "trap"
    with open_index(tmp_path / "index") as index:
        put(index, 1, random_keys(1))
        index.namespace("n").put(b"k", b"")
    poison = b"n\0" + pickle.dumps(Trap(trap))
    rewrite(tmp_path / "index", "UPDATE Cache SET raw = 0, key = ? WHERE key > 'z'", poison)
    rewrite(tmp_path / "index", "UPDATE Cache SET raw = 0 WHERE key = 1")
    with open_index(tmp_path / "index") as index:
        with pytest.raises(IndexDamaged):
            list(index.namespace("n").items())
        with pytest.raises(IndexDamaged):
            list(index.ids())
    assert not trap.exists()


def test_a_file_named_by_a_row_is_never_deleted(tmp_path: Path) -> None:
    """diskcache deletes the file of a row that is overwritten: here no row has a file, whatever it says."""
    precious = tmp_path / "precious"
    precious.write_text("precious")
    with open_index(tmp_path / "index") as index:
        index.set_meta("m", b"old")
    rewrite(tmp_path / "index", "UPDATE Cache SET filename = '../precious' WHERE key = 'meta:m'")
    with open_index(tmp_path / "index") as index:
        index.set_meta("m", b"new")
        assert index._store.delete("meta:m")
    assert precious.read_text() == "precious"


def test_settings_in_the_file_are_not_obeyed(tmp_path: Path) -> None:
    """PRAGMAs, attributes and an eviction policy written into the file have no effect."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
    for name, value in {
        "eviction_policy": "least-recently-stored",
        "size_limit": 1,
        "cull_limit": 1000,
        "sqlite_journal_mode": "off",
        "sqlite_locking_mode": "exclusive",
        "_txn_id": 1,
        "disk_min_file_size": 0,
        "disk_unknown": 1,
    }.items():
        rewrite(tmp_path, "INSERT OR REPLACE INTO Settings VALUES (?, ?)", name, value)
    with open_index(tmp_path) as index, open_index(tmp_path) as another:
        put(index, 2, random_keys(2))
        put(another, 3, random_keys(3))
        assert list(index.ids()) == [1, 2, 3]
        assert index._store.connection.sqlite.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_plain_diskcache_reads_the_same(tmp_path: Path) -> None:
    """Rows written with our SQL are diskcache's rows: its own get, iteration, length and check agree."""
    with open_index(tmp_path) as index:
        for number in range(50):
            put(index, number, random_keys(number))
        index.remove(7)
        put(index, 8, random_keys(1000))
        index.set_meta("m", b"meta")
        expected = index.get_many(index.ids())
    with Cache(str(tmp_path)) as cache, warnings.catch_warnings():
        warnings.simplefilter("error")
        assert {key: cache[key] for key in cache if isinstance(key, int)} == expected
        assert cache["meta:m"] == b"meta"
        assert len(cache) == len(list(cache)) == len(expected) + 2
        assert (cache.eviction_policy, cache.cull_limit, cache.statistics) == ("none", 0, 0)
        assert cache.check() == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_directory_and_files_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    """0700 and 0600, for the -wal and -shm files too, while the index is open and afterwards."""
    directory = tmp_path / "index"
    before = os.umask(umask)
    try:
        with open_index(directory) as index:
            put(index, 1, random_keys(1))
            names = assert_private(directory)
            assert {"cache.db", "cache.db-wal", "cache.db-shm"} <= names
    finally:
        os.umask(before)
    assert assert_private(directory) == {"cache.db"}


def assert_private(directory: Path) -> set[str]:
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    for path in directory.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    return {path.name for path in directory.iterdir()}


def test_a_directory_that_others_could_write_is_made_private(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And there is a warning in the log."""
    with open_index(tmp_path / "index"):
        pass
    (tmp_path / "index").chmod(0o777)
    with open_index(tmp_path / "index"):
        assert_private(tmp_path / "index")
    assert "was writable by others" in caplog.text


def test_a_file_that_others_may_read_is_made_private_without_opening_it(tmp_path: Path) -> None:
    """Kubernetes widens the modes of a volume at each mount. Closing a descriptor would drop the locks of the process."""
    with open_index(tmp_path) as index:
        (tmp_path / "cache.db").chmod(0o644)
        with open_index(tmp_path):
            assert_private(tmp_path)
        put(index, 1, random_keys(1))


def test_a_second_opening_in_a_process_keeps_the_locks_of_the_first(tmp_path: Path) -> None:
    """A service opens the index for each request of its page. Closing a descriptor of the file would drop the locks of
    the process, and the next process that closes the index would delete the -wal file under the service."""
    use = "from tests.hook.index.index_kit import *; index = open_index(Path(sys.argv[1])); print(2 in index)"
    code = f"import sys; from pathlib import Path; {use}; index.close()"
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        open_index(tmp_path).close()
        assert python("-c", code, tmp_path).stdout == "False\n"
        assert (tmp_path / "cache.db-wal").exists()
        assert (tmp_path / "cache.db-shm").exists()
        put(index, 2, random_keys(2))
        assert python("-c", code, tmp_path).stdout == "True\n"


def test_the_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    """Its owner could change what we read. Root may use it, as with `docker exec`. An index of root is given to the user of
    the hook; that of somebody else is used by them."""
    owner = tmp_path.stat().st_uid
    make_private(tmp_path, owner)
    make_private(tmp_path, 0)
    advice = r"`chown -R 12345 .*` as root" if owner == 0 else "run this as"
    with pytest.raises(IndexUnsafe, match=rf"belongs to user .* this is user 12345.*{advice}"):
        make_private(tmp_path, 12345)
    if owner == 0:
        os.chown(tmp_path, 12345, 12345)
        with pytest.raises(IndexUnsafe, match=r"user 12345, this is user 23456\): run this as user 12345"):
            make_private(tmp_path, 23456)


@pytest.mark.parametrize("create", [True, False])
def test_a_directory_with_other_files_is_refused_and_left_alone(tmp_path: Path, create: bool) -> None:
    """It may be a directory of the system: as root, it would become unusable for everybody else."""
    (tmp_path / "passwd").touch()
    (tmp_path / "queue").mkdir()
    tmp_path.chmod(0o755)
    with pytest.raises(IndexUnsafe, match=r"contains 'passwd', but no index.*DEDUPE_INDEX_DIR"):
        open_index(tmp_path, create=create)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.parametrize("name", ["cache.db", "cache.db-wal", "cache.db-shm"])
@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path: Path, name: str, kind: str) -> None:
    """Whoever owns the directory could make root change the mode of any file, or overwrite it."""
    victim, place = tmp_path / "victim", tmp_path / "index" / name
    open_index(tmp_path / "index").close()
    victim.write_bytes((tmp_path / "index" / "cache.db").read_bytes())
    victim.chmod(0o644)
    place.unlink(missing_ok=True)
    (place.symlink_to if kind == "symbolic" else place.hardlink_to)(victim)
    before = victim.read_bytes()
    with pytest.raises(IndexUnsafe, match=name):
        open_index(tmp_path / "index")
    assert (stat.S_IMODE(victim.stat().st_mode), victim.read_bytes()) == (0o644, before)


def test_a_repair_does_not_write_through_a_link(tmp_path: Path) -> None:
    """The copy of the damaged file is a new file."""
    (tmp_path / "victim").write_text("precious")
    open_index(tmp_path / "index").close()
    (tmp_path / "index" / "cache.db").write_bytes(b"damaged" * 1000)
    (tmp_path / "index" / "cache.db.damaged").symlink_to(tmp_path / "victim")
    repair_file(tmp_path / "index")
    assert (tmp_path / "victim").read_text() == "precious"
    assert not (tmp_path / "index" / "cache.db.damaged").is_symlink()


def test_what_a_killed_creation_left_is_removed(tmp_path: Path) -> None:
    """The next process replaces the unfinished database."""
    (tmp_path / "creating").mkdir()
    (tmp_path / "creating" / "cache.db").write_bytes(b"half")
    (tmp_path / "cache.db-wal").write_bytes(b"of a database that is gone")
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        assert index.check().sound
    assert {path.name for path in tmp_path.iterdir()} == {"cache.db"}


def test_what_must_not_get_lost_is_on_disk_when_the_call_returns(tmp_path: Path) -> None:
    """SQLite waits for the disk (synchronous = FULL) at each change of a namespace and at a durable batch. What
    a sync would find again is written without that (NORMAL)."""
    normal, full = 1, 2
    with open_index(tmp_path) as index:
        namespace = index.namespace("decisions")

        def after(change: Callable[[], object]) -> int:
            put(index, 1, random_keys(1))
            assert level() == normal
            change()
            return level()

        def level() -> int:
            return int(index._store.connection.sqlite.execute("PRAGMA synchronous").fetchone()[0])

        def durable_batch() -> None:
            with index.batch(durable=True):
                assert level() == full
                put(index, 2, random_keys(2))

        assert after(lambda: namespace.put(b"key", b"value")) == full
        assert after(lambda: namespace.append(b"value")) == full
        assert after(lambda: namespace.delete(b"key")) == full
        assert after(durable_batch) == full
        assert after(lambda: put(index, 3, random_keys(3))) == normal


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Every connection that is opened."""
    opened: list[sqlite3.Connection] = []

    class Recorded(sqlite3.Connection):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            opened.append(self)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Recorded))
    return opened


def open_count(connections: list[sqlite3.Connection]) -> int:
    def is_open(connection: sqlite3.Connection) -> bool:
        try:
            connection.total_changes  # noqa: B018 - raises if it is closed
        except sqlite3.ProgrammingError:
            return False
        return True

    return sum(map(is_open, connections))


def damage(database: Path) -> None:
    database.write_bytes(b"garbage" * 10_000)


def remove_state(database: Path) -> None:
    rewrite(database.parent, "UPDATE Cache SET value = x'ffffff' WHERE key = 'state'")


@pytest.mark.parametrize("spoil", [damage, remove_state, lambda database: None])
def test_every_connection_is_closed_without_the_garbage_collector(
    tmp_path: Path, connections: list[sqlite3.Connection], spoil: Callable[[Path], None]
) -> None:
    """After an index that is used and one that cannot be opened, a rebuild and a recovery."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        assert open_count(connections) == 1
    spoil(tmp_path / "cache.db")
    with suppress(IndexFault), open_index(tmp_path):
        pass
    with suppress(IndexFault), open_index(tmp_path, recipe_id="another"):
        pass
    Index.rebuild(tmp_path, RECIPE, keys_of=keys_of).close()
    assert connections
    assert open_count(connections) == 0


def test_a_database_that_cannot_be_created_leaves_no_connection(
    tmp_path: Path, connections: list[sqlite3.Connection]
) -> None:
    """diskcache's constructor fails half-way when the disk is full."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
    try:
        with pytest.raises(IndexFull):
            open_index(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert connections
    assert open_count(connections) == 0
    open_index(tmp_path).close()


def test_a_file_is_not_replaced_by_a_process_that_has_it_open(tmp_path: Path) -> None:
    """A repair copies the file: that would drop the locks of the process."""
    with open_index(tmp_path), pytest.raises(IndexFault, match=r"open in this process.*a process of its own"):
        repair_file(tmp_path)


def test_a_deleted_log_is_noticed_before_anything_is_written(tmp_path: Path) -> None:
    """What goes into a file without a name is lost."""
    with open_index(tmp_path) as index:
        put(index, 1, random_keys(1))
        (tmp_path / "cache.db-wal").unlink()
        assert index.was_replaced()
        with pytest.raises(IndexReplaced):
            put(index, 2, random_keys(2))


def test_a_repair_waits_for_changes_and_changes_wait_for_a_repair(tmp_path: Path) -> None:
    """Nobody commits into the file between its copy and its replacement."""
    use = "import sys; from pathlib import Path; from tests.hook.index.index_kit import *; "
    repair = use + "repair_file(Path(sys.argv[1]), timeout_s=0.1)"
    with open_index(tmp_path, timeout_s=0.1) as index:
        put(index, 1, random_keys(1))
        with index.batch():
            assert "IndexBusy" in python("-c", repair, tmp_path).stderr
        with creation_lock(tmp_path, 1.0), pytest.raises(IndexBusy):
            put(index, 2, random_keys(2))
        assert python("-c", repair, tmp_path).returncode == 0
        with pytest.raises(IndexReplaced):
            put(index, 2, random_keys(2))
    with open_index(tmp_path) as index:
        assert list(index.ids()) == [1]
