"""`check` finds every disagreement between documents and keys, and repair leaves an index that has none."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hook.index.index import Index
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK, Keys
from hook.index.store import Store
from hook.index.verify import Report
from tests.hook.index.index_kit import RECIPE, content, found, keys_of, open_index, put, random_keys

COUNT = 60


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once; each test has a copy."""
    directory = tmp_path_factory.mktemp("filled") / "index"
    with open_index(directory) as opened, opened.batch():
        for number in range(COUNT):
            put(opened, number, random_keys(number))
    return directory


@pytest.fixture
def index(filled: Path, tmp_path: Path) -> Iterator[Index]:
    shutil.copytree(filled, tmp_path / "index")
    with open_index(tmp_path / "index") as opened:
        yield opened


def run(*statements: str) -> Callable[[Store], None]:
    def damage(store: Store) -> None:
        for statement in statements:
            store.sql(statement)

    return damage


CUT = """PRAGMA ignore_check_constraints = ON;
UPDATE posting SET docs = x'0700' WHERE key = (SELECT min(key) FROM posting);
PRAGMA ignore_check_constraints = OFF"""
CASES: dict[str, tuple[Callable[[Store], object], Callable[[Report], object]]] = {
    "a lost record": (lambda store: store.delete(7), lambda report: report.stray_entries == 100),
    "a spoilt record": (
        lambda store: store.set(7, b"no keys"),
        lambda report: report.unreadable_ids == (7,) and report.stray_entries == 100,
    ),
    "another record": (
        lambda store: store.set(7, random_keys(1007).tobytes()),
        lambda report: report.lost_entries == 100 and report.stray_entries == 100,
    ),
    "a pickled record": (
        run("UPDATE Cache SET mode = 4 WHERE key = 7"),
        lambda report: report.unreadable_ids == (7,),
    ),
    "a pickled key": (
        run("UPDATE Cache SET raw = 0 WHERE key = 7"),
        lambda report: report.unreadable_ids == (7,),
    ),
    "a lost entry": (
        run("DELETE FROM posting WHERE key = (SELECT min(key) FROM posting)"),
        lambda report: report.lost_entries == 1,
    ),
    "no entries": (run("DELETE FROM posting"), lambda report: report.lost_entries == COUNT * 100),
    "a stray entry": (
        run("INSERT INTO posting VALUES (12345, x'07000000e7030000')"),
        lambda report: report.stray_entries == 2,
    ),
    "a cut entry": (run(*CUT.split(";")), lambda report: report.file_problems),
}


@pytest.mark.parametrize(("damage", "expected"), CASES.values(), ids=CASES)
def test_damage_is_found_and_repaired(
    index: Index, damage: Callable[[Store], object], expected: Callable[[Report], object]
) -> None:
    """Each kind is reported as such; after the repair every readable document is found under all its keys."""
    damage(index._store)
    report = index.check()
    assert not report.sound
    assert expected(report), report
    assert index.check(repair=True).repaired
    after = index.check()
    assert after.sound, after
    assert len(index) == after.document_count == len(list(index.ids())) >= COUNT - 1
    for number, record in index.get_many(index.ids()).items():
        keys = np.frombuffer(record, np.uint64)
        assert found(index, keys) == {(int(key), number) for key in keys}
    put(index, 1000, random_keys(1000))
    assert index.check().sound


def test_a_sound_index_is_not_touched(index: Index) -> None:
    """Repair writes nothing where nothing is wrong."""
    before = content(index)
    report = index.check(repair=True)
    assert report.sound
    assert not report.repaired
    assert report.document_count == COUNT
    assert content(index) == before


def test_repair_keeps_full_buckets_bounded(tmp_path: Path) -> None:
    """A family of 300: the newest come back, not all."""
    key = random_keys(1, 1)
    with open_index(tmp_path) as index:
        with index.batch():
            for number in range(300):
                put(index, number, key)
        index._store.sql("DELETE FROM posting")
        assert not index.check().sound
        index.check(repair=True)
        newest = index.lookup(key).ids.tolist()
        assert newest == list(range(300 - len(newest), 300))
        assert BUCKET_CAP <= len(newest) <= BUCKET_CAP + BUCKET_SLACK
        assert index.check().sound


def test_others_may_write_while_it_is_checked(tmp_path: Path) -> None:
    """A check reads a snapshot of the index and holds no lock."""
    with open_index(tmp_path, timeout_s=0.1) as other:
        put(other, 1, random_keys(1))

        def write_meanwhile(record: bytes) -> Keys:
            put(other, len(other) + 1, random_keys(len(other) + 1))
            return keys_of(record)

        with Index.open(tmp_path, RECIPE, keys_of=write_meanwhile) as index:
            assert index.check().sound
        assert len(other) == 2
